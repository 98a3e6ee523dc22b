"""One attempt at a product: rounds of plan, fetch, identify, extract, validate and merge.

Everything is written as soon as it is known, so that an interruption loses nothing; the record
and the end of the attempt land in one transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from specfactory.discover import Lead, plan_round, sources_for
from specfactory.errors import Interrupted, LeaseLost, SpecError
from specfactory.events import event
from specfactory.model import (
    Attempt,
    AttemptStatus,
    Budget,
    Coverage,
    Event,
    Frozen,
    Job,
    Json,
    PlannedSource,
    Product,
    Record,
    Source,
    Tier,
    Verdict,
)
from specfactory.orchestrate.attempts.coverage import open_fields
from specfactory.orchestrate.attempts.finish import finish_surely, give_up
from specfactory.orchestrate.attempts.rounds import Round, Stop, next_round, round_of
from specfactory.orchestrate.attempts.source_visit import Errand
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import load_evidence, source_of
from specfactory.orchestrate.bench import Workbench, exhausted, used
from specfactory.ports import Transaction


class AttemptResult(Frozen):
    """How an attempt ended; ``record`` is the newest version, ``changed`` whether it is new."""

    attempt: Attempt
    record: Record | None
    changed: bool
    stop_reason: str


async def run_attempt(
    bench: Workbench,
    product: Product,
    *,
    urls: Sequence[str] = (),
    budget: Budget | None = None,
    sources: Sequence[Source] | None = None,
    job: Job | None = None,
    refresh: bool = False,
) -> AttemptResult:
    """Make one product's record, within the budget, from what is known and what is out there.

    ``urls`` are pages that the user already knows; ``sources`` replaces those of the category;
    ``refresh`` asks fresh pages again. With ``job``, the end of the attempt is the end of the
    job, fenced by its lease: LeaseLost says that everything but the pages was discarded.
    """
    budget = budget or bench.settings.budget.budget()
    tally = await _begin(bench, product, urls, budget, sources, job, refresh)
    work = AttemptWork(bench, tally)
    try:
        record, changed, attempt = await _work_to_the_end(bench, tally, work)
        return AttemptResult(attempt, record, changed, tally.stop_reason)
    except asyncio.CancelledError:
        gone = _give_up(bench, tally, work, AttemptStatus.INTERRUPTED, "interrupted")
        await asyncio.shield(gone)
        raise
    except (LeaseLost, Interrupted) as lost:
        await _give_up(bench, tally, work, AttemptStatus.INTERRUPTED, str(lost))
        raise
    except SpecError as problem:
        await _give_up(bench, tally, work, AttemptStatus.FAILED, str(problem))
        raise


async def _work_to_the_end(
    bench: Workbench, tally: Tally, work: AttemptWork
) -> tuple[Record | None, bool, Attempt]:
    try:
        async with asyncio.timeout(tally.attempt.budget.max_seconds):
            await work.rounds()
    except TimeoutError:
        tally.stopped_by = "max_seconds"
    if tally.stopped_by:
        await work.emit("budget.exhausted", budget=tally.stopped_by)
    work.count_time()
    return await finish_surely(bench, tally, work.drain())


async def _give_up(
    bench: Workbench, tally: Tally, work: AttemptWork, status: AttemptStatus, why: str
) -> None:
    work.count_time()
    await give_up(bench, tally, work.drain(), status, why)


async def _begin(
    bench: Workbench,
    product: Product,
    urls: Sequence[str],
    budget: Budget,
    sources: Sequence[Source] | None,
    job: Job | None,
    refresh: bool,
) -> Tally:
    compiled, job_id = bench.contract(product.category), job.id if job else None
    attempt = Attempt(bench.new_id("run"), product.id, budget, bench.clock.now(), job_id)
    named = bench.sources(product.category) if sources is None else tuple(sources)
    known = sources_for(product, named)
    tally = Tally(product, compiled, attempt, known, job=job)
    tally.leads += [Lead(source_of(url, product, named), url, "given", given=True) for url in urls]
    await load_evidence(bench, tally, refresh)
    async with bench.database.transaction() as tx:
        await note_round(bench, tx, tally, 0)
        await bench.products.save(tx, product)
        await bench.attempts.start(tx, attempt)
    return tally


class AttemptWork:
    """The rounds of one attempt."""

    def __init__(self, bench: Workbench, tally: Tally) -> None:
        self._bench, self._tally = bench, tally
        self._began = bench.clock.monotonic()
        self._events: list[Event] = []
        self._errand = Errand(bench, tally, self.emit)

    async def emit(self, name: str, /, **fields: Json) -> None:
        """Tell what happened, live and for the outbox."""
        attempt = self._tally.attempt
        ids = {"attempt_id": attempt.id, "product_id": attempt.product_id}
        happened = event(name, self._bench.clock.now(), **ids, **fields)
        self._events.append(happened)
        await self._bench.state.publish([happened])

    def drain(self) -> list[Event]:
        """The events that are not yet in the outbox."""
        events, self._events = self._events, []
        return events

    def count_time(self) -> None:
        """Bring the spent seconds up to date."""
        seconds = self._bench.clock.monotonic() - self._began
        self._tally.spent = replace(self._tally.spent, seconds=seconds)

    async def rounds(self) -> None:
        """Go round until another round would not pay."""
        tally, plan = self._tally, self._bench.settings.plan
        await self.emit("attempt.started", budget=_budget_json(tally.attempt.budget))
        state, gained, finished = self._merge(), 0, None
        while True:
            self.count_time()
            share = used(tally.attempt.budget, tally.spent)
            following = next_round(finished, state, gained, share, plan, bool(tally.readings))
            if isinstance(following, Stop) and tally.due_leads():
                following = round_of(3 if finished is None else finished + 1, plan)
            if isinstance(following, Stop):
                tally.stop_reason = following.reason
                return
            planned = self._plan(following, state, following.sources)
            if planned and (name := exhausted(tally.attempt.budget, tally.spent)):
                tally.stopped_by = name
                return
            if not planned and following.number > 1:
                tally.stop_reason = "no source is left that may know more"
                return
            before = state.filled
            if planned:
                await self._round(following, planned, state)
                state = self._merge()
            gained, finished = state.filled - before, following.number
            await self._close_round(following, state, gained)
            if following.number == 0 and await self._identity_is_unsure():
                return

    def _merge(self) -> Coverage:
        return self._tally.merge(
            self._bench.settings.publish.min_confidence, self._bench.clock.now()
        )

    def _plan(self, following: Round, state: Coverage, count: int) -> list[PlannedSource]:
        tally = self._tally
        planned = plan_round(
            tally.compiled.contract,
            tally.untried(),
            tally.open_leads(),
            open_fields(state),
            tally.yields,
            following.tiers,
            count,
        )
        if following.number == 0:  # the fast check wants the manufacturer or nobody
            return [step for step in planned if step.source.tier is Tier.MANUFACTURER]
        return planned

    async def _round(self, following: Round, planned: list[PlannedSource], state: Coverage) -> None:
        """Read as many sources as the round wants; one that has nothing makes room for the next."""
        wanted = following.sources
        while planned and wanted:
            wanted -= await self._visit(following, planned)
            if exhausted(self._tally.attempt.budget, self._tally.spent):
                return
            planned = self._plan(following, state, wanted) if wanted else []

    async def _visit(self, following: Round, planned: list[PlannedSource]) -> int:
        """Go to some sources at the same time; how many of them were read."""
        await self.emit(
            "round.started",
            round=following.number,
            name=following.name,
            sources=[step.source.host for step in planned],
        )
        if self._tally.job is not None:
            async with self._bench.database.transaction() as tx:
                await note_round(self._bench, tx, self._tally, following.number)
        slots = asyncio.Semaphore(self._bench.settings.plan.sources_at_once)

        async def one(step: PlannedSource) -> bool:
            async with slots:
                return await self._errand.run(step)

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(step)) for step in planned]
        except ExceptionGroup as several:  # the first says it all; the rest were cancelled
            raise several.exceptions[0] from several
        return sum(task.result() for task in tasks)

    async def _close_round(self, finished: Round, state: Coverage, gained: int) -> None:
        tally = self._tally
        tally.spent = replace(tally.spent, rounds=finished.number + 1)
        await self.emit(
            "round.finished",
            round=finished.number,
            filled=state.filled,
            total=state.total,
            gained=gained,
            cost_usd=tally.spent.model_cost_usd,
        )
        async with self._bench.database.transaction() as tx:
            attempt = replace(tally.attempt, spent=tally.spent)
            await self._bench.attempts.note(tx, attempt, dict(tally.hosts))
            await self._bench.outbox.append(tx, self.drain())

    async def _identity_is_unsure(self) -> bool:
        """After the fast check: an unsure manufacturer page is a question for a person."""
        tally = self._tally
        verdicts = {reading.identity.verdict for reading in tally.readings.values()}
        if tally.identity_decided or Verdict.SAME in verdicts or Verdict.UNSURE not in verdicts:
            return False
        tally.stop_reason = "the manufacturer's page may be about another product"
        return True


async def note_round(bench: Workbench, tx: Transaction, tally: Tally, number: int) -> None:
    """Show the round on the attempt's job; a job that is not ours any more ends the attempt."""
    job = tally.job
    if job is not None and not await bench.jobs.note_round(tx, job.lease, number):
        raise LeaseLost(job.name)


def _budget_json(budget: Budget) -> Json:
    return {
        "max_pages": budget.max_pages,
        "max_llm_calls": budget.max_model_calls,
        "max_llm_cost_usd": budget.max_model_cost_usd,
        "max_wall_clock_s": budget.max_seconds,
    }
