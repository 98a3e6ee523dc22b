"""Lists and history of records (the record's own JSON is made in ``publish/record_as_json.py``),
their proof, questions to people, and how accurate it all is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from specfactory.entry.shapes.base import Moment, OrUnset, Shape, Share, Value

if TYPE_CHECKING:
    from specfactory.learn.truth import Pairs
    from specfactory.model import Evidence

Tenth = Annotated[float, partial(round, ndigits=1)]

BINS = 10  # of the reliability table


def quote_of(evidence: Evidence) -> str:
    """The page's own words for a value, with its label where that stands near."""
    from specfactory.publish import shown

    return shown(evidence).quote


class RecordRow(Shape):
    """The newest record of a product, in short."""

    product_id: str
    category: str
    version: int
    run_id: Annotated[str, "attempt_id"]
    generated_at: Moment
    filled: int
    total: int
    coverage: float
    confidence: Annotated[float, partial(round, ndigits=3)]


class ChangeShape(Shape):
    """A field that differs from the version before."""

    field: str
    kind: str
    before: Value
    after: Value
    why: str


class VersionShape(Shape):
    """One version of a record."""

    version: int
    generated_at: Moment
    run_id: Annotated[str, "attempt_id"]
    contract_version: str
    filled: int
    total: int
    changes: list[ChangeShape]


class History(Shape):
    """All versions of a record, the first one first."""

    product_id: str
    versions: list[VersionShape]


class Span(Shape):
    """The place of a quote, in characters of a view of its page."""

    view: str
    view_version: int
    start: int
    end: int


class WeighedCandidate(Shape):
    """A value that a page gave, with the weight of that value."""

    value: Value
    weight: Share
    why: list[str]
    url: Annotated[str, "evidence.url"]
    page_id: Annotated[str, "evidence.page_id"]
    tier: Annotated[str, "evidence.tier"]
    method: Annotated[str, "evidence.method"]
    model: Annotated[OrUnset, "evidence.model"]
    quote: Annotated[str, "evidence", quote_of]
    label: Annotated[str | None, "evidence.label.quote"]
    subject: str | None
    spans: Annotated[list[Span], "evidence.values"]


class DroppedShape(Shape):
    """A candidate that did not count, and why."""

    reason: str
    detail: str
    quote: str
    url: str
    page_id: str


class PageLeftOut(Shape):
    """A page that is about another product, or may be."""

    url: str
    verdict: str
    why: str


class CheckShape(Shape):
    """A cross-check of a value."""

    name: str
    passed: bool
    message: str


class DecisionShape(Shape):
    """A person's answer."""

    decision: Annotated[int, "id"]
    kind: str
    product_id: Annotated[str, "subject"]
    field: str | None
    action: str
    value: Any
    reason: str
    by: Annotated[str, "actor"]
    at: Annotated[Moment, "decided_at"]
    undone_at: Moment | None
    undone_by: str | None


class NearLabel(Shape):
    """A label on a page that no field of the contract has, with a value that would fit."""

    label: str
    value: str
    url: str


class Explanation(Shape):
    """All that is known about how a field came to its value."""

    product_id: str
    version: int
    field: str
    value: Value
    unit: str | None
    confidence: float
    agreement: str | None
    unknown_reason: str | None
    reasons: list[str]
    flags: list[str]
    checks: list[CheckShape]
    candidates: list[WeighedCandidate]
    dropped: list[DroppedShape]
    near_miss: NearLabel | None
    pages_left_out: list[PageLeftOut]
    decisions: list[DecisionShape]


class AuditFailureShape(Shape):
    """A published value that its stored page does not prove."""

    product_id: str
    version: int
    field: str
    value: Value
    page_id: str
    url: str
    problem: str


class PageAuditShape(Shape):
    """Rows of pages that were proven again."""

    pages: int
    proven: int
    failures: list[AuditFailureShape]


class AuditShape(Shape):
    """Records that were proven again."""

    records: int
    proven: int
    failures: list[AuditFailureShape]


class ReviewShape(Shape):
    """A question to a person."""

    review: Annotated[int, "id"]
    kind: str
    product_id: Annotated[str, "subject"]
    field: str | None
    reason: str
    proposed: Any
    worth: float
    confidence: float
    opened_at: Moment
    closed_at: Moment | None
    run_id: Annotated[str | None, "attempt_id"]


