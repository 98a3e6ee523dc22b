"""What a field means on any page, whatever its contract calls it: read off its schema.org paths.

The one place that decides it. A field gets its roles when its contract is compiled.
"""

from typing import NamedTuple

from specfactory.contract.field_types import FIELD_TYPES
from specfactory.model import Field, FieldType

_FAMILIES = {
    "price": "price", "lowPrice": "price", "highPrice": "price", "priceCurrency": "currency",
    "availability": "availability", "sku": "id", "mpn": "id", "gtin": "id", "gtin13": "id",
    "isbn": "id", "productID": "id", "brand": "brand", "manufacturer": "brand",
    "name": "headline", "headline": "headline", "author": "person", "creator": "person",
    "datePublished": "date", "dateModified": "date", "articleBody": "body",
    "ratingValue": "rating", "reviewCount": "count", "ratingCount": "count",
}  # fmt: skip
# Names of types and of schema.org properties -> what the ranking was learned for.
_RANKED = {
    FieldType.PRICE: {"price": "price"},
    FieldType.TEXT: {"sku": "id", "brand": "brand"},
    FieldType.ENUMERATION: {"priceCurrency": "currency", "availability": "availability"},
}
_ARTICLE_PARTS = {
    "articleBody": "body", "author": "author", "datePublished": "published",
    "headline": "headline", "mainContentOfPage": "main_content",
    "title": "headline",  # a name by "name" alone is known before the page is read
}  # fmt: skip
_CODES = ("gtin", "mpn", "sku", "isbn", "asin")
_BARCODES = frozenset(("gtin", "gtin8", "gtin12", "gtin13", "gtin14", "ean", "upc", "barcode"))
_PAGE_LABELS = {"inLanguage": "language", "keywords": "topics"}
_RECIPE_LISTS = {"recipeIngredient": "ingredients", "recipeInstructions": "steps"}
_SCRIPT_NAMES = frozenset(
    ("latitude", "longitude", "addressLocality", "addressRegion", "postalCode", "streetAddress",
     "numberOfBedrooms", "numberOfBathroomsTotal", "yearBuilt", "addressCountry", "additionalType",
     "numberOfRooms")
)  # fmt: skip
_LONG_TEXTS = frozenset(("body", "main_content"))


class FieldRole(NamedTuple):
    """The roles of one field; empty where it has none."""

    family: str  # fields whose values look and err alike share a calibration curve
    ranked_as: str = ""  # price, currency, id, availability or brand: which learned ranking applies
    article_part: str = ""  # headline, author, published, body or main_content
    asked_first: str = ""  # the property of the page's own thing that outranks the article's
    page_label: str = ""  # language or topics: asked for where nothing else is found
    recipe_list: str = ""  # ingredients or steps
    script_name: str = ""  # the schema.org name by which scripts may give it
    may_be_publisher: bool = False  # the publisher counts as author where nobody else is named
    is_modification: bool = False  # the day of the last change
    code: str = ""  # gtin, mpn, sku, isbn or asin: the kind of id that it holds

    @property
    def is_name(self) -> bool:
        """The name of the thing itself, which sources write in many lengths."""
        return self.family == "headline"

    @property
    def is_long_text(self) -> bool:
        """The body of an article is longer than any name."""
        return self.article_part in _LONG_TEXTS


def field_role(field: Field) -> FieldRole:
    """Read the roles of a field off its schema.org paths and its type."""
    paths = field.structured
    leaves = [path.replace(":", ".").rpartition(".")[2] for path in paths]
    family = _family(field)
    part = next((_ARTICLE_PARTS[path] for path in paths if path in _ARTICLE_PARTS), "")
    ranked = [role for name, role in _RANKED.get(field.type, {}).items() if name in leaves]
    if field.type is FieldType.ENUMERATION and len(ranked) > 1:
        ranked = []  # it says neither which currency nor whether there is stock
    return FieldRole(
        family,
        ranked[0] if ranked else "",
        part,
        paths[0] if part and paths[0] not in _ARTICLE_PARTS else "",
        next((_PAGE_LABELS[path] for path in paths if path in _PAGE_LABELS), ""),
        next((_RECIPE_LISTS[path] for path in paths if path in _RECIPE_LISTS), ""),
        next((leaf for leaf in leaves if leaf in _SCRIPT_NAMES), ""),
        family == "person" and "publisher.name" in paths,
        "dateModified" in paths,
        _code(field, leaves),
    )


def _code(field: Field, leaves: list[str]) -> str:
    if field.type is not FieldType.TEXT:
        return ""
    if field.name in _BARCODES or not _BARCODES.isdisjoint(leaves):
        return "gtin"
    return next((code for code in _CODES if code == field.name or code in leaves), "")


def _family(field: Field) -> str:
    for path in field.structured:
        for name in reversed(path.split(".")):
            if name in _FAMILIES and not (name == "name" and "." in path):
                return _FAMILIES[name]
    return "quantity" if FIELD_TYPES[field.type].is_measured else str(field.type)
