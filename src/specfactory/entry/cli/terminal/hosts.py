"""What ``--host`` means: one host, on the port that was given or else on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate import Workbench


async def hosts_meant(factory: Workbench, host: str | None) -> list[str | None]:
    """The hosts to look at, as the store names them; a lone None for all of them."""
    if host is None:
        return [None]
    from specfactory.fetch.addresses import typed_host
    from specfactory.store.sites import Hosts

    name = typed_host(host)
    return list(await Hosts(factory.database).by_name(name)) or [name]
