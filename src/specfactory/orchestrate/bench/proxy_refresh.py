"""Maintains the pool of proxies: reads sources, checks proxies, waits until enough work."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec.structs import asdict

from specfactory.declared_events import event
from specfactory.errors import ProxiesMissing, StoreError
from specfactory.fetch.addresses import GatePolicy
from specfactory.fetch.proxies import MOST_BYTES, Checked, ProxyList, ProxyPool, read_list
from specfactory.model import Frozen, Proxy, ProxyOrigin
from specfactory.orchestrate.bench.proxy_sources import named_proxies, public_only, write_live
from specfactory.ports import Clock, Fetcher, SharedState
from specfactory.settings import FetchSettings, ProxySettings

CHECKS_AT_ONCE = 50
REFRESH_SECONDS = 300.0  # proxies not checked by then are checked next time
LIST_SECONDS = 30.0
LOOK_SECONDS = 1.0  # between two checks while waiting
RETRY_SECONDS = 15.0  # between two refreshes while there are too few
_REFRESHING = "proxies:refresh"


class Checker(Protocol):
    """Checks a proxy; never raises for what it does."""

    async def check(self, proxy: Proxy) -> Checked:
        """Check that a proxy works, and how fast it is."""

    async def ask(self, proxy: Proxy) -> Checked:
        """Check that a proxy answers at all."""


class Refreshed(Frozen):
    """Result of a refresh."""

    total: int
    live: int
    skipped: int  # entries that are no proxies, or that the gate refuses
    seconds: float
    problem: str = ""  # why the list could not be read; the last one holds


class ProxyDesk:
    """Maintains one pool for one process; several may do so at once."""

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
        if not self.settings.rotator_url:  # an empty file must not mean that none is needed
            own = max(own, 1)
        return min(self.settings.minimum, own)

    @property
    def is_short(self) -> bool:
        """True when too few proxies work; none at all is always too few."""
        return not self.pool.working() or len(self.pool.live()) < self.needed

    async def refresh(self) -> Refreshed:
        """Read settings, file and list again, check all that are due, write the live files."""
        began = self._clock.monotonic()
        await self.pool.reload(at_once=True)
        named = await asyncio.to_thread(named_proxies, self.settings)
        self.pool.name(named.proxies)
        listed, problem = await self._fetch_list()
        if listed is not None:
            await self.pool.list_anew(listed.proxies)
        now, health = self._clock.now(), self.pool.health
        due = [proxy for proxy in self.pool.proxies if not health(proxy).is_resting(now)]
        await self.check(sorted(due, key=lambda proxy: health(proxy).checked_at or 0))
        await self.publish_live()
        total, live = len(self.pool.proxies), len(self.pool.live())
        skipped = named.skipped + (listed.skipped if listed else 0)
        done = Refreshed(total, live, skipped, self._clock.monotonic() - began, problem)
        told = {**asdict(done), "seconds": round(done.seconds, 3)}
        await self._state.publish([event("proxies.refreshed", self._clock.now(), **told)])
        return done

    async def check(self, proxies: Sequence[Proxy]) -> None:
        """Check proxies concurrently, within a time limit, and report to the pool."""
        waiting = list(reversed(proxies))

        async def one_after_another() -> None:
            while waiting:
                proxy = waiting.pop()
                checked = await self._checker.check(proxy)
                await self.pool.checked(proxy, checked.seconds, checked.note)

        workers = min(CHECKS_AT_ONCE, len(waiting))
        work = asyncio.gather(*(one_after_another() for _ in range(workers)))
        try:
            async with asyncio.timeout(REFRESH_SECONDS):
                await work
        except TimeoutError:
            pass  # the rest has been due longest, and comes first next time
        await self.pool.keep()

    async def rotator_answers(self) -> bool:
        """True when the rotator answers; one that has come back is used again at once."""
        rotator = next(p for p in self.pool.proxies if p.origin is ProxyOrigin.ROTATOR)
        asked = await self._checker.ask(rotator)
        if asked.seconds is not None and self.pool.health(rotator).rests:
            await self.pool.checked(rotator, asked.seconds)
        return asked.seconds is not None

    async def publish_live(self) -> None:
        """Write the live files if they have changed."""
        live = self.pool.live()
        if live != self._written:
            known = [(proxy, self.pool.health(proxy)) for proxy in live]
            await asyncio.to_thread(write_live, self.settings.live_folder, known)
            self._written = live

    async def wait_until_ready(
        self, say: Callable[[str], None], is_over: Callable[[], bool] = lambda: False
    ) -> None:
        """Wait until enough proxies work, refreshing; raises ProxiesMissing when they never do."""
        began = self._clock.monotonic()
        while True:
            await self.pool.reload(at_once=True)
            live = len(self.pool.live())
            if live >= self.needed or is_over():
                return
            if self._clock.monotonic() - began > self.settings.wait_seconds:
                raise ProxiesMissing(live, self.needed)
            if await self._state.recall(_REFRESHING) is None:  # no other worker is refreshing
                await self._state.remember(_REFRESHING, True, RETRY_SECONDS)
                say(f"{live} of {self.needed} proxies work; refreshing them")
                done = await self.refresh()
                if not done.total and done.skipped:
                    say(f"none of the {done.skipped} entries is a proxy that can be used")
            else:
                await self._clock.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Save the health of proxies and close connections; harmless twice."""
        with contextlib.suppress(StoreError):
            await self.pool.keep()
        if self._lists is not None:
            await self._lists.close()

    async def _fetch_list(self) -> tuple[ProxyList | None, str]:
        if self._lists is None:
            return ProxyList(()), ""
        request = FetchSettings().request(
            self.settings.list_url, max_bytes=MOST_BYTES, timeout_seconds=LIST_SECONDS
        )
        response = await self._lists.fetch(request)
        if response.failure is not None or response.status != 200:
            return None, response.failure_detail or f"HTTP {response.status}"
        listed = read_list(response.body.decode("utf-8", "replace"), ProxyOrigin.LIST)
        if not listed.proxies:
            return None, "the list holds no proxies"
        return public_only(listed, self._policy), ""
