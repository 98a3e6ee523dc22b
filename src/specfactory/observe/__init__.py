"""Observation of the factory, for people and machines.

Takes counts of the stores; gives depth, pace, workers, failures and alerts as plain values.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .alert_rules import find_alerts
    from .duplicates import Signature, near_duplicates, signature
    from .health_report import health_json
    from .model_costs import PriceTable
    from .profiler import CrawlProfiler
    from .queue_health import Alert, Depth, Health, WorkerHealth, kinds_done, unknown_kinds
    from .queue_watch import Watch
    from .throughput import Throughput
    from .timings import PHASES, AggregateStats, Laps, Profile, aggregate, profile_of
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
