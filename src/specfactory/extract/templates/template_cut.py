"""Cutting a value out of the text it stands in."""

from __future__ import annotations

from specfactory.model import Cut


def cut_span(cut: Cut | None, words: str) -> tuple[int, int]:
    """Where the value stands in its text; a sign that is not there cuts nothing off."""
    start, end = 0, len(words)
    if cut is None:
        return start, end
    if cut.left and (at := words.find(cut.left)) >= 0:
        start = at + len(cut.left)
    if cut.right and (at := words.find(cut.right, start)) > start:
        end = at
    if cut.length:
        end = min(end, start + cut.length)
    while start < end and words[start] == " ":
        start += 1
    while end > start and words[end - 1] == " ":
        end -= 1
    return start, end
