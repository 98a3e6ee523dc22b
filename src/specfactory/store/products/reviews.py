"""Questions to a person, and the answers."""

from collections.abc import AsyncIterator, Collection

from specfactory.errors import UnknownSubject, UsageError
from specfactory.model import Decision, DecisionAction, Instant, Json, Review, ReviewKind
from specfactory.ports import Row, Transaction
from specfactory.store.base import Store, from_row, to_json

_ROWS_AT_ONCE = 500


class Reviews(Store):
    """One open question per kind, subject and field; answers are only ever added."""

    async def open(
        self,
        tx: Transaction,
        *,
        kind: ReviewKind,
        subject: str,
        field: str | None,
        reason: str,
        at: Instant,
        attempt_id: str | None = None,
        proposed: Json = None,
        worth: float = 1.0,
        confidence: float = 0.0,
    ) -> Review:
        """Open a question; opening it again refreshes its reason and counts."""
        about = {"kind": kind, "subject": subject, "field": field or "", "attempt_id": attempt_id}
        said = {"reason": reason, "opened_at": at, "proposed": to_json(proposed)}
        figures = {"worth": worth, "confidence": confidence}
        rows = await tx.fetch("open_review", **about, **said, **figures)
        return _review(rows[0])

    async def withdraw(
        self, tx: Transaction, subject: str, *, keep: Collection[str], at: Instant
    ) -> None:
        """Close the questions about fields outside ``keep``: they have become moot."""
        for row in await tx.fetch("open_reviews", subject=subject):
            if row["kind"] == ReviewKind.FIELD and row["field"] not in keep:
                about = {"kind": ReviewKind.FIELD, "subject": subject, "field": row["field"]}
                await tx.execute("close_review", **about, at=at, decision_id=None)

    async def get(self, review_id: int) -> Review:
        """The question with this number."""
        rows = await self._db.fetch("get_review", id=review_id)
        if not rows:
            raise UnknownSubject("review", str(review_id), "see: spec review list")
        return _review(rows[0])

    async def list_open(self, subject: str | None = None) -> list[Review]:
        """Questions without an answer, those that change most first."""
        return [_review(row) for row in await self._db.fetch("open_reviews", subject=subject)]

    async def each_open(self, subject: str | None = None, after: int = 0) -> AsyncIterator[Review]:
        """Questions without an answer, those that change most first, from after one of them on."""
        given = {"subject": subject, "limit": _ROWS_AT_ONCE}
        while rows := await self._db.fetch("open_reviews_after", after=after, **given):
            for row in rows:
                yield _review(row)
            after = rows[-1]["id"]

    async def each_of_kind(self, kind: ReviewKind) -> AsyncIterator[Review]:
        """Questions of a kind without an answer, subject by subject; they may be answered."""
        given = {"kind": kind, "limit": _ROWS_AT_ONCE, "subject": "", "field": ""}
        while rows := await self._db.fetch("open_reviews_of_kind", **given):
            for row in rows:
                yield _review(row)
            given |= {"subject": rows[-1]["subject"], "field": rows[-1]["field"]}

    async def decide(
        self,
        tx: Transaction,
        *,
        kind: ReviewKind,
        subject: str,
        field: str | None,
        action: DecisionAction,
        value: Json,
        reason: str,
        actor: str,
        at: Instant,
    ) -> Decision:
        """Add an answer and close the question it answers, if one was open."""
        about = {"kind": kind, "subject": subject, "field": field or ""}
        said = {"action": action, "value": to_json(value), "reason": reason}
        rows = await tx.fetch("add_decision", **about, **said, actor=actor, decided_at=at)
        decision = _decision(rows[0])
        await tx.execute("close_review", **about, at=at, decision_id=decision.id)
        return decision

    async def close(
        self, tx: Transaction, kind: ReviewKind, subject: str, field: str | None, at: Instant
    ) -> None:
        """Close a question that needs no answer any more, if it is open."""
        about = {"kind": kind, "subject": subject, "field": field or ""}
        await tx.execute("close_review", **about, at=at, decision_id=None)

    async def undo(self, tx: Transaction, decision_id: int, *, actor: str, at: Instant) -> Decision:
        """Undo an answer; its question is open again unless an earlier answer holds."""
        rows = await tx.fetch("undo_decision", id=decision_id, actor=actor, at=at)
        if not rows:
            raise UsageError(f"decision {decision_id} was undone before, or never given")
        await tx.execute("reopen_review", decision_id=decision_id)
        return _decision(rows[0])

    async def decisions(self, subject: str) -> list[Decision]:
        """The answers that hold: per kind and field, the latest that was not undone."""
        active = {(d.kind, d.field): d for d in await self.history(subject) if d.undone_at is None}
        return sorted(active.values(), key=lambda decision: decision.id)

    async def history(self, subject: str) -> list[Decision]:
        """Every answer about a subject, undone ones included, the first one first."""
        return [_decision(row) for row in await self._db.fetch("decisions_of", subject=subject)]


def _review(row: Row) -> Review:
    return from_row(Review, {**row, "field": row["field"] or None})


def _decision(row: Row) -> Decision:
    return from_row(Decision, {**row, "field": row["field"] or None})
