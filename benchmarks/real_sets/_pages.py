"""Pages with truth in a folder, as every set of single pages has them."""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path

from specfactory.learn.truth.truth_sets import SetPage, read_pages, truth_rows

__all__ = ["Judged", "SetPage", "half", "read_set", "truth_rows"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer that was given, held against the truth."""

    set: str
    site: str
    page: str
    field: str
    family: str
    likelihood: float
    right: bool
    proven: bool


def half(site: str) -> str:
    """The half of the sites a site belongs to, by its name alone."""
    return "ab"[hashlib.sha256(site.encode()).digest()[0] & 1]


def read_set(folder: Path, given: argparse.Namespace) -> list[SetPage]:
    """The pages of a set, in the order of its truth; only those that the options ask for."""
    found = [page for page in read_pages(folder) if given.sites in page.site]
    if given.half:
        found = [page for page in found if half(page.site) == given.half]
    return found[:: max(1, len(found) // given.pages)][: given.pages] if given.pages else found
