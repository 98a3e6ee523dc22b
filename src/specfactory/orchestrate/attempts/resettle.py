"""Settle a record again from stored evidence, after a decision or new candidates."""

from dataclasses import replace

from specfactory.model import Action, Attempt, Job, JobStatus, Product, Record
from specfactory.orchestrate.attempts.finish import best_identity, build_record, essence, published
from specfactory.orchestrate.attempts.model_fields import ModelNotes, noted
from specfactory.orchestrate.attempts.model_variants import take_variants
from specfactory.orchestrate.attempts.questions import ask
from specfactory.orchestrate.attempts.stored_evidence import open_tally
from specfactory.orchestrate.bench import Workbench, exhausted
from specfactory.ports import Write
from specfactory.publish import check_record


async def settle_again(
    bench: Workbench, product: Product, asked: ModelNotes | None = None, within: Write | None = None
) -> Record | None:
    """Publish what decisions make of the stored evidence, or None when nothing changes.

    Nothing is fetched; what was tried and spent stays that of the last attempt. ``asked`` is
    what a language model did about open fields since; ``within`` writes in the same transaction.
    """
    previous = await bench.records.latest(product.id)
    # The new version belongs to the attempt that asked, or to that of the last version.
    if asked is not None:
        attempt: Attempt | None = asked.attempt
    elif previous is not None:
        attempt = await bench.attempts.get(previous.attempt_id)
    else:
        attempt = next(iter(await bench.attempts.list(product.id)), None)
    if attempt is None:
        return None
    tally = await open_tally(bench, product, attempt)
    tally.spent = attempt.spent if asked or previous is None else previous.spent
    tally.hosts = dict(await bench.attempts.trace(attempt.id))
    tally.stopped_by = exhausted(attempt.budget, attempt.spent)
    await take_variants(tally)
    tally.merge()
    identity = best_identity(tally)
    if previous is not None and not tally.readings:
        identity = previous.identity
    record = build_record(tally, identity, previous)
    decided = {decision.field for decision in await bench.reviews.history(product.id)}
    fields = dict(record.fields)
    for name, result in fields.items():
        old = previous.fields.get(name) if previous else None
        if name not in decided and old is not None and old.value is None and result.value is None:
            fields[name] = old  # still unknown, for the reason it had: nothing new was tried
    share = previous.accuracy if previous else None
    record = noted(replace(record, fields=fields, accuracy=share), asked)
    found = any(reading.identity.verdict.usable for reading in tally.readings.values())
    changed = essence(record) != essence(previous) if previous else found
    if changed:
        check_record(record, tally.compiled.contract)
    waiting = await _waiting_jobs(bench, product) if tally.identity_decided else []
    async with bench.database.transaction() as tx:
        events = await ask(tx, tally, record)
        for job in waiting:  # after a rejection, another attempt looks for other pages
            action = Action.FINISH if found else Action.REQUEUE
            await bench.jobs.act(tx, job.id, action, bench.clock.now())
        if changed:
            await bench.contracts.save(tx, tally.compiled.contract)
            record = await bench.records.publish(tx, record)
            events.append(published(record, attempt, record.generated_at))
        await bench.outbox.append(tx, events)
        if within is not None:
            await within(tx)
    return record if changed else None


async def _waiting_jobs(bench: Workbench, product: Product) -> list[Job]:
    """The jobs of a product that wait for a person."""
    found = await bench.jobs.find(product.id)
    return [j for j in found if j.key == product.id and j.status is JobStatus.AWAITING_REVIEW]
