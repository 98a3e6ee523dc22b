"""No contract yet: what sample pages say of themselves, as a draft to be edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from specfactory.contract import categories, compile_contract, find_contract
from specfactory.contract.drafts import contract_from_examples, field_name
from specfactory.contract.text import normal
from specfactory.errors import UsageError
from specfactory.extract import answer_page
from specfactory.extract.labelled import open_pairs
from specfactory.model import Candidate, Contract, Field, Level
from specfactory.proof import PageViews, reading

_ON_MOST = 0.8  # of the pages: then a field is expected
_ON_SOME = 0.2  # of the pages, and on two where there are three
_EXAMPLES = 3
_MOST_FIELDS = 200
_ABOUT = {
    "Product": "product", "ProductGroup": "product", "Recipe": "recipe", "Article": "article",
    "NewsArticle": "article", "BlogPosting": "article", "RealEstateListing": "listing",
    "Apartment": "listing", "House": "listing", "Residence": "listing",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposed contract; ``seen`` says of each field on how many pages, with examples."""

    contract: Contract
    pages: int
    base: str  # the bundled contract whose fields were recognised
    seen: Mapping[str, tuple[int, tuple[str, ...]]]

    def notes(self) -> dict[str, str]:
        """What a person should see beside each field."""
        return {
            name: f"on {count} of {self.pages} pages: {' | '.join(examples)}"
            for name, (count, examples) in self.seen.items()
        }


def draft_contract(category: str, pages: Sequence[PageViews], based_on: str | None = None) -> Draft:
    """Propose a contract: fields that are known already, then every label that recurs."""
    if not pages:
        raise UsageError("no pages to draft from; give files or addresses")
    base = based_on or _nearest(pages)
    known = _known_fields(base, pages)
    fresh = _labelled(category, pages, base, {field.name for field, _ in known})
    found = [*known, *fresh][:_MOST_FIELDS]
    if not found:
        raise UsageError("these pages name nothing: no structured data, no label with a value")
    fields = {field.name: _levelled(field, values, len(pages)) for field, values in found}
    seen = {field.name: (len(values), _few(values)) for field, values in found}
    lists = {field.component for field in fields.values()}
    parts = {n: known for n, known in find_contract(base).components.items() if n in lists}
    title = category.replace("_", " ").capitalize()
    contract = Contract(field_name(category), "0.1.0", title, fields, components=parts)
    return Draft(contract, len(pages), base, seen)


def _nearest(pages: Sequence[PageViews]) -> str:
    """The bundled contract of what the pages say they are, else the one that finds most."""
    types = Counter(
        category
        for views in pages
        for category in {_ABOUT[item.type] for item in views.items if item.type in _ABOUT}
    )
    if types:
        return types.most_common(1)[0][0]
    found = {name: sum(len(answers) for answers in _answers(name, pages)) for name in categories()}
    return max(found, key=lambda name: (found[name], name == "product"))


def _answers(category: str, pages: Sequence[PageViews]) -> Iterator[dict[str, Candidate]]:
    compiled = compile_contract(find_contract(category))
    for views in pages:
        yield {name: answer.candidate for name, answer in answer_page(views, compiled).items()}


def _known_fields(base: str, pages: Sequence[PageViews]) -> list[tuple[Field, list[str]]]:
    values: dict[str, list[str]] = {}
    for answers in _answers(base, pages):
        for name, candidate in answers.items():
            values.setdefault(name, []).append(_quote(candidate))
    fields = find_contract(base).fields
    return [(fields[n], values[n]) for n in fields if _often(len(values.get(n, ())), len(pages))]


def _labelled(
    category: str, pages: Sequence[PageViews], base: str, names: set[str]
) -> list[tuple[Field, list[str]]]:
    """Fields out of labels that nothing known explains."""
    known = compile_contract(find_contract(base))
    values: dict[str, list[str]] = {}
    spelled: dict[str, Counter[str]] = {}
    for views in pages:
        for label, value in _first_values(views).items():
            match = known.match_label(label)
            if match is None or match.field not in names:
                values.setdefault(normal(label), []).append(value)
                spelled.setdefault(normal(label), Counter())[label] += 1
    often = [key for key, some in values.items() if _often(len(some), len(pages))]
    examples = {spelled[key].most_common(1)[0][0]: values[key] for key in often}
    if not examples:
        return []
    language = Counter(views.language for views in pages).most_common(1)[0][0] or "en"
    fields = contract_from_examples(category, examples, language=language).fields.values()
    made = zip(fields, examples.values(), strict=True)
    return [(_spoken(field, language), some) for field, some in made if field.name not in names]


def _first_values(views: PageViews) -> dict[str, str]:
    found: dict[str, str] = {}
    for label, value in open_pairs(views):
        found.setdefault(label, value)
    return found


def _spoken(field: Field, language: str) -> Field:
    """The field with its own label under the language of the pages."""
    own, *others = field.labels["en"]
    if language == "en":
        return field
    labels = {**field.labels, "en": tuple(others)}
    labels[language] = (own, *(word for word in labels.get(language, ()) if word != own))
    return replace(field, labels={name: words for name, words in labels.items() if words})


def _often(count: int, pages: int) -> bool:
    return count >= max(1 if pages < 3 else 2, _ON_SOME * pages)


def _levelled(field: Field, values: list[str], pages: int) -> Field:
    often = len(values) >= _ON_MOST * pages
    kept = field.level if field.level is not Level.OPTIONAL and often else None
    return replace(field, level=kept or (Level.EXPECTED if often else Level.OPTIONAL))


def _few(values: list[str]) -> tuple[str, ...]:
    shown = (" ".join(value.split())[:60] for value in values)
    return tuple(list(dict.fromkeys(shown))[:_EXAMPLES])


def _quote(candidate: Candidate) -> str:
    return " ".join(map(reading, candidate.evidence.values))
