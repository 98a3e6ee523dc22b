"""A record settled anew from the evidence that is stored, after a person's decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from specfactory.events import event
from specfactory.model import Attempt, FieldResult, Product, Record
from specfactory.orchestrate.budgets import exhausted
from specfactory.orchestrate.evidence import load_evidence
from specfactory.orchestrate.finish import build_record, essence
from specfactory.orchestrate.tally import Tally
from specfactory.orchestrate.workbench import Workbench
from specfactory.publish import check_record


async def settle_again(bench: Workbench, product: Product) -> Record | None:
    """Publish what decisions make of the newest record, or None when nothing changes.

    Nothing is fetched; what was tried and spent stays that of the last attempt.
    """
    previous = await bench.records.latest(product.id)
    attempt = await bench.attempts.get(previous.attempt_id) if previous else None
    if previous is None or attempt is None:
        return None
    record = await _rebuilt(bench, attempt, previous)
    if essence(record) == essence(previous):
        return None
    check_record(record, bench.contract(product.category).contract)
    return await _publish(bench, record)


async def _rebuilt(bench: Workbench, attempt: Attempt, previous: Record) -> Record:
    product = previous.product
    tally = Tally(product, bench.contract(product.category), attempt, ())
    await load_evidence(bench, tally, refresh=False)
    tally.spent = previous.spent
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


async def _publish(bench: Workbench, record: Record) -> Record:
    async with bench.database.transaction() as tx:
        published = await bench.records.publish(tx, record)
        filled = sum(1 for result in published.fields.values() if result.value is not None)
        told = event(
            "record.published", published.generated_at, attempt_id=published.attempt_id,
            product_id=published.product.id, version=published.version, filled=filled,
            total=len(published.fields),
            flags=sum(len(result.flags) for result in published.fields.values()),
        )  # fmt: skip
        await bench.outbox.append(tx, [told])
    return published
