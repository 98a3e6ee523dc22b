"""Proxies of fetched lists, and the health of all; shared by all workers.

The URL, which may hold a password, is stored only for those of a list: the others are in the
settings of every worker.
"""

from collections.abc import Mapping, Sequence

import msgspec

from specfactory.model import Proxy, ProxyHealth, ProxyOrigin
from specfactory.store.base import Store, to_json


class Proxies(Store):
    """Health of proxies that outlives the workers."""

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
        """Store health that is newer than the stored one."""
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
        """Replace the proxies of fetched lists."""
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
        """Delete everything about a proxy."""
        async with self._db.transaction() as tx:
            await tx.execute("forget_proxy", url_hash=proxy.id)


def _health(text: str) -> ProxyHealth:
    """Stored health; the default when it was written by another version."""
    try:
        return msgspec.json.decode(text, type=ProxyHealth)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return ProxyHealth()
