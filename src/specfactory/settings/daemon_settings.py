"""Settings of the daemon, its schedule and its logs."""

from typing import Literal

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class DaemonSettings(Frozen):
    """The daemon."""

    pid_file: str = setting("specfactory-data/daemon.pid", "where the daemon notes its process")
    log_file: str = setting("specfactory-data/daemon.log", "where the daemon logs")
    log_max_bytes: int = setting(10_000_000, "size at which a new log begins", 10_000, 10**10)
    log_files: int = setting(5, "older logs that are kept", 0, 1000)
    event_log: str = setting(
        "specfactory-data/events.jsonl",
        "where the daemon, or without one a worker, writes the events of the whole factory; "
        "empty: nowhere",
    )
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "least level in the logs of daemon and workers; debug shows every page"
    )
    start_interval_seconds: float = setting(
        0.0, "pause between two starts of products, whatever their hosts; 0: none", 0, 3600
    )
    grace_seconds: float = setting(60.0, "time to finish the current products", 0, 86_400)
    product_seconds: float = setting(300.0, "longest time for one product", 1, 86_400)


class ProcessingSettings(Frozen):
    """On one machine or on many."""

    mode: Literal["single", "distributed"] = setting(
        "single", "single: the daemon does the work; distributed: it leaves it to workers"
    )


class ScheduleSettings(Frozen):
    """Recurring work."""

    stale_after_days: float = setting(30.0, "a record older than this is made again", 0.01, 3650)
    stale_check_cron: str = setting("0 2 * * *", "when to look for stale records")


class LogSettings(Frozen):
    """Logs."""

    level: Literal["debug", "info", "warning", "error"] = setting("warning", "least level shown")
    format: Literal["plain", "json"] = setting("plain", "lines for people or for machines")
