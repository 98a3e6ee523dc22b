"""Pages with truth in a folder, as every set of single pages has them."""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews


@dataclass(frozen=True, slots=True)
class SetPage:
    """A page as captured, and what stands on it."""

    id: str
    site: str
    url: str
    body: bytes
    fields: Mapping[str, Any]
    row: Mapping[str, Any]  # the whole line of the truth

    @property
    def views(self) -> PageViews:
        """The page as the factory reads it; made anew each time."""
        url = self.url or f"https://site.example/{self.id}"
        host = url.split("/")[2] if "//" in url else ""
        page = Page(
            self.id, url, url, host, Tier.RETAILER, 0, Outcome.OK, "", media_type="text/html"
        )
        return PageViews(page, self.body)


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
    bodies = dict(_bodies(folder))
    found = [_page(row, bodies) for row in truth_rows(folder)]
    found = [page for page in found if given.sites in page.site]
    if given.half:
        found = [page for page in found if half(page.site) == given.half]
    return found[:: max(1, len(found) // given.pages)][: given.pages] if given.pages else found


def truth_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of the truth."""
    plain, packed = folder / "truth.jsonl", folder / "truth.jsonl.xz"
    body = plain.read_bytes() if plain.exists() else lzma.decompress(packed.read_bytes())
    return map(json.loads, body.splitlines())


def _bodies(folder: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(folder / "pages.tar.xz") as tar:
        for member in tar:
            if member.isfile() and (opened := tar.extractfile(member)):
                yield Path(member.name).name, opened.read()


def _page(row: dict[str, Any], bodies: Mapping[str, bytes]) -> SetPage:
    site = row.get("site") or str(row["id"])  # a page of no named site is a site of its own
    return SetPage(
        str(row["id"]), site, row.get("url", ""), bodies[row["file"]], row["fields"], row
    )
