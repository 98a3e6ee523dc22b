"""A finished attempt leaves its open fields to the language model: one job, in the background."""

from __future__ import annotations

from specfactory.model import JobKind, NewJob, Priority, Record
from specfactory.orchestrate.attempts.model_fields import fields_to_ask
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Transaction

REASON = "fields are open that prose may hold"


async def queue_question(bench: Workbench, tx: Transaction, tally: Tally, record: Record) -> None:
    """Queue the question with the attempt's end, where a model is set and a field is open."""
    if tally.job is None or bench.desk is None:
        return
    if fields_to_ask(record, tally.compiled.contract):
        product = record.product
        payload = {
            "brand": product.brand,
            "model": product.model,
            "variant": product.variant,
            "hard_ids": dict(product.hard_ids),
        }
        job = NewJob(
            JobKind.MODEL, product.id, payload, product.category, Priority.BACKGROUND, REASON,
            added_by="attempt", max_attempts=bench.settings.queue.max_attempts,
        )  # fmt: skip
        await bench.jobs.add(tx, [job], bench.clock.now())
