"""Products and their ids: spelling aside, the same product has the same id."""

import re
import unicodedata
from collections.abc import Mapping

from specfactory.contract.text.normal_form import MARKS
from specfactory.errors import UsageError
from specfactory.model import Product

_NOT_WORD = re.compile(r"[^\w]+|_+")


def product_id(category: str, brand: str, model: str, variant: str = "") -> str:
    """``mouse-razer-viper-v3-pro-wireless``; case, accents, spaces and hyphens do not matter."""
    named = slug(brand)
    rest = slug(model)
    if rest.startswith(named + "-"):  # the brand written again in front of the model
        rest = rest[len(named) + 1 :]
    parts = (slug(category), named, rest, slug(variant))
    return "-".join(part for part in parts if part)


def slug(words: str) -> str:
    """Words as they stand in an id: lower case, without accents, joined by hyphens."""
    words = words.translate(MARKS).replace("+", " plus ").replace("&", " and ")
    plain = unicodedata.normalize("NFKD", words)
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_WORD.sub("-", bare.casefold()).strip("-")


def make_product(
    category: str,
    brand: str,
    model: str,
    variant: str = "",
    hard_ids: Mapping[str, str] | None = None,
) -> Product:
    """A product with clean white space and its id; brand and model must say something."""
    category, brand, model, variant = (
        " ".join(words.split()) for words in (category, brand, model, variant)
    )
    for what, words in (("brand", brand), ("model", model)):
        if not slug(words):
            raise UsageError(f"a product needs a {what}; given {words!r}")
    ids = {name: value.strip() for name, value in (hard_ids or {}).items() if value.strip()}
    return Product(
        category, brand, model, variant, ids, product_id(category, brand, model, variant)
    )
