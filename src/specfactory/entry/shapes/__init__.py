"""Takes values of the model and gives them the shapes in which users get them as JSON.

Commands print these structs; an API or a page can send the same. See docs/reference/json.md.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.entry.shapes.instants import moment, when
    from specfactory.entry.shapes.jobs import (
        AddedJob,
        BatchLine,
        Cleared,
        DaemonStatus,
        DeadExample,
        DeadGroupShape,
        DeadLetter,
        JobAtWork,
        JobErrorShape,
        JobEvent,
        JobShape,
        JobStory,
        JobTry,
        PagesAdded,
        Purged,
        QueueImported,
        QueueStats,
        RefusedJob,
        Retried,
        RunShape,
        WorkerShape,
        WrongEntry,
    )
    from specfactory.entry.shapes.pages import (
        Duplicate,
        Extraction,
        HostProfile,
        PageAnswer,
        PageCandidate,
        PageDropped,
        PageProfile,
        PagesExported,
        PageShape,
        PagesImported,
        PageWithHeaders,
    )
    from specfactory.entry.shapes.records import (
        AuditFailureShape,
        AuditShape,
        ChangeShape,
        DecisionShape,
        DroppedShape,
        EvaluationShape,
        Explanation,
        GoldenRow,
        GoldenShape,
        GridRowShape,
        History,
        PageLeftOut,
        PreviewShape,
        Question,
        RecordRow,
        Reliability,
        ReviewShape,
        RunResult,
        Score,
        VersionShape,
        WeighedCandidate,
        WrongAnswer,
        WrongValue,
        quote_of,
        reliability_of,
        spans_of,
    )
    from specfactory.entry.shapes.setup import (
        ContractProblem,
        ContractRow,
        ContractShape,
        DraftShape,
        Finding,
    )
    from specfactory.entry.shapes.sites import (
        Ends,
        FieldAtWork,
        FieldDifference,
        HealingExplained,
        HealingShape,
        HealingStats,
        LabelShape,
        LearnShape,
        ProxyShape,
        RolledBackShape,
        TemplateDifference,
        TemplateInFull,
        TemplateShape,
        VisitShape,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "AddedJob", "AuditFailureShape", "AuditShape", "BatchLine", "ChangeShape", "Cleared",
    "ContractProblem", "ContractRow", "ContractShape", "DaemonStatus", "DeadExample",
    "DeadGroupShape", "DeadLetter", "DecisionShape", "DraftShape", "DroppedShape", "Duplicate",
    "Ends", "EvaluationShape", "Explanation", "Extraction", "FieldAtWork", "FieldDifference",
    "Finding", "GoldenRow", "GoldenShape", "GridRowShape", "HealingExplained", "HealingShape",
    "HealingStats", "History", "HostProfile", "JobAtWork", "JobErrorShape", "JobEvent", "JobShape",
    "JobStory", "JobTry", "LabelShape", "LearnShape", "PageAnswer", "PageCandidate", "PageDropped",
    "PageLeftOut", "PageProfile", "PageShape", "PageWithHeaders", "PagesAdded", "PagesExported",
    "PagesImported", "PreviewShape", "ProxyShape", "Purged", "Question", "QueueImported",
    "QueueStats", "RecordRow", "RefusedJob", "Reliability", "Retried", "ReviewShape",
    "RolledBackShape", "RunResult", "RunShape", "Score", "TemplateDifference", "TemplateInFull",
    "TemplateShape", "VersionShape", "VisitShape", "WeighedCandidate", "WorkerShape",
    "WrongAnswer", "WrongEntry", "WrongValue", "moment", "quote_of", "reliability_of", "spans_of",
    "when",
]  # fmt: skip
