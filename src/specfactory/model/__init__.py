"""Every noun of the glossary, once: the values that flow along the line.

All are frozen. Times are ``Instant``: whole milliseconds since 1970 in UTC, so that both
databases compare them alike. Offsets are characters of a named view, never bytes.
"""

from specfactory.model.attempt import (
    Attempt,
    AttemptStatus,
    Budget,
    Product,
    Spent,
)
from specfactory.model.basics import (
    Instant,
    Json,
)
from specfactory.model.contract import (
    Check,
    Contract,
    Field,
    FieldType,
    IdentityRules,
    Level,
    Money,
    Source,
    Tier,
    Tolerance,
    Value,
)
from specfactory.model.event import (
    Event,
)
from specfactory.model.evidence import (
    Answer,
    Candidate,
    Dropped,
    Encoding,
    Evidence,
    Identity,
    Method,
    Snippet,
    Verdict,
    ViewName,
)
from specfactory.model.job import (
    Job,
    JobError,
    JobKind,
    JobStatus,
    Lease,
    NewJob,
    Priority,
    Run,
    RunStatus,
    Worker,
    job_name,
)
from specfactory.model.page import (
    FetchRequest,
    FetchResponse,
    Outcome,
    Page,
)
from specfactory.model.plan import (
    Coverage,
    PlannedSource,
    SourceYield,
)
from specfactory.model.record import (
    Agreement,
    AttemptTrace,
    CheckResult,
    FieldResult,
    Record,
    UnknownReason,
    Weighed,
)
from specfactory.model.review import (
    Decision,
    DecisionAction,
    Review,
    ReviewKind,
)

__all__ = [
    "Agreement",
    "Answer",
    "Attempt",
    "AttemptStatus",
    "AttemptTrace",
    "Budget",
    "Candidate",
    "Check",
    "CheckResult",
    "Contract",
    "Coverage",
    "Decision",
    "DecisionAction",
    "Dropped",
    "Encoding",
    "Event",
    "Evidence",
    "FetchRequest",
    "FetchResponse",
    "Field",
    "FieldResult",
    "FieldType",
    "Identity",
    "IdentityRules",
    "Instant",
    "Job",
    "JobError",
    "JobKind",
    "JobStatus",
    "Json",
    "Lease",
    "Level",
    "Method",
    "Money",
    "NewJob",
    "Outcome",
    "Page",
    "PlannedSource",
    "Priority",
    "Product",
    "Record",
    "Review",
    "ReviewKind",
    "Run",
    "RunStatus",
    "Snippet",
    "Source",
    "SourceYield",
    "Spent",
    "Tier",
    "Tolerance",
    "UnknownReason",
    "Value",
    "Verdict",
    "ViewName",
    "Weighed",
    "Worker",
    "job_name",
]
