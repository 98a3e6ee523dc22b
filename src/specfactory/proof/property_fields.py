"""Which fields a property of structured data names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from specfactory.model import Evidence, Snippet
from specfactory.proof.structured import Item, Property

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract

Place = tuple[str, int, int]

_WRAPPERS = (".name", ".value", ".text", ".@id", ".url")


def named_fields(named: Property, compiled: CompiledContract) -> tuple[str, ...]:
    """The fields of the contract that a property stands for.

    ``brand.name`` counts as ``brand`` too: schema.org lets a thing stand for its name.
    """
    if named.path == "additionalProperty":
        match = compiled.match_label(named.label_words)
        return (match.field,) if match else ()
    fields = compiled.structured_fields(named.path)
    for wrapper in _WRAPPERS:
        if not fields and named.path.endswith(wrapper):
            fields = compiled.structured_fields(named.path.removesuffix(wrapper))
    return fields


def structured_names(
    evidence: Evidence, compiled: CompiledContract, items: Iterable[Item]
) -> set[str]:
    """The fields that the quoted property names: found again among the page's items.

    A list is quoted item by item: all of them are properties of one path of one item.
    """
    wanted = [_place(part) for part in evidence.values]
    label = _place(evidence.label)
    return {
        field
        for item in items
        for at, named in enumerate(item.properties)
        if _place(named.label) == label
        and (_covers(named, wanted) or _lists(item.properties[at:], wanted))
        for field in named_fields(named, compiled)
    }


def _covers(named: Property, wanted: list[Place | None]) -> bool:
    """Whether these are its quotes; the unit may be left out, a part of a sum may not."""
    if "+" in named.path and len(wanted) != len(named.values):
        return False
    return [_place(part) for part in named.values[: len(wanted)]] == wanted


def _lists(properties: tuple[Property, ...], wanted: list[Place | None]) -> bool:
    """Whether the quotes are, in their order, values of the first one's path."""
    if len(wanted) < 2:
        return False
    of_path = _of_path(list_path(properties[0].path), properties)
    return all(any(place == at for at in of_path) for place in wanted)


def list_path(path: str) -> str:
    """The path of a list to which an item of this path belongs: a step may be a mere text."""
    return path.removesuffix(".text")


def _of_path(path: str, properties: tuple[Property, ...]) -> Iterator[Place | None]:
    return (_place(named.snippet) for named in properties if list_path(named.path) == path)


def _place(part: Snippet | None) -> Place | None:
    return (part.view, part.start, part.end) if part else None
