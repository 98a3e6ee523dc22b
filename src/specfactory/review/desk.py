"""Answers to reviews: each is stored with its author and time, and can be undone."""

from specfactory.contract import CompiledContract, value_to_json
from specfactory.declared_events import event
from specfactory.errors import UnknownSubject, UsageError
from specfactory.model import (
    Decision,
    DecisionAction,
    Event,
    FieldResult,
    Instant,
    Json,
    Record,
    ReviewKind,
)
from specfactory.ports import Clock, Database, Transaction
from specfactory.review.choices import GridRow, grid
from specfactory.review.review_lessons import lesson_of
from specfactory.review.typed_values import os_user, value_from_words
from specfactory.store import Outbox, Records, Reviews
from specfactory.store.products import REVIEW, Lessons


class ReviewDesk:
    """Answers of one person; an answer and its event are written in one transaction."""

    def __init__(self, db: Database, clock: Clock, actor: str = "") -> None:
        self._db, self._clock = db, clock
        self._actor = actor.strip() or os_user()
        self.reviews, self._records, self._outbox = Reviews(db), Records(db), Outbox(db)
        self._lessons = Lessons(db)

    async def show(self, product_id: str, field: str | None = None) -> list[GridRow]:
        """The fields in question of a product's latest record, or the one asked for."""
        asked = await self.reviews.list_open(product_id)
        if field is None and asked and await self._records.latest(product_id) is None:
            return []  # only its identity is in question
        record = await self._record(product_id)
        if field is not None:
            _result(record, field)
        answered = await self.reviews.decisions(product_id)
        return grid(record, asked, answered, None if field is None else (field,))

    async def accept(self, product_id: str, field: str | None, reason: str = "") -> Decision:
        """Confirm the published or proposed value of a field, or (None) the identity."""
        advice = "to accept; give one with override"
        value = await self._value_in_question(product_id, field, advice)
        return await self._decide(product_id, field, DecisionAction.ACCEPT, value, reason)

    async def override(
        self, product_id: str, field: str, words: str, reason: str, compiled: CompiledContract
    ) -> Decision:
        """Set a value, read from words by the contract; it outranks every candidate."""
        if not reason.strip():
            raise UsageError("an override needs a reason: say how you know")
        value = value_to_json(value_from_words(compiled, field, words))
        return await self._decide(product_id, field, DecisionAction.OVERRIDE, value, reason)

    async def choose_variant(self, product_id: str, variant: str, reason: str) -> Decision:
        """Say which of the variants that pages are about is meant; the others are left out."""
        if not reason.strip():
            raise UsageError("an override needs a reason: say how you know")
        asked = [r.proposed for r in await self.reviews.list_open(product_id) if r.field is None]
        named = [one["variant"] for found in asked for one in found or ()]
        if named and variant.casefold() not in map(str.casefold, named):
            raise UsageError(f"{variant!r} is none of the variants found: {'; '.join(named)}")
        return await self._decide(product_id, None, DecisionAction.OVERRIDE, variant, reason)

    async def reject(self, product_id: str, field: str | None, reason: str = "") -> Decision:
        """Refuse the published or proposed value of a field, or (None) the identity."""
        value = await self._value_in_question(product_id, field, "to reject")
        return await self._decide(product_id, field, DecisionAction.REJECT, value, reason)

    async def undo(self, product_id: str, field: str | None) -> Decision:
        """Undo the answer that holds; an earlier one holds again."""
        active = [d for d in await self.reviews.decisions(product_id) if d.field == field]
        if not active:
            about = "the identity" if field is None else field
            raise UsageError(f"there is no decision about {about} of {product_id} to undo")
        return await self.undo_decision(active[-1].id)

    async def undo_decision(self, decision_id: int) -> Decision:
        """Undo one answer by its number."""
        now = self._clock.now()
        async with self._db.transaction() as tx:
            undone = await self.reviews.undo(tx, decision_id, actor=self._actor, at=now)
            about = {"subject": undone.subject, "field": undone.field, "actor": self._actor}
            told = event("review.undone", now, decision_id=undone.id, **about)
            await self._outbox.append(tx, [told])
            if undone.field is not None:
                await self._lessons.forget(tx, undone.subject, undone.field, REVIEW)
        return undone

    async def _decide(
        self, product_id: str, field: str | None, action: DecisionAction, value: Json, reason: str
    ) -> Decision:
        now = self._clock.now()
        kind = ReviewKind.IDENTITY if field is None else ReviewKind.FIELD
        record = await self._records.latest(product_id) if field is not None else None
        async with self._db.transaction() as tx:
            decision = await self.reviews.decide(
                tx, kind=kind, subject=product_id, field=field, action=action, value=value,
                reason=reason.strip(), actor=self._actor, at=now,
            )  # fmt: skip
            await self._outbox.append(tx, [decided(decision)])
            if record is not None and field is not None:
                taught = lesson_of(record.fields[field], decision)
                await self._lessons.learn(tx, product_id, REVIEW, [taught] if taught else [])
        return decision

    async def _value_in_question(self, product_id: str, field: str | None, advice: str) -> Json:
        if field is None:
            return None
        result = _result(await self._record(product_id), field)
        if result.value is None and not result.weighed:
            raise UsageError(f"there is no value of {field} {advice}")
        value = result.weighed[0].value if result.value is None else result.value
        return value_to_json(value)

    async def _record(self, product_id: str) -> Record:
        record = await self._records.latest(product_id)
        if record is None:
            raise UnknownSubject("record of", product_id, "make one with: spec run")
        return record


async def open_review(
    reviews: Reviews, tx: Transaction, *, kind: ReviewKind, subject: str, field: str | None,
    reason: str, at: Instant, attempt_id: str | None = None, proposed: Json = None,
    worth: float = 1.0, confidence: float = 0.0,
) -> list[Event]:  # fmt: skip
    """Ask a person, or refresh the reason of an open question; only a new one makes an event."""
    about: dict[str, Json] = {"kind": kind, "subject": subject, "field": field, "reason": reason}
    review = await reviews.open(
        tx, **about, at=at, attempt_id=attempt_id, proposed=proposed, worth=worth,
        confidence=confidence,
    )  # fmt: skip
    is_new = review.times_asked == 1
    return [event("review.opened", at, review_id=review.id, **about)] if is_new else []


def decided(decision: Decision) -> Event:
    """The event of an answer."""
    return event(
        "review.decided", decision.decided_at, decision_id=decision.id, kind=decision.kind,
        subject=decision.subject, field=decision.field, action=decision.action,
        actor=decision.actor,
    )  # fmt: skip


def _result(record: Record, field: str) -> FieldResult:
    if field not in record.fields:
        raise UnknownSubject("field", field, f"see: spec record show {record.product.id}")
    return record.fields[field]
