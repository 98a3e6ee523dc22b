"""Which products the demo web knows, and which of them are easily confused."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml

from specfactory.errors import UsageError
from specfactory.model import Frozen, Product

_HERE = Path(__file__).parent


class Mouse(Frozen):
    """A product with its family: what its values are drawn from."""

    product: Product
    family: str
    place: int  # within its family
    number: int = 0  # within the catalogue

    @property
    def id(self) -> str:
        """The product's id."""
        return self.product.id

    @property
    def name(self) -> str:
        """Brand, model and variant."""
        return self.product.name

    @property
    def slug(self) -> str:
        """Its name in URLs."""
        return slug(self.name)

    @property
    def wireless(self) -> bool:
        """Whether it works without a cable."""
        return self.product.variant == "Wireless"

    @property
    def words(self) -> frozenset[str]:
        """The words of its name, in lower case."""
        return frozenset(self.name.lower().split())


def slug(name: str) -> str:
    """A name as it stands in a URL."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def read_yaml(name: str | Path) -> Any:
    """One of the demo's own files; the C loader where there is one, for speed."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (_HERE / name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=loader)  # noqa: S506 -- both loaders are safe ones


@lru_cache(maxsize=1)
def all_mice() -> tuple[Mouse, ...]:
    """Every mouse, the brands in turn, so that any first few span all brands."""
    listed = read_yaml("catalogue.yaml")
    brands = [list(_brand(brand, families)) for brand, families in listed.items()]
    mice = (mouse for turn in zip_longest(*brands) for mouse in turn if mouse)
    return tuple(replace(mouse, number=number) for number, mouse in enumerate(mice))


def choose_mice(count: int) -> tuple[Mouse, ...]:
    """The first ``count`` mice of the catalogue."""
    mice = all_mice()
    if not 2 <= count <= len(mice):
        raise UsageError(f"the demo web has 2 to {len(mice)} products, asked for {count}")
    return mice[:count]


def siblings(mouse: Mouse, mice: Sequence[Mouse]) -> list[Mouse]:
    """The others of its family, nearest name first."""
    family = [other for other in mice if other.family == mouse.family and other is not mouse]
    return sorted(family, key=lambda other: (len(mouse.words ^ other.words), other.place))


def _brand(brand: str, families: dict[str, list[list[str]]]) -> Iterator[Mouse]:
    for family, members in families.items():
        for place, (model, variant) in enumerate(members):
            identity = slug(f"mouse {brand} {model} {variant}")
            yield Mouse(Product("mouse", brand, model, variant, id=identity), family, place)
