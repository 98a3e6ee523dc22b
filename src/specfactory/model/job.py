"""Queued work: jobs, their leases, and the runs they belong to."""

from collections.abc import Mapping
from enum import StrEnum

from specfactory.model.base import Frozen, Instant, Json, field
from specfactory.model.outcomes_and_consequences import Cause


class JobKind(StrEnum):
    """The kinds of work that this version can do; others are kept and reported."""

    PRODUCT = "product"
    PAGE = "page"
    SECTION = "section"
    SITE = "site"
    SEARCH = "search"
    DOCUMENT = "document"
    LEARN = "learn"
    REREAD = "reread"  # read stored pages again by the templates of today
    MODEL = "model"  # ask the language model for what a product's record left open
    PROXIES = "proxies"  # refresh the pool of proxies
    RUN = "run"  # the post-processing of a run; its key is the run's id


AT_HOSTS = frozenset({JobKind.PAGE, JobKind.SECTION, JobKind.SITE, JobKind.SEARCH})
"""Kinds whose jobs ask one host, that of their URL; claims take them host by host."""


class JobStatus(StrEnum):
    """State of a job; the round is shown with ``in_progress``."""

    QUEUED = "queued"
    IN_PROGRESS = "in_progress"
    AWAITING_REVIEW = "awaiting_review"
    COMPLETE = "complete"
    FAILED = "failed"
    STALE = "stale"
    PAUSED = "paused"
    SKIPPED = "skipped"


class Priority:
    """1 urgent … 5 background; the oldest first within one."""

    URGENT, HIGH, NORMAL, LOW, BACKGROUND = range(1, 6)


class NewJob(Frozen):
    """Work to be queued. ``key`` names its subject: a second active job of it is not added."""

    kind: str
    key: str
    payload: Mapping[str, Json] = field(default_factory=dict)
    category: str = ""
    priority: int = Priority.NORMAL
    priority_reason: str = ""
    added_by: str = ""
    due_at: Instant | None = None  # not before; None: at once
    max_attempts: int = 3
    run_id: int | None = None
    tags: tuple[str, ...] = ()
    overrides: Mapping[str, Json] = field(default_factory=dict)  # budget, sources


def job_name(job_id: int) -> str:
    """A job's id as people see it: ``q_000123``."""
    return f"q_{job_id:06d}"


class Lease(Frozen):
    """A worker's right to a job; the token of an earlier claim is worthless."""

    job_id: int
    token: int


class Job(Frozen):
    """One unit of queued work in its present state."""

    id: int
    kind: str
    key: str
    status: JobStatus
    priority: int
    added_at: Instant
    due_at: Instant
    payload: Mapping[str, Json] = field(default_factory=dict)
    category: str = ""
    priority_reason: str = ""
    added_by: str = ""
    attempts: int = 0
    max_attempts: int = 3
    run_id: int | None = None
    tags: tuple[str, ...] = ()
    overrides: Mapping[str, Json] = field(default_factory=dict)
    round: int | None = None
    last_attempt_at: Instant | None = None
    last_error: str | None = None  # for people
    last_cause: str | None = None  # of that error: an outcome or a cause
    finished_at: Instant | None = None
    lease_token: int = 0  # raised by every claim; fences every write of a worker
    lease_owner: str | None = None  # who holds it, or held it last
    lease_until: Instant | None = None
    host: str = ""  # that it asks for pages; "": none, or many

    @property
    def name(self) -> str:
        """Its id as people see it."""
        return job_name(self.id)

    @property
    def lease(self) -> Lease:
        """The lease that its worker writes with."""
        return Lease(self.id, self.lease_token)


class JobError(Frozen):
    """One thing that went wrong with a job; all of them are kept."""

    job_id: int
    attempt: int
    at: Instant
    worker: str
    station: str  # where on the line: fetch, identify, … or worker
    cause: str  # an outcome ("timeout") or a cause ("lease_expired"); handlers may have their own
    message: str  # for people
    host: str = ""
    permanent: bool = False
    page_cause: Cause = Cause.NONE  # of the page that could not be fetched


class RunStatus(StrEnum):
    """State of a run."""

    OPEN = "open"
    POST_PROCESSING = "post_processing"
    COMPLETE = "complete"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Run(Frozen):
    """Jobs that belong together, found again by the hash of their configuration."""

    id: int
    config_hash: str
    config: Mapping[str, Json]
    status: RunStatus
    created_at: Instant
    finished_at: Instant | None = None
    summary: Json = None


class WorkerReport(Frozen):
    """A process that takes jobs, by its latest report."""

    id: str
    host: str
    pid: int
    kinds: tuple[str, ...]
    started_at: Instant
    seen_at: Instant
    done: int = 0
    failed: int = 0
    status: str = "working"  # working, draining, gone; lost when it has fallen silent
    busy_ms: int = 0  # time that its slots were at work, of its busiest lane
