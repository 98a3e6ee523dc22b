"""What a job's handler gives back, and how a job ends when it fails or waits."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.jobs.database_retry import until_written
    from specfactory.orchestrate.jobs.failures import AWAY, Failure, failure_of, page_failure
    from specfactory.orchestrate.jobs.handlers import (
        VARIABLE,
        Done,
        Ended,
        Handlers,
        standard_handlers,
    )
    from specfactory.orchestrate.jobs.job_ends import end_badly, end_with_attempt
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "AWAY",
    "VARIABLE",
    "Done",
    "Ended",
    "Failure",
    "Handlers",
    "end_badly",
    "end_with_attempt",
    "failure_of",
    "page_failure",
    "standard_handlers",
    "until_written",
]
