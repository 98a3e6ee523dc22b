"""A record settled anew from the evidence that is stored, after a decision or new candidates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from specfactory.events import event
from specfactory.model import Attempt, Event, FieldResult, Product, Record
from specfactory.orchestrate.attempts.finish import build_record, essence
from specfactory.orchestrate.attempts.model_fields import ModelNotes, noted
from specfactory.orchestrate.attempts.questions import ask
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import load_evidence
from specfactory.orchestrate.bench import Workbench, exhausted
from specfactory.ports import Transaction
from specfactory.publish import check_record


async def settle_again(
    bench: Workbench,
    product: Product,
    asked: ModelNotes | None = None,
    within: Callable[[Transaction], Awaitable[None]] | None = None,
) -> Record | None:
    """Publish what decisions make of the newest record, or None when nothing changes.

    Nothing is fetched; what was tried and spent stays that of the last attempt. ``asked`` is
    what a language model did about open fields since; ``within`` writes in the same transaction.
    """
    previous = await bench.records.latest(product.id)
    attempt = await _attempt(bench, previous, asked)
    if previous is None or attempt is None:
        return None
    tally = Tally(product, bench.contract(product.category), attempt, ())
    await load_evidence(bench, tally, refresh=False)
    record = noted(await _rebuilt(bench, tally, previous, asked), asked)
    changed = essence(record) != essence(previous)
    if changed:
        check_record(record, tally.compiled.contract)
    async with bench.database.transaction() as tx:
        events = await ask(bench, tx, tally, record)
        if changed:
            record = await bench.records.publish(tx, record)
            events.append(_published(record))
        await bench.outbox.append(tx, events)
        if within is not None:
            await within(tx)
    return record if changed else None


async def _attempt(
    bench: Workbench, previous: Record | None, asked: ModelNotes | None
) -> Attempt | None:
    """The attempt that the new version belongs to: the one that asked, or the last version's."""
    if asked is not None or previous is None:
        return asked.attempt if asked else None
    return await bench.attempts.get(previous.attempt_id)


async def _rebuilt(
    bench: Workbench, tally: Tally, previous: Record, asked: ModelNotes | None
) -> Record:
    product, attempt = previous.product, tally.attempt
    tally.spent = asked.attempt.spent if asked else previous.spent
    tally.hosts = dict(await bench.attempts.trace(attempt.id))
    tally.stopped_by = exhausted(attempt.budget, attempt.spent)
    tally.merge(bench.settings.publish.min_confidence, bench.clock.now())
    record = build_record(bench, tally, previous.identity, previous)
    decided = {decision.field for decision in await bench.reviews.history(product.id)}
    fields = {
        name: result if name in decided else _kept(result, previous.fields)
        for name, result in record.fields.items()
    }
    return replace(record, fields=fields, accuracy=previous.accuracy)


def _kept(result: FieldResult, before: Mapping[str, FieldResult]) -> FieldResult:
    """An unknown that nobody spoke about stays unknown for the reason it had."""
    old = before.get(result.field)
    return old if old is not None and old.value is None and result.value is None else result


def _published(record: Record) -> Event:
    filled = sum(1 for result in record.fields.values() if result.value is not None)
    return event(
        "record.published", record.generated_at, attempt_id=record.attempt_id,
        product_id=record.product.id, version=record.version, filled=filled,
        total=len(record.fields),
        flags=sum(len(result.flags) for result in record.fields.values()),
    )  # fmt: skip
