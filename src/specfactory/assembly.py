"""The only place that chooses adapters: settings in, a workbench out."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from specfactory.adapters.http_fetcher import HttpFetcher
from specfactory.adapters.memory_state import MemoryState
from specfactory.adapters.memory_wakeup import MemoryWakeup
from specfactory.adapters.proxy_opening import open_desk, open_pool, rotator_process
from specfactory.adapters.sqlite_database import SqliteDatabase
from specfactory.adapters.system_clock import SystemClock
from specfactory.discover import Sitemaps, SiteSearch
from specfactory.errors import SettingError, UsageError
from specfactory.fetch import FetchStation, GatePolicy
from specfactory.fetch.logins import read_logins
from specfactory.fetch.ways import NO_BROWSER, Ways
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.factory_health import FactoryHealth
from specfactory.orchestrate.ward import Ward
from specfactory.ports import (
    Clock,
    Database,
    LanguageModel,
    Search,
    SharedState,
    Wakeup,
)
from specfactory.settings import Settings
from specfactory.store import (
    Attempts,
    Contracts,
    Goldens,
    Healings,
    HostCares,
    Jobs,
    Outbox,
    PageReadings,
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

if TYPE_CHECKING:
    from specfactory.adapters.browser_fetcher import BrowserFetcher

SQLITE_FORM = "sqlite:///path/to/file.db"
POSTGRES_FORM = "postgresql://user:password@host:port/database"
STATE_FORMS = "redis://:password@host:port/0, rediss://… (TLS), unix:///path/to/socket, or empty"


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
    if models:  # whoever works fetches, too
        read_logins(settings.fetch.logins, os.environ).check()
    async with AsyncExitStack() as opened:
        database = choose_database(settings)
        clock, random = clock or choose_clock(database), random or SystemRandom()
        opened.push_async_callback(database.close)
        web = None
        if settings.search.web_url:
            from specfactory.adapters.json_search import JsonSearch  # loaded where it is used

            web = JsonSearch(settings.search.web_url, clock=clock)
            opened.push_async_callback(web.close)
        wakeup = choose_wakeup(database, clock)
        opened.push_async_callback(wakeup.close)
        state = choose_state(settings, clock)
        opened.push_async_callback(state.close)
        pool = open_pool(settings, database, state, clock, random)
        policy = GatePolicy(allow_loopback=settings.fetch.allow_loopback)
        fetcher = HttpFetcher(policy, trusts_proxy=pool.is_trusted)
        opened.push_async_callback(fetcher.close)
        browser, why_none = choose_browser(settings, policy, pool.is_trusted)
        if browser is not None:
            opened.push_async_callback(browser.close)
        ways = Ways(fetcher, browser, settings.browser.timeout_seconds, why_none, pool)
        await database.migrate()
        bench = _workbench(settings, clock, random, database, state, wakeup, ways, web)
        bench = replace(bench, browser=browser)
        if (proxies := open_desk(settings, pool, fetcher, state, clock)) is not None:
            opened.push_async_callback(proxies.close)
            bench = replace(bench, proxies=proxies)
        if models and (chosen := choose_models(settings, clock)):
            from specfactory.orchestrate.model_desk import ModelDesk  # loads what reads answers

            desk = ModelDesk(
                chosen, settings.model, database, bench.state, clock, random, bench.health
            )
            opened.push_async_callback(desk.close)
            bench = replace(bench, desk=desk)
        yield bench


def choose_database(settings: Settings) -> Database:
    """The database that the settings name."""
    url = settings.database_url
    if url.startswith("sqlite:"):
        return SqliteDatabase(url)
    if url.startswith(("postgresql:", "postgres:")):
        return _postgres(url)
    given = url.partition("://")[0] + "://…"  # the rest may hold a password
    raise SettingError("database_url", given, f"{SQLITE_FORM} or {POSTGRES_FORM}")


def heartbeat_database(settings: Settings) -> Callable[[], Database] | None:
    """How a worker's heartbeat opens a database of its own; None where there can be only one."""
    if settings.database_url.endswith(":memory:"):
        return None
    return lambda: choose_database(settings)


def name_database(settings: Settings) -> str:
    """The database that the settings name, in words that hold no password."""
    scheme, _, place = settings.database_url.partition("://")
    if scheme == "sqlite":
        return f"SQLite {place.removeprefix('/')}"
    return f"PostgreSQL {place.partition('?')[0].rpartition('@')[2]}"


def choose_clock(database: Database) -> Clock:
    """The server's time where machines share a database, else this machine's."""
    shared: Clock | None = getattr(database, "clock", None)
    return shared or SystemClock()


def choose_wakeup(database: Database, clock: Clock) -> Wakeup:
    """How workers on this database are woken; who asks for it closes it, before the database."""
    pool = getattr(database, "pool", None)
    if pool is None:
        return MemoryWakeup(clock)
    from specfactory.adapters.postgres_wakeup import PostgresWakeup

    return PostgresWakeup(pool, clock)


def choose_state(settings: Settings, clock: Clock) -> SharedState:
    """Where limits, breakers and live events are shared: this process, or Redis."""
    url = settings.state_url
    if not url:
        return MemoryState(clock)
    if not url.startswith(("redis://", "rediss://", "unix://")):
        scheme, found, _ = url.partition("://")
        given = f"{scheme}://…" if found else "…"  # the rest may hold a password
        raise SettingError("state_url", given, STATE_FORMS)
    return _redis(settings, clock)


