"""Opens the factory: database, network and their upkeep, closed again on leaving."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from random import Random, SystemRandom
from typing import Protocol, TypeVar

from specfactory.adapters.http import HttpFetcher
from specfactory.assembly.choices import (
    choose_browser,
    choose_clock,
    choose_database,
    choose_models,
    choose_search,
    choose_state,
    choose_wakeup,
)
from specfactory.assembly.proxies import open_desk, open_pool
from specfactory.discover import Sitemaps, SiteSearch
from specfactory.fetch import FetchStation, GatePolicy
from specfactory.fetch.addresses import read_logins
from specfactory.fetch.ladder import Ways
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.bench import FactoryHealth, HostAlarm
from specfactory.ports import Clock, Database, Search, SharedState, Wakeup
from specfactory.settings import Settings
from specfactory.store import (
    Attempts,
    Contracts,
    Goldens,
    Healings,
    HostPolicies,
    Jobs,
    Outbox,
    Pages,
    Products,
    Readings,
    Records,
    Reviews,
    Runs,
    Templates,
    TemplateWatch,
    Visits,
    Workers,
    Yields,
)


class _Closes(Protocol):
    async def close(self) -> None: ...


_Closing = TypeVar("_Closing", bound=_Closes)


@asynccontextmanager
async def open_factory(
    settings: Settings,
    *,
    clock: Clock | None = None,
    random: Random | None = None,
    models: bool = False,
) -> AsyncIterator[Workbench]:
    """Open the database and the network; both are closed on leaving.

    With ``models``, the language models that the settings name can be asked.
    """
    if models:  # workers fetch: a missing login is reported at once
        read_logins(settings.fetch.logins, os.environ).check()
    async with AsyncExitStack() as opened:
        database = _later(opened, choose_database(settings))
        clock = clock or choose_clock(database)
        wakeup = _later(opened, choose_wakeup(database, clock))
        state = _later(opened, choose_state(settings, clock))
        chance = random or SystemRandom()
        bench = _workbench(settings, clock, chance, database, wakeup, state, opened)
        await database.migrate()
        yield _with_models(bench, opened) if models else bench


def _later(opened: AsyncExitStack, closing: _Closing) -> _Closing:
    """Close it on leaving, before what was opened earlier."""
    opened.push_async_callback(closing.close)
    return closing


def _workbench(
    settings: Settings,
    clock: Clock,
    random: Random,
    db: Database,
    wakeup: Wakeup,
    state: SharedState,
    opened: AsyncExitStack,
) -> Workbench:
    pool = open_pool(settings, db, state, clock, random)
    policy = GatePolicy(allow_loopback=settings.fetch.allow_loopback)
    fetcher = _later(opened, HttpFetcher(policy, trusts_proxy=pool.is_trusted))
    browser, why_none = choose_browser(settings, policy, pool.is_trusted)
    if browser is not None:
        _later(opened, browser)
    web = choose_search(settings, clock)
    if web is not None:
        _later(opened, web)
    desk = open_desk(settings, pool, fetcher, state, clock)
    if desk is not None:
        _later(opened, desk)
    slots = asyncio.Semaphore(settings.browser.pages_at_once)
    ways = Ways(fetcher, browser, settings.browser.timeout_seconds, why_none, pool, slots)
    policies, healings = HostPolicies(state, clock, db), Healings(db)
    logins = read_logins(settings.fetch.logins, os.environ)
    station = FetchStation(
        ways, state, clock, settings.fetch, random, policies=policies, logins=logins
    )
    searches: list[Search] = [SiteSearch(station.fetch_support), Sitemaps(station.fetch_support)]
    if web is not None:
        searches.append(web)
    return Workbench(
        settings, clock, random, db, state, station, tuple(searches),
        Products(db), Attempts(db), Pages(db), Readings(db), Records(db), Reviews(db), Yields(db),
        Goldens(db), Outbox(db), Contracts(db), Jobs(db), Runs(db), Workers(db), wakeup,
        Templates(db), TemplateWatch(db), Visits(db),
        policies, healings, HostAlarm(healings), FactoryHealth(db, clock, state),
        browser=browser, proxies=desk,
    )  # fmt: skip


def _with_models(bench: Workbench, opened: AsyncExitStack) -> Workbench:
    """The bench with language models, where the settings name any."""
    chosen = choose_models(bench.settings, bench.clock)
    if not chosen:
        return bench
    from specfactory.orchestrate.bench import ModelDesk  # loads what reads answers

    desk = ModelDesk(
        chosen, bench.settings.model, bench.database, bench.state, bench.clock, bench.random,
        bench.health,
    )  # fmt: skip
    return replace(bench, desk=_later(opened, desk))
