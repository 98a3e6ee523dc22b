"""The end of an attempt: results to record, flags to reviews, all in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from specfactory.declared_events import event
from specfactory.errors import CommitUnknown, LeaseLost
from specfactory.identify import with_agreed_ids, with_field_ids
from specfactory.model import (
    Attempt,
    AttemptStatus,
    CheckResult,
    Event,
    FieldResult,
    Identity,
    Instant,
    Job,
    JobKind,
    Json,
    NewJob,
    Priority,
    Record,
    Verdict,
)
from specfactory.orchestrate.attempts.model_fields import fields_to_ask
from specfactory.orchestrate.attempts.questions import NOBODY, ask
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.unknowns import Tried, explain_unknown, trace_of
from specfactory.orchestrate.jobs import end_badly, nothing_found, until_written
from specfactory.ports import Transaction
from specfactory.publish import Accuracy, accuracy, check_record, lessons_of, source_verdicts
from specfactory.queue import payload_of
from specfactory.store.products import GOLDEN, Lessons, attempt_finished
from specfactory.validate import component_flag, cross_check

OPEN_FIELDS = "fields are open that prose may hold"  # why the language model is asked


async def finish_surely(tally: Tally) -> tuple[Record | None, bool, Attempt]:
    """Finish an attempt; with a job, retry while the database is away.

    A commit whose answer was lost may have succeeded: the attempt is looked up before the retry.
    """
    bench, events = tally.bench, tally.drain()
    if tally.job is None:
        return await finish(tally, events)
    ended: list[Attempt] = []

    async def look(problem: Exception) -> None:
        if isinstance(problem, CommitUnknown):
            found = await until_written(
                lambda: bench.attempts.get(tally.attempt.id), bench.clock, bench.random
            )
            if found and found.status is not AttemptStatus.RUNNING:
                ended.append(found)

    async def once() -> tuple[Record | None, bool, Attempt]:
        if not ended:
            return await finish(tally, events)
        record = await bench.records.latest(tally.product.id)
        return record, bool(record and record.attempt_id == ended[0].id), ended[0]

    return await until_written(once, bench.clock, bench.random, look)


async def finish(tally: Tally, events: list[Event]) -> tuple[Record | None, bool, Attempt]:
    """Build the record, publish it when it says anything new, and close the attempt."""
    bench = tally.bench
    previous = await bench.records.latest(tally.product.id)
    identity = best_identity(tally)
    status, error = AttemptStatus.FAILED, None
    if any(r.identity.verdict.usable for r in tally.readings.values()):
        status = AttemptStatus.COMPLETE
    elif identity.verdict is Verdict.UNSURE and identity is not NOBODY:
        status = AttemptStatus.AWAITING_REVIEW
    else:
        tried = ", ".join(
            f"{host} ({ended}: {tally.notes[host]})" if host in tally.notes else f"{host} ({ended})"
            for host, ended in sorted(tally.hosts.items())
        )
        error = f"no page about {tally.product.name} was found; tried: {tried or 'no source'}"
    record = build_record(tally, identity, previous)
    golden = await bench.goldens.get(tally.product.id)
    measured = accuracy(record, golden, tally.compiled) if golden else None
    if measured is not None:
        record = replace(record, accuracy=measured.share)
    # A version without a page about the product would hold nothing: what there is stays.
    changed = status is AttemptStatus.COMPLETE and (
        previous is None or essence(record) != essence(previous)
    )
    attempt = _closed(tally, status, error, measured)
    if changed:
        check_record(record, tally.compiled.contract)
    ended: list[Event] = []
    async with bench.database.transaction() as tx:
        if tally.job is not None:
            ended.append(await _end_job(tx, tally, tally.job, attempt))
        new = [published(record, attempt, attempt.finished_at or 0)] if changed else []
        events = [*events, *new]
        if measured is not None:
            about = {"attempt_id": attempt.id, "product_id": attempt.product_id}
            figures = {"right": len(measured.right), "wrong": len(measured.wrong)}
            at, share = attempt.finished_at or 0, measured.share
            events.append(event("accuracy.measured", at, **about, accuracy=share, **figures))
        events.append(attempt_finished(attempt))
        if changed:
            await bench.contracts.save(tx, tally.compiled.contract)
            record = await bench.records.publish(tx, record)
        if measured is not None:
            verdicts = source_verdicts(record, golden, tally.compiled)
            await bench.goldens.judge(tx, tally.product.id, verdicts)
            taught = lessons_of(record, golden, tally.compiled)
            await Lessons(bench.database).learn(tx, tally.product.id, GOLDEN, taught)
        events += await ask(tx, tally, record)
        if changed or previous is not None:
            await _queue_question(tx, tally, record)
        for reading in tally.read_again:
            await bench.readings.save(tx, reading)
        await bench.attempts.finish(tx, attempt, dict(tally.hosts))
        await bench.outbox.append(tx, events)
    await bench.state.publish([*events, *ended])
    return (record if changed else previous), changed, attempt


async def _end_job(tx: Transaction, tally: Tally, job: Job, attempt: Attempt) -> Event:
    """End the job as its attempt ended; LeaseLost discards all that the transaction holds."""
    bench = tally.bench
    now, ended = bench.clock.now(), None
    if attempt.status is AttemptStatus.COMPLETE:
        if await bench.jobs.finish(tx, [job.lease], now):
            ended = event("job.finished", now, job_ids=[job.id])
    elif attempt.status is AttemptStatus.AWAITING_REVIEW:
        if await bench.jobs.ask(tx, job.lease, now):
            ended = event("job.asked", now, job_ids=[job.id])
    elif tally.paused:
        # Nothing was found, but not all hosts were asked: wait for the first that may be.
        host = min(tally.paused, key=lambda known: tally.paused[known])
        until = tally.paused[host]
        reason = f"{attempt.error or 'nothing found'}; it waits for {host}"
        if await bench.jobs.defer(tx, job.lease, until, reason, host, now):
            about = {"job_id": job.id, "host": host, "reason": reason}
            ended = event("job.deferred", now, **about, due_at=until)
    else:
        failure = nothing_found(tally.hosts, attempt.error or "", tally.stopped_by)
        ended = await end_badly(bench, tx, job, failure)
    if ended is None:
        raise LeaseLost(job.name)
    return ended


async def _queue_question(tx: Transaction, tally: Tally, record: Record) -> None:
    """Queue the question with the attempt's end, where a model is set and a field is open."""
    bench = tally.bench
    if tally.job is None or bench.desk is None:
        return
    if fields_to_ask(record, tally.compiled.contract):
        product = record.product
        payload = {**payload_of(product), "hard_ids": dict(product.hard_ids)}
        job = NewJob(
            JobKind.MODEL, product.id, payload, product.category, Priority.BACKGROUND, OPEN_FIELDS,
            added_by="attempt", max_attempts=bench.settings.queue.max_attempts,
        )  # fmt: skip
        await bench.jobs.add(tx, [job], bench.clock.now())


