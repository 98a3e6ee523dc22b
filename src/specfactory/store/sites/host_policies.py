"""The policy of every host: written by healing, the ladder and the breaker, read by the station.

Remedies are kept in the database, what the ladder and the breaker know in the shared state.
"""

import asyncio
from dataclasses import replace
from typing import Any

import msgspec

from specfactory.model import Climb, HostCare, HostPolicy, Instant, LadderMemory
from specfactory.ports import Clock, Database, Row, SharedState, Transaction
from specfactory.store.base import Store, build, from_json, to_json

CARE_SECONDS = 1.0  # a remedy of another worker is seen after this
MEMORY_SECONDS = 5.0
MEMORY_KEPT_SECONDS = 30 * 86_400.0
MOST_CACHED = 10_000
PROBE_SECONDS = 120.0  # the worker that tries a paused host has this long
SOON_SECONDS = 5.0  # meanwhile the others come back after this

USUAL = HostCare()
DEFAULT = HostPolicy()


class _Cached(msgspec.Struct):
    """The policy of a host in this process, and when its parts are to be read again."""

    policy: HostPolicy = DEFAULT
    probed_until: Instant = 0  # a worker tries the paused host until then
    care_until: float = float("-inf")
    memory_until: float = float("-inf")
    fresh_until: float = float("-inf")  # the earlier of both, so that a reader compares once


