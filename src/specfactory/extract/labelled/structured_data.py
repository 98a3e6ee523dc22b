"""Structured data: the fields that the properties of items fill."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.extract.page import Proposal
from specfactory.model import Field, FieldType, Level, Method
from specfactory.proof import Item, PageViews, Property, list_path, named_fields

MAX_ITEMS = 500
Paths = dict[str, list[Property]]
_WEIGHTS = {Level.REQUIRED: 4, Level.CRITICAL: 4}  # fields that make a thing what it is
_OWN_WORDS = "additionalProperty"  # the page's own label and value, not schema.org's
_ADDRESSES = (".@id", ".url")
_MARKED = ("json-ld", "microdata", "rdfa")
_WORD = re.compile(r"[^\W_]+")


class FoundProperty(NamedTuple):
    """A property that names a field: its proposals, the most complete first."""

    field: str
    proposals: tuple[Proposal, ...]
    ours: bool  # False when it is another thing's and that thing has no name


def find_properties(
    views: PageViews, compiled: CompiledContract, offers_another: bool = False
) -> list[FoundProperty]:
    """The properties of the page's own items, and those of other things with their names.

    The page's own things come first, and of each field the path that its contract names first.
    Where the page offers another product instead, only an item of its own name is its own.
    """
    fields = compiled.contract.fields
    things = [item for item in views.items if item.main or item.is_subject]
    count = Counter(item.syntax for item in things)
    ranked = []
    for item in things:
        by_field = _by_field(item, compiled)
        weight = sum(_WEIGHTS.get(fields[name].level, 1) for name in by_field)
        ranked.append((not item.main, -weight, item, by_field))
    ranked.sort(key=lambda one: one[:2])
    placed = [
        (is_other, place, finding)
        for is_other, _, item, by_field in ranked
        for place, finding in _findings(item, by_field, count[item.syntax] > 1, compiled)
    ]
    found = [finding for _, _, finding in sorted(placed, key=lambda one: one[:2])]
    if not offers_another:
        return found
    others = {named.snippet for item in things if item.is_thing and item.syntax in _MARKED
              if _is_another(item, views)
              for named in item.properties}  # fmt: skip
    return [
        one._replace(ours=False) if one.proposals[0].values[0] in others else one for one in found
    ]


def _is_another(item: Item, views: PageViews) -> bool:
    """True when an item has a name, but not that of the page: its numbers tell models apart."""
    name, heading = (set(_WORD.findall(words.casefold()))
                     for words in (item.name, views.h1 or views.title))  # fmt: skip
    if not name or not heading:
        return False
    models = [{word for word in words if any(map(str.isdigit, word))} for words in (name, heading)]
    if all(models):
        return models[0].isdisjoint(models[1])
    return len(name & heading) < len(name) / 2


def _findings(
    item: Item, by_field: Mapping[str, Paths], has_rivals: bool, compiled: CompiledContract
) -> Iterator[tuple[int, FoundProperty]]:
    """Findings of an item, each with the rank that the contract gives its path."""
    for name, paths in by_field.items():
        field = compiled.contract.fields[name]
        ordered = sorted(paths, key=lambda path: _place(field, path))
        if field.type is FieldType.LIST and ordered[0] != _OWN_WORDS:
            members = paths[ordered[0]]
            values = tuple(dict.fromkeys(member.snippet for member in members[:MAX_ITEMS]))
            whole = _proposal(item, members[0], has_rivals)._replace(values=values)
            ours = item.main or bool(whole.subject)
            yield _place(field, ordered[0]), FoundProperty(name, (whole,), ours)
            continue
        for path in ordered:
            for named in paths[path]:
                whole = _proposal(item, named, has_rivals)
                proposals: tuple[Proposal, ...] = (whole,)
                if named.more and "+" not in named.path:
                    # With its unit or currency, else without; a sum only with all its parts.
                    proposals = whole, whole._replace(values=(named.snippet,))
                ours = item.main or bool(whole.subject)
                yield _place(field, path), FoundProperty(name, proposals, ours)


def _proposal(item: Item, named: Property, has_rivals: bool) -> Proposal:
    subject = named.subject
    if not subject:
        subject = (item.name or None) if has_rivals or not item.main else None
    return Proposal(named.values, method=Method.STRUCTURED, label=named.label, subject=subject)


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
