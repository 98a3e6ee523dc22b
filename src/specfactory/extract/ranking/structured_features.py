"""Features of a value by the structured data that states it."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from specfactory.contract.text import normal
from specfactory.extract.learned import Features
from specfactory.model import Candidate, Frozen, Method, ViewName
from specfactory.proof import PageViews

_MARKED = frozenset(("json-ld", "microdata", "rdfa"))
_MIN_NAME = 5  # characters from which a name tells its variants


class Statement(Frozen):
    """Where a quoted property stands in structured data."""

    syntax: str
    path: str
    main: bool
    is_variant: bool = False  # of the page's own product


class Statements:
    """The statements of one page's structured data, looked up by the places of values."""

    def __init__(self, views: PageViews) -> None:
        self._views = views

    def of(self, candidates: Iterable[Candidate]) -> list[Statement]:
        """The statements that give the values of these candidates."""
        found = []
        for candidate in candidates:
            if candidate.evidence.method is Method.STRUCTURED:
                first = candidate.evidence.values[0]
                if (one := self._by_place.get((first.view, first.start))) is not None:
                    found.append(one)
        return found

    @cached_property
    def _by_place(self) -> Mapping[tuple[ViewName, int], Statement]:
        items = self._views.items
        names = [normal(item.name) for item in items if item.main and item.syntax in _MARKED]
        names = names or [normal(self._views.h1)]  # no item is the page's own
        own = [name for name in names if len(name) >= _MIN_NAME]
        # The name of a variant goes on from that of the product: "Kettle 2000, red".
        beginnings = tuple(f"{name}{mark}" for name in own for mark in " ,")
        found: dict[tuple[ViewName, int], Statement] = {}
        for item in items:
            is_variant = False
            if own and not item.main and item.is_thing:
                name = normal(item.name)
                is_variant = name in own or name.startswith(beginnings)
            for named in item.properties:
                place = (named.snippet.view, named.snippet.start)
                if place not in found or item.main:
                    found[place] = Statement(item.syntax, named.path, item.main, is_variant)
        return found


def is_marked(statements: Iterable[Statement]) -> bool:
    """True when markup says it of the page's own product."""
    return any(one.syntax in _MARKED and one.main for one in statements)


def statement_features(statements: Iterable[Statement]) -> Features:
    """Features by the syntaxes in which structured data says it."""
    statements = tuple(statements)
    return {
        "struct": float(is_marked(statements)),
        "struct_meta": float(any(one.syntax == "meta" for one in statements)),
        "struct_state": float(any(one.syntax == "state" for one in statements)),
    }
