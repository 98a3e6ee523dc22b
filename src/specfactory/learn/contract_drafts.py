"""Draft of a contract from sample pages, to be edited by a person."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.contract.drafts import contract_from_examples, field_name, wanted_contract
from specfactory.contract.matching import split_section
from specfactory.contract.text import normal
from specfactory.errors import UsageError
from specfactory.extract import answer_page
from specfactory.extract.answers import kind_of
from specfactory.extract.labelled import open_pairs
from specfactory.fetch.addresses import parse_url
from specfactory.model import Contract, Field, Frozen, Level, Source, Tier, replace
from specfactory.proof import PageViews, reading

_ON_MOST = 0.8  # share of pages from which a field is expected
_ON_SOME = 0.2  # share of pages from which a field is proposed; at least two of three or more
_EXAMPLES = 3
_LONG_WORDS = 5
_MOST_FIELDS = 200
HARD_IDS = ("gtin", "mpn", "sku", "isbn", "asin")


class Draft(Frozen):
    """Proposed contract; ``seen`` has for each field the number of pages, and examples."""

    contract: Contract
    pages: int
    base: str  # bundled contract whose fields were recognised; "": none
    seen: Mapping[str, tuple[int, tuple[str, ...]]]

    def notes(self) -> dict[str, str]:
        """Notes for a person beside each field."""
        return {
            name: f"on {count} of {self.pages} pages: {' | '.join(examples)}"
            for name, (count, examples) in self.seen.items()
        }


def draft_contract(category: str, pages: Sequence[PageViews], based_on: str | None = None) -> Draft:
    """Propose a contract: fields of a bundled contract, then every recurring label."""
    if not pages:
        raise UsageError("no pages to draft from; give files or addresses")
    base = based_on or _nearest(pages)
    compiled = compile_contract(find_contract(base) if base else wanted_contract(["name"]))
    values: dict[str, list[str]] = {}
    for views in pages:
        for name, answer in answer_page(views, compiled).items():
            quote = " ".join(map(reading, answer.candidate.evidence.values))
            values.setdefault(name, []).append(quote)
    bundled = compiled.contract
    spoken = {views.language or "en" for views in pages}
    known = [
        (_spoken_in(field, spoken), values[name])
        for name, field in bundled.fields.items()
        if _often(len(values.get(name, ())), len(pages))
    ]
    fresh = _labelled(category, pages, compiled, {field.name for field, _ in known})
    found = [*known, *_unclaimed(fresh, [field for field, _ in known])][:_MOST_FIELDS]
    if not found:
        raise UsageError("these pages name nothing: no structured data, no label with a value")
    fields: dict[str, Field] = {}
    seen: dict[str, tuple[int, tuple[str, ...]]] = {}
    for field, quotes in found:
        often = len(quotes) >= _ON_MOST * len(pages)
        kept = field.level if field.level is not Level.OPTIONAL and often else None
        level = kept or (Level.EXPECTED if often else Level.OPTIONAL)
        fields[field.name] = replace(field, level=level)
        shown = dict.fromkeys(" ".join(quote.split())[:60] for quote in quotes)
        seen[field.name] = len(quotes), tuple(shown)[:_EXAMPLES]
    lists = {field.component for field in fields.values()}
    parts = {n: known for n, known in bundled.components.items() if n in lists}
    title = category.replace("_", " ").capitalize()
    identity = replace(
        bundled.identity, hard_ids=tuple(name for name in HARD_IDS if name in fields)
    )
    contract = Contract(
        field_name(category), "0.1.0", title, fields, identity, _sources(pages), components=parts
    )
    return Draft(contract, len(pages), base, seen)


def _sources(pages: Sequence[PageViews]) -> tuple[Source, ...]:
    """The sites that the pages are from, as far as addresses or the pages themselves say."""
    places: dict[str, str] = {}
    for views in pages:
        with suppress(ValueError):  # anything may stand in a page's canonical URL
            target = parse_url(views.page.url or views.canonical_url)
            places.setdefault(target.netloc, target.scheme)
    return tuple(Source(host, Tier.RETAILER, scheme) for host, scheme in places.items())


def _nearest(pages: Sequence[PageViews]) -> str:
    """Choose the bundled contract that most pages are of; "" where there is none."""
    kind, count = Counter(map(kind_of, pages)).most_common(1)[0]
    return kind if count * 2 > len(pages) else ""


def _labelled(
    category: str, pages: Sequence[PageViews], known: CompiledContract, names: set[str]
) -> list[tuple[Field, list[str]]]:
    """Make fields from labels that no known field matches."""
    values: dict[str, list[str]] = {}
    spelled: dict[str, Counter[str]] = {}
    languages: dict[str, str] = {}
    for views in pages:
        first: dict[str, str] = {}
        for label, value in open_pairs(views):
            first.setdefault("".join(filter(str.isprintable, label)), value)
        for label, value in first.items():
            match = known.match_label(label)
            if match is None or match.field not in names:
                values.setdefault(normal(label), []).append(value)
                spelled.setdefault(normal(label), Counter())[label] += 1
                languages.setdefault(normal(label), views.language or "en")
    often = [
        key
        for key, some in values.items()
        if _often(len(some), len(pages)) and not _is_furniture(some)
    ]
    examples = {spelled[key].most_common(1)[0][0]: values[key] for key in often}
    if not examples:
        return []
    language = Counter(views.language for views in pages).most_common(1)[0][0] or "en"
    fields = contract_from_examples(category, examples, language=language).fields.values()
    made = zip(fields, examples, examples.values(), strict=True)
    # only what the pages call it: the other names that are known are those of other trades
    return [
        (replace(field, labels={languages[normal(own)]: (own,)}, structured=()), some)
        for field, own, some in made
        if field.name not in names
    ]


def _unclaimed(
    fresh: list[tuple[Field, list[str]]], known: list[Field]
) -> Iterator[tuple[Field, list[str]]]:
    """Those whose label names no other field, as contract files are checked."""
    owned = {split_section(label) for field in known for label in _labels(field)}
    for field, values in fresh:
        own = {split_section(label) for label in _labels(field)}
        if not own & owned:
            owned |= own
            yield field, values


def _labels(field: Field) -> Iterator[str]:
    return (label for labels in field.labels.values() for label in labels)


def _is_furniture(values: Sequence[str]) -> bool:
    """True for a menu or a notice: the same long words on every page are of none of them."""
    return len(values) > 2 and len(set(values)) == 1 and len(values[0].split()) > _LONG_WORDS


def _spoken_in(field: Field, languages: set[str]) -> Field:
    """Only the labels in the languages of the pages."""
    return replace(field, labels={k: words for k, words in field.labels.items() if k in languages})


def _often(count: int, pages: int) -> bool:
    return count >= max(1 if pages < 3 else 2, _ON_SOME * pages)
