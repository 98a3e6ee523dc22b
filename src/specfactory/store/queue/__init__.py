"""Jobs, their leases, runs and workers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.store.queue.job_adding import Added
    from specfactory.store.queue.job_changes import FOREVER, Pruned
    from specfactory.store.queue.jobs import JobCount, Jobs, Stats, Summary
    from specfactory.store.queue.quick_looks import CauseCount, EndedCount, Glances
    from specfactory.store.queue.runs import Runs, config_hash
    from specfactory.store.queue.workers import Workers
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "FOREVER", "Added", "CauseCount", "EndedCount", "Glances", "JobCount", "Jobs", "Pruned",
    "Runs", "Stats", "Summary", "Workers", "config_hash",
]  # fmt: skip
