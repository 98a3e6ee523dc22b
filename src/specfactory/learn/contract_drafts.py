"""Draft of a contract from sample pages, to be edited by a person."""

from collections import Counter
from collections.abc import Mapping, Sequence

from specfactory.contract import CompiledContract, categories, compile_contract, find_contract
from specfactory.contract.drafts import contract_from_examples, field_name
from specfactory.contract.text import normal
from specfactory.errors import UsageError
from specfactory.extract import answer_page
from specfactory.extract.labelled import open_pairs
from specfactory.model import Contract, Field, Frozen, Level, replace
from specfactory.proof import PageViews, reading

_ON_MOST = 0.8  # share of pages from which a field is expected
_ON_SOME = 0.2  # share of pages from which a field is proposed; at least two of three or more
_EXAMPLES = 3
_MOST_FIELDS = 200
_ABOUT = {
    "Product": "product", "ProductGroup": "product", "Recipe": "recipe", "Article": "article",
    "NewsArticle": "article", "BlogPosting": "article", "RealEstateListing": "listing",
    "Apartment": "listing", "House": "listing", "Residence": "listing",
}  # fmt: skip


class Draft(Frozen):
    """Proposed contract; ``seen`` has for each field the number of pages, and examples."""

    contract: Contract
    pages: int
    base: str  # bundled contract whose fields were recognised
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
    compiled = compile_contract(find_contract(base))
    values: dict[str, list[str]] = {}
    for views in pages:
        for name, answer in answer_page(views, compiled).items():
            quote = " ".join(map(reading, answer.candidate.evidence.values))
            values.setdefault(name, []).append(quote)
    bundled = compiled.contract
    known = [
        (field, values[name])
        for name, field in bundled.fields.items()
        if _often(len(values.get(name, ())), len(pages))
    ]
    fresh = _labelled(category, pages, compiled, {field.name for field, _ in known})
    found = [*known, *fresh][:_MOST_FIELDS]
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
    contract = Contract(field_name(category), "0.1.0", title, fields, components=parts)
    return Draft(contract, len(pages), base, seen)


def _nearest(pages: Sequence[PageViews]) -> str:
    """Choose the bundled contract of the pages' declared types, else the one that finds most."""
    types = Counter(
        category
        for views in pages
        for category in {_ABOUT[item.type] for item in views.items if item.type in _ABOUT}
    )
    if types:
        return types.most_common(1)[0][0]
    found: Counter[str] = Counter()
    for name in categories():
        compiled = compile_contract(find_contract(name))
        found[name] = sum(len(answer_page(views, compiled)) for views in pages)
    return max(found, key=lambda name: (found[name], name == "product"))


def _labelled(
    category: str, pages: Sequence[PageViews], known: CompiledContract, names: set[str]
) -> list[tuple[Field, list[str]]]:
    """Make fields from labels that no known field matches."""
    values: dict[str, list[str]] = {}
    spelled: dict[str, Counter[str]] = {}
    for views in pages:
        first: dict[str, str] = {}
        for label, value in open_pairs(views):
            first.setdefault(label, value)
        for label, value in first.items():
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


def _spoken(field: Field, language: str) -> Field:
    """Move the field's own label to the language of the pages."""
    own, *others = field.labels["en"]
    if language == "en":
        return field
    labels = {**field.labels, "en": tuple(others)}
    labels[language] = (own, *(word for word in labels.get(language, ()) if word != own))
    return replace(field, labels={name: words for name, words in labels.items() if words})


def _often(count: int, pages: int) -> bool:
    return count >= max(1 if pages < 3 else 2, _ON_SOME * pages)
