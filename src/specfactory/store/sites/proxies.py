"""Proxies of fetched lists, and the health of all; shared by all workers.

The URL, which may hold a password, is kept only of those that came by a list: the others are in
the settings of every worker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from specfactory.model import Proxy, ProxyHealth, ProxyOrigin
from specfactory.ports import Database
from specfactory.store.base import to_json


class Proxies:
    """What is known of proxies when all workers have gone."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def load(self) -> tuple[Sequence[Proxy], Mapping[str, ProxyHealth]]:
        """The proxies of fetched lists in their order, and the health of all by their ids."""
        rows = await self._db.fetch("load_proxies")
        listed = [
            Proxy(row["url"], row["place"], row["tier"], ProxyOrigin.LIST)
            for row in rows
            if row["origin"] == ProxyOrigin.LIST
        ]
        return listed, {row["url_hash"]: _health(row["health"]) for row in rows}

    async def save(self, known: Sequence[tuple[Proxy, ProxyHealth]]) -> None:
        """Keep what is newer than what is kept."""
        named, listed = [], []
        for proxy, health in known:
            row = {
                "url_hash": proxy.id, "health": to_json(health), "changed_at": health.changed_at
            }  # fmt: skip
            if proxy.origin is ProxyOrigin.LIST:
                listed.append(row)
            else:
                about = {"place": proxy.place, "tier": proxy.tier, "origin": proxy.origin.value}
                named.append({**row, **about})
        async with self._db.transaction() as tx:
            await tx.execute_many("keep_proxy", named)
            await tx.execute_many("keep_listed_proxy", listed)

    async def list_anew(self, proxies: Sequence[Proxy]) -> None:
        """Fetched lists hold these, and no others any more."""
        nothing = to_json(ProxyHealth())
        rows = [
            {
                "url_hash": proxy.id, "url": proxy.url, "place": proxy.place, "tier": proxy.tier,
                "origin": ProxyOrigin.LIST.value, "position": position, "health": nothing,
            }
            for position, proxy in enumerate(proxies)
        ]  # fmt: skip
        async with self._db.transaction() as tx:
            await tx.execute("unlist_proxies")
            await tx.execute_many("list_proxy", rows)
            await tx.execute("forget_unlisted_proxies")

    async def forget(self, proxy: Proxy) -> None:
        """Let go of all that is known of a proxy."""
        async with self._db.transaction() as tx:
            await tx.execute("forget_proxy", url_hash=proxy.id)


def _health(text: str) -> ProxyHealth:
    """What was kept; nothing when it was kept by another version."""
    try:
        return msgspec.json.decode(text, type=ProxyHealth)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return ProxyHealth()
