"""What happens in the factory, for people and machines.

Takes what the stores count; gives depth, pace, workers, failures and alerts as plain values.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from specfactory.observe.timings import Laps, aggregate, profile_of

if TYPE_CHECKING:
    from specfactory.observe.alerts import find_alerts
    from specfactory.observe.health import Alert, Depth, Health, unknown_kinds
    from specfactory.observe.profiler import CrawlProfiler
    from specfactory.observe.queue_watch import Watch
    from specfactory.observe.throughput import Throughput
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
    "kinds_done",
    "profile_of",
    "unknown_kinds",
]

_PLACES = {
    "Alert": "health",
    "CrawlProfiler": "profiler",
    "Depth": "health",
    "Health": "health",
    "Throughput": "throughput",
    "Watch": "queue_watch",
    "WorkerHealth": "workers",
    "find_alerts": "alerts",
    "kinds_done": "workers",
    "unknown_kinds": "health",
}


def __getattr__(name: str) -> Any:
    """What watches the factory is loaded when it is asked for: workers only take timings."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
