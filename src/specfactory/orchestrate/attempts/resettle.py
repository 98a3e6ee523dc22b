"""Settle a record again from stored evidence, after a decision or new candidates."""

from dataclasses import replace

from specfactory.model import Product, Record
from specfactory.orchestrate.attempts.finish import build_record, essence, published
from specfactory.orchestrate.attempts.model_fields import ModelNotes, noted
from specfactory.orchestrate.attempts.questions import ask
from specfactory.orchestrate.attempts.stored_evidence import open_tally
from specfactory.orchestrate.bench import Workbench, exhausted
from specfactory.ports import Write
from specfactory.publish import check_record


async def settle_again(
    bench: Workbench, product: Product, asked: ModelNotes | None = None, within: Write | None = None
) -> Record | None:
    """Publish what decisions make of the newest record, or None when nothing changes.

    Nothing is fetched; what was tried and spent stays that of the last attempt. ``asked`` is
    what a language model did about open fields since; ``within`` writes in the same transaction.
    """
    previous = await bench.records.latest(product.id)
    if previous is None:
        return None
    # The new version belongs to the attempt that asked, or to that of the last version.
    attempt = asked.attempt if asked else await bench.attempts.get(previous.attempt_id)
    if attempt is None:
        return None
    tally = await open_tally(bench, product, attempt)
    tally.spent = attempt.spent if asked else previous.spent
    tally.hosts = dict(await bench.attempts.trace(attempt.id))
    tally.stopped_by = exhausted(attempt.budget, attempt.spent)
    tally.merge()
    record = build_record(tally, previous.identity, previous)
    decided = {decision.field for decision in await bench.reviews.history(product.id)}
    fields = dict(record.fields)
    for name, result in fields.items():
        old = previous.fields.get(name)
        if name not in decided and old is not None and old.value is None and result.value is None:
            fields[name] = old  # still unknown, for the reason it had: nothing new was tried
    record = noted(replace(record, fields=fields, accuracy=previous.accuracy), asked)
    changed = essence(record) != essence(previous)
    if changed:
        check_record(record, tally.compiled.contract)
    async with bench.database.transaction() as tx:
        events = await ask(tx, tally, record)
        if changed:
            record = await bench.records.publish(tx, record)
            events.append(published(record, attempt, record.generated_at))
        await bench.outbox.append(tx, events)
        if within is not None:
            await within(tx)
    return record if changed else None