class HostPolicies:
    """Owns the policies; without a database nothing is healed."""

    def __init__(self, state: SharedState, clock: Clock, db: Database | None = None) -> None:
        self._state, self._clock, self._db = state, clock, db
        self._cache: dict[str, _Cached] = {}
        self._probes: dict[str, asyncio.Task[Any] | None] = {}

    # -- read by the fetch station

    async def of(self, host: str) -> HostPolicy:
        """The policy of a host, seconds old at most; at the end of a pause one task probes.

        For that task the host is not paused any more, for all others it still is.
        """
        cached = self._cache.get(host)
        if cached is None or self._clock.monotonic() >= cached.fresh_until:
            cached = await self._load(host)
        if not cached.policy.care.paused_for:
            return cached.policy
        policy, now, task = cached.policy, self._clock.now(), asyncio.current_task()
        if policy.care.paused_until > now:
            return policy
        if task is None or self._probes.get(host) is not task:
            if cached.probed_until > now or not await self._claim_probe(host, cached, now):
                soon = now + round(SOON_SECONDS * 1000)
                return replace(policy, care=replace(policy.care, paused_until=soon))
            self._probes[host] = task
            await self.reopen(host)  # an open breaker would refuse the probe
        return replace(policy, care=replace(policy.care, paused_until=0))

    async def memory(self, host: str) -> LadderMemory:
        """The ladder's memory of a host; never takes part in a probe."""
        return (await self._load(host)).policy.memory

    async def at_turn(self, host: str, *, ask_breaker: bool = True) -> HostPolicy:
        """Retry-After and the breaker as they are now; the caller is a half-open breaker's probe.

        A Retry-After that nobody waits for decides alone: the one probe would be wasted.
        """
        retry_at = await self._state.recall(f"retry-after:{host}") or 0
        policy = HostPolicy(retry_at=retry_at) if retry_at else DEFAULT
        now = self._clock.now()
        if not ask_breaker or policy.outlasts_patience(now):
            return policy
        permit = await self._state.permit(f"breaker:{host}")
        if permit.allowed:
            return policy
        return replace(policy, closed_until=now + round(permit.wait_seconds * 1000))

    # -- written by the ladder and the breaker

    async def learn(self, host: str, memory: LadderMemory) -> None:
        """Share what the ladder learned with all workers."""
        cached = self._cache.get(host) or await self._load(host)
        cached.policy = replace(cached.policy, memory=memory)
        cached.memory_until = self._clock.monotonic() + MEMORY_SECONDS
        kept = msgspec.to_builtins(memory)
        await self._state.remember(f"ladder:{host}", kept, MEMORY_KEPT_SECONDS)

    def last_climb(self, host: str) -> Climb | None:
        """The latest page of a host that needed a higher rung, as this process knows."""
        cached = self._cache.get(host)
        return cached.policy.memory.climb if cached is not None else None

    async def report(self, host: str, *, ok: bool, retry_at: Instant = 0) -> None:
        """Tell the breaker how a request ended, and everybody when the server wants the next."""
        await self._state.report(f"breaker:{host}", ok=ok)
        if (wait_ms := retry_at - self._clock.now()) > 0:
            await self._state.remember(f"retry-after:{host}", retry_at, wait_ms / 1000)

    async def reopen(self, host: str) -> None:
        """Close the breaker: something was done about the host, so it may be asked at once."""
        await self._state.report(f"breaker:{host}", ok=True)

    # -- written by healing

    async def care(self, host: str, tx: Transaction | None = None) -> HostCare:
        """The remedies in force at a host, read now."""
        asked = tx or self._db
        rows = await asked.fetch("get_care", host=host) if asked is not None else []
        return _care(rows[0]) if rows else USUAL

    async def hold_care(self, tx: Transaction, host: str, now: Instant) -> HostCare:
        """The remedies in force, locked until the transaction ends: one worker treats a host."""
        await tx.execute("open_care", host=host, care=to_json({}), now=now)
        return _care((await tx.fetch("hold_care", host=host))[0])

    async def put_care(self, tx: Transaction, host: str, care: HostCare, now: Instant) -> None:
        """Treat a host like this from now on; call ``forget_care`` when it is committed."""
        await tx.execute(
            "put_care", host=host, care=to_json(care), paused_until=care.paused_until, now=now
        )

    def forget_care(self, host: str) -> None:
        """Read the remedies again before the next request; a probe of the host is over."""
        self._expire_care(host)
        self._probes.pop(host, None)

    async def treated(self) -> dict[str, HostCare]:
        """The hosts with remedies in force."""
        rows = await self._db.fetch("list_cares") if self._db is not None else []
        cares = {row["host"]: _care(row) for row in rows}
        return {host: care for host, care in cares.items() if care != USUAL}

    async def put_off_probe(self, host: str, until: Instant) -> None:
        """Let another worker probe a paused host from an instant on: this task could not."""
        if self._db is None or self._probes.get(host) is not asyncio.current_task():
            return
        del self._probes[host]
        async with self._db.transaction() as tx:
            await tx.execute("put_off_probe", host=host, until=until)
        self._expire_care(host)

    async def _load(self, host: str) -> _Cached:
        """Read the parts that are too old."""
        cached, now = self._cache.get(host), self._clock.monotonic()
        if cached is None:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            cached = self._cache[host] = _Cached()
        if now >= cached.care_until:
            rows = await self._db.fetch("get_care", host=host) if self._db is not None else []
            care = _care(rows[0]) if rows else USUAL
            cached.policy = replace(cached.policy, care=care)
            cached.probed_until = rows[0]["paused_until"] if rows else 0
            cached.care_until = self._clock.monotonic() + CARE_SECONDS
        if now >= cached.memory_until:
            kept = await self._state.recall(f"ladder:{host}")
            try:
                memory = msgspec.convert(kept, LadderMemory)
            except msgspec.ValidationError:  # nothing, or of another version
                memory = DEFAULT.memory
            cached.policy = replace(cached.policy, memory=memory)
            cached.memory_until = self._clock.monotonic() + MEMORY_SECONDS
        cached.fresh_until = min(cached.care_until, cached.memory_until)
        return cached

    async def _claim_probe(self, host: str, cached: _Cached, now: Instant) -> bool:
        assert self._db is not None
        until = now + round(PROBE_SECONDS * 1000)
        async with self._db.transaction() as tx:
            rows = await tx.fetch(
                "claim_probe", host=host, seen=cached.probed_until, until=until, now=now
            )
        self._expire_care(host)
        return bool(rows)

    def _expire_care(self, host: str) -> None:
        if (cached := self._cache.get(host)) is not None:
            cached.care_until = cached.fresh_until = float("-inf")


class Hosts(Store):
    """Finds hosts by what a person calls them."""

    async def by_name(self, name: str) -> list[str]:
        """The host of this name and, without a port, the same on every port."""
        beginning = f"{name}:"
        found = await self._db.fetch(
            "hosts_by_name", name=name, beginning=beginning, length=len(beginning)
        )
        return [row["host"] for row in found]


def _care(row: Row) -> HostCare:
    return build(HostCare, from_json(row["care"]))
