"""The kind of a page that nobody named, and a contract of everything that it says."""

from __future__ import annotations

from collections import Counter
from functools import cache

from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.contract.drafts import contract_from_examples, wanted_contract
from specfactory.extract.answers.page_answers import answer_page
from specfactory.extract.labelled import open_pairs
from specfactory.model import Answer, Contract, Field, replace
from specfactory.proof import PageViews

_DECLARED = {
    "Product": "product", "ProductGroup": "product", "Recipe": "recipe", "Article": "article",
    "NewsArticle": "article", "BlogPosting": "article", "RealEstateListing": "listing",
    "Apartment": "listing", "House": "listing", "Residence": "listing",
}  # fmt: skip
# What only pages of a kind say, and how much of it: the narrowest kind first.
_SAID = (
    ("recipe", ("ingredients", "instructions"), 2),
    ("listing", ("rooms", "bedrooms", "bathrooms", "living_area"), 2),
    ("product", ("price", "availability", "brand", "sku", "mpn", "gtin"), 2),
    ("article", ("author", "date_published", "body"), 3),
)
_MOST_LABELS = 100


def kind_of(views: PageViews) -> str:
    """The bundled contract that a page is of: as it declares, else by what it says; "" if none."""
    declared = Counter(_DECLARED[item.type] for item in views.items if item.type in _DECLARED)
    if declared:
        return declared.most_common(1)[0][0]
    said = {name for name, one in answer_page(views, _telling()).items() if _is_told(one)}
    return next((kind for kind, some, least in _SAID if len(said & set(some)) >= least), "")


def _is_told(answer: Answer) -> bool:
    """True if the page names the field itself; lists and texts of any kind look like others.

    A price needs no name, and a body has none.
    """
    evidence = answer.candidate.evidence
    is_named = evidence.label is not None or evidence.section is not None
    return is_named or answer.field in ("price", "body")


@cache
def _telling() -> CompiledContract:
    return compile_contract(wanted_contract(name for _, names, _ in _SAID for name in names))


def contract_of_page(views: PageViews) -> Contract:
    """A contract of everything a page says: the fields of its kind, then its own labels."""
    kind = kind_of(views)
    base = find_contract(kind) if kind else wanted_contract(["name"])
    known = compile_contract(base)
    examples: dict[str, list[str]] = {}
    for label, value in open_pairs(views):
        if known.match_label(label) is None and len(examples) < _MOST_LABELS:
            examples.setdefault(label, [value])
    made = contract_from_examples("page", examples, language=views.language).fields.values()
    own = {field.name: _by_its_label(field, views.language) for field in made}
    fields = {**base.fields, **own, **base.fields}  # in this order; its kind knows a name better
    digest = f"{base.digest}-{views.page.content_hash}"
    return replace(base, category=kind or "page", fields=fields, digest=digest)


def _by_its_label(field: Field, language: str) -> Field:
    """Only what the page itself calls the field: other names are those of other trades."""
    own = field.labels["en"][:1]
    return replace(field, labels={language or "en": own}, structured=())
