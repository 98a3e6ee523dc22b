"""One step of a round: find the product's page at a source, fetch it, read it, keep it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Protocol

from specfactory.discover import Lead, document_links
from specfactory.fetch import FORBIDDEN
from specfactory.fetch.robots import UNWANTED
from specfactory.heal import garbled_share
from specfactory.identify import judge_subject
from specfactory.model import (
    Fetched,
    Instant,
    Json,
    Outcome,
    Page,
    PlannedSource,
    Source,
    Verdict,
    Visit,
)
from specfactory.observe import Laps
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import read_in_thread
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing import (
    after_visit,
    trouble_visit,
    until_asked,
    wait_after,
    was_asked,
)
from specfactory.orchestrate.pages import (
    as_confirmed,
    as_wished,
    confidence_in,
    note_visit,
    start_laps,
    stored_in,
)
from specfactory.orchestrate.templates import tell, watch_reading
from specfactory.ports import Hit, Transaction
from specfactory.store import Reading

TRIES = 3  # pages of one source that may turn out to be about something else
PAUSED = "paused"  # how a source ends that is not to be asked for a while
LIKELY = {Verdict.SAME: 0, Verdict.UNSURE: 1, Verdict.FAMILY: 2}


class Emit(Protocol):
    """Tells what happened."""

    def __call__(self, name: str, /, **fields: Json) -> Awaitable[None]: ...


class Errand:
    """Runs planned steps for one attempt."""

    def __init__(self, bench: Workbench, tally: Tally, emit: Emit) -> None:
        self._bench, self._tally, self._emit = bench, tally, emit

    async def run(self, step: PlannedSource) -> bool:
        """Work on one planned source; how it ended is kept in the tally. True: it was read."""
        host = step.source.host
        self._tally.hosts.setdefault(host, "asked")
        if await self._is_paused(host):
            self._tally.asked |= {step.url} if step.url else set()
            return False
        urls = [step.url] if step.url else await self._find(step.source)
        ended = (not urls and self._bench.fetch.trouble_at(host)) or Outcome.NOT_FOUND.value
        for url in urls[:TRIES]:
            if not self._tally.take_page():
                ended = "budget_exhausted"
                break
            ended = await self._read(url, step.source)
            if ended in (Verdict.SAME, Verdict.FAMILY):
                break
        if self._tally.hosts[host] not in (Verdict.SAME, Verdict.FAMILY):
            self._tally.hosts[host] = ended
        if not urls:
            await self._emit("source.skipped", host=host, reason=ended)
            await self._note_trouble(step.source)
        return ended in (Verdict.SAME, Verdict.FAMILY)

    async def _is_paused(self, host: str) -> bool:
        """A host that is left alone has no part in this attempt; others may know enough."""
        care = (await self._bench.policies.of(host)).care
        if care.paused_until <= self._bench.clock.now():
            return False
        self._put_off(host, care.paused_until)
        await self._emit("source.skipped", host=host, reason=PAUSED)
        return True

    def _put_off(self, host: str, until: Instant) -> str:
        self._tally.paused[host] = until
        if self._tally.hosts.get(host) not in (Verdict.SAME, Verdict.FAMILY):
            self._tally.hosts[host] = PAUSED
        return PAUSED

    async def _note_trouble(self, source: Source) -> None:
        """A host that cannot even be searched is visited in vain, too."""
        visit = trouble_visit(self._bench, source)
        if visit is None:
            return
        async with self._bench.database.transaction() as tx:
            await self._bench.visits.add(tx, visit)
        if until := await wait_after(self._bench, visit):
            self._put_off(source.host, until)

    async def _find(self, source: Source) -> list[str]:
        """URLs of the source that may be the product's page, the likeliest first."""
        known = [u for u in self._tally.readings if self._bench.fetch.host_of(u) == source.host]
        if known:
            return known
        for search in self._bench.searches:
            hits = await search.search(self._tally.product, source)
            self._count_request()
            likely = self._likely(hits)
            if hits:
                await self._emit(
                    "source.searched", host=source.host, way=hits[0].way, found=len(likely)
                )
            if likely:
                return [hit.url for hit in likely]
        return []

    def _likely(self, hits: list[Hit]) -> list[Hit]:
        judged = [(self._rank(hit), number, hit) for number, hit in enumerate(hits)]
        return [
            hit
            for rank, _, hit in sorted(judged, key=lambda j: j[:2])
            if rank is not None and rank < 9
        ]

    def _rank(self, hit: Hit) -> int:
        """0 surely the product … 9 surely another; title and URL must not contradict it."""
        rules, tally = self._tally.compiled.contract.identity, self._tally
        words = [w for w in (hit.title, hit.url.rsplit("/", 1)[-1]) if w]
        ranks = [
            LIKELY.get(judge_subject(tally.product, rules, w, tally.siblings).verdict, 9)
            for w in words
        ]
        return ranks[0] if ranks else 9

    async def _read(self, url: str, source: Source) -> str:
        bench, tally = self._bench, self._tally
        tally.asked.add(url)
        began, laps = bench.clock.monotonic(), start_laps(bench)
        previous = await bench.pages.latest(url)
        got = await bench.fetch.fetch_page(url, source.tier, previous)
        got = await as_wished(bench, tally.product.category, got, previous)
        got = await as_confirmed(bench, got, previous)
        page = got.page
        self._count_request()
        await self._emit(
            "page.fetched",
            page_id=page.id,
            url=page.url,
            host=page.host,
            outcome=page.outcome,
            evidence=page.outcome_evidence,
            size_bytes=page.size_bytes,
        )
        if page.outcome is Outcome.NOT_MODIFIED and previous is not None:
            return await self._confirm(previous, page)
        if page.outcome is not Outcome.OK:
            return await self._keep_failure(got)
        reading = await read_in_thread(bench, tally, page, got.body, laps)
        await self._keep(page, got, reading, bench.clock.monotonic() - began, laps)
        await self._follow(page, got.body, reading, source)
        return reading.identity.verdict

    async def _confirm(self, page: Page, again: Page) -> str:
        """Nothing has changed: the earlier reading still holds."""
        bench, tally = self._bench, self._tally
        async with bench.database.transaction() as tx:
            await bench.pages.confirm(tx, page.id, bench.clock.now(), again.substance_hash)
            visit = await note_visit(bench, tx, replace(again, id=page.id))
        await after_visit(bench, visit)
        reading = tally.readings.get(page.url)
        if reading is None:  # read for another product before; read it for this one
            body = await bench.pages.body(page)
            reading = await read_in_thread(bench, tally, page, body)
            await self._keep(page, None, reading, 0.0)
        return reading.identity.verdict

    async def _keep_failure(self, got: Fetched) -> str:
        bench, tally, page = self._bench, self._tally, got.page
        host = bench.fetch.host_of(page.url)
        if not was_asked(page):
            return self._put_off(host, await until_asked(bench, host, page))
        async with bench.database.transaction() as tx:
            await bench.pages.save(tx, page, got.body, got.response)
            await bench.yields.add(
                tx, page.host, tally.product.category, fields=(), seconds=0.0, failed=True
            )
            visit = await note_visit(bench, tx, page)
        if visit is not None and (until := await wait_after(bench, visit)):
            return self._put_off(host, until)
        if page.outcome is Outcome.REFUSED:
            tally.notes[host] = page.outcome_evidence
        robots = page.outcome_evidence.startswith((FORBIDDEN, UNWANTED))
        return "robots" if robots else page.outcome.value

    async def _keep(
        self,
        page: Page,
        got: Fetched | None,
        reading: Reading,
        seconds: float,
        laps: Laps | None = None,
    ) -> None:
        """Store page and reading together, and learn what the source gives."""
        bench, tally = self._bench, self._tally
        if laps is not None:
            laps.begin()
        visit = None
        async with bench.database.transaction() as tx:
            if got is not None:
                await bench.pages.save(tx, page, got.body, got.response)
            await bench.readings.save(tx, reading)
            await self._note_yield(tx, page, reading, seconds)
            watched = await watch_reading(bench, tx, page, reading, tally.product.category)
            if got is not None:
                visit = await self._note_visit(tx, got, reading, laps)
        await tell(bench, watched)
        await after_visit(bench, visit)
        tally.readings[page.url] = reading
        await self._tell_reading(page, reading)

    async def _note_yield(
        self, tx: Transaction, page: Page, reading: Reading, seconds: float
    ) -> None:
        """What a page of the source gave, and what that took."""
        fields = tuple(sorted({candidate.field for candidate in reading.candidates}))
        same = reading.identity.verdict in (Verdict.SAME, Verdict.FAMILY)
        category = self._tally.product.category
        await self._bench.yields.add(
            tx, page.host, category, fields=fields, seconds=seconds, failed=not same
        )

    async def _note_visit(
        self, tx: Transaction, got: Fetched, reading: Reading, laps: Laps | None
    ) -> Visit | None:
        sure = confidence_in(reading, len(self._tally.compiled.contract.fields))
        garbled = garbled_share(got.body, got.page.charset)
        return await note_visit(
            self._bench, tx, got.page, confidence=sure, timings_ms=stored_in(laps), garbled=garbled
        )

    async def _tell_reading(self, page: Page, reading: Reading) -> None:
        identity = reading.identity
        about: dict[str, Json] = {"page_id": page.id, "host": page.host}
        await self._emit(
            "identity.judged", **about, verdict=identity.verdict, confidence=identity.confidence,
            reasons=list(identity.reasons),
        )  # fmt: skip
        found, dropped = len(reading.candidates), len(reading.dropped)
        await self._emit("page.read", **about, candidates=found, dropped=dropped)

    async def _follow(self, page: Page, body: bytes, reading: Reading, source: Source) -> None:
        """A product page may link its data sheet: a lead for the next round."""
        if reading.identity.verdict is not Verdict.SAME or page.media_type != "text/html":
            return
        known = {lead.url for lead in self._tally.leads} | set(self._tally.readings)
        for hit in document_links(body, page):
            if hit.url not in known and self._bench.fetch.host_of(hit.url) == source.host:
                self._tally.leads.append(Lead(source, hit.url, "data sheet linked from the page"))
                known.add(hit.url)

    def _count_request(self) -> None:
        spent = self._tally.spent
        self._tally.spent = replace(spent, requests=spent.requests + 1)
