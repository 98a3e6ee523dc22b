"""A worker process: lanes, leases, heartbeat, sweeper, delivery, coordinator."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .event_log_delivery import Delivery
    from .run_files import Progress, RunPlan, join_run, read_run_plan, wait_for_run
    from .stale_records import StaleCheck
    from .worker import Worker, WorkerEnd, WorkerPlan
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
