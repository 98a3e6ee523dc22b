"""Folders of pages with truth, on which accuracy is measured.

A folder holds ``truth.jsonl`` (or ``truth.jsonl.xz``), one object a page with ``id``, ``file``
and ``fields`` (a value, a list of accepted values, null or [] where the page has none; ``url``
and ``site`` where known) or ``records`` (of a page with many), and the pages: beside it, in
``pages/`` or in ``pages.tar.xz``.
"""

import json
import lzma
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from specfactory.errors import UnknownSubject, UsageError
from specfactory.model import Frozen, Outcome, Page, Tier
from specfactory.proof import PageViews
from specfactory.proof.text import written_in

MAX_BYTES = 50_000_000  # of one page


class SetPage(Frozen):
    """Page as captured, and its true values."""

    id: str
    site: str
    url: str
    body: bytes
    fields: Mapping[str, Any]
    row: Mapping[str, Any]  # the whole line of the truth

    @property
    def views(self) -> PageViews:
        """Views of the page, made anew on each access."""
        url = self.url or f"https://site.example/{self.id}"
        host = url.split("/")[2] if url.count("/") > 1 else ""
        page = Page(
            self.id, url, url, host, Tier.RETAILER, 0, Outcome.OK, "", media_type="text/html",
            charset=written_in(self.body),
        )  # fmt: skip
        return PageViews(page, self.body)


def read_pages(folder: Path) -> Iterator[SetPage]:
    """Read the pages of a set in the order of its truth."""
    bodies: dict[str, bytes] = {}
    if (archive := folder / "pages.tar.xz").is_file():
        with tarfile.open(archive) as tar:
            for member in (one for one in tar if one.isfile() and one.size <= MAX_BYTES):
                if opened := tar.extractfile(member):
                    bodies[Path(member.name).name] = opened.read()
    for number, row in enumerate(truth_rows(folder), 1):
        is_list = isinstance(row, dict) and isinstance(row.get("records"), list)
        fields = {} if is_list else row.get("fields") if isinstance(row, dict) else None
        if not isinstance(fields, dict):
            raise UsageError(f"{_truth_file(folder)}:{number}: wanted an object with fields")
        file = str(row.get("file") or f"{row.get('id') or row.get('page', '')}.html")
        body = bodies.get(Path(file).name)
        if body is None:  # a file of its own; nothing outside of the folder is read
            places = (folder / file, folder / "pages" / file)
            root = folder.resolve()
            own = (p for p in places if p.resolve().is_relative_to(root) and p.is_file())
            place = next(own, None)
            if place is None:
                raise UsageError(f"{_truth_file(folder)}:{number}: no page {file!r} in {folder}")
            body = place.read_bytes()
        name = str(row.get("id") or Path(file).stem)
        site = str(row.get("site") or name)  # a page without a site is a site of its own
        yield SetPage(name, site, str(row.get("url") or ""), body, fields, row)


def truth_rows(folder: Path) -> Iterator[Any]:
    """Read the lines of the truth."""
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