class ChoiceShape(Shape):
    """A value that could be the answer."""

    value: Value
    weight: Share
    tier: str
    sources: list[str]
    quote: str
    why: Annotated[list[str], "reasons"]


class GridRowShape(Shape):
    """A field in question, with all that could be its value."""

    field: str
    value: Value
    confidence: float
    unknown_reason: str | None
    questions: list[str]
    review: Annotated[int | None, "review_id"]
    decision: DecisionShape | None
    choices: list[ChoiceShape]


class Question(Shape):
    """A question and the fields that it is about."""

    question: ReviewShape | None
    fields: list[GridRowShape]


class GoldenRow(Shape):
    """A product with verified values."""

    product_id: str
    fields: int
    accuracy: float | None


class WrongValue(Shape):
    """A published value that is not the truth."""

    field: str
    published: Value


class GoldenShape(Shape):
    """Verified values of a product, and where its record differs."""

    product_id: str
    values: dict[str, Any]
    accuracy: float | None
    wrong: list[WrongValue]
    missing: list[str]


class Bin(Shape):
    """Answers of about the same confidence."""

    low: float
    high: float
    answers: Annotated[int, "count"]
    confidence: Share
    accuracy: Share


class ThresholdShape(Shape):
    """The lowest confidence from which on 99% are right."""

    at: float
    accuracy: Share
    lower_bound: Share
    coverage: Share


class Reliability(Shape):
    """Calibration of the confidence of a category's records."""

    category: str
    verified: int
    calibration_error: float
    reliability: list[Bin]
    threshold: ThresholdShape | None


class Score(Shape):
    """Precision and recall of one field, or of all."""

    on_pages: Annotated[int, "asked"]
    answered: Annotated[int, "given"]
    right: int
    precision: Share
    recall: Share
    f1: Share


class WrongAnswer(Shape):
    """An answer that the truth does not have, or one that was missed."""

    page: str
    field: str
    truth: list[str]
    answer: Annotated[str | None, "said"]
    quote: str
    method: str
    likelihood: Share
    also: list[str]


class EvaluationShape(Shape):
    """The accuracy of the factory on pages with truth."""

    pages: int
    fields: dict[str, Score]
    total: Score
    not_in_contract: list[str]
    proven: int
    calibration_error: float
    reliability: list[Bin]
    threshold: ThresholdShape | None
    wrong: list[WrongAnswer]


def reliability_of(pairs: Pairs) -> dict[str, Any]:
    """Error, bins and threshold of answers with their confidence, for the shapes that have them."""
    from specfactory.learn.truth import calibration_error, find_threshold, reliability

    return {
        "calibration_error": round(calibration_error(pairs), 4),
        "reliability": reliability(pairs, BINS),
        "threshold": find_threshold(pairs),
    }


class VariantShape(Shape):
    """A variant of a product that names none, and the pages about it."""

    variant: Annotated[str, "name"]
    urls: list[str]


class RunResult(Shape):
    """Result of one attempt at a product; ``record`` and ``ledger`` as they are published."""

    record: dict[str, Any] | None
    ledger: dict[str, Any]
    status: str
    error: str | None
    changed: bool
    stopped: str
    variants: list[VariantShape]


class SourcePreview(Shape):
    """A source that a round would ask."""

    host: Annotated[str, "source.host"]
    tier: Annotated[str, "source.tier"]
    url: str | None
    expected_fields: Annotated[float, partial(round, ndigits=2)]
    expected_cost: Annotated[float, partial(round, ndigits=3)]
    why: str


class RoundPreview(Shape):
    """A round that would be made."""

    round: Annotated[int, "round.number"]
    name: Annotated[str, "round.name"]
    expected_filled: Tenth
    sources: Annotated[list[SourcePreview], "steps"]


class PreviewShape(Shape):
    """Plan of an attempt, before anything is fetched."""

    product_id: Annotated[str, "product.id"]
    already_filled: int
    total_fields: int
    rounds: list[RoundPreview]
    fresh_hosts: list[str]
    expected_pages: Annotated[int, "pages"]
    expected_seconds: Annotated[Tenth, "seconds"]
    expected_cost_usd: Annotated[float, "cost_usd"]
    stop_reason: str
