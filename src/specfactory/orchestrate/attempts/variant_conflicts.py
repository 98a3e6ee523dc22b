"""Pages about different variants, each of which may be the product's."""

from collections.abc import Iterable, Mapping

from specfactory.contract.text import tokens
from specfactory.identify import ID_CONFIDENCE, contradict, say_measures
from specfactory.model import Frozen, Identity, Verdict
from specfactory.store import Reading

_CONFIDENCE = 0.5


class FoundVariant(Frozen):
    """A variant of a product that names none, and the pages that are about it."""

    name: str
    urls: tuple[str, ...]


def tell_apart(
    readings: Iterable[Reading], chosen: str = "", seen: Iterable[str] = ()
) -> dict[str, Identity]:
    """Give pages that contradict each other about the variant an unsure identity, by page id.

    The product does not say which variant is meant, so a person must. A page that a hard id
    proves to be the product's keeps its identity; the others are compared with it. Once a person
    has ``chosen`` a variant, pages about others are about another product. ``seen`` are variants
    of pages that were found and not read.
    """
    named = [one for one in readings if variant_name(one)]
    found = {}
    for one in named:
        if chosen:
            if _apart(chosen, variant_name(one)):
                reason = f"is about {variant_name(one)}, not the variant {chosen} that was chosen"
                found[one.page_id] = Identity(Verdict.OTHER, 1.0, (reason,))
            continue
        rivals = [variant_name(other) for other in named if _differ(one, other)]
        rivals += [name for name in seen if one.variant and name not in one.variant]
        if rivals and one.identity.confidence < ID_CONFIDENCE:
            mine = variant_name(one)
            reason = (
                f"is about {mine}, another page about {rivals[0]}; "
                "which variant is meant is not said"
            )
            reasons = (reason, *(known for known in one.identity.reasons if known != reason))
            found[one.page_id] = Identity(Verdict.UNSURE, _CONFIDENCE, reasons)
    return found


def variant_name(reading: Reading) -> str:
    """The variant that a page is about, as a person says it; empty if it names none."""
    return ", ".join(filter(None, (" ".join(reading.variant), say_measures(reading.measures))))


def variants_of(
    readings: Mapping[str, Reading], seen: Mapping[str, Iterable[str]]
) -> tuple[FoundVariant, ...]:
    """The variants that pages are about, each with its pages; ``readings`` by URL."""
    found: dict[str, dict[str, None]] = {}
    for url, reading in readings.items():
        if name := variant_name(reading):
            found.setdefault(name, {})[url] = None
    for name, urls in seen.items():
        found.setdefault(name, {}).update(dict.fromkeys(urls))
    return tuple(FoundVariant(name, tuple(sorted(found[name]))) for name in sorted(found))


def _differ(one: Reading, other: Reading) -> bool:
    apart = _apart(" ".join(one.variant), " ".join(other.variant))
    return apart or contradict(one.measures, other.measures)


def _apart(one: str, other: str) -> bool:
    """Tell whether two variants differ; one that says less does not contradict."""
    words, others = set(tokens(one)), set(tokens(other))
    return not (words <= others or others <= words)