def name_state(settings: Settings) -> str:
    """Where limits are shared, in words that hold no password."""
    if not settings.state_url:
        return "this process"
    place = settings.state_url.partition("://")[2].partition("?")[0]
    return f"Redis {place.rpartition('@')[2]}"


def choose_browser(
    settings: Settings, policy: GatePolicy, trusts_proxy: Callable[[str], bool]
) -> tuple[BrowserFetcher | None, str]:
    """The browser that is installed here; or None, and why there is none to be used."""
    executable, why_none = look_for_browser(settings)
    if why_none:
        return None, why_none
    from specfactory.adapters.browser_fetcher import BrowserFetcher

    return BrowserFetcher(policy, settings.browser, executable, trusts_proxy=trusts_proxy), ""


def look_for_browser(settings: Settings) -> tuple[str, str]:
    """The path of the browser, and why there is none to be used."""
    if not settings.browser.enabled:
        return "", "browser.enabled is off"
    if importlib.util.find_spec("playwright") is None:
        return "", "the package playwright is not installed"
    from specfactory.adapters.browser_pool import find_browser

    if executable := find_browser(settings.browser):
        return executable, ""
    return "", "browser.executable cannot be run" if settings.browser.executable else NO_BROWSER


async def look_at_state(settings: Settings) -> tuple[int, str]:
    """How many processes share the limits now, and what is wrong with Redis ("": nothing)."""
    state = choose_state(settings, SystemClock())
    try:
        look = getattr(state, "look", None)
        return (await look()).processes - 1 if look else 0, ""
    except Exception as problem:  # the client has many, and none may stop a look
        return 0, " ".join(str(problem).split()) or type(problem).__name__
    finally:
        await state.close()


def _redis(settings: Settings, clock: Clock) -> SharedState:
    """Imported only where it is used: its client is an extra."""
    try:
        from specfactory.adapters.guarded_state import GuardedState
    except ModuleNotFoundError as missing:
        if missing.name != "redis":
            raise
        raise UsageError(
            "Redis needs the package redis; install it with: pip install 'specfactory[redis]'"
        ) from None
    try:
        return GuardedState(settings.state_url, name_state(settings), clock)
    except ValueError:  # its message may hold the password
        raise SettingError("state_url", "another form", STATE_FORMS) from None


def _postgres(url: str) -> Database:
    """Imported only where it is used: its driver is an extra."""
    try:
        from specfactory.adapters.postgres_database import PostgresDatabase
    except ModuleNotFoundError as missing:
        if missing.name != "asyncpg":
            raise
        raise UsageError(
            "PostgreSQL needs the package asyncpg; install it with: "
            "pip install 'specfactory[postgres]'"
        ) from None
    return PostgresDatabase(url)


def _workbench(
    settings: Settings,
    clock: Clock,
    random: Random,
    database: Database,
    state: SharedState,
    wakeup: Wakeup,
    ways: Ways,
    web: Search | None,
) -> Workbench:
    cares = HostCares(database, clock)
    logins = read_logins(settings.fetch.logins, os.environ)
    station = FetchStation(
        ways, state, clock, settings.fetch, random, care_of=cares.of, logins=logins
    )
    cares.before_probe = station.give_chance
    healings = Healings(database)
    searches: list[Search] = [SiteSearch(station.fetch_support), Sitemaps(station.fetch_support)]
    if web is not None:
        searches.append(web)
    return Workbench(
        settings,
        clock,
        random,
        database,
        state,
        station,
        tuple(searches),
        Products(database),
        Attempts(database),
        Pages(database),
        Readings(database),
        Records(database),
        Reviews(database),
        Yields(database),
        Goldens(database),
        Outbox(database),
        Contracts(database),
        Jobs(database),
        Runs(database),
        Workers(database),
        wakeup,
        Templates(database),
        TemplateWatch(database),
        Visits(database),
        PageReadings(database),
        cares,
        healings,
        Ward(healings),
        FactoryHealth(database, clock, state),
    )


def rotators(bench: Workbench, say: Callable[[str], None]) -> tuple[Coroutine[Any, Any, None], ...]:
    """What keeps a rotator answering, where the settings say how it is started."""
    if bench.proxies is None or not bench.settings.proxy.rotator_command:
        return ()
    return (rotator_process(bench.settings, bench.proxies, bench.clock, say).run(),)


def choose_models(settings: Settings, clock: Clock | None = None) -> tuple[LanguageModel, ...]:
    """The language models that the settings name, the cheap one first; none without an endpoint."""
    given = settings.model
    if not given.endpoint:
        return ()
    if not given.name:
        raise SettingError("model.name", "", "the name of a model at model.endpoint")
    from specfactory.adapters.openai_model import OpenAiModel

    seats = [(given.endpoint, given.name, given.api_key_env)]
    if given.second_name:
        endpoint = given.second_endpoint or given.endpoint
        own = given.second_api_key_env or ("" if given.second_endpoint else given.api_key_env)
        seats.append((endpoint, given.second_name, own))
    return tuple(
        OpenAiModel(
            endpoint, name, api_key=os.environ.get(variable, "") if variable else "",
            timeout_seconds=given.timeout_seconds, clock=clock,
        )
        for endpoint, name, variable in seats
    )  # fmt: skip


def endpoint_fetcher(url: str) -> HttpFetcher:
    """A fetcher for one endpoint that the operator named: trusted exactly as written."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return HttpFetcher(GatePolicy(trusted=frozenset({(parts.hostname or "", port)})))
