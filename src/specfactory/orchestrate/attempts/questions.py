"""Review questions: opened while a record gives reason to, withdrawn when it does no more."""

from specfactory.contract import value_to_json
from specfactory.model import DecisionAction, Event, Identity, Json, Record, ReviewKind, Verdict
from specfactory.orchestrate.attempts.state import Tally
from specfactory.ports import Transaction
from specfactory.review import open_review

NOBODY = Identity(Verdict.UNSURE, 0.0, ("no page about this product was found",))

SETTLING = (DecisionAction.ACCEPT, DecisionAction.OVERRIDE)  # after a reject one may ask again


async def ask(tx: Transaction, tally: Tally, record: Record) -> list[Event]:
    """Open one question per unsettled field; withdraw those that have lost their reason."""
    reviews = tally.bench.reviews
    asked: list[tuple[ReviewKind, str | None, str, Json]] = []
    for name, result in record.fields.items():
        decision = tally.decisions.get(name)
        if result.flags and (decision is None or decision.action not in SETTLING):
            value = result.proposed.value if result.proposed else result.value
            proposed = None if value is None else value_to_json(value)
            asked.append((ReviewKind.FIELD, name, "; ".join(result.flags), proposed))
    identity = record.identity
    unsure = identity.verdict is Verdict.UNSURE and identity != NOBODY
    reasons = identity.reasons if unsure else tally.disputes
    if reasons and not tally.identity_decided:
        asked.append((ReviewKind.IDENTITY, None, "; ".join(reasons), None))
    keep = [field for _, field, *_ in asked if field]
    await reviews.withdraw(tx, tally.product.id, keep=keep, at=record.generated_at)
    events = []
    for kind, field, reason, proposed in asked:
        opened = await open_review(
            reviews, tx, kind=kind, subject=tally.product.id, field=field, reason=reason,
            at=record.generated_at, attempt_id=tally.attempt.id, proposed=proposed,
        )  # fmt: skip
        events.append(opened)
    return events
