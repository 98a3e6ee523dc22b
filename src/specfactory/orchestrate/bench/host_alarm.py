"""What this process remembers of hosts, so that good pages cost no look into their history."""

from __future__ import annotations

from specfactory.model import Visit, facts_of
from specfactory.settings import HealSettings
from specfactory.store import Healings

REFRESH_SECONDS = 2.0
MOST_HOSTS = 10_000
NEWEST = 0.1  # weight of the newest page in the usual confidence of a host


class Ward:
    """Which hosts are being treated, and how surely their pages are usually read."""

    def __init__(self, healings: Healings) -> None:
        self._healings = healings
        self._treated: frozenset[str] = frozenset()
        self._refreshed_at = float("-inf")
        self._usual: dict[str, float] = {}

    async def wants_look(self, visit: Visit, settings: HealSettings, now_seconds: float) -> bool:
        """Whether a visit is reason to look into the history of its host."""
        if not facts_of(visit.outcome).is_good:
            return True
        suspicious = visit.landed or visit.garbled >= settings.garbled_share
        if suspicious or self._is_slow(visit, settings) or self._is_poor(visit, settings):
            return True
        if now_seconds - self._refreshed_at >= REFRESH_SECONDS:
            self._refreshed_at = now_seconds
            self._treated = frozenset(event.host for event in await self._healings.open())
        return visit.host in self._treated

    def forget(self) -> None:
        """Something was done: look again who is being treated."""
        self._refreshed_at = float("-inf")

    def _is_slow(self, visit: Visit, settings: HealSettings) -> bool:
        return sum(visit.timings_ms.values()) >= settings.slow_seconds * 1000

    def _is_poor(self, visit: Visit, settings: HealSettings) -> bool:
        """Much less sure than usual; the first page of a host that we see may be, too."""
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
