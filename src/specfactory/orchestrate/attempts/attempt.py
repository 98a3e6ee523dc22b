"""One attempt at a product: rounds of plan, fetch, identify, extract, validate and merge.

Everything is written as soon as it is known, so that an interruption loses nothing; the record
and the end of the attempt land in one transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from specfactory.declared_events import event
from specfactory.errors import Interrupted, LeaseLost
from specfactory.model import (
    Attempt,
    AttemptStatus,
    Budget,
    Coverage,
    Frozen,
    Job,
    Json,
    PlannedSource,
    Product,
    Record,
    Source,
    Verdict,
)
from specfactory.orchestrate.attempts.finish import finish_surely, give_up
from specfactory.orchestrate.attempts.model_variants import take_variants
from specfactory.orchestrate.attempts.questions import dispute
from specfactory.orchestrate.attempts.rounds import Round, Stop
from specfactory.orchestrate.attempts.source_visit import SourceVisitor
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import open_tally
from specfactory.orchestrate.attempts.variant_conflicts import FoundVariant
from specfactory.orchestrate.bench import Workbench, exhausted, used
from specfactory.ports import Transaction
from specfactory.publish import limits_json


class AttemptResult(Frozen):
    """End of an attempt; ``record`` is the newest version, ``changed`` is True when it is new."""

    attempt: Attempt
    record: Record | None
    changed: bool
    stop_reason: str
    variants: tuple[FoundVariant, ...] = ()  # of a product that names none


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
    job_id = job.id if job else None
    attempt = Attempt(bench.new_id("run"), product.id, budget, bench.clock.now(), job_id)
    named = bench.sources(product.category) if sources is None else tuple(sources)
    tally = await open_tally(bench, product, attempt, named, urls, job=job, refresh=refresh)
    tally.began = bench.clock.monotonic()
    try:
        await _start(tally)
        try:
            async with asyncio.timeout(budget.max_seconds):
                await _make_rounds(tally)
        except TimeoutError:
            tally.stopped_by = "max_seconds"
        await take_variants(tally)
        tally.merge()
        if tally.disputed:
            tally.stop_reason = dispute(tally.variants)
        if tally.stopped_by:
            await tally.emit("budget.exhausted", budget=tally.stopped_by)
        tally.count_time()
        record, changed, attempt = await finish_surely(tally)
        return AttemptResult(attempt, record, changed, tally.stop_reason, tally.variants)
    except asyncio.CancelledError:
        await asyncio.shield(give_up(tally, AttemptStatus.INTERRUPTED, "interrupted"))
        raise
    except (LeaseLost, Interrupted) as lost:
        await give_up(tally, AttemptStatus.INTERRUPTED, str(lost))
        raise
    except Exception as problem:  # an error of ours too: the attempt has ended
        await give_up(tally, AttemptStatus.FAILED, str(problem) or type(problem).__name__)
        raise


async def _start(tally: Tally) -> None:
    """Write the attempt and that it began, in one transaction; its time counts from then on."""
    bench, attempt = tally.bench, tally.attempt
    async with bench.announcing() as (tx, events):
        await _note_round(tx, tally, 0)
        await bench.products.save(tx, tally.product)
        events.extend(await bench.attempts.start(tx, attempt))
        about = {"attempt_id": attempt.id, "product_id": attempt.product_id}
        budget = limits_json(attempt.budget)
        events.append(event("attempt.started", attempt.started_at, **about, budget=budget))
    tally.began = bench.clock.monotonic()


async def _make_rounds(tally: Tally) -> None:
    """Repeat rounds until another would not pay."""
    budget = tally.attempt.budget
    state, gained, finished = tally.merge(), 0, None
    while True:
        tally.count_time()
        share = used(budget, tally.spent)
        following = tally.next_round(finished, state, gained, share)
        if isinstance(following, Stop):
            tally.stop_reason = following.reason
            return
        planned = tally.plan(following, state.open_fields, following.sources)
        if planned and (name := exhausted(budget, tally.spent)):
            tally.stopped_by = name
            return
        if not planned and following.number > 1:
            tally.stop_reason = "no source is left that may know more"
            return
        before = state.filled
        if planned:
            await _visit_sources(tally, following, planned, state)
            await take_variants(tally)
            state = tally.merge()
        gained, finished = state.filled - before, following.number
        await _close_round(tally, following, state, gained)
        if following.number == 0 and not tally.identity_decided:
            # A manufacturer's page of unsure identity is a question for a person.
            verdicts = {reading.identity.verdict for reading in tally.readings.values()}
            if Verdict.UNSURE in verdicts and Verdict.SAME not in verdicts:
                tally.stop_reason = "the manufacturer's page may be about another product"
                return


async def _visit_sources(
    tally: Tally, following: Round, planned: list[PlannedSource], state: Coverage
) -> None:
    """Read as many sources as the round wants; one without the product is replaced."""
    bench, visitor, wanted = tally.bench, SourceVisitor(tally), following.sources
    slots = asyncio.Semaphore(bench.settings.plan.sources_at_once)

    async def visit(step: PlannedSource) -> bool:
        async with slots:
            return await visitor.run(step)

    while planned and wanted:
        hosts: list[Json] = [step.source.host for step in planned]
        about = {"round": following.number, "name": following.name}
        await tally.emit("round.started", **about, sources=hosts)
        if tally.job is not None:
            async with bench.database.transaction() as tx:
                await _note_round(tx, tally, following.number)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(visit(step)) for step in planned]
        except ExceptionGroup as several:  # the first says it all; the rest were cancelled
            raise several.exceptions[0] from several
        wanted -= sum(task.result() for task in tasks)
        if exhausted(tally.attempt.budget, tally.spent):
            return
        planned = tally.plan(following, state.open_fields, wanted) if wanted else []


async def _close_round(tally: Tally, finished: Round, state: Coverage, gained: int) -> None:
    bench = tally.bench
    tally.spent = replace(tally.spent, rounds=finished.number + 1)
    await tally.emit(
        "round.finished", round=finished.number, filled=state.filled,
        total=state.total, gained=gained, cost_usd=tally.spent.model_cost_usd,
    )  # fmt: skip
    async with bench.database.transaction() as tx:
        attempt = replace(tally.attempt, spent=tally.spent)
        await bench.attempts.note(tx, attempt, dict(tally.hosts))
        await bench.outbox.append(tx, tally.drain())


async def _note_round(tx: Transaction, tally: Tally, number: int) -> None:
    """Show the round on the attempt's job; a job that is not ours any more ends the attempt."""
    job = tally.job
    if job is not None and not await tally.bench.jobs.note_round(tx, job.lease, number):
        raise LeaseLost(job.name)
