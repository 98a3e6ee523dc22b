"""Review questions: opened while a record gives reason to, withdrawn when it does no more."""

from collections.abc import Iterable

from specfactory.contract import value_to_json
from specfactory.model import (
    DecisionAction,
    Event,
    FieldResult,
    Frozen,
    Identity,
    Json,
    Record,
    ReviewKind,
    Verdict,
)
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.variant_conflicts import FoundVariant
from specfactory.ports import Transaction
from specfactory.review import open_review

NOBODY = Identity(Verdict.UNSURE, 0.0, ("no page about this product was found",))

SETTLING = (DecisionAction.ACCEPT, DecisionAction.OVERRIDE)  # after a reject one may ask again


class Question(Frozen):
    """A question to a person, with what its answer is worth."""

    kind: ReviewKind
    field: str | None
    reason: str
    proposed: Json
    worth: float  # published values that the answer may be expected to change
    confidence: float


async def ask(tx: Transaction, tally: Tally, record: Record) -> list[Event]:
    """Open one question per unsettled field; withdraw those that have lost their reason."""
    reviews = tally.bench.reviews
    asked = [
        _about_field(result)
        for name, result in record.fields.items()
        if result.flags and not _is_settled(name, tally)
    ]
    identity = record.identity
    unsure = identity.verdict is Verdict.UNSURE and identity != NOBODY
    if (unsure or tally.disputed) and not tally.identity_decided:
        asked.append(_about_identity(tally, record, unsure=unsure))
    else:
        await reviews.close(tx, ReviewKind.IDENTITY, tally.product.id, None, record.generated_at)
    keep = [question.field for question in asked if question.field]
    await reviews.withdraw(tx, tally.product.id, keep=keep, at=record.generated_at)
    events = []
    for question in asked:
        events += await open_review(
            reviews, tx, kind=question.kind, subject=tally.product.id, field=question.field,
            reason=question.reason, at=record.generated_at, attempt_id=tally.attempt.id,
            proposed=question.proposed, worth=question.worth, confidence=question.confidence,
        )  # fmt: skip
    return events


def dispute(variants: Iterable[FoundVariant]) -> str:
    """The question to a person about pages of different variants."""
    said = "; ".join(f"{one.name}: {', '.join(one.urls)}" for one in variants)
    return f"pages are about different variants, name the one that is meant ({said})"


def _about_identity(tally: Tally, record: Record, *, unsure: bool) -> Question:
    """Ask which variant is meant, or whether unsure pages are about the product; by their URLs."""
    identity, proposed = record.identity, None
    if tally.disputed:
        reason = dispute(tally.variants)
        proposed = [{"variant": one.name, "urls": list(one.urls)} for one in tally.variants]
    else:
        urls = [u for u, r in tally.readings.items() if r.identity.verdict is Verdict.UNSURE]
        reason = f"{'; '.join(identity.reasons)}: {', '.join(sorted(urls))}"
    worth = sum(result.value is None for result in record.fields.values())
    confidence = identity.confidence if unsure else 0.0
    return Question(ReviewKind.IDENTITY, None, reason, proposed, worth, confidence)


def _is_settled(name: str, tally: Tally) -> bool:
    decision = tally.decisions.get(name)
    return decision is not None and decision.action in SETTLING


def _about_field(result: FieldResult) -> Question:
    """An answer publishes what is held back; what is published it changes only if it is wrong."""
    value = result.proposed.value if result.proposed else result.value
    proposed = None if value is None else value_to_json(value)
    worth = 1.0 if result.value is None else 1.0 - result.confidence
    reason = "; ".join(result.flags)
    return Question(
        ReviewKind.FIELD, result.field, reason, proposed, round(worth, 4), result.confidence
    )
