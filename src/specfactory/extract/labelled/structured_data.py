"""Structured data: which field each property of an item fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.extract.page import Proposal
from specfactory.model import Field, FieldType, Level, Method
from specfactory.proof import Item, PageViews, Property, list_path, named_fields

MAX_ITEMS = 500
Paths = dict[str, list[Property]]
_WEIGHTS = {Level.REQUIRED: 4, Level.CRITICAL: 4}  # what makes a thing this kind of thing
_OWN_WORDS = "additionalProperty"  # the page's own label and value, not schema.org's
_ADDRESSES = (".@id", ".url")


class Finding(NamedTuple):
    """A property that names a field: its proposals, the most complete first."""

    field: str
    proposals: tuple[Proposal, ...]
    ours: bool  # False when it is another thing's and that thing has no name


def find_properties(views: PageViews, compiled: CompiledContract) -> list[Finding]:
    """The properties of the page's own items, and those of other things with their names.

    The page's own things come first, and of each field the path that its contract names first.
    """
    things = [item for item in views.items if item.main or item.is_subject]
    count = Counter(item.syntax for item in things)
    said = [(item, _by_field(item, compiled)) for item in things]
    said.sort(key=lambda one: (not one[0].main, -_weight(one[1], compiled)))
    placed = [
        (not item.main, place, finding)
        for item, fields in said
        for place, finding in _findings(item, fields, count[item.syntax] > 1, compiled)
    ]
    return [finding for _, _, finding in sorted(placed, key=lambda one: one[:2])]


def _weight(fields: Iterable[str], compiled: CompiledContract) -> int:
    """How much of what makes a thing this kind of thing an item speaks of."""
    return sum(_WEIGHTS.get(compiled.contract.fields[name].level, 1) for name in fields)


def _findings(
    item: Item, fields: Mapping[str, Paths], has_rivals: bool, compiled: CompiledContract
) -> Iterator[tuple[int, Finding]]:
    """What an item says, and where the contract names the path by which it does."""
    for name, paths in fields.items():
        field = compiled.contract.fields[name]
        ordered = sorted(paths, key=lambda path: _place(field, path))
        if field.type is FieldType.LIST and ordered[0] != _OWN_WORDS:
            yield _place(field, ordered[0]), _list(item, name, paths[ordered[0]], has_rivals)
            continue
        for path in ordered:
            for named in paths[path]:
                subject = _subject(item, named, has_rivals)
                ours = item.main or bool(subject)
                yield _place(field, path), Finding(name, _proposals(named, subject), ours)


def _proposals(named: Property, subject: str | None) -> tuple[Proposal, ...]:
    """With its unit or currency, else without; a sum only with all its parts."""
    whole = Proposal(named.values, method=Method.STRUCTURED, label=named.label, subject=subject)
    if named.more and "+" not in named.path:
        return whole, whole._replace(values=(named.snippet,))
    return (whole,)


def _by_field(item: Item, compiled: CompiledContract) -> dict[str, Paths]:
    """Field → path → its properties. Addresses stand for a thing only where nothing else does."""
    found: dict[str, Paths] = {}
    for named in item.properties:
        if named.snippet.end == named.snippet.start:
            continue
        for field in named_fields(named, compiled):
            is_list = compiled.contract.fields[field].type is FieldType.LIST
            path = list_path(named.path) if is_list else named.path
            found.setdefault(field, {}).setdefault(path, []).append(named)
    for field, paths in found.items():
        if any(path.endswith(_ADDRESSES) for path in paths):
            worded = {path: some for path, some in paths.items() if not path.endswith(_ADDRESSES)}
            found[field] = worded or paths
    return found


def _place(field: Field, path: str) -> int:
    """Where the contract names a path; one that it does not name itself comes last.

    A thing and its name say the same (``author``, ``author.name``), but not in a list.
    """
    cut = "" if field.type is FieldType.LIST else ".name"
    thing = path.removesuffix(cut)
    places = (at for at, own in enumerate(field.structured) if own.removesuffix(cut) == thing)
    return next(places, len(field.structured))


def _list(item: Item, field: str, members: list[Property], has_rivals: bool) -> Finding:
    values = tuple(dict.fromkeys(member.snippet for member in members[:MAX_ITEMS]))
    subject = _subject(item, members[0], has_rivals)
    proposal = Proposal(values, method=Method.STRUCTURED, label=members[0].label, subject=subject)
    return Finding(field, (proposal,), item.main or bool(subject))


def _subject(item: Item, named: Property, has_rivals: bool) -> str | None:
    if named.subject:
        return named.subject
    return (item.name or None) if has_rivals or not item.main else None
