"""Staged pages: what a page shows to us alone, or shows for others, must not be published.

A case is a small web of made-up hosts. The real line reads it (fetch, identify, extract, validate,
merge, publish), with a factory of its own in memory; only the network is a script.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from urllib.parse import urlsplit

from specfactory.assembly import open_factory
from specfactory.contract import make_product, value_to_json
from specfactory.discover import Sitemaps, SiteSearch
from specfactory.fetch import FetchStation
from specfactory.fetch.ladder import Ways
from specfactory.model import Frozen, Json, Product, Record, Source, Tier, field, replace
from specfactory.orchestrate import Workbench, run_attempt
from specfactory.orchestrate.bench import Network
from specfactory.settings import Settings, load
from specfactory.testing import Answer, ManualClock, ScriptedFetcher, answer

PRODUCT = make_product("mouse", "Acme", "Nova 5")
MAKER, LAB = "www.acme.example", "lab.example"
SHOPS = ("shop-one.example", "shop-two.example", "shop-three.example")
TIERS: Mapping[str, Tier] = {
    MAKER: Tier.MANUFACTURER,
    LAB: Tier.LAB,
    **dict.fromkeys(SHOPS, Tier.RETAILER),
}
"""Hosts that every case may use, as settings name them; any other is a host nobody has named."""

Served = str | bytes | Answer | list[Answer]


class Staged(Frozen):
    """Pages that try to have a value published, and what must and must not be.

    ``refused`` and ``wanted`` are values as they stand in a record's JSON; a field that is
    refused without values must not be published at all.
    """

    trick: str  # what kind of staging it is
    wording: str  # which variation of it
    pages: Mapping[str, Served]  # by URL; a text is a page of HTML, ``moved`` a redirect
    refused: Mapping[str, Collection[Json]] = field(default_factory=dict)
    wanted: Mapping[str, Json] = field(default_factory=dict)
    product: Product = PRODUCT
    tiers: Mapping[str, Tier] = field(default_factory=dict)  # of hosts, beside TIERS
    searches: Mapping[str, str] = field(default_factory=dict)  # search pages of hosts
    given: Sequence[str] = ()  # the pages that the user names; all of them, when empty

    @property
    def name(self) -> str:
        """Trick and wording, to find it again."""
        return f"{self.trick}: {self.wording}"


class Outcome(Frozen):
    """What the line made of a case."""

    case: Staged
    record: Record | None
    published: Mapping[str, Json]

    @property
    def fooled(self) -> dict[str, Json]:
        """Refused values that were published."""
        return {
            name: self.published[name]
            for name, values in self.case.refused.items()
            if name in self.published and (not values or self.published[name] in values)
        }

    @property
    def missing(self) -> dict[str, Json]:
        """Wanted values that were not."""
        wanted = self.case.wanted.items()
        return {name: value for name, value in wanted if self.published.get(name) != value}


def page_of(title: str, *parts: str, head: str = "") -> str:
    """An ordinary product page: title, heading, and whatever parts it has."""
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head>'
        f"<body><main><h1>{title}</h1>\n{body}</main></body></html>"
    )


def table_of(**rows: str) -> str:
    """A specification table; ``polling_rate`` is labelled ``Polling rate``."""
    cells = (
        f"<tr><th>{name.replace('_', ' ').capitalize()}</th><td>{value}</td></tr>"
        for name, value in rows.items()
    )
    return f"<table>{''.join(cells)}</table>"


def moved(to: str, status: int = 302) -> Answer:
    """A redirect."""
    return answer("", status, {"Location": to})


def run_cases(cases: Iterable[Staged]) -> list[Outcome]:
    """What the line makes of each, each in a factory of its own."""

    async def each() -> list[Outcome]:
        return [await run_case(case) for case in cases]

    return asyncio.run(each())


async def run_case(case: Staged) -> Outcome:
    """Make the product's record from the pages of one case."""
    settings = load(environment={}, flags={
        "database_url": "sqlite:///:memory:", "browser.enabled": False, "readers.processes": 0,
        "contract_sources": False,
    })  # fmt: skip
    sources = _sources(case)
    async with open_factory(settings, clock=ManualClock(), random=Random(5)) as opened:
        bench = replace(opened, network=lambda: network)
        network = _network(bench, settings, case.pages)
        given = case.given or tuple(case.pages)
        result = await run_attempt(bench, case.product, urls=given, sources=sources)
    fields = result.record.fields if result.record else {}
    published = {
        name: value_to_json(one.value) for name, one in fields.items() if one.value is not None
    }
    return Outcome(case, result.record, published)


def _sources(case: Staged) -> tuple[Source, ...]:
    tiers = {**TIERS, **case.tiers}
    hosts = dict.fromkeys(urlsplit(url).netloc for url in case.pages)
    return tuple(
        Source(host, tiers[host], search=case.searches.get(host)) for host in hosts if host in tiers
    )


def _network(bench: Workbench, settings: Settings, pages: Mapping[str, Served]) -> Network:
    script = {
        url: answer(served) if isinstance(served, str | bytes) else served
        for url, served in pages.items()
    }
    station = FetchStation(
        Ways(ScriptedFetcher(script)), bench.state, bench.clock, settings.fetch, bench.random,
        bench.readers, policies=bench.policies,
    )  # fmt: skip
    get = station.fetch_support
    return Network(station, (SiteSearch(get, bench.readers), Sitemaps(get, bench.readers)))
