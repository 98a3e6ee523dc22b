"""What a job's handler gives back, and how a job ends when it fails or waits."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .database_retry import until_written
    from .failures import AWAY, end_badly, failure_of, nothing_found, page_failure
    from .handlers import VARIABLE, Done, Ended, Handlers, Work, add_handlers
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
