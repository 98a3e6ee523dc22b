"""Every noun of the glossary, once: the values that flow along the line.

All are frozen. Times are ``Instant``: whole milliseconds since 1970 in UTC, so that both
databases compare them alike. Offsets are characters of a named view, never bytes.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .attempt import (
        Attempt,
        AttemptStatus,
        Budget,
        Coverage,
        PlannedSource,
        Product,
        SourceYield,
        Spent,
    )
    from .base import (
        Described,
        Discreet,
        Event,
        Frozen,
        Instant,
        Json,
        defaults_of,
        field,
        iso_milliseconds,
        iso_seconds,
        replace,
    )
    from .contract import (
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
    from .evidence import (
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
        host_without_www,
    )
    from .healing import (
        Climb,
        Diagnosis,
        HealingEvent,
        HealingStatus,
        HostCare,
        Problem,
        Remedy,
        RemedyKind,
        Visit,
    )
    from .host_policy import HostPolicy, LadderMemory, RungRecord
    from .job import (
        AT_HOSTS,
        Job,
        JobError,
        JobKind,
        JobStatus,
        Lease,
        NewJob,
        Priority,
        Run,
        RunStatus,
        WorkerReport,
        job_name,
    )
    from .learned_templates import (
        FieldConduct,
        FieldFigures,
        LearnedTemplate,
        PageLabel,
        TemplateConduct,
        TemplateStatus,
        TemplateUse,
        lower_bound,
        template_name,
    )
    from .outcomes_and_consequences import (
        OUTCOMES,
        Cause,
        Fault,
        Outcome,
        OutcomeFacts,
        ProxyEffect,
        RungNeed,
        Sign,
        facts_of,
        failure_facts,
    )
    from .page import ARCHIVED, Fetched, FetchEnd, FetchRequest, FetchResponse, Page, Rung
    from .proxy import HostCooldown, Proxy, ProxyHealth, ProxyOrigin
    from .record import (
        Agreement,
        AttemptTrace,
        Calibration,
        CheckResult,
        Curve,
        FieldResult,
        Record,
        Threshold,
        UnknownReason,
        Weighed,
    )
    from .review import Decision, DecisionAction, Review, ReviewKind
    from .template import Ballot, Cut, Feature, FieldTemplate, Probe, Rule, Template
    from .transitions import ACTIVE, LEASED, LEFT_TO_DO, Action, transition
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
