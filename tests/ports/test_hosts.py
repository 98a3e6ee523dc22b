"""Hosts by what a person calls them, run against every database."""

from __future__ import annotations

from dataclasses import replace

from specfactory.model import Outcome, Visit
from specfactory.ports import Database
from specfactory.store import Visits
from specfactory.store.sites.host_policies import Hosts

VISIT = Visit("", "https://a.example/x", 1_000, Outcome.OK)
KNOWN = ("a.example", "a.example:8080", "a.example:99", "b.a.example", "axexample:1", "[::1]:80")


async def test_name_without_a_port_means_all_of_its_ports(db: Database) -> None:
    async with db.transaction() as tx:
        for host in KNOWN:
            await Visits(db).add(tx, replace(VISIT, host=host))

    assert await Hosts(db).by_name("a.example") == ["a.example", "a.example:8080", "a.example:99"]
    assert await Hosts(db).by_name("a.example:99") == ["a.example:99"]
    assert await Hosts(db).by_name("[::1]") == ["[::1]:80"]
    assert await Hosts(db).by_name("c.example") == []
