"""In-process cache of host health: good pages of healthy hosts skip the history query."""

from specfactory.model import Visit, facts_of
from specfactory.settings import HealSettings
from specfactory.store import Healings

REFRESH_SECONDS = 2.0
MOST_HOSTS = 10_000
NEWEST = 0.1  # weight of the newest page in the usual confidence of a host


class HostAlarm:
    """Knows which hosts are being healed, and the usual confidence of their pages."""

    def __init__(self, healings: Healings) -> None:
        self._healings = healings
        self._healed: frozenset[str] = frozenset()
        self._refreshed_at = float("-inf")
        self._usual: dict[str, float] = {}

    async def is_raised_by(self, visit: Visit, settings: HealSettings, now_seconds: float) -> bool:
        """True if a visit is reason to look into the history of its host."""
        is_good = facts_of(visit.outcome).is_good
        if not is_good or visit.landed or visit.garbled >= settings.garbled_share:
            return True
        is_slow = sum(visit.timings_ms.values()) >= settings.slow_seconds * 1000
        if is_slow or self._is_poor(visit, settings):
            return True
        if now_seconds - self._refreshed_at >= REFRESH_SECONDS:
            self._refreshed_at = now_seconds
            self._healed = frozenset(event.host for event in await self._healings.open())
        return visit.host in self._healed

    def forget(self) -> None:
        """Reload which hosts are being healed at the next visit."""
        self._refreshed_at = float("-inf")

    def _is_poor(self, visit: Visit, settings: HealSettings) -> bool:
        """Much less sure than usual; the first page seen of a host may be, too."""
        if visit.confidence is None:
            return False
        usual = self._usual.get(visit.host)
        if usual is None:
            if len(self._usual) >= MOST_HOSTS:
                self._usual.clear()
            self._usual[visit.host] = visit.confidence
            return True
        if visit.confidence < usual * (1 - settings.confidence_drop):
            return True
        self._usual[visit.host] = usual + NEWEST * (visit.confidence - usual)
        return False
