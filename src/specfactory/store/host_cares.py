"""How hosts are treated: remedies in force, shared by all workers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from specfactory.model import HostCare, Instant
from specfactory.model.frozen import Frozen
from specfactory.ports import Clock, Database, Row, Transaction
from specfactory.store.codec import build, from_json, to_json

CACHED_SECONDS = 1.0
MOST_CACHED = 10_000
PROBE_SECONDS = 120.0  # whoever looks whether a paused host is well again has so long for it
SOON_SECONDS = 5.0  # while somebody looks, the others come back so soon

USUAL = HostCare()


class _Kept(Frozen):
    """The care of a host, until when somebody looks after its pause, and how long that is true."""

    care: HostCare
    probed_until: Instant
    good_until: float


class HostCares:
    """The care of each host; ``of`` is what the fetch station asks before every page."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock
        self.before_probe: Callable[[str], Awaitable[None]] | None = None
        self._cache: dict[str, _Kept] = {}
        self._probes: dict[str, asyncio.Task[Any] | None] = {}

    async def of(self, host: str) -> HostCare:
        """The care of a host, a second old at most; at the end of a pause one may look first.

        For that one the host is not paused any more, for all the others it still is.
        """
        kept = self._cache.get(host)
        if kept is None or self._clock.monotonic() >= kept.good_until:
            kept = await self._load(host)
        return await self._at_pause(host, kept) if kept.care.paused_for else kept.care

    async def get(self, host: str, tx: Transaction | None = None) -> HostCare:
        """The care of a host as it is now."""
        rows = await (tx or self._db).fetch("get_care", host=host)
        return _care(rows[0]) if rows else USUAL

    async def hold(self, tx: Transaction, host: str, now: Instant) -> HostCare:
        """The care of a host, held until the transaction ends: nobody else treats it."""
        await tx.execute("open_care", host=host, care=to_json({}), now=now)
        return _care((await tx.fetch("hold_care", host=host))[0])

    async def put(self, tx: Transaction, host: str, care: HostCare, now: Instant) -> None:
        """Treat a host like this from now on; call ``forget`` when it is committed."""
        await tx.execute(
            "put_care", host=host, care=to_json(care), paused_until=care.paused_until, now=now
        )

    def forget(self, host: str) -> None:
        """Ask the database next time; a look at a paused host is over."""
        self._cache.pop(host, None)
        self._probes.pop(host, None)

    async def all(self) -> dict[str, HostCare]:
        """The hosts that are treated in any special way."""
        cares = {row["host"]: _care(row) for row in await self._db.fetch("list_cares")}
        return {host: care for host, care in cares.items() if care != USUAL}

    async def _load(self, host: str) -> _Kept:
        if len(self._cache) >= MOST_CACHED:
            self._cache.clear()
        rows = await self._db.fetch("get_care", host=host)
        care = _care(rows[0]) if rows else USUAL
        probed_until = rows[0]["paused_until"] if rows else 0
        kept = _Kept(care, probed_until, self._clock.monotonic() + CACHED_SECONDS)
        self._cache[host] = kept
        return kept

    async def _at_pause(self, host: str, kept: _Kept) -> HostCare:
        care, now, task = kept.care, self._clock.now(), asyncio.current_task()
        if care.paused_until > now:
            return care
        if task is not None and self._probes.get(host) is task:
            return replace(care, paused_until=0)
        if kept.probed_until > now or not await self._claim_probe(host, kept, now):
            return replace(care, paused_until=now + round(SOON_SECONDS * 1000))
        self._probes[host] = task
        if self.before_probe is not None:
            await self.before_probe(host)
        return replace(care, paused_until=0)

    async def put_off_probe(self, host: str, until: Instant) -> None:
        """Who was to look could not: somebody else may, from an instant on."""
        if self._probes.get(host) is not asyncio.current_task():
            return
        del self._probes[host]
        async with self._db.transaction() as tx:
            await tx.execute("put_off_probe", host=host, until=until)
        self._cache.pop(host, None)

    async def _claim_probe(self, host: str, kept: _Kept, now: Instant) -> bool:
        until = now + round(PROBE_SECONDS * 1000)
        async with self._db.transaction() as tx:
            rows = await tx.fetch(
                "claim_probe", host=host, seen=kept.probed_until, until=until, now=now
            )
        self._cache.pop(host, None)
        return bool(rows)


def _care(row: Row) -> HostCare:
    return build(HostCare, from_json(row["care"]))
