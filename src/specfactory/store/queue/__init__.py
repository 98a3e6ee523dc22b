"""Jobs, their leases, runs and workers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .host_line import MANY, HostTurns
    from .job_adding import Added
    from .job_changes import FOREVER
    from .jobs import JobCount, Jobs, Stats, Summary
    from .quick_looks import CauseCount, EndedCount, Glances, HostCount, WaitingCount
    from .runs import Runs, config_hash
    from .workers import Workers
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
