"""Sample pages of a host: those in the store, more from the host itself, or files of a folder."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from specfactory.discover import Sitemaps
from specfactory.errors import UnknownSubject
from specfactory.fetch.outcomes import classify
from specfactory.learn import Lesson
from specfactory.learn.truth import read_pages
from specfactory.model import (
    FetchResponse,
    Outcome,
    Page,
    PageLabel,
    Source,
    Tier,
    Value,
    Verdict,
    failure_facts,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.learning.known_records import known_values
from specfactory.orchestrate.pages import PagePurpose, take_page
from specfactory.proof import PageViews
from specfactory.proof.text import written_in
from specfactory.store.sites import LearningNotes

_LOOKED_AT = 5  # stored pages looked at for every sample wanted
_ASKED = 2  # pages asked for every sample that is missing
_MAX_FILES = 2_000
MAX_BYTES = 4_000_000  # of all samples: learning takes about 50 times as much memory
_BYTES_OF_A_TAG = 40  # on ordinary pages; what has more tags takes as much memory as a longer page
_HTML = "text/html"

OnPage = Callable[[str], None]


class Collected(Struct):
    """Pages to learn from, and counts of those left out by the reason."""

    lessons: list[Lesson] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    size_bytes: int = 0

    def add(self, lesson: Lesson, body: bytes) -> None:
        """Add a page, unless all of them together would take too much memory."""
        size_bytes = max(len(body), body.count(b"<") * _BYTES_OF_A_TAG)
        if self.size_bytes + size_bytes > MAX_BYTES:
            self.left_out["too large beside the others"] += 1
            return
        self.lessons.append(lesson)
        self.size_bytes += size_bytes


async def collect(
    bench: Workbench, host: str, category: str, count: int, on_page: OnPage
) -> Collected:
    """Collect samples of a host for a category: stored ones and, where they are few, new ones."""
    collector = Collector(bench, host, category, on_page)
    collected = await collector.stored(count, await bench.templates.labels(host))
    if len(collected.lessons) < count:
        await collector.fetch_more(collected, count)
    return collected


class Collector(Struct):
    """Collects samples of one host for one category."""

    bench: Workbench
    host: str
    category: str
    on_page: OnPage

    async def stored(self, count: int, labels: Sequence[PageLabel]) -> Collected:
        """Collect good pages of the store: those that people labelled, then the latest.

        Between them come those that a learning which was stopped has read.
        """
        said: dict[str, list[PageLabel]] = {}
        for label in labels:
            said.setdefault(label.page_id, []).append(label)
        collected, contract = Collected(), self.bench.contract(self.category).contract
        noted = await LearningNotes(self.bench.database).pages(self.host, contract)
        pages = [await self.bench.pages.get(page_id) for page_id in {**said, **noted}]
        urls = {page.url for page in pages}
        latest = await self.bench.templates.good_pages(self.host, count * _LOOKED_AT)
        pages += [page for page in latest if page.url not in urls]
        for page in pages:
            if len(collected.lessons) >= max(count, len(said)):
                break
            await self._add_stored(collected, page, said.get(page.id, ()))
        for outcome, times in (await self.bench.templates.outcomes(self.host)).items():
            if not failure_facts(outcome).is_good:
                collected.left_out[f"fetch ended as {outcome}"] += times
        return collected

    async def fetch_more(self, collected: Collected, count: int) -> None:
        """Fetch more pages like those that are there."""
        known = {lesson.views.page.url for lesson in collected.lessons}
        # A host that no setting names is reached as its known pages were.
        schemes = [urlsplit(url).scheme for url in known]
        unnamed = Source(self.host, Tier.RETAILER, scheme=schemes[0] if schemes else "https")
        named = (one for one in self.bench.sources(self.category) if one.host == self.host)
        source = next(named, unnamed)
        sitemaps = next((one for one in self.bench.searches if isinstance(one, Sitemaps)), None)
        listed = await sitemaps.pages(source) if sitemaps is not None else ()
        urls = [url for url in listed if url not in known]
        wanted = (count - len(collected.lessons)) * _ASKED
        compiled = self.bench.contract(self.category)
        purpose = PagePurpose(compiled, tier=source.tier, needs_body=True)
        # Beside the event loop: a site may list a hundred thousand.
        for url in await asyncio.to_thread(_like, urls, known, max(wanted, 0)):
            if len(collected.lessons) >= count:
                return
            taken = await take_page(self.bench, url, purpose)
            await taken.keep()
            self.on_page(url)
            page = taken.page
            if page.outcome is not Outcome.OK:
                collected.left_out[f"fetch ended as {page.outcome}"] += 1
            elif page.media_type == _HTML:
                collected.add(Lesson(PageViews(page, taken.body)), taken.body)

    async def _add_stored(
        self, collected: Collected, page: Page, said: Sequence[PageLabel]
    ) -> None:
        readings = await self.bench.templates.readings_of(page.id)
        if page.media_type != _HTML or (readings and self.category not in readings and not said):
            return
        known: Mapping[str, Value] = {}
        for reading in readings.get(self.category, ()):
            if reading.identity.verdict is Verdict.SAME:
                known = known_values(await self.bench.records.latest(reading.product_id))
        body = await self.bench.pages.body(page)
        collected.add(Lesson(PageViews(page, body), said, known=known), body)
        self.on_page(page.url)


def _like(urls: Sequence[str], known: set[str], count: int) -> list[str]:
    """Addresses built as the known ones are, spread over all of them."""
    forms = {_form(url) for url in known}
    likely = [url for url in urls if not forms or _form(url) in forms]
    step = max(len(likely) // max(count, 1), 1)
    return likely[::step][:count]


def _form(url: str) -> tuple[int, str]:
    steps = urlsplit(url).path.strip("/").split("/")
    return len(steps), steps[0] if len(steps) > 1 else ""


def read_folder(folder: Path, host: str, count: int) -> Collected:
    """Pages of a folder: with their truth where there is a truth.jsonl, else bare files."""
    if not folder.is_dir():
        raise UnknownSubject("folder", str(folder), "give one with pages (.html)")
    collected = Collected()
    for name, url, body, truth in _files(folder, count):
        response = FetchResponse(url, url, 200, {"content-type": _HTML}, body)
        outcome = classify(response).outcome
        if outcome is not Outcome.OK:
            collected.left_out[f"page is {outcome}"] += 1
            continue
        digest = hashlib.sha256(body).hexdigest()
        page = Page(
            name, url, url, host, Tier.RETAILER, 0, outcome, "", 200, {}, digest, _HTML,
            charset=written_in(body),
        )  # fmt: skip
        collected.add(Lesson(PageViews(page, body), truth=truth), body)
    return collected


def _files(folder: Path, count: int) -> list[tuple[str, str, bytes, dict[str, tuple[str, ...]]]]:
    if any((folder / name).is_file() for name in ("truth.jsonl", "truth.jsonl.xz")):
        pages = list(read_pages(folder))
        seeds = [page for page in pages if page.row.get("role") == "seed"]
        return [
            (page.id or str(page.row.get("page", "")), page.url, page.body, _truth(page.fields))
            for page in (seeds or pages)[:count]
        ]
    places = sorted(place for place in folder.rglob("*.htm*") if place.is_file())[:_MAX_FILES]
    return [
        (str(place.relative_to(folder)), place.resolve().as_uri(), place.read_bytes(), {})
        for place in places[:count]
    ]


def _truth(fields: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Truth as labels: a value, several, or none."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields.items():
        values = value if isinstance(value, list | tuple) else [value] * (value is not None)
        found[name] = tuple(str(one) for one in values if isinstance(one, str | int | float))
    return found
