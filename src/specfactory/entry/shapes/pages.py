"""Stored pages, what they say, and where their time goes."""

from typing import Annotated

from specfactory.entry.shapes.base import Moment, Shape, Share, Value
from specfactory.entry.shapes.records import Span
from specfactory.model import Evidence


def words_of(evidence: Evidence) -> str:
    """The page's own words for a value, without its label."""
    from specfactory.proof import reading

    return " ".join(map(reading, evidence.values))


class PageShape(Shape):
    """A stored page."""

    id: str
    url: str
    final_url: str
    host: str
    tier: str
    fetched_at: Moment
    confirmed_at: Moment | None
    outcome: str
    evidence: Annotated[str, "outcome_evidence"]
    status: int
    media_type: str
    size_bytes: int
    content_hash: str
    rung: str
    timings_ms: dict[str, float]


class PageWithHeaders(PageShape):
    """A stored page with the headers of its answer."""

    headers: dict[str, str]


class Duplicate(Shape):
    """Two addresses that say nearly the same."""

    one: str
    other: str
    resemblance: Share


class PagesExported(Shape):
    """A web archive that was written."""

    file: str
    pages: int
    records: int
    without_body: int
    size_bytes: int


class PagesImported(Shape):
    """Pages that came out of web archives."""

    pages: int
    duplicates: int
    records: int
    lowered: int
    by_outcome: dict[str, int]
    skipped: dict[str, int]


class PageCandidate(Shape):
    """A value that one page gives."""

    value: Value
    method: Annotated[str, "evidence.method"]
    quote: Annotated[str, "evidence", words_of]
    label: Annotated[str | None, "evidence.label.quote"]
    subject: str | None
    spans: Annotated[list[Span], "evidence.values"]


class PageAnswer(PageCandidate):
    """The value that a page gives for a field, and those that were not chosen."""

    unit: str | None
    likelihood: Share
    reasons: list[str]
    others: list[PageCandidate]


class PageDropped(Shape):
    """Words that were taken for a value, and why they give none."""

    field: str
    reason: str
    detail: str
    quote: str


class Extraction(Shape):
    """Values that one page gives."""

    page: str
    category: str
    fields: dict[str, PageAnswer]
    missing: dict[str, str]
    dropped: list[PageDropped]


class PageProfile(Shape):
    """Time of one page, by phase."""

    url: str
    final_url: str
    page_id: Annotated[str, "id"]
    outcome: str
    evidence: Annotated[str, "outcome_evidence"]
    status: int
    size_bytes: int
    rung: str
    phases: dict[str, float]
    total: float
    bottleneck: str
    filled: int | None


class HostProfile(Shape):
    """Time of a host's pages, by phase."""

    host: str
    since: str
    pages: int
    avg_total: float
    p50: float
    p95: float
    phases: dict[str, dict[str, float]]
    bottlenecks: dict[str, float]
