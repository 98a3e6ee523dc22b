"""Which fields a property of structured data names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from specfactory.model import Evidence, Snippet
from specfactory.proof.items import Item, Property

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract

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
    """The fields that the quoted property names: found again among the page's items."""
    wanted = [_place(part) for part in evidence.values]
    label = _place(evidence.label)
    return {
        field
        for item in items
        for named in item.properties
        if _place(named.label) == label and _covers(named, wanted)
        for field in named_fields(named, compiled)
    }


def _covers(named: Property, wanted: list[tuple[str, int, int] | None]) -> bool:
    return [_place(part) for part in named.values[: len(wanted)]] == wanted


def _place(part: Snippet | None) -> tuple[str, int, int] | None:
    return (part.view, part.start, part.end) if part else None
