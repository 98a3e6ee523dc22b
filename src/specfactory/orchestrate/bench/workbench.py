"""What an attempt works with: the adapters, the stations and the stores, chosen by assembly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

from specfactory.model import Frozen
from specfactory.ports import JOBS_CHANNEL

if TYPE_CHECKING:
    from specfactory import store
    from specfactory.contract import CompiledContract
    from specfactory.fetch import FetchStation
    from specfactory.model import Contract, Event, Record, Source
    from specfactory.orchestrate.bench.factory_health import BrowserCare, FactoryHealth
    from specfactory.orchestrate.bench.host_alarm import HostAlarm
    from specfactory.orchestrate.bench.model_calls import ModelDesk
    from specfactory.orchestrate.bench.proxy_refresh import ProxyDesk
    from specfactory.ports import Clock, Database, Readers, Search, SharedState, Transaction, Wakeup
    from specfactory.settings import Settings


class Network(Frozen):
    """Everything that fetches."""

    fetch: FetchStation
    searches: tuple[Search, ...]  # asked in this order, until one finds something
    proxies: ProxyDesk | None = None  # looks after proxies; None: the settings name none
    browser: BrowserCare | None = None  # None: there is none


class Workbench(Frozen):
    """Everything one attempt needs, and nothing about how it was chosen."""

    settings: Settings
    clock: Clock
    random: Random
    database: Database
    state: SharedState
    network: Callable[[], Network]  # opened by the first call: most commands fetch nothing
    products: store.Products
    attempts: store.Attempts
    pages: store.Pages
    readings: store.Readings
    records: store.Records
    reviews: store.Reviews
    yields: store.Yields
    goldens: store.Goldens
    outbox: store.Outbox
    contracts: store.Contracts
    jobs: store.Jobs
    runs: store.Runs
    workers: store.Workers
    wakeup: Wakeup
    templates: store.Templates
    template_watch: store.TemplateWatch
    visits: store.Visits
    policies: store.HostPolicies
    healings: store.Healings
    host_alarm: HostAlarm
    health: FactoryHealth
    readers: Readers

    desk: ModelDesk | None = None  # where language models are asked; None: there is none

    @property
    def fetch(self) -> FetchStation:
        """Fetches pages."""
        return self.network().fetch

    @property
    def searches(self) -> tuple[Search, ...]:
        """Searches for pages, asked in this order until one finds something."""
        return self.network().searches

    @property
    def proxies(self) -> ProxyDesk | None:
        """Looks after proxies; None: the settings name none."""
        return self.network().proxies

    @property
    def browser(self) -> BrowserCare | None:
        """The browser; None: there is none."""
        return self.network().browser

    def contract(self, category: str) -> CompiledContract:
        """The compiled contract of a category; the user's own file comes first."""
        from specfactory.contract import compile_contract, find_contract  # loads much

        return compile_contract(find_contract(category, self.settings.contracts_dir))

    async def contract_of(self, record: Record) -> Contract:
        """The contract by which a record was made, as it was kept then."""
        kept = await self.contracts.get(record.contract_digest)
        return kept or self.contract(record.product.category).contract

    def sources(self, category: str) -> tuple[Source, ...]:
        """The sources of a category: those of the settings, then those of the contract.

        A host named in the settings replaces the contract's entry for it.
        """
        from specfactory.contract import source_from

        own = [
            source_from({k: v for k, v in entry.items() if k != "category"}, "setting sources")
            for entry in self.settings.sources
            if entry.get("category", category) == category
        ]
        taken = {source.host for source in own}
        known = self.contract(category).contract.sources
        rest = known if self.settings.contract_sources else ()
        return (*own, *(source for source in rest if source.host not in taken))

    async def wake_workers(self) -> None:
        """Let idle workers look for jobs at once."""
        await self.wakeup.notify(JOBS_CHANNEL)

    @asynccontextmanager
    async def announcing(self) -> AsyncIterator[tuple[Transaction, list[Event]]]:
        """A transaction and its events: added to the outbox with it, and published after it."""
        events: list[Event] = []
        async with self.database.transaction() as tx:
            yield tx, events
            await self.outbox.append(tx, events)
        if events:
            await self.state.publish(events)

    def new_id(self, prefix: str) -> str:
        """An id that sorts by time and is unlike any other: ``run_20260212_103500_k3v9x2``."""
        moment = datetime.fromtimestamp(self.clock.now() / 1000, UTC).strftime("%Y%m%d_%H%M%S")
        letters = "".join(self.random.choices("0123456789abcdefghjkmnpqrstvwxyz", k=8))
        return f"{prefix}_{moment}_{letters}"


def source_at(settings: Settings, compiled: CompiledContract, host: str) -> Source | None:
    """The source of a host, without reading them all; a host of the settings comes first."""
    from specfactory.contract import source_from

    category = compiled.contract.category
    for entry in settings.sources:
        ours = entry.get("category", category) == category
        if ours and str(entry.get("host", "")).casefold() == host:
            plain = {k: v for k, v in entry.items() if k != "category"}
            return source_from(plain, "setting sources")
    known = compiled.contract.sources if settings.contract_sources else ()
    return next((source for source in known if source.host == host), None)
