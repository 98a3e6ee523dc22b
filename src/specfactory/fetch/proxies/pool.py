"""The pool of proxies: chooses one for a host, and learns from how it went.

    proxy = await pool.choose("shop.example", tier="")
    …
    await pool.report(proxy, "shop.example", end, seconds)

Health is shared: hot in the SharedState, kept by a ``HealthBook`` (the database).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

import msgspec

from specfactory.errors import StoreError
from specfactory.events import event
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

ROTATOR_TIER = "rotator"
RELOAD_SECONDS = 30.0
REMEMBERED_SECONDS = 86_400.0
SEEN_AT_ONCE = 200  # of a large pool, so many are looked at for one choice
JUST_NOW_MS = 60_000
TRIES = 8  # choices that other workers know better about
_LEAST_WEIGHT = 0.02  # even the worst is tried now and then
_BASE_LATENCY_SECONDS = 0.3


class HealthBook(Protocol):
    """Where health is kept when all workers have gone, with the proxies of fetched lists."""

    async def load(self) -> tuple[Sequence[Proxy], Mapping[str, ProxyHealth]]:
        """The proxies of fetched lists, and the health of all by their ids."""
        ...

    async def save(self, known: Sequence[tuple[Proxy, ProxyHealth]]) -> None:
        """Keep what is newer than what is kept."""
        ...

    async def list_anew(self, proxies: Sequence[Proxy]) -> None:
        """Fetched lists hold these, and no others any more."""
        ...

    async def forget(self, proxy: Proxy) -> None:
        """Let go of all that is known of a proxy."""
        ...


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
        book: HealthBook | None = None,
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
        """These are the proxies that the operator names, from now on."""
        self._named = {proxy.id: proxy for proxy in proxies}

    @property
    def proxies(self) -> tuple[Proxy, ...]:
        """All of them, those of the operator first."""
        listed = (proxy for key, proxy in self._listed.items() if key not in self._named)
        return (*self._named.values(), *listed)

    @property
    def is_empty(self) -> bool:
        """Whether there is none at all."""
        return not (self._named or self._listed)

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers in their order: the rotator first, then as the lists have them."""
        tiers = dict.fromkeys(proxy.tier for proxy in self.proxies)
        return tuple(sorted(tiers, key=lambda tier: tier != ROTATOR_TIER))

    def is_trusted(self, place: str) -> bool:
        """Whether the operator named this host and port: it is trusted exactly as written."""
        return any(proxy.place == place for proxy in self._named.values())

    def health(self, proxy: Proxy) -> ProxyHealth:
        """How it is doing, as far as this worker knows."""
        return self._health.get(proxy.id, ProxyHealth())

    def live(self) -> list[Proxy]:
        """Those that have proven to work, the quickest first; the rotator is none of them."""
        live = [proxy for proxy in self.working() if proxy.origin is not ProxyOrigin.ROTATOR]
        return sorted(live, key=lambda proxy: self.health(proxy).latency_ms or float("inf"))

    def working(self) -> list[Proxy]:
        """Those that have proven to work, a rotator included."""
        return [proxy for proxy in self.proxies if self._works(proxy)]

    async def choose(self, host: str, tier: str = "") -> Proxy | None:
        """A proxy for a host: of this tier or a dearer one, or None when all of them rest."""
        await self.reload()
        tiers = self.tiers
        for each in tiers[tiers.index(tier) if tier and tier in tiers else 0 :]:
            if proxy := await self._choose_of(each, host):
                self._out[proxy.id] += 1
                return proxy
        return None

    async def report(
        self, proxy: Proxy, host: str, end: FetchEnd, seconds: float | None = None
    ) -> None:
        """Tell how a fetch through a proxy ended."""
        self._out[proxy.id] = max(0, self._out[proxy.id] - 1)
        before, now = await self._newest(proxy), self._clock.now()
        after = after_use(before, host, end, now, self._rule_of(proxy), seconds=seconds)
        await self._note(proxy, before, after)

    async def checked(self, proxy: Proxy, seconds: float | None, note: str = "") -> None:
        """Tell how a check ended: the seconds it took, or None and what was wrong."""
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
        """Fetched lists hold these now; their health, where known, is kept."""
        self._listed = {proxy.id: proxy for proxy in listed}
        if self._book is not None:
            await self._book.list_anew(tuple(self._listed.values()))

    async def forget(self, proxy: Proxy) -> None:
        """Let go of all that is known of a proxy; one of a list is back when the list has it."""
        self._listed.pop(proxy.id, None)
        self._health.pop(proxy.id, None)
        self._changed.discard(proxy.id)
        await self._state.forget(_key(proxy))
        if self._book is not None:
            await self._book.forget(proxy)

    async def reload(self, *, at_once: bool = False) -> None:
        """Take in what other workers have found out, and keep what this one has."""
        now = self._clock.monotonic()
        if self._book is None or (now - self._loaded_at < RELOAD_SECONDS and not at_once):
            return
        self._loaded_at = now
        with contextlib.suppress(StoreError):  # away: what is known here has to do
            await self.keep()
            listed, health = await self._book.load()
            self._listed = {proxy.id: proxy for proxy in listed}
            for key, kept in health.items():
                self._take(key, kept)
            self._let_go()
            self._out.clear()  # who was cut off has not reported

    def _let_go(self) -> None:
        """Lists change all the time: what is on none any more is not remembered."""
        there = {*self._named, *self._listed, *self._changed}
        self._health = {key: known for key, known in self._health.items() if key in there}

    async def keep(self) -> None:
        """Write what has changed into the book."""
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

    async def _choose_of(self, tier: str, host: str) -> Proxy | None:
        known = [proxy for proxy in self.proxies if proxy.tier == tier]
        some = known
        if len(known) > SEEN_AT_ONCE:
            some = self._random.sample(known, SEEN_AT_ONCE)
        return await self._pick(some, host) or (
            await self._pick(known, host) if some is not known else None
        )

    async def _pick(self, proxies: Sequence[Proxy], host: str) -> Proxy | None:
        """One of those that may be used, unless other workers know better."""
        for _ in range(TRIES):
            now = self._clock.now()
            usable = [proxy for proxy in proxies if self._is_usable(proxy, host, now)]
            if not usable:
                return None
            usable = [proxy for proxy in usable if not self._just_failed(proxy, now)] or usable
            weights = [self._weight(proxy) for proxy in usable]
            proxy = self._random.choices(usable, weights)[0]
            await self._newest(proxy)
            if self._is_usable(proxy, host, now):
                return proxy
        return None

    def _works(self, proxy: Proxy) -> bool:
        health = self.health(proxy)
        return health.checked_at is not None and not health.rests

    def _is_usable(self, proxy: Proxy, host: str, now: Instant) -> bool:
        health = self.health(proxy)
        if proxy.origin is ProxyOrigin.LIST and health.checked_at is None:
            return False  # whoever lists it promises nothing
        return not health.is_resting(now) and not health.is_shunned_by(host, now)

    def _just_failed(self, proxy: Proxy, now: Instant) -> bool:
        """Whoever asks again after a failure wants another one."""
        health = self.health(proxy)
        return health.failures > 0 and now - (health.checked_at or 0) < JUST_NOW_MS

    def _weight(self, proxy: Proxy) -> float:
        """The healthier, quicker and idler, the likelier."""
        health = self.health(proxy)
        seconds = (health.latency_ms or 0.0) / 1000
        good = max(health.score**2, _LEAST_WEIGHT) / (_BASE_LATENCY_SECONDS + seconds)
        return good / (1 + self._out[proxy.id])

    def _rule_of(self, proxy: Proxy) -> RestRule:
        """A rotator has many faces: one refusal says little about the next."""
        if proxy.origin is ProxyOrigin.ROTATOR:
            return replace(self._rule, blocks=FAILURES)
        return self._rule

    async def _newest(self, proxy: Proxy) -> ProxyHealth:
        self._take(proxy.id, _read(await self._state.recall(_key(proxy))))
        return self.health(proxy)

    def _take(self, key: str, health: ProxyHealth | None) -> None:
        known = self._health.get(key)
        if health is not None and (known is None or health.changed_at > known.changed_at):
            self._health[key] = health

    async def _note(self, proxy: Proxy, before: ProxyHealth, after: ProxyHealth) -> None:
        if after is before:
            return
        self._health[proxy.id] = after
        self._changed.add(proxy.id)
        await self._state.remember(_key(proxy), msgspec.to_builtins(after), REMEMBERED_SECONDS)
        told = self._tell(proxy, before, after)
        if told:
            with contextlib.suppress(StoreError):
                await self.keep()
            await self._state.publish(told)

    def _tell(self, proxy: Proxy, before: ProxyHealth, after: ProxyHealth) -> list[Event]:
        now = self._clock.now()
        about: dict[str, Json] = {"place": proxy.place, "tier": proxy.tier}
        if after.rests > before.rests:
            seconds = (after.rests_until - now) / 1000
            return [event("proxy.rested", now, **about, seconds=seconds, reason=after.note)]
        if before.rests and not after.rests:
            return [event("proxy.recovered", now, **about)]
        return []


def _key(proxy: Proxy) -> str:
    return f"proxy:{proxy.id}"


def _read(remembered: Json) -> ProxyHealth | None:
    """What another worker remembered; nothing when it is of another version."""
    if not isinstance(remembered, dict):
        return None
    try:
        return msgspec.convert(remembered, ProxyHealth)
    except msgspec.ValidationError:
        return None
