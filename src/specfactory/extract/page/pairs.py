"""A label and its value, as found on a page: not yet a candidate."""

from typing import NamedTuple

from specfactory.model import Method, ViewName
from specfactory.proof import Element

Span = tuple[int, int]


class Pair(NamedTuple):
    """Where a label and its value stand; ``place`` is the element they stand in.

    ``section`` is the nearest heading above. ``subject`` is whose value it is, where the pair's
    own surroundings (a column head) say so.
    """

    label: Span
    values: tuple[Span, ...]
    method: Method
    place: Element | None = None
    section: Span | None = None
    subject: str | None = None
    view: ViewName = ViewName.TEXT
