"""Pages with truth in a folder: what accuracy is measured on.

A folder holds ``truth.jsonl`` (or ``truth.jsonl.xz``), one object a page with ``id``, ``file``
and ``fields`` (a value, a list of accepted values, null or [] where the page has none; ``url``
and ``site`` where known), and the pages: beside it, in ``pages/`` or in ``pages.tar.xz``.
"""

from __future__ import annotations

import json
import lzma
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specfactory.errors import UnknownSubject, UsageError
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews
from specfactory.proof.text import written_in

MAX_BYTES = 50_000_000  # of one page


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
        host = url.split("/")[2] if url.count("/") > 1 else ""
        page = Page(
            self.id,
            url,
            url,
            host,
            Tier.RETAILER,
            0,
            Outcome.OK,
            "",
            media_type="text/html",
            charset=written_in(self.body),
        )
        return PageViews(page, self.body)


def read_pages(folder: Path) -> Iterator[SetPage]:
    """The pages of a set in the order of its truth."""
    bodies = _packed(folder)
    for number, row in enumerate(truth_rows(folder), 1):
        if not isinstance(row, dict) or not isinstance(row.get("fields"), dict):
            raise UsageError(f"{_truth_file(folder)}:{number}: wanted an object with fields")
        file = str(row.get("file") or f"{row.get('id') or row.get('page', '')}.html")
        body = bodies.get(Path(file).name)
        yield _page(row, file, _loose(folder, file, number) if body is None else body)


def truth_rows(folder: Path) -> Iterator[Any]:
    """The lines of the truth."""
    place = _truth_file(folder)
    body = place.read_bytes()
    if place.suffix == ".xz":
        body = lzma.decompress(body)
    for number, line in enumerate(body.splitlines(), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as problem:
                raise UsageError(f"{place}:{number}: not JSON: {problem}") from None


def _truth_file(folder: Path) -> Path:
    for name in ("truth.jsonl", "truth.jsonl.xz"):
        if (folder / name).is_file():
            return folder / name
    raise UnknownSubject("truth in", str(folder), "wanted truth.jsonl, a line a page")


def _packed(folder: Path) -> dict[str, bytes]:
    archive = folder / "pages.tar.xz"
    if not archive.is_file():
        return {}
    found: dict[str, bytes] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and member.size <= MAX_BYTES and (opened := tar.extractfile(member)):
                found[Path(member.name).name] = opened.read()
    return found


def _loose(folder: Path, file: str, number: int) -> bytes:
    """A page that stands as a file of its own; nothing outside of the folder is read."""
    for place in (folder / file, folder / "pages" / file):
        if place.resolve().is_relative_to(folder.resolve()) and place.is_file():
            return place.read_bytes()
    raise UsageError(f"{_truth_file(folder)}:{number}: no page {file!r} in {folder}")


def _page(row: Mapping[str, Any], file: str, body: bytes) -> SetPage:
    name = str(row.get("id") or Path(file).stem)
    site = str(row.get("site") or name)  # a page of no named site is a site of its own
    return SetPage(name, site, str(row.get("url") or ""), body, row["fields"], row)
