"""Quotes shown as the proof of a value."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from specfactory.model import Candidate, Evidence, Snippet, ViewName, replace

if TYPE_CHECKING:
    from specfactory.proof import PageViews

NEAR = {ViewName.TEXT: 40, ViewName.PDF: 40, ViewName.DOM: 40, ViewName.SOURCE: 40}
"""Most characters between label and value that are shown with them, per view."""


def with_passage(candidate: Candidate, views: PageViews) -> Candidate:
    """Add the page's own words from label to value, where they stand near each other."""
    from specfactory.proof import snippet  # loads what parses pages

    parts = _parts(candidate.evidence)
    first = parts[0]
    if len(parts) < 2 or any(
        (p.view, p.view_version) != (first.view, first.view_version) for p in parts
    ):
        return candidate
    if any(later.start - earlier.end > NEAR[first.view] for earlier, later in pairwise(parts)):
        return candidate
    start, end = min(p.start for p in parts), max(p.end for p in parts)
    passage = snippet(views, first.view, start, end)
    return replace(candidate, evidence=replace(candidate.evidence, passage=passage))


def shown(evidence: Evidence) -> Snippet:
    """The quote to show, with its place; words that stand apart are joined by an ellipsis."""
    if evidence.passage is not None:
        return evidence.passage
    words = " … ".join(part.quote for part in _parts(evidence))
    return replace(evidence.values[0], quote=words)


def is_verbatim(evidence: Evidence) -> bool:
    """True if the quote shown stands on the page in one piece."""
    return evidence.passage is not None or len(_parts(evidence)) == 1


def _parts(evidence: Evidence) -> list[Snippet]:
    """Label and values in the order of the page; a phrase that holds its value is enough."""
    label = (evidence.label,) if evidence.label is not None else ()
    parts = sorted((*label, *evidence.values), key=lambda part: (part.start, -part.end))
    kept = []
    for number, part in enumerate(parts):
        contained = any(
            (outer.page_id, outer.view) == (part.page_id, part.view)
            and outer.start <= part.start
            and part.end <= outer.end
            for outer in parts[:number]
        )
        if not contained:
            kept.append(part)
    return kept
