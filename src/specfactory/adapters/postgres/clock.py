"""The Clock port on the database server's clock, so that leases mean the same everywhere."""

import time
from collections.abc import Awaitable, Callable

from specfactory.adapters.memory import SystemClock
from specfactory.model import Frozen, Instant

ASK = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION)"
REFRESH_SECONDS = 30.0
LONGEST_TRIP_SECONDS = 0.5  # a slower answer is too imprecise
SLEPT_SECONDS = 1.0  # the two clocks of this machine diverge when it sleeps or is set


class _Measure(Frozen):
    """The server's time at one moment of ours."""

    server_ms: float
    steady: float
    wall: float


class PostgresClock(SystemClock):
    """The server's time as last asked, advanced by our steady clock; it never goes back.

    After the server's clock was set back, ours runs at half speed until they agree.
    """

    def __init__(
        self, steady: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        super().__init__(steady, wall)
        self._measure = _Measure(wall() * 1000, steady(), wall())
        self._is_measured = False

    def now(self) -> Instant:
        """Milliseconds since 1970 in UTC, as the server counts them."""
        passed = self._steady() - self._measure.steady
        return self._show(self._measure.server_ms + passed * 1000)

    def is_due(self) -> bool:
        """True when the server should be asked again."""
        passed = self._steady() - self._measure.steady
        slept = abs(self._wall() - self._measure.wall - passed)
        return not self._is_measured or passed > REFRESH_SECONDS or slept > SLEPT_SECONDS

    async def ask(self, server: Callable[[], Awaitable[float]]) -> None:
        """Set the clock by the server's; the answer is assumed to be half a trip old."""
        asked = self._steady()
        server_ms = await server()
        steady = self._steady()
        if self._is_measured and steady - asked > LONGEST_TRIP_SECONDS:
            return
        half_trip_ms = (steady - asked) * 500
        self._measure = _Measure(server_ms + half_trip_ms, steady, self._wall())
        self._is_measured = True
