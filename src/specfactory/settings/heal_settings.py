"""Settings of healing, and of the timings that are kept of visits."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class HealSettings(Frozen):
    """Diagnosis of failing hosts, and trials of remedies."""

    enabled: bool = setting(True, "diagnose failing hosts and apply remedies")
    failures_in_a_row: int = setting(5, "refusals or time-outs in a row: a diagnosis", 2, 1000)
    confidence_drop: float = setting(0.30, "drop of a host's confidence: a changed layout", 0.01, 1)
    history: int = setting(50, "visits of a host that a diagnosis looks at", 5, 10_000)
    check_pages: int = setting(3, "visits after which a remedy has helped or is undone", 1, 1000)
    first_pause_seconds: float = setting(60.0, "first pause of a host that is down", 0.1, 86_400)
    longest_pause_seconds: float = setting(3600.0, "longest pause; pauses double", 1, 604_800)
    slow_seconds: float = setting(10.0, "usual answer time of a slow host", 0.1, 600)
    garbled_share: float = setting(
        0.002, "share of characters decoded wrongly: a changed encoding", 0.0001, 1
    )
    ease_hours: float = setting(
        24.0, "hours of health after which a cheaper treatment is tried", 0.001, 10_000
    )
    give_up_hours: float = setting(
        72.0, "hours after which jobs of a host that stays ill become dead letters", 0.001, 10_000
    )
    keep_days: float = setting(30.0, "how long visits and healing events are kept", 0.1, 3650)


class ProfileSettings(Frozen):
    """Timings of pages."""

    sample: float = setting(1.0, "share of pages whose timings are stored", 0, 1)
