"""What a job's handler gives back, and how a job ends when it fails or waits."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.jobs.database_retry import until_written
    from specfactory.orchestrate.jobs.failures import (
        AWAY,
        Failure,
        failure_of,
        nothing_found,
        page_failure,
    )
    from specfactory.orchestrate.jobs.handlers import (
        VARIABLE,
        Done,
        Ended,
        Handlers,
        Work,
        add_handlers,
    )
    from specfactory.orchestrate.jobs.job_ends import end_badly
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "AWAY", "VARIABLE", "Done", "Ended", "Failure", "Handlers", "Work", "add_handlers",
    "end_badly", "failure_of", "nothing_found", "page_failure", "until_written",
]  # fmt: skip
