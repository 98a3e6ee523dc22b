"""One step of a round: find the product's page at a source, fetch it, read it, keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from specfactory.discover import Lead
from specfactory.fetch import refusal
from specfactory.identify import connections_in, judge_subject
from specfactory.model import Cause, Instant, Json, Outcome, PlannedSource, Source, Verdict
from specfactory.orchestrate.attempts.model_variants import names_variant
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.healing import (
    after_visit,
    trouble_visit,
    until_asked,
    wait_after,
    was_asked,
)
from specfactory.orchestrate.pages import PagePurpose, TakenPage, take_page, tier_reached
from specfactory.ports import Hit
from specfactory.store import Reading

TRIES = 3  # pages of one source that may turn out to be about something else
PAUSED = "paused"  # the end of a source that must not be asked for a while
LIKELY = {Verdict.SAME: 0, Verdict.UNSURE: 1, Verdict.FAMILY: 2}  # ranks of search hits
KNOWN_VARIANT, UNLIKELY = 3, 9
USABLE = tuple(verdict for verdict in Verdict if verdict.usable)  # ends of a visit, as strings


class SourceVisitor:
    """Runs planned steps for one attempt."""

    def __init__(self, tally: Tally) -> None:
        self._bench, self._tally = tally.bench, tally

    async def run(self, step: PlannedSource) -> bool:
        """Work on one planned source and keep its end in the tally; True if it was read."""
        bench, tally, host = self._bench, self._tally, step.source.host
        tally.hosts.setdefault(host, "asked")
        refused = refusal(await bench.policies.of(host), host, bench.clock.now())
        if refused is not None and refused.cause is Cause.PAUSED:  # other sources may know enough
            self._put_off(host, refused.retry_at)
            await tally.emit("source.skipped", host=host, reason=PAUSED)
            tally.asked |= {step.url} if step.url else set()
            return False
        urls = [step.url] if step.url else await self._find(step.source)
        if urls and tally.asked.issuperset(urls):
            return False  # a page that was given is found by its host's search, too
        failed = None if urls else bench.fetch.failed_search(host)
        ended = Outcome.NOT_FOUND.value
        if failed is not None and failed.failure is not None:
            ended = (Cause.ROBOTS if failed.cause is Cause.ROBOTS else failed.failure).value
        for url in [url for url in urls if url not in tally.asked][:TRIES]:
            if not tally.take_page():
                ended = "budget_exhausted"
                break
            ended = await self._read(url, step.source)
            if ended in USABLE:
                break
        if tally.hosts[host] not in USABLE:
            tally.hosts[host] = ended
        if not urls:
            await tally.emit("source.skipped", host=host, reason=ended)
            # A failed search says as much about the health of a host as a failed page.
            if (visit := trouble_visit(bench, host, failed)) is not None:
                async with bench.database.transaction() as tx:
                    await bench.visits.add(tx, visit)
                await after_visit(bench, visit)
                if until := await wait_after(bench, visit):
                    self._put_off(host, until)
        return ended in USABLE

    def _put_off(self, host: str, until: Instant) -> str:
        self._tally.paused[host] = until
        if self._tally.hosts.get(host) not in USABLE:
            self._tally.hosts[host] = PAUSED
        return PAUSED

    async def _find(self, source: Source) -> list[str]:
        """Search a source for the product's page; the likeliest URLs first."""
        known = [u for u in self._tally.readings if self._bench.fetch.host_of(u) == source.host]
        if known:
            return known
        for search in self._bench.searches:
            hits = await search.search(self._tally.product, source)
            self._count_request()
            ranked = sorted((self._rank(hit), number) for number, hit in enumerate(hits))
            self._note_variants(hits)
            likely = [hits[number].url for rank, number in ranked if rank < UNLIKELY]
            if hits:
                found = {"way": hits[0].way, "found": len(likely)}
                await self._tally.emit("source.searched", host=source.host, **found)
            if likely:
                return likely
        return []

    def _rank(self, hit: Hit) -> int:
        """Rank a hit by its title, or by its URL where it has none; 0 is surely the product."""
        words = hit.title or hit.url.rsplit("/", 1)[-1]
        if not words:
            return UNLIKELY
        tally, rules = self._tally, self._tally.compiled.contract.identity
        judged = judge_subject(tally.product, rules, words, tally.siblings)
        rank = LIKELY.get(judged.verdict, UNLIKELY)
        if rank == UNLIKELY and names_variant(tally, words) is not None:
            return KNOWN_VARIANT
        return rank

    def _note_variants(self, hits: Sequence[Hit]) -> None:
        """Note the variants that hits name and the product does not, with their URLs."""
        tally, rules = self._tally, self._tally.compiled.contract.identity
        for hit in hits:
            words = hit.title or hit.url.rsplit("/", 1)[-1]
            judged = judge_subject(tally.product, rules, words, tally.siblings)
            named = connections_in(tally.product, words)
            if len(named) == 1 and judged.verdict is Verdict.SAME:
                tally.seen_variants.setdefault(named[0], set()).add(hit.url)

    async def _read(self, url: str, source: Source) -> str:
        """Take a page for the product; gives its verdict, or how it failed."""
        bench, tally = self._bench, self._tally
        tally.asked.add(url)
        tier = tier_reached(bench.fetch.host_of(url), source.host, source.tier, tally.sources)
        purpose = PagePurpose(
            tally.compiled, reads=True, product=tally.product, tier=tier,
            sources=tally.sources, siblings=tally.siblings, accept_unsure=tally.identity_accepted,
            known=tally.readings.get(url), deadline_seconds=tally.seconds_left,
        )  # fmt: skip
        taken = await take_page(bench, url, purpose)
        self._count_request()
        page = taken.fetched.page
        await tally.emit(
            "page.fetched", page_id=page.id, url=page.url, host=page.host,
            outcome=page.outcome, evidence=page.outcome_evidence, size_bytes=page.size_bytes,
        )  # fmt: skip
        if not taken.is_good:
            return await self._keep_failure(taken)
        reading = taken.reading
        if not isinstance(reading, Reading):  # unchanged, and read before
            await taken.keep()
            return tally.readings[url].identity.verdict
        await self._keep(taken, reading)
        if not taken.is_unchanged:
            self._note_data_sheets(taken, source)
        return reading.identity.verdict

    async def _keep(self, taken: TakenPage, reading: Reading) -> None:
        page, identity = taken.page, reading.identity
        fields = tuple(sorted({candidate.field for candidate in reading.candidates}))
        await taken.keep(
            lambda tx: self._bench.yields.add(
                tx, page.host, self._tally.product.category, fields=fields,
                seconds=taken.seconds, failed=not identity.verdict.usable,
            )
        )  # fmt: skip
        self._tally.readings[page.url] = reading
        about: dict[str, Json] = {"page_id": page.id, "host": page.host}
        await self._tally.emit(
            "identity.judged", **about, verdict=identity.verdict, confidence=identity.confidence,
            reasons=list(identity.reasons),
        )  # fmt: skip
        found, dropped = len(reading.candidates), len(reading.dropped)
        await self._tally.emit("page.read", **about, candidates=found, dropped=dropped)

    async def _keep_failure(self, taken: TakenPage) -> str:
        bench, tally, page = self._bench, self._tally, taken.page
        host = bench.fetch.host_of(page.url)
        if not was_asked(page):
            return self._put_off(host, await until_asked(bench, host, page))
        category = tally.product.category
        await taken.keep(
            lambda tx: bench.yields.add(
                tx, page.host, category, fields=(), seconds=0.0, failed=True
            )
        )
        if taken.visit is not None and (until := await wait_after(bench, taken.visit)):
            return self._put_off(host, until)
        if page.outcome is Outcome.REFUSED:
            tally.notes[host] = page.outcome_evidence
        barred = page.cause in (Cause.ROBOTS, Cause.UNWANTED)
        return Cause.ROBOTS.value if barred else page.outcome.value

    def _note_data_sheets(self, taken: TakenPage, source: Source) -> None:
        """Note data sheets that a product page links, as leads for the next round."""
        tally = self._tally
        known = {lead.url for lead in tally.leads} | set(tally.readings)
        for hit in taken.data_sheets:
            if hit.url not in known and self._bench.fetch.host_of(hit.url) == source.host:
                tally.leads.append(Lead(source, hit.url, "data sheet linked from the page"))
                known.add(hit.url)

    def _count_request(self) -> None:
        spent = self._tally.spent
        self._tally.spent = replace(spent, requests=spent.requests + 1)
