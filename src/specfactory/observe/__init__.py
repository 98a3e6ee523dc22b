"""Observation of the factory, for people and machines.

Takes counts of the stores; gives depth, pace, workers, failures and alerts as plain values.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.observe.alerts import find_alerts
    from specfactory.observe.duplicates import Signature, near_duplicates, signature
    from specfactory.observe.health_of_workers import WorkerHealth, kinds_done
    from specfactory.observe.health_report import health_json
    from specfactory.observe.model_costs import PriceTable
    from specfactory.observe.profiler import CrawlProfiler
    from specfactory.observe.queue_health import Alert, Depth, Health, unknown_kinds
    from specfactory.observe.queue_watch import Watch
    from specfactory.observe.throughput import Throughput
    from specfactory.observe.timings import (
        PHASES,
        AggregateStats,
        Laps,
        Profile,
        aggregate,
        profile_of,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "PHASES", "AggregateStats", "Alert", "CrawlProfiler", "Depth", "Health", "Laps", "PriceTable",
    "Profile", "Signature", "Throughput", "Watch", "WorkerHealth", "aggregate", "find_alerts",
    "health_json", "kinds_done", "near_duplicates", "profile_of", "signature", "unknown_kinds",
]  # fmt: skip
