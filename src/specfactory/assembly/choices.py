"""Chooses adapters by the settings: database, shared state, browser, models, search."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from specfactory.adapters.memory import MemoryState, MemoryWakeup, SystemClock
from specfactory.adapters.readers import ReaderPool
from specfactory.adapters.sqlite import SqliteDatabase
from specfactory.errors import SettingError, UsageError
from specfactory.fetch.politeness import BreakerRule
from specfactory.ports import Clock, Closes, Database, LanguageModel, Readers, SharedState, Wakeup
from specfactory.redaction import HIDDEN

if TYPE_CHECKING:
    from specfactory.adapters.browser import BrowserFetcher
    from specfactory.adapters.http import HttpFetcher, JsonSearch
    from specfactory.fetch import GatePolicy
from specfactory.settings import Settings

_Closing = TypeVar("_Closing", bound=Closes | None)

SQLITE_FORM = "sqlite:///path/to/file.db"
POSTGRES_FORM = "postgresql://user:password@host:port/database"
STATE_FORMS = "redis://:password@host:port/0, rediss://… (TLS), unix:///path/to/socket, or empty"


def close_later(opened: AsyncExitStack, closing: _Closing) -> _Closing:
    """Close it on leaving, before what was opened earlier; None where there is nothing to close."""
    if closing is not None:
        opened.push_async_callback(closing.close)
    return closing


def choose_database(settings: Settings) -> Database:
    """The database that the settings name."""
    url = settings.database_url
    if url.startswith("sqlite:"):
        return SqliteDatabase(url)
    if url.startswith(("postgresql:", "postgres:")):
        with _extra("PostgreSQL", "asyncpg", "postgres"):
            from specfactory.adapters.postgres import PostgresDatabase
        return PostgresDatabase(url)
    raise SettingError("database_url", HIDDEN, f"{SQLITE_FORM} or {POSTGRES_FORM}")


def choose_readers(settings: Settings) -> Readers:
    """The processes that read pages; each is started when it is first needed."""
    return ReaderPool(settings.readers)


def heartbeat_database(settings: Settings) -> Callable[[], Database] | None:
    """Opens a worker's second database, for its heartbeat; None where there can be only one."""
    if settings.database_url.endswith(":memory:"):
        return None
    return lambda: choose_database(settings)


def name_database(settings: Settings) -> str:
    """The database of the settings, described without its password."""
    scheme, _, place = settings.database_url.partition("://")
    if scheme == "sqlite":
        return f"SQLite {place.removeprefix('/')}"
    return f"PostgreSQL {place.partition('?')[0].rpartition('@')[2]}"


def choose_clock(database: Database) -> Clock:
    """The server's time where machines share a database, else this machine's."""
    shared: Clock | None = getattr(database, "clock", None)
    return shared or SystemClock()


def choose_wakeup(database: Database, clock: Clock) -> Wakeup:
    """The Wakeup for workers on this database; close it before the database."""
    pool = getattr(database, "pool", None)
    if pool is None:
        return MemoryWakeup(clock)
    from specfactory.adapters.postgres import PostgresWakeup

    return PostgresWakeup(pool, clock)


def choose_state(settings: Settings, clock: Clock) -> SharedState:
    """The shared state for limits, breakers and live events: this process, or Redis."""
    url = settings.state_url
    breaker = BreakerRule.of(settings.fetch)
    if not url:
        return MemoryState(clock, breaker)
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise SettingError("state_url", HIDDEN, STATE_FORMS)
    with _extra("Redis", "redis", "redis"):
        from specfactory.adapters.redis import GuardedState
    try:
        return GuardedState(url, name_state(settings), clock, breaker)
    except ValueError:  # its message may hold the password
        raise SettingError("state_url", "another form", STATE_FORMS) from None


def name_state(settings: Settings) -> str:
    """The shared state, described without its password."""
    if not settings.state_url:
        return "this process"
    place = settings.state_url.partition("://")[2].partition("?")[0]
    return f"Redis {place.rpartition('@')[2]}"


def choose_browser(
    settings: Settings, policy: GatePolicy, trusts_proxy: Callable[[str], bool]
) -> tuple[BrowserFetcher | None, str]:
    """The installed browser; or None, and why none can be used."""
    from specfactory.fetch.ladder import UNUSABLE

    executable, why_none = look_for_browser(settings)
    if why_none:
        return None, f"{UNUSABLE}{why_none}" if settings.browser.executable else why_none
    from specfactory.adapters.browser import BrowserFetcher

    return BrowserFetcher(policy, settings.browser, executable, trusts_proxy=trusts_proxy), ""


def look_for_browser(settings: Settings) -> tuple[str, str]:
    """The path of the browser, and why none can be used."""
    if not settings.browser.enabled:
        return "", "browser.enabled is off"
    if importlib.util.find_spec("playwright") is None:
        return "", "the package playwright is not installed"
    from specfactory.adapters.browser import find_browser
    from specfactory.fetch.ladder import NO_BROWSER

    if executable := find_browser(settings.browser):
        return executable, ""
    if named := settings.browser.executable:
        return "", f"browser.executable ({named}) cannot be run"
    return "", NO_BROWSER


async def examine_browser(settings: Settings) -> tuple[str, str, str]:
    """The browser as it would be used, or "" and why there is none; and why without sandbox."""
    executable, why_none = look_for_browser(settings)
    if why_none:
        return "", why_none, ""
    from specfactory.adapters.browser import (
        name_browser,
        usable_browser,
        why_no_browser,
        why_no_sandbox,
    )

    if usable := await usable_browser(settings.browser):
        return usable, "", why_no_sandbox()
    why_none = f"{name_browser(settings.browser, executable)} {await why_no_browser(executable)}"
    return "", why_none, ""


async def look_at_state(settings: Settings) -> tuple[int, str]:
    """Number of other processes that share the limits, and Redis's problem ("": none)."""
    state = choose_state(settings, SystemClock())
    try:
        look = getattr(state, "look", None)
        return (await look()).processes - 1 if look else 0, ""
    except Exception as problem:  # the client raises many kinds; none may stop the check
        return 0, " ".join(str(problem).split()) or type(problem).__name__
    finally:
        await state.close()


def choose_search(settings: Settings, clock: Clock) -> JsonSearch | None:
    """The web search that the settings name."""
    if not settings.search.web_url:
        return None
    from specfactory.adapters.http import JsonSearch  # loaded where it is used

    return JsonSearch(settings.search.web_url, clock=clock)


def choose_models(settings: Settings, clock: Clock) -> tuple[LanguageModel, ...]:
    """The language models that the settings name, the cheap one first; none without an endpoint."""
    given = settings.model
    if not given.endpoint:
        return ()
    if not given.name:
        raise SettingError("model.name", "", "the name of a model at model.endpoint")
    from specfactory.adapters.http import OpenAiModel

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
    from specfactory.adapters.http import HttpFetcher
    from specfactory.fetch import GatePolicy

    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return HttpFetcher(GatePolicy(trusted=frozenset({(parts.hostname or "", port)})))


@contextmanager
def _extra(product: str, package: str, extra: str) -> Iterator[None]:
    """Import a client only where it is used: its package is an extra."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        advice = f"install it with: pip install 'specfactory[{extra}]'"
        raise UsageError(f"{product} needs the package {package}; {advice}") from None
