"""Settings of the monitor and its alerts."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class MonitorSettings(Frozen):
    """The monitor and its alerts."""

    refresh_seconds: float = setting(1.0, "pause between two looks of the live view", 0.1, 3600)
    window_minutes: float = setting(10.0, "throughput is measured over this time", 0.1, 1440)
    alert_failure_share: float = setting(
        0.2, "alert when more than this share of what ended in the window has failed", 0, 1
    )
    alert_dead_letters: int = setting(50, "alert at this many dead letters", 1, 10_000_000)
    alert_waiting_minutes: float = setting(
        60.0, "alert when a due job has waited longer than this", 0.1, 100_000
    )
    alert_stall_minutes: float = setting(
        10.0, "alert when jobs are due and none has ended for this long", 0.1, 100_000
    )
    alert_when_empty: bool = setting(True, "alert when nothing is left to do")
