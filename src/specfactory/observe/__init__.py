"""What happens in the factory, for people and machines.

Takes what the stores count; gives depth, pace, workers, failures and alerts as plain values.
"""

from specfactory.observe.alerts import find_alerts
from specfactory.observe.health import Alert, Depth, Health, unknown_kinds
from specfactory.observe.health_json import health_json
from specfactory.observe.profiler import CrawlProfiler
from specfactory.observe.throughput import Throughput
from specfactory.observe.timings import Laps, aggregate, profile_of
from specfactory.observe.watch import Watch
from specfactory.observe.workers import WorkerHealth, kinds_done

__all__ = [
    "Alert",
    "CrawlProfiler",
    "Depth",
    "Health",
    "Laps",
    "Throughput",
    "Watch",
    "WorkerHealth",
    "aggregate",
    "find_alerts",
    "health_json",
    "kinds_done",
    "profile_of",
    "unknown_kinds",
]
