"""Takes values of the model and gives them the shapes in which users get them as JSON.

Commands print these structs; an API or a page can send the same. See docs/reference/json.md.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .instants import moment, when
    from .jobs import (
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
    from .pages import (
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
    from .records import (
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
    from .setup import ContractProblem, ContractRow, ContractShape, DraftShape, Finding
    from .sites import (
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
