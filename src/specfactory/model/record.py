"""Results of the line: weighed values, unknowns, records, and what a confidence means."""

from bisect import bisect_right
from collections.abc import Mapping

from specfactory.model.attempt import Product, Spent
from specfactory.model.base import Explained, Frozen, Instant, field
from specfactory.model.contract import Value
from specfactory.model.evidence import Candidate, Identity


class Agreement(Explained):
    """Agreement between the sources of a field."""

    SINGLE = "single_source", "One independent source says so."
    UNANIMOUS = "unanimous", "Several independent sources say so, none says otherwise."
    MAJORITY = "majority", "Most of the weight says so."
    CONFLICT = "conflict", "Sources disagree."
    SOURCE_DEPENDENT = (
        "source_dependent",
        "Sources may rightly differ (a measurement); all are kept.",
    )
    OVERRIDE = "override", "A person's value."


class UnknownReason(Explained):
    """Reason why a field is left unfilled; which outcome makes which is in ``OUTCOMES``."""

    NOT_PUBLICLY_DISCLOSED = (
        "not_publicly_disclosed",
        "Good sources were read and none speaks of it.",
    )
    NOT_FOUND_AFTER_SEARCH = "not_found_after_search", "No page that should have it was found."
    CONFLICT_UNRESOLVED = "conflict_unresolved", "Sources disagree and none outweighs the others."
    BLOCKED = "blocked_by_robots_or_tos", "The pages that would have it may not be fetched."
    IDENTITY_UNCERTAIN = "identity_uncertain", "The pages may be about another product."
    BUDGET_EXHAUSTED = "budget_exhausted", "The attempt's budget was spent first."
    PARSE_FAILURE = "parse_failure", "Words for it were found, but they give no value that holds."
    AWAITING_REVIEW = "awaiting_review", "There is a value, but a person must look at it first."
    SOURCE_UNREACHABLE = "source_unreachable", "The sources could not be reached."
    REJECTED_BY_REVIEW = "rejected_by_review", "A person rejected the value."


class CheckResult(Frozen):
    """The outcome of one check across fields; passed is None when a field was missing."""

    name: str
    passed: bool | None
    fields: tuple[str, ...]
    message: str = ""


class AttemptTrace(Frozen):
    """Trace of the tries at a field that stayed unknown."""

    rounds_attempted: int = 0
    sources_checked: tuple[str, ...] = ()
    parse_attempts: int = 0  # candidates that were found and dropped
    model_attempts: int = 0


class Weighed(Frozen):
    """One distinct value among a field's candidates, with its weight and why."""

    value: Value
    weight: float
    candidates: tuple[Candidate, ...]
    reasons: tuple[str, ...] = ()


class FieldResult(Frozen):
    """Result of the line for one field.

    ``value`` is None for an unknown; then ``unknown_reason`` and ``trace`` say why.
    ``weighed`` lists all distinct values, the heaviest first.
    """

    field: str
    value: Value | None
    confidence: float = 0.0
    agreement: Agreement | None = None
    chosen: Candidate | None = None  # None for unknowns and overrides
    weighed: tuple[Weighed, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    unknown_reason: UnknownReason | None = None
    trace: AttemptTrace = AttemptTrace()
    flags: tuple[str, ...] = ()  # why a person should look at it
    remarks: tuple[str, ...] = ()  # what a reader should know; nobody is asked
    reasons: tuple[str, ...] = ()  # derivation of the confidence, line by line

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All candidates behind the weighed values."""
        return tuple(c for group in self.weighed for c in group.candidates)

    @property
    def proposed(self) -> Weighed | None:
        """The value to offer a person where none was published."""
        waits = (UnknownReason.AWAITING_REVIEW, UnknownReason.CONFLICT_UNRESOLVED)
        is_open = self.value is None and self.unknown_reason in waits
        return self.weighed[0] if is_open and self.weighed else None


class Record(Frozen):
    """Published values of one product: a version that is never overwritten."""

    product: Product
    version: int  # 1, 2, 3 … per product
    attempt_id: str
    generated_at: Instant
    contract_version: str
    contract_digest: str
    identity: Identity
    fields: Mapping[str, FieldResult]
    spent: Spent
    sources_used: int = 0
    accuracy: float | None = None


class Curve(Frozen):
    """A rising curve through points (score, share of right answers); straight between them."""

    scores: tuple[float, ...]
    shares: tuple[float, ...]

    def at(self, score: float) -> float:
        """The share of right answers at this score."""
        place = bisect_right(self.scores, score)
        if place == 0:
            return self.shares[0]
        if place == len(self.scores):
            return self.shares[-1]
        (left, right), (low, high) = (
            self.scores[place - 1 : place + 1],
            self.shares[place - 1 : place + 1],
        )
        return low + (high - low) * (score - left) / (right - left)


class Calibration(Frozen):
    """Curves per family of fields; ``common`` for the families that have none of their own."""

    common: Curve = Curve((0.0, 1.0), (0.0, 1.0))
    families: Mapping[str, Curve] = field(default_factory=dict)

    def at(self, family: str, score: float) -> float:
        """The calibrated share for a score in a family."""
        return self.families.get(family, self.common).at(score)


class Threshold(Frozen):
    """Accuracy and coverage of the answers from this confidence on."""

    at: float
    accuracy: float
    lower_bound: float
    coverage: float
