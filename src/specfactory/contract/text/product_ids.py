"""Products and their ids: spelling aside, the same product has the same id."""

import re
import unicodedata
from collections.abc import Mapping

from specfactory.contract.text.normal_form import MARKS
from specfactory.errors import UsageError
from specfactory.model import IdentityRules, Product

_NOT_WORD = re.compile(r"[^\w]+|_+")


def product_id(category: str, brand: str, model: str, variant: str = "") -> str:
    """``mouse-razer-viper-v3-pro-wireless``; case, accents, spaces and hyphens do not matter."""
    named = slug(brand)
    rest = slug(model)
    if named and rest.startswith(named + "-"):  # the brand written again in front of the model
        rest = rest[len(named) + 1 :]
    parts = (slug(category), named, rest, slug(variant))
    return "-".join(part for part in parts if part)


def slug(words: str) -> str:
    """Words as they stand in an id: lower case, without accents, joined by hyphens."""
    words = words.translate(MARKS).replace("+", " plus ").replace("&", " and ")
    plain = unicodedata.normalize("NFKD", words)
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_WORD.sub("-", bare.casefold()).strip("-")


SLOTS = ("model", "brand", "variant")
"""Parts of a product's identity, in the order in which a contract names its own fields for them."""


def named_product(
    category: str,
    rules: IdentityRules,
    words: Mapping[str, str],
    hard_ids: Mapping[str, str] | None = None,
) -> Product:
    """The thing that these words name, by the contract's own fields or by brand and model."""
    own = dict(zip(rules.names, SLOTS, strict=False))
    slots = {slot: words.get(slot, "") for slot in SLOTS}
    for name, given in words.items():
        if name not in own and name not in SLOTS:
            raise UsageError(f"{category} is named by {', '.join(rules.names)}, not by {name}")
        if given.strip():
            slots[own.get(name, name)] = given
    for name in rules.needed:
        if not slug(slots[own[name]]):
            option = f"--{name}" if name in SLOTS else f"--name {name}=WORDS"
            raise UsageError(f"{category} needs a {name}: give {option}")
    return make_product(category, slots["brand"], slots["model"], slots["variant"], hard_ids)


def make_product(
    category: str,
    brand: str,
    model: str,
    variant: str = "",
    hard_ids: Mapping[str, str] | None = None,
) -> Product:
    """A thing with clean white space and its id; its model must say something.

    Things that no brand names (players, places, books) leave it empty.
    """
    category, brand, model, variant = (
        " ".join(words.split()) for words in (category, brand, model, variant)
    )
    if not slug(model):
        raise UsageError(f"a product needs a model; given {model!r}")
    ids = {name: value.strip() for name, value in (hard_ids or {}).items() if value.strip()}
    return Product(
        category, brand, model, variant, ids, product_id(category, brand, model, variant)
    )
