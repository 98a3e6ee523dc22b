"""Questions to a person, and the answers."""

from enum import StrEnum

from specfactory.model.base import Explained, Frozen, Instant, Json


class ReviewKind(StrEnum):
    """Subject of a review."""

    IDENTITY = "identity"
    FIELD = "field"
    TEMPLATE = "template"
    HOST = "host"  # a host that could not be healed


class DecisionAction(Explained):
    """Decision of a person."""

    ACCEPT = "accept", "The proposed value is right."
    OVERRIDE = "override", "Another value is right; it outranks every candidate."
    REJECT = "reject", "The proposed value is wrong; it is never published again."


class Review(Frozen):
    """A question to a person."""

    id: int
    kind: ReviewKind
    subject: str  # product id, or host for templates
    field: str | None
    reason: str
    opened_at: Instant
    attempt_id: str | None = None
    proposed: Json = None  # the value in question, as JSON
    worth: float = 0.0  # published values that an answer would change, as far as can be expected
    confidence: float = 0.0  # in what is proposed
    times_asked: int = 1  # by how many attempts
    closed_at: Instant | None = None


class Decision(Frozen):
    """A person's answer. Decisions are only ever added; undoing one marks it."""

    id: int
    kind: ReviewKind
    subject: str
    field: str | None
    action: DecisionAction
    value: Json  # as JSON: the accepted, overriding or rejected value
    reason: str
    actor: str
    decided_at: Instant
    undone_at: Instant | None = None
    undone_by: str | None = None
