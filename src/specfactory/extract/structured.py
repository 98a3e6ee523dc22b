"""Structured data: which field each property of an item fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.model import Snippet
from specfactory.proof import Item, PageViews, Property, named_fields


class Finding(NamedTuple):
    """A property that names a field; ``ways`` are its values, the most complete first."""

    field: str
    label: Snippet | None
    ways: tuple[tuple[Snippet, ...], ...]
    subject: str | None
    ours: bool  # False when it is another thing's and that thing has no name


def find_properties(views: PageViews, compiled: CompiledContract) -> Iterator[Finding]:
    """The properties of the page's own items, and those of other things with their names."""
    things = [item for item in views.items if item.main or item.is_subject]
    count = Counter(item.syntax for item in things)
    for item in things:
        has_rivals = count[item.syntax] > 1
        for named in item.properties:
            for field in named_fields(named, compiled):
                ways = (named.values, (named.snippet,)) if named.more else (named.values,)
                subject = _subject(item, named, has_rivals)
                ours = item.main or bool(subject)
                yield Finding(field, named.label, ways, subject, ours)


def _subject(item: Item, named: Property, has_rivals: bool) -> str | None:
    if named.subject:
        return named.subject
    return (item.name or None) if has_rivals or not item.main else None
