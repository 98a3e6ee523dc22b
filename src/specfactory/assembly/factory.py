"""Opens the factory: database, network and their upkeep, closed again on leaving."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from random import Random, SystemRandom
from typing import TypeVar

from specfactory import store
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
from specfactory.assembly.first_use import MigratedAtFirstUse
from specfactory.assembly.proxies import open_desk, open_pool
from specfactory.discover import Sitemaps, SiteSearch
from specfactory.fetch import FetchStation, GatePolicy
from specfactory.fetch.addresses import read_logins
from specfactory.fetch.ladder import Ways
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.bench import FactoryHealth, HostAlarm
from specfactory.ports import Clock, Closes, Search
from specfactory.settings import Settings

_Closing = TypeVar("_Closing", bound=Closes | None)


@asynccontextmanager
async def open_factory(
    settings: Settings,
    *,
    clock: Clock | None = None,
    random: Random | None = None,
    models: bool = False,
) -> AsyncIterator[Workbench]:
    """Open the database and the network; both are closed on leaving.

    A SQLite file is made, or brought up to date, when it is first used.

    With ``models``, the language models that the settings name can be asked.
    """
    if models:  # workers fetch: a missing login is reported at once
        read_logins(settings.fetch.logins, os.environ).check()
    async with AsyncExitStack() as opened:
        bench = _workbench(settings, clock, random or SystemRandom(), opened)
        if not settings.database_url.startswith("sqlite:"):
            await bench.database.migrate()  # it also sets the clock by the server's
        yield _with_models(bench, opened) if models else bench


def _later(opened: AsyncExitStack, closing: _Closing) -> _Closing:
    """Close it on leaving, before what was opened earlier; None where there is nothing to close."""
    if closing is not None:
        opened.push_async_callback(closing.close)
    return closing


def _workbench(
    settings: Settings, clock: Clock | None, random: Random, opened: AsyncExitStack
) -> Workbench:
    chosen = _later(opened, choose_database(settings))
    clock = clock or choose_clock(chosen)
    wakeup = _later(opened, choose_wakeup(chosen, clock))
    db = MigratedAtFirstUse(chosen)
    state = _later(opened, choose_state(settings, clock))
    pool = open_pool(settings, db, state, clock, random)
    policy = GatePolicy(allow_loopback=settings.fetch.allow_loopback)
    fetcher = _later(opened, HttpFetcher(policy, trusts_proxy=pool.is_trusted))
    browser, why_none = choose_browser(settings, policy, pool.is_trusted)
    _later(opened, browser)
    web = _later(opened, choose_search(settings, clock))
    desk = _later(opened, open_desk(settings, pool, fetcher, state, clock))
    slots = asyncio.Semaphore(settings.browser.pages_at_once)
    ways = Ways(fetcher, browser, settings.browser.timeout_seconds, why_none, pool, slots)
    policies, healings = store.HostPolicies(state, clock, db), store.Healings(db)
    logins = read_logins(settings.fetch.logins, os.environ)
    station = FetchStation(
        ways, state, clock, settings.fetch, random, policies=policies, logins=logins
    )
    own: tuple[Search, ...] = (SiteSearch(station.fetch_support), Sitemaps(station.fetch_support))
    return Workbench(
        settings, clock, random, db, state, station, (*own, web) if web else own,
        store.Products(db), store.Attempts(db), store.Pages(db), store.Readings(db),
        store.Records(db), store.Reviews(db), store.Yields(db), store.Goldens(db),
        store.Outbox(db), store.Contracts(db), store.Jobs(db), store.Runs(db), store.Workers(db),
        wakeup,
        store.Templates(db), store.TemplateWatch(db), store.Visits(db),
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
