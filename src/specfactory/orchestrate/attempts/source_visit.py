"""One step of a round: find the product's page at a source, fetch it, read it, keep it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Protocol

from specfactory.discover import Lead, document_links
from specfactory.identify import judge_subject
from specfactory.model import (
    Cause,
    FetchResponse,
    Instant,
    Json,
    Outcome,
    Page,
    PlannedSource,
    Source,
    Verdict,
)
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing import (
    after_visit,
    trouble_visit,
    until_asked,
    wait_after,
    was_asked,
)
from specfactory.orchestrate.pages import Purpose, TakenPage, take_page
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
        failed = None if urls else self._bench.fetch.failed_search(host)
        ended = Outcome.NOT_FOUND.value
        if failed is not None and failed.failure is not None:
            ended = (Cause.ROBOTS if failed.cause is Cause.ROBOTS else failed.failure).value
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
            await self._note_trouble(host, failed)
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

    async def _note_trouble(self, host: str, failed: FetchResponse | None) -> None:
        """Count a failed search as a visit, so that its host is healed."""
        visit = trouble_visit(self._bench, host, failed)
        if visit is None:
            return
        async with self._bench.database.transaction() as tx:
            await self._bench.visits.add(tx, visit)
        await after_visit(self._bench, visit)
        if until := await wait_after(self._bench, visit):
            self._put_off(host, until)

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
        """Take a page for the product; gives its verdict, or how it failed."""
        bench, tally = self._bench, self._tally
        tally.asked.add(url)
        purpose = Purpose(
            tally.compiled,
            reads=True,
            product=tally.product,
            tier=source.tier,
            siblings=tally.siblings,
            accept_unsure=tally.identity_accepted,
            known=tally.readings.get(url),
        )
        taken = await take_page(bench, url, purpose)
        self._count_request()
        page = taken.fetched.page
        await self._emit(
            "page.fetched",
            page_id=page.id,
            url=page.url,
            host=page.host,
            outcome=page.outcome,
            evidence=page.outcome_evidence,
            size_bytes=page.size_bytes,
        )
        if not taken.is_good:
            return await self._keep_failure(taken)
        reading = taken.reading
        if not isinstance(reading, Reading):  # unchanged, and read before
            await taken.keep()
            return tally.readings[url].identity.verdict
        fields = tuple(sorted({candidate.field for candidate in reading.candidates}))
        failed = reading.identity.verdict not in (Verdict.SAME, Verdict.FAMILY)

        async def note_yield(tx: Transaction) -> None:
            await bench.yields.add(
                tx,
                page.host,
                tally.product.category,
                fields=fields,
                seconds=taken.seconds,
                failed=failed,
            )

        await taken.keep(note_yield)
        tally.readings[taken.page.url] = reading
        await self._tell_reading(taken.page, reading)
        if not taken.is_unchanged:
            self._follow(taken.page, taken.body, reading, source)
        return reading.identity.verdict

    async def _keep_failure(self, taken: TakenPage) -> str:
        bench, tally, page = self._bench, self._tally, taken.page
        host = bench.fetch.host_of(page.url)
        if not was_asked(page):
            return self._put_off(host, await until_asked(bench, host, page))

        async def note_yield(tx: Transaction) -> None:
            await bench.yields.add(
                tx, page.host, tally.product.category, fields=(), seconds=0.0, failed=True
            )

        await taken.keep(note_yield)
        if taken.visit is not None and (until := await wait_after(bench, taken.visit)):
            return self._put_off(host, until)
        if page.outcome is Outcome.REFUSED:
            tally.notes[host] = page.outcome_evidence
        barred = page.cause in (Cause.ROBOTS, Cause.UNWANTED)
        return Cause.ROBOTS.value if barred else page.outcome.value

    async def _tell_reading(self, page: Page, reading: Reading) -> None:
        identity = reading.identity
        about: dict[str, Json] = {"page_id": page.id, "host": page.host}
        await self._emit(
            "identity.judged", **about, verdict=identity.verdict, confidence=identity.confidence,
            reasons=list(identity.reasons),
        )  # fmt: skip
        found, dropped = len(reading.candidates), len(reading.dropped)
        await self._emit("page.read", **about, candidates=found, dropped=dropped)

    def _follow(self, page: Page, body: bytes, reading: Reading, source: Source) -> None:
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
