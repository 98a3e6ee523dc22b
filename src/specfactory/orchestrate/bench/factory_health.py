"""Problems of the factory itself: its database, disk, shared state, models. It waits, and says so.

The waiting is done where the problem is met (``until_written``, the model desk, the shared state);
here it is put on record as a healing event of the host "factory".
"""

import contextlib
from typing import Protocol, runtime_checkable

from specfactory.declared_events import event
from specfactory.errors import StorageFull, StoreError
from specfactory.heal import FACTORY
from specfactory.model import Event, HealingEvent, HealingStatus, Instant, Json, Problem, RemedyKind
from specfactory.ports import Clock, Database, SharedState, Transaction
from specfactory.store import Healings, HostPolicies, Outbox

SERIOUS = 3  # failures in a row before it counts; less is a hiccup
LOOK_SECONDS = 0.5
MOST_EVENTS = 100
WAITING: dict[str, Json] = {"step": "wait", "care": {}}


@runtime_checkable
class Losable(Protocol):
    """A shared state that can be away, and knows it."""

    @property
    def is_lost(self) -> bool:
        """True if this process goes on alone."""


class BrowserCare(Protocol):
    """A browser that may turn out to be none, and what healing does to it."""

    @property
    def trouble(self) -> str:
        """The reason why it cannot be used now; "" when it can, as far as is known."""

    @property
    def works(self) -> bool:
        """True if one is running."""

    async def restart(self) -> None:
        """Start it anew."""

    def drain(self) -> None:
        """We were told to stop: when it ends now, that is no page's fault."""


class FactoryHealth:
    """Records, in one process, problems of the factory and their end."""

    def __init__(self, database: Database, clock: Clock, state: SharedState) -> None:
        self._db, self._clock, self._state = database, clock, state
        self._healings, self._outbox = Healings(database), Outbox(database)
        self._policies = HostPolicies(state, clock, database)
        self._open: dict[str, int] | None = None  # problem -> its event; None: not loaded yet
        self._model_failures = 0
        self._away: list[tuple[Instant, Exception]] = []

    async def database_failed(self, problem: Exception) -> None:
        """The database could not write; the caller waits and retries."""
        self._away.append((self._clock.now(), problem))
        if len(self._away) == SERIOUS:
            kind, message = _of_database(problem)
            await self._state.publish([_ailing_event(0, kind, message, self._clock.now())])

    async def database_answered(self) -> None:
        """It could write: record the failure, if it lasted."""
        if not self._away:
            return
        away, self._away = self._away, []
        if len(away) >= SERIOUS:
            since, (kind, message) = away[0][0], _of_database(away[-1][1])
            with contextlib.suppress(StoreError):
                async with self._db.transaction() as tx:
                    event_id = await self._add(tx, kind, message, since)
                    await self._close(tx, event_id, kind, self._clock.now(), since)

    async def model_failed(self, message: str) -> None:
        """An endpoint of a language model does not answer."""
        self._model_failures += 1
        if self._model_failures == SERIOUS:
            await self.begins(Problem.MODEL_DOWN, message)

    async def model_answered(self) -> None:
        """It answers."""
        self._model_failures = 0
        await self.recovers(Problem.MODEL_DOWN)

    async def watch_state(self) -> None:
        """Note when the shared state is lost and when it is back, until cancelled."""
        state, failing = self._state, False
        while isinstance(state, Losable):
            await self._clock.sleep(LOOK_SECONDS)
            is_lost = state.is_lost
            if is_lost and not failing:
                await self.begins(Problem.STATE_AWAY, "Redis is away")
            elif failing and not is_lost:
                await self.recovers(Problem.STATE_AWAY)
            failing = is_lost

    async def watch_browser(self, browser: BrowserCare) -> None:
        """Note when the browser cannot be used and when it can again, until cancelled."""
        failing: bool | None = None  # not known yet: another process may have left it on record
        while True:
            await self._clock.sleep(LOOK_SECONDS)
            if browser.trouble and failing is not True:
                await self.begins(Problem.BROWSER_UNUSABLE, browser.trouble)
                failing = True
            elif browser.works and failing is not False:
                await self.recovers(Problem.BROWSER_UNUSABLE)
                failing = False

    async def begins(self, kind: Problem, message: str) -> None:
        """Record a problem once, whichever worker notices it."""
        with contextlib.suppress(StoreError):  # away, too: then that is noted later
            async with self._db.transaction() as tx:
                now = self._clock.now()
                open_ones = await self._hold(tx, now)
                if kind not in open_ones:
                    open_ones[kind] = await self._add(tx, kind, message, now)
                    await self._tell(tx, _ailing_event(open_ones[kind], kind, message, now))
            self._open = open_ones

    async def recovers(self, kind: Problem) -> None:
        """Record that it is over."""
        if self._open is not None and kind not in self._open:
            return
        with contextlib.suppress(StoreError):
            async with self._db.transaction() as tx:
                now = self._clock.now()
                open_ones = await self._hold(tx, now)
                if (event_id := open_ones.pop(kind, None)) is not None:
                    since = (await self._healings.get(event_id)).created_at
                    await self._close(tx, event_id, kind, now, since)
            self._open = open_ones

    async def _hold(self, tx: Transaction, now: Instant) -> dict[str, int]:
        """Load and hold the open problems: no two workers record the same."""
        await self._policies.hold_care(tx, FACTORY, now)
        known = await self._healings.of_host(FACTORY, MOST_EVENTS, tx)
        return {e.diagnosis: e.id for e in known if e.status is HealingStatus.TRIED}

    async def _add(self, tx: Transaction, kind: Problem, message: str, at: Instant) -> int:
        made = HealingEvent(
            0, FACTORY, kind, kind, RemedyKind.WAIT, HealingStatus.TRIED, at,
            reasons=(message,), params=WAITING,
        )  # fmt: skip
        return await self._healings.add(tx, made)

    async def _close(
        self, tx: Transaction, event_id: int, kind: Problem, now: Instant, since: Instant
    ) -> None:
        await self._healings.change(tx, event_id, HealingStatus.HELPED, True, now, WAITING)
        about = {"healing_id": event_id, "diagnosis": kind, "seconds": (now - since) / 1000}
        await self._tell(tx, event("factory.recovered", now, **about))

    async def _tell(self, tx: Transaction, told: Event) -> None:
        await self._outbox.append(tx, [told])
        await self._state.publish([told])


def _of_database(problem: Exception) -> tuple[Problem, str]:
    full = isinstance(problem, StorageFull)
    return (Problem.DISK_FULL if full else Problem.DATABASE_AWAY), str(problem)[:300]


def _ailing_event(event_id: int, kind: Problem, message: str, now: Instant) -> Event:
    about = {"healing_id": event_id, "diagnosis": kind}
    return event("factory.ailing", now, **about, message=message)
