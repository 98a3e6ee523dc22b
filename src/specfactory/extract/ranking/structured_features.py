"""What structured data says of a value: by which syntax, of the page's own thing or of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from specfactory.contract.text import normal
from specfactory.extract.learned import Features
from specfactory.model import Candidate, Method, ViewName
from specfactory.proof import Item, PageViews

_MARKED = frozenset(("json-ld", "microdata", "rdfa"))
_MIN_NAME = 5  # characters of a name that can tell its variants


@dataclass(frozen=True, slots=True)
class Said:
    """Where a quoted property stands in structured data."""

    syntax: str
    path: str
    main: bool
    kin: bool = False  # of a variant of the page's own thing


class Saids:
    """What the structured data of one page says, asked by the places of values."""

    def __init__(self, views: PageViews) -> None:
        self._views = views

    def of(self, candidates: Iterable[Candidate]) -> list[Said]:
        """What is said of the values of these candidates."""
        said = []
        for candidate in candidates:
            if candidate.evidence.method is Method.STRUCTURED:
                first = candidate.evidence.values[0]
                if (one := self._by_place.get((first.view, first.start))) is not None:
                    said.append(one)
        return said

    @cached_property
    def _by_place(self) -> Mapping[tuple[ViewName, int], Said]:
        found: dict[tuple[ViewName, int], Said] = {}
        names = self._own_names
        for item in self._views.items:
            kin = not item.main and _is_kin(item, names)
            for named in item.properties:
                place = (named.snippet.view, named.snippet.start)
                if place not in found or item.main:
                    found[place] = Said(item.syntax, named.path, item.main, kin)
        return found

    @cached_property
    def _own_names(self) -> tuple[str, ...]:
        """The names of what the page is about; where no item is its own, its heading."""
        items = self._views.items
        names = [normal(item.name) for item in items if item.main and item.syntax in _MARKED]
        names = names or [normal(self._views.h1)]
        return tuple(name for name in names if len(name) >= _MIN_NAME)


def _is_kin(item: Item, names: tuple[str, ...]) -> bool:
    """Whether an item is a variant of the page's own thing: its name goes on from that one's."""
    if not names or not item.is_thing:
        return False
    name = normal(item.name)
    return any(name == own or name.startswith((f"{own} ", f"{own},")) for own in names)


def is_marked(said: Iterable[Said]) -> bool:
    """Whether markup says it of the page's own thing."""
    return any(one.syntax in _MARKED and one.main for one in said)


def said_features(said: Iterable[Said]) -> Features:
    """By which ways structured data says it."""
    said = tuple(said)
    return {
        "struct": float(is_marked(said)),
        "struct_meta": float(any(one.syntax == "meta" for one in said)),
        "struct_state": float(any(one.syntax == "state" for one in said)),
    }
