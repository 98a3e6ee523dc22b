"""Fields that a property of structured data names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from specfactory.model import Evidence, Snippet
from specfactory.proof.structured import Item, Property

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract

Place = tuple[str, int, int]

_WRAPPERS = (".name", ".value", ".text", ".@id", ".url")


def named_fields(named: Property, compiled: CompiledContract) -> tuple[str, ...]:
    """The fields of the contract that a property stands for.

    ``brand.name`` counts as ``brand``, too: schema.org lets a thing stand for its name.
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
    label, found = _place(evidence.label), set[str]()
    for item in items:
        for at, named in enumerate(item.properties):
            if _place(named.label) != label:
                continue
            # its own quotes: the unit may be left out, a part of a sum may not
            is_complete = "+" not in named.path or len(wanted) == len(named.values)
            quoted = [_place(part) for part in named.values[: len(wanted)]]
            is_named = is_complete and quoted == wanted
            if not is_named and len(wanted) > 1:
                # or values of one path from here on, in their order: one pass over them
                path = list_path(named.path)
                rest = (each for each in item.properties[at:] if list_path(each.path) == path)
                places = (_place(each.snippet) for each in rest)
                is_named = all(any(place == here for here in places) for place in wanted)
            if is_named:
                found.update(named_fields(named, compiled))
    return found


def list_path(path: str) -> str:
    """The path of the list that an item of this path belongs to: a step may be a mere text."""
    return path.removesuffix(".text")


def _place(part: Snippet | None) -> Place | None:
    return (part.view, part.start, part.end) if part else None
