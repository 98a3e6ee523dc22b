"""A worker process: lanes, leases, heartbeat, sweeper, delivery, coordinator."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.workers.coordinator import (
        Progress,
        RunPlan,
        join_run,
        read_run_plan,
        wait_for_run,
    )
    from specfactory.orchestrate.workers.outbox_delivery import Delivery
    from specfactory.orchestrate.workers.stale_records import StaleCheck
    from specfactory.orchestrate.workers.worker import Worker, WorkerEnd, WorkerPlan
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Delivery", "Progress", "RunPlan", "StaleCheck", "Worker", "WorkerEnd", "WorkerPlan",
    "join_run", "read_run_plan", "wait_for_run",
]  # fmt: skip
