"""The rule of a host's breaker, apart from what fetches: every process has its shared state."""

from __future__ import annotations

from specfactory.model import Frozen
from specfactory.settings import FetchSettings


class BreakerRule(Frozen):
    """When the breaker of a host opens, and for how long."""

    failures: int = 5  # in a row
    window_seconds: float = 600.0  # older failures do not count
    open_seconds: float = 60.0
    probe_seconds: float = 150.0  # longer than any wait for a turn and the fetch itself

    @classmethod
    def of(cls, settings: FetchSettings) -> BreakerRule:
        """The rule that the settings ask for."""
        s = settings
        return cls(s.breaker_failures, s.breaker_window_seconds, s.breaker_seconds)
