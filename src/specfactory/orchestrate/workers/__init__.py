"""A worker process: lanes, leases, heartbeat, sweeper, delivery, coordinator."""

from .coordinator import Progress, RunPlan, join_run, read_run_plan, wait_for_run
from .outbox_delivery import Delivery
from .stale_records import StaleCheck
from .worker import Worker, WorkerEnd, WorkerPlan
