"""The pool of proxies: chooses one for a host, and learns from how it went.

    proxy = await pool.choose("shop.example", tier="")
    …
    await pool.report(proxy, "shop.example", end, seconds)

Health is shared: hot in the SharedState, kept by the ``Proxies`` of the database.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import msgspec

from specfactory.declared_events import event
from specfactory.errors import StoreError
from specfactory.fetch.proxies.health import (
    FAILURES,
    RestRule,
    after_answer,
    after_failure,
    after_use,
    rested,
)
from specfactory.model import Event, FetchEnd, Instant, Json, Proxy, ProxyHealth, ProxyOrigin
from specfactory.ports import Clock, SharedState
from specfactory.store.sites import Proxies

ROTATOR_TIER = "rotator"
RELOAD_SECONDS = 30.0
REMEMBERED_SECONDS = 86_400.0
SEEN_AT_ONCE = 200  # sample of a large pool for one choice
JUST_NOW_MS = 60_000
TRIES = 8  # choices that other workers know better about
_LEAST_WEIGHT = 0.02  # even the worst is tried now and then
_BASE_LATENCY_SECONDS = 0.3


class ProxyPool:
    """All proxies, in their tiers, the first tier being the cheapest."""

    def __init__(
        self,
        proxies: Iterable[Proxy],
        state: SharedState,
        clock: Clock,
        random: Random,
        *,
        rest_minutes: float = 10.0,
        book: Proxies | None = None,
    ) -> None:
        self._state, self._clock, self._random, self._book = state, clock, random, book
        self._rule = RestRule(round(rest_minutes * 60_000))
        self._named: dict[str, Proxy] = {}  # by the operator
        self._listed: dict[str, Proxy] = {}  # by fetched lists
        self._health: dict[str, ProxyHealth] = {}
        self._changed: set[str] = set()
        self._out: Counter[str] = Counter()  # chosen and not yet reported, by this worker
        self._loaded_at = float("-inf")
        self.name(proxies)

    def name(self, proxies: Iterable[Proxy]) -> None:
        """Set the proxies that the operator names."""
        self._named = {proxy.id: proxy for proxy in proxies}

    @property
    def proxies(self) -> tuple[Proxy, ...]:
        """All of them, those of the operator first."""
        listed = (proxy for key, proxy in self._listed.items() if key not in self._named)
        return (*self._named.values(), *listed)

    @property
    def is_empty(self) -> bool:
        """True if there is none at all."""
        return not (self._named or self._listed)

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers in their order: the rotator first, then as the lists have them."""
        tiers = dict.fromkeys(proxy.tier for proxy in self.proxies)
        return tuple(sorted(tiers, key=lambda tier: tier != ROTATOR_TIER))

    def is_trusted(self, place: str) -> bool:
        """True if the operator named this host and port: it is trusted exactly as written."""
        return any(proxy.place == place for proxy in self._named.values())

    def health(self, proxy: Proxy) -> ProxyHealth:
        """Its health, as far as this worker knows."""
        return self._health.get(proxy.id, ProxyHealth())

    def live(self) -> list[Proxy]:
        """Proxies that have proven to work, without the rotator, the quickest first."""
        live = [proxy for proxy in self.working() if proxy.origin is not ProxyOrigin.ROTATOR]
        return sorted(live, key=lambda proxy: self.health(proxy).latency_ms or float("inf"))

    def working(self) -> list[Proxy]:
        """Proxies that have proven to work, a rotator included."""
        known = ((proxy, self.health(proxy)) for proxy in self.proxies)
        return [p for p, health in known if health.checked_at is not None and not health.rests]

    async def choose(self, host: str, tier: str = "") -> Proxy | None:
        """Choose a proxy for a host, of this tier or a dearer one; None when all of them rest."""
        await self.reload()
        tiers = self.tiers
        for each in tiers[tiers.index(tier) if tier and tier in tiers else 0 :]:
            known = [proxy for proxy in self.proxies if proxy.tier == each]
            proxy = None
            if len(known) > SEEN_AT_ONCE:  # a sample first: all of a large pool take too long
                proxy = await self._pick(self._random.sample(known, SEEN_AT_ONCE), host)
            if proxy := proxy or await self._pick(known, host):
                self._out[proxy.id] += 1
                return proxy
        return None

    async def report(
        self, proxy: Proxy, host: str, end: FetchEnd, seconds: float | None = None
    ) -> None:
        """Report how a fetch through a proxy ended."""
        self._out[proxy.id] = max(0, self._out[proxy.id] - 1)
        before, now = await self._newest(proxy), self._clock.now()
        after = after_use(before, host, end, now, self._rule_of(proxy), seconds=seconds)
        await self._note(proxy, before, after)

    async def checked(self, proxy: Proxy, seconds: float | None, note: str = "") -> None:
        """Report how a check ended: the seconds it took, or None and what was wrong."""
        before, now = await self._newest(proxy), self._clock.now()
        if seconds is not None:
            after = after_answer(before, now, seconds)
        else:
            after = after_failure(before, note, now, self._rule_of(proxy), sure=True)
        await self._note(proxy, before, after)

    async def rest(self, proxy: Proxy, note: str) -> ProxyHealth:
        """Put a proxy aside for a while."""
        before, now = await self._newest(proxy), self._clock.now()
        after = replace(rested(before, now, self._rule), note=note)
        await self._note(proxy, before, after)
        return after

    async def list_anew(self, listed: Iterable[Proxy]) -> None:
        """Replace the proxies of fetched lists; known health is kept."""
        self._listed = {proxy.id: proxy for proxy in listed}
        if self._book is not None:
            await self._book.list_anew(tuple(self._listed.values()))

    async def forget(self, proxy: Proxy) -> None:
        """Forget a proxy; one of a list is back when the list has it."""
        self._listed.pop(proxy.id, None)
        self._health.pop(proxy.id, None)
        self._changed.discard(proxy.id)
        await self._state.forget(_key(proxy))
        if self._book is not None:
            await self._book.forget(proxy)

    async def reload(self, *, at_once: bool = False) -> None:
        """Load what other workers found out, and save what this one did."""
        now = self._clock.monotonic()
        if self._book is None or (now - self._loaded_at < RELOAD_SECONDS and not at_once):
            return
        self._loaded_at = now
        with contextlib.suppress(StoreError):  # away: go on with what is known here
            await self.keep()
            listed, health = await self._book.load()
            self._listed = {proxy.id: proxy for proxy in listed}
            for key, kept in health.items():
                self._take(key, kept)
            # Lists change all the time: what is on none any more is forgotten.
            there = {*self._named, *self._listed, *self._changed}
            self._health = {key: known for key, known in self._health.items() if key in there}
            self._out.clear()  # fetches that were cut off have not reported

    async def keep(self) -> None:
        """Write changed health into the book."""
        if self._book is None or not self._changed:
            return
        by_id = {proxy.id: proxy for proxy in self.proxies}
        changed, self._changed = self._changed, set()
        try:
            await self._book.save(
                [(by_id[key], self.health(by_id[key])) for key in changed if key in by_id]
            )
        except StoreError:
            self._changed |= changed
            raise

    async def _pick(self, proxies: Sequence[Proxy], host: str) -> Proxy | None:
        """Pick a usable proxy, and check it against what other workers know."""
        for _ in range(TRIES):
            now = self._clock.now()
            usable = [proxy for proxy in proxies if self._is_usable(proxy, host, now)]
            if not usable:
                return None
            # right after a failure, a retry should take another proxy
            usable = [
                proxy
                for proxy, health in ((each, self.health(each)) for each in usable)
                if not health.failures or now - (health.checked_at or 0) >= JUST_NOW_MS
            ] or usable
            weights = [self._weight(proxy) for proxy in usable]
            proxy = self._random.choices(usable, weights)[0]
            await self._newest(proxy)
            if self._is_usable(proxy, host, now):
                return proxy
        return None

    def _is_usable(self, proxy: Proxy, host: str, now: Instant) -> bool:
        health = self.health(proxy)
        if proxy.origin is ProxyOrigin.LIST and health.checked_at is None:
            return False  # being on a list proves nothing
        return not health.is_resting(now) and not health.is_shunned_by(host, now)

    def _weight(self, proxy: Proxy) -> float:
        """The healthier, quicker and idler, the likelier."""
        health = self.health(proxy)
        seconds = (health.latency_ms or 0.0) / 1000
        good = max(health.score**2, _LEAST_WEIGHT) / (_BASE_LATENCY_SECONDS + seconds)
        return good / (1 + self._out[proxy.id])

    def _rule_of(self, proxy: Proxy) -> RestRule:
        # a rotator has many addresses: one refusal says little about the next
        if proxy.origin is ProxyOrigin.ROTATOR:
            return replace(self._rule, blocks=FAILURES)
        return self._rule

    async def _newest(self, proxy: Proxy) -> ProxyHealth:
        remembered = await self._state.recall(_key(proxy))
        with contextlib.suppress(msgspec.ValidationError):  # of another version
            if isinstance(remembered, dict):
                self._take(proxy.id, msgspec.convert(remembered, ProxyHealth))
        return self.health(proxy)

    def _take(self, key: str, health: ProxyHealth) -> None:
        known = self._health.get(key)
        if known is None or health.changed_at > known.changed_at:
            self._health[key] = health

    async def _note(self, proxy: Proxy, before: ProxyHealth, after: ProxyHealth) -> None:
        if after is before:
            return
        self._health[proxy.id] = after
        self._changed.add(proxy.id)
        await self._state.remember(_key(proxy), msgspec.to_builtins(after), REMEMBERED_SECONDS)
        now, made = self._clock.now(), list[Event]()
        about: dict[str, Json] = {"place": proxy.place, "tier": proxy.tier}
        if after.rests > before.rests:
            seconds = (after.rests_until - now) / 1000
            made.append(event("proxy.rested", now, **about, seconds=seconds, reason=after.note))
        elif before.rests and not after.rests:
            made.append(event("proxy.recovered", now, **about))
        if made:
            with contextlib.suppress(StoreError):
                await self.keep()
            await self._state.publish(made)


def _key(proxy: Proxy) -> str:
    return f"proxy:{proxy.id}"