async def give_up(tally: Tally, status: AttemptStatus, error: str) -> None:
    """Close an attempt that was interrupted or failed; what was read stays."""
    tally.count_time()
    bench, events, attempt = tally.bench, tally.drain(), _closed(tally, status, error)
    async with bench.database.transaction() as tx:
        if await bench.attempts.finish(tx, attempt, dict(tally.hosts)):
            await bench.outbox.append(tx, [*events, attempt_finished(attempt)])


def best_identity(tally: Tally) -> Identity:
    """The surest verdict of the pages, with the hard ids that they prove together."""
    same = [r.identity for r in tally.readings.values() if r.identity.verdict.usable]
    if not same:
        judged = (r.identity for r in tally.readings.values())
        unsure = (i for i in judged if i.verdict is Verdict.UNSURE)
        return max(unsure, key=lambda i: i.confidence, default=NOBODY)
    best = max(same, key=lambda i: (i.verdict is Verdict.SAME, i.confidence))
    return with_agreed_ids(best, same)


def build_record(tally: Tally, identity: Identity, previous: Record | None) -> Record:
    """All fields of the contract: settled, flagged, or unknown with the reason."""
    contract = tally.compiled.contract
    good = [r for r in tally.readings.values() if r.identity.verdict.usable]
    tried = Tried(
        tally.spent.rounds, dict(tally.hosts), tuple(tally.readings.values()), tally.stopped_by
    )
    fields = with_checks({name: _settled(name, tally, tried) for name in contract.fields}, tally)
    hosts = {c.evidence.url.split("/")[2] for r in good for c in r.candidates}
    identity = with_field_ids(identity, fields, tally.compiled)
    return Record(
        product=tally.product, version=previous.version + 1 if previous else 1,
        attempt_id=tally.attempt.id, generated_at=tally.bench.clock.now(),
        contract_version=contract.version, contract_digest=contract.digest,
        identity=identity, fields=fields, spent=tally.spent,
        sources_used=len(hosts),
    )  # fmt: skip


def _settled(name: str, tally: Tally, tried: Tried) -> FieldResult:
    result = tally.results.get(name)
    if result is None:
        return explain_unknown(name, tried)
    if result.value is None:
        return replace(result, trace=trace_of(name, tried))
    if name in tally.decisions:  # a person has looked at it
        return result
    flag = component_flag(name, result.value, tally.compiled)
    return replace(result, flags=(*result.flags, flag)) if flag else result


def with_checks(fields: Mapping[str, FieldResult], tally: Tally) -> dict[str, FieldResult]:
    """Run the checks across fields and note each on the fields that it is about."""
    values = {name: r.value for name, r in fields.items() if r.value is not None}
    by_field: dict[str, list[CheckResult]] = {}
    for check in cross_check(values, tally.compiled):
        for name in check.fields:
            by_field.setdefault(name, []).append(check)
    checked = dict(fields)
    for name, checks in by_field.items():
        result = fields.get(name)
        if result is not None and result.value is not None:
            failed = tuple(
                f"check {c.name} failed; wanted: {c.message}" for c in checks if c.passed is False
            )
            ran = tuple(c for c in checks if c.passed is not None)
            checked[name] = replace(result, checks=ran, flags=(*result.flags, *failed))
    return checked


def essence(record: Record) -> Json:
    """Everything that makes a version new: values, proofs, reasons and flags, but no times."""

    def ground(result: FieldResult) -> object:
        """A value stands on its evidence, or on the words of the person who set it."""
        if result.chosen:
            return result.chosen.evidence
        return None if result.value is None else result.reasons

    return record.contract_digest, [
        (name, r.value, r.unknown_reason, r.flags, ground(r), len(r.weighed))
        for name, r in record.fields.items()
    ]


def _closed(
    tally: Tally, status: AttemptStatus, error: str | None, measured: Accuracy | None = None
) -> Attempt:
    share, now = measured.share if measured else None, tally.bench.clock.now()
    return replace(
        tally.attempt, status=status, spent=tally.spent, finished_at=now, error=error,
        accuracy=share,
    )  # fmt: skip


def published(record: Record, attempt: Attempt, at: Instant) -> Event:
    """The event of a new version of a record."""
    results = record.fields.values()
    return event(
        "record.published", at, attempt_id=attempt.id, product_id=attempt.product_id,
        version=record.version, filled=sum(1 for r in results if r.value is not None),
        total=len(results), flags=sum(len(r.flags) for r in results),
    )  # fmt: skip
