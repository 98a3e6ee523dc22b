"""Opens the factory: the database at once, the network on first use; closed again on leaving."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cache
from random import Random, SystemRandom

from specfactory import store
from specfactory.assembly.choices import (
    choose_clock,
    choose_database,
    choose_models,
    choose_readers,
    choose_state,
    choose_wakeup,
    close_later,
)
from specfactory.assembly.first_use import MigratedAtFirstUse
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.bench import FactoryHealth, HostAlarm, Network
from specfactory.ports import Clock
from specfactory.settings import Settings


@asynccontextmanager
async def open_factory(
    settings: Settings,
    *,
    clock: Clock | None = None,
    random: Random | None = None,
    models: bool = False,
) -> AsyncIterator[Workbench]:
    """Open the database, and the network when it is first used; both are closed on leaving.

    A SQLite file is made, or brought up to date, when it is first used.

    With ``models``, the language models that the settings name can be asked.
    """
    async with AsyncExitStack() as opened:
        if models:  # workers fetch: a missing login is reported at once
            from specfactory.fetch.addresses import read_logins

            read_logins(settings.fetch.logins, os.environ).check()
        bench = _workbench(settings, clock, random or SystemRandom(), opened)
        if models:  # as are settings that no network can be opened with
            bench.network()
        if not settings.database_url.startswith("sqlite:"):
            await bench.database.migrate()  # it also sets the clock by the server's
        yield _with_models(bench, opened) if models else bench


def _workbench(
    settings: Settings, clock: Clock | None, random: Random, opened: AsyncExitStack
) -> Workbench:
    chosen = close_later(opened, choose_database(settings))
    clock = clock or choose_clock(chosen)
    wakeup = close_later(opened, choose_wakeup(chosen, clock))
    db = MigratedAtFirstUse(chosen)
    state = close_later(opened, choose_state(settings, clock))
    readers = close_later(opened, choose_readers(settings))
    policies, healings = store.HostPolicies(state, clock, db), store.Healings(db)

    @cache
    def network() -> Network:
        from specfactory.assembly.network import open_network  # loads half of what there is

        return open_network(settings, db, state, clock, random, policies, readers, opened)

    return Workbench(
        settings, clock, random, db, state, network,
        store.Products(db), store.Attempts(db), store.Pages(db), store.Readings(db),
        store.Records(db), store.Reviews(db), store.Yields(db), store.Goldens(db),
        store.Outbox(db), store.Contracts(db), store.Jobs(db), store.Runs(db), store.Workers(db),
        wakeup,
        store.Templates(db), store.TemplateWatch(db), store.Visits(db),
        policies, healings, HostAlarm(healings), FactoryHealth(db, clock, state), readers,
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
    return replace(bench, desk=close_later(opened, desk))
