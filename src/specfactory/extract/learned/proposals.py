"""What the methods by meaning find: a value's place, and how likely it is the page's."""

from __future__ import annotations

from typing import NamedTuple

from specfactory.model import Method, Snippet


class Found(NamedTuple):
    """One value found for what a field means; the likeliest come first."""

    values: tuple[Snippet, ...]
    likelihood: float
    reason: str
    method: Method = Method.VISIBLE
