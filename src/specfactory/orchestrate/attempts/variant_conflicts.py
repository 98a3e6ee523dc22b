"""Pages about different variants, each of which may be the product's."""

from collections.abc import Iterable, Sequence

from specfactory.identify import ID_CONFIDENCE, contradict, say_measures
from specfactory.model import Identity, Verdict
from specfactory.store import Reading

_CONFIDENCE = 0.5


def tell_apart(readings: Iterable[Reading]) -> dict[str, Identity]:
    """Give pages that contradict each other about the variant an unsure identity, by page id.

    The product does not say which variant is meant, so a person must. A page that a hard id
    proves to be the product's keeps its identity; the others are compared with it.
    """
    named = [one for one in readings if one.measures]
    found = {}
    for one in named:
        rival = next((other for other in named if contradict(one.measures, other.measures)), None)
        if rival is not None and one.identity.confidence < ID_CONFIDENCE:
            mine, theirs = say_measures(one.measures), say_measures(rival.measures)
            reason = (
                f"is about {mine}, another page about {theirs}; which variant is meant is not said"
            )
            reasons = (reason, *(known for known in one.identity.reasons if known != reason))
            found[one.page_id] = Identity(Verdict.UNSURE, _CONFIDENCE, reasons)
    return found


def disputes(apart: Sequence[Reading]) -> tuple[str, ...]:
    """The question to a person about pages that were told apart; none without such pages."""
    named = sorted({one.measures for one in apart})
    if not named:
        return ()
    said = "; ".join(say_measures(measures) for measures in named)
    return (f"pages are about different variants ({said}): name the one that is meant",)
