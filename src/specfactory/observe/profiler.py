"""A profiler for a crawl of your own: start and end phases, then ask for their times."""

from collections import deque

from specfactory.errors import UsageError
from specfactory.model import Instant
from specfactory.observe.timings import AggregateStats, Profile, aggregate, profile_of
from specfactory.ports import Clock
from specfactory.store import Visits

MOST_KEPT = 10_000  # of its own pages


class CrawlProfiler:
    """Times the phases of pages, one page after the other.

    With ``visits``, the aggregate is of all pages that the factory has fetched; without, of
    those that went through this profiler.
    """

    def __init__(self, clock: Clock, visits: Visits | None = None) -> None:
        self._clock, self._visits = clock, visits
        self._running: dict[str, float] = {}
        self._phases: dict[str, float] = {}
        self._done: deque[tuple[str, dict[str, float]]] = deque(maxlen=MOST_KEPT)

    def start(self, name: str) -> None:
        """Start a phase, which must not be running."""
        if name in self._running:
            raise UsageError(f"phase {name!r} has started already; end it first")
        self._running[name] = self._clock.monotonic()

    def end(self, name: str) -> float:
        """End a phase and return its milliseconds; phases of one name add up."""
        if name not in self._running:
            raise UsageError(f"phase {name!r} has not been started")
        ms = (self._clock.monotonic() - self._running.pop(name)) * 1000
        self._phases[name] = round(self._phases.get(name, 0.0) + ms, 3)
        return ms

    def get_profile(self) -> Profile:
        """The page so far: its phases that have ended, their total, the longest."""
        return profile_of(self._phases)

    def end_page(self, host: str = "") -> Profile:
        """End the page: keep its profile for the aggregate and begin the next one."""
        profile = self.get_profile()
        if self._phases:
            self._done.append((host, self._phases))
        self._running, self._phases = {}, {}
        return profile

    async def get_aggregate_stats(
        self, host: str | None = None, since: Instant = 0
    ) -> AggregateStats:
        """Averages, p50, p95 and bottlenecks of the pages of a host, or of all.

        ``since`` applies to stored visits only.
        """
        if self._visits is not None:
            visits = await self._visits.timings(host, since)
            return aggregate([visit.timings_ms for visit in visits])
        own = [*self._done, (host or "", self._phases)]
        return aggregate([ms for of, ms in own if ms and host in (None, of)])
