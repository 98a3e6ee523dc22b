"""The desk that looks after the pool: reads it anew, checks it, and waits until enough work."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol

from specfactory.errors import ProxiesMissing, StoreError
from specfactory.events import event
from specfactory.fetch.addresses import GatePolicy
from specfactory.fetch.proxies import MOST_BYTES, Checked, ProxyList, ProxyPool, read_list
from specfactory.model import FetchRequest, Frozen, Instant, Proxy, ProxyOrigin
from specfactory.orchestrate.bench.proxy_sources import named_proxies, public_only, write_live
from specfactory.ports import Clock, Fetcher, SharedState
from specfactory.settings import ProxySettings

CHECKS_AT_ONCE = 50
REFRESH_SECONDS = 300.0  # what is not checked by then is checked next time
LIST_SECONDS = 30.0
LOOK_SECONDS = 1.0  # between two looks of one who waits
RETRY_SECONDS = 15.0  # between two refreshes while there are too few
_REFRESHING = "proxies:refresh"


class Checker(Protocol):
    """Tries out a proxy; never raises for what it does."""

    async def check(self, proxy: Proxy) -> Checked:
        """Whether a proxy works, and how quickly."""
        ...

    async def ask(self, proxy: Proxy) -> Checked:
        """Whether a proxy answers at all."""
        ...


class Refreshed(Frozen):
    """What a refresh came to."""

    total: int
    live: int
    skipped: int  # entries that are no proxies, or that the gate refuses
    seconds: float
    problem: str = ""  # why the list could not be read; the last one holds


class ProxyDesk:
    """Looks after one pool, for one process; any number of them may do so at once."""

    def __init__(
        self,
        settings: ProxySettings,
        pool: ProxyPool,
        checker: Checker,
        lists: Fetcher | None,
        state: SharedState,
        clock: Clock,
        policy: GatePolicy,
    ) -> None:
        self.pool, self.settings = pool, settings
        self._checker, self._lists = checker, lists
        self._state, self._clock, self._policy = state, clock, policy
        self._written: list[Proxy] | None = None

    @property
    def needed(self) -> int:
        """Working proxies before a run starts; no more than there can be without a list."""
        if self.settings.list_url:
            return self.settings.minimum
        own = sum(proxy.origin is not ProxyOrigin.ROTATOR for proxy in self.pool.proxies)
        if not self.settings.rotator_url:  # who names proxies wants one, whatever the file holds
            own = max(own, 1)
        return min(self.settings.minimum, own)

    @property
    def is_short(self) -> bool:
        """Whether too few work; that none at all does is too few, however many are needed."""
        return not self.pool.working() or len(self.pool.live()) < self.needed

    async def refresh(self) -> Refreshed:
        """Read settings, file and list anew, check all that are due, write the live files."""
        began = self._clock.monotonic()
        await self.pool.reload(at_once=True)
        named = await asyncio.to_thread(named_proxies, self.settings)
        self.pool.name(named.proxies)
        listed, problem = await self._fetch_list()
        if listed is not None:
            await self.pool.list_anew(listed.proxies)
        await self.check(self._due())
        await self.publish_live()
        done = Refreshed(
            len(self.pool.proxies),
            len(self.pool.live()),
            named.skipped + (listed.skipped if listed else 0),
            self._clock.monotonic() - began,
            problem,
        )
        await self._tell(done)
        return done

    async def check(self, proxies: Sequence[Proxy]) -> None:
        """Check proxies side by side, within a time; the pool is told."""
        waiting = list(reversed(proxies))

        async def one_after_another() -> None:
            while waiting:
                proxy = waiting.pop()
                checked = await self._checker.check(proxy)
                await self.pool.checked(proxy, checked.seconds, checked.note)

        hands = min(CHECKS_AT_ONCE, len(waiting))
        work = asyncio.gather(*(one_after_another() for _ in range(hands)))
        try:
            async with asyncio.timeout(REFRESH_SECONDS):
                await work
        except TimeoutError:
            pass  # the rest is due the longest, and first, next time
        await self.pool.keep()

    async def rotator_answers(self) -> bool:
        """Whether the rotator is there; one that has come back is used again at once."""
        rotator = next(p for p in self.pool.proxies if p.origin is ProxyOrigin.ROTATOR)
        asked = await self._checker.ask(rotator)
        if asked.seconds is not None and self.pool.health(rotator).rests:
            await self.pool.checked(rotator, asked.seconds)
        return asked.seconds is not None

    async def publish_live(self) -> None:
        """Write the live files, where they would say anything new."""
        live = self.pool.live()
        if live != self._written:
            known = [(proxy, self.pool.health(proxy)) for proxy in live]
            await asyncio.to_thread(write_live, self.settings.live_folder, known)
            self._written = live

    async def wait_until_ready(
        self, say: Callable[[str], None], is_over: Callable[[], bool] = lambda: False
    ) -> None:
        """Wait until enough proxies work, refreshing; ProxiesMissing when they never do."""
        began = self._clock.monotonic()
        while not await self._is_ready() and not is_over():
            if self._clock.monotonic() - began > self.settings.wait_seconds:
                raise ProxiesMissing(len(self.pool.live()), self.needed)
            if await self._state.recall(_REFRESHING) is None:  # nobody else is at it
                await self._state.remember(_REFRESHING, True, RETRY_SECONDS)
                say(f"{len(self.pool.live())} of {self.needed} proxies work; refreshing them")
                done = await self.refresh()
                if not done.total and done.skipped:
                    say(f"none of the {done.skipped} entries is a proxy that can be used")
            else:
                await self._clock.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Keep what is known, and let go of connections; harmless twice."""
        with contextlib.suppress(StoreError):
            await self.pool.keep()
        if self._lists is not None:
            await self._lists.close()

    async def _is_ready(self) -> bool:
        await self.pool.reload(at_once=True)
        return len(self.pool.live()) >= self.needed

    async def _fetch_list(self) -> tuple[ProxyList | None, str]:
        if self._lists is None:
            return ProxyList(()), ""
        request = FetchRequest(
            self.settings.list_url, max_bytes=MOST_BYTES, timeout_seconds=LIST_SECONDS
        )
        response = await self._lists.fetch(request)
        if response.failure is not None or response.status != 200:
            return None, response.failure_detail or f"HTTP {response.status}"
        listed = read_list(response.body.decode("utf-8", "replace"), ProxyOrigin.LIST)
        if not listed.proxies:
            return None, "the list holds no proxies"
        return public_only(listed, self._policy), ""

    def _due(self) -> list[Proxy]:
        """All that do not rest, those checked longest ago first."""
        now = self._clock.now()
        due = [proxy for proxy in self.pool.proxies if not self.pool.health(proxy).is_resting(now)]
        return sorted(due, key=self._checked_at)

    def _checked_at(self, proxy: Proxy) -> Instant:
        return self.pool.health(proxy).checked_at or 0

    async def _tell(self, done: Refreshed) -> None:
        told = event(
            "proxies.refreshed", self._clock.now(), total=done.total, live=done.live,
            skipped=done.skipped, seconds=round(done.seconds, 3), problem=done.problem,
        )  # fmt: skip
        await self._state.publish([told])
