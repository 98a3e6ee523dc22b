"""Opens what proxies need: the pool, its upkeep, a rotator."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

from specfactory.adapters.http import HttpFetcher, ProxyChecker, RotatorProcess
from specfactory.errors import SettingError
from specfactory.fetch.addresses import GatePolicy, Target, parse_url, policy_for_pages
from specfactory.fetch.proxies import ProxyPool
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.bench import LIVE_TXT, ProxyDesk, named_proxies, uses_proxies
from specfactory.ports import Clock, Database, Fetcher, SharedState
from specfactory.settings import Settings
from specfactory.store.sites import Proxies


def open_pool(
    settings: Settings, database: Database, state: SharedState, clock: Clock, random: Random
) -> ProxyPool:
    """The pool of the proxies that the settings name; an empty one when they name none."""
    given = settings.proxy
    book = Proxies(database) if uses_proxies(given) else None
    named = named_proxies(given).proxies
    return ProxyPool(named, state, clock, random, rest_minutes=given.rest_minutes, book=book)


def open_desk(
    settings: Settings, pool: ProxyPool, fetcher: Fetcher, state: SharedState, clock: Clock
) -> ProxyDesk | None:
    """The upkeep of the pool; None where the settings name no proxies."""
    given = settings.proxy
    if not uses_proxies(given):
        return None
    policy = policy_for_pages(settings.fetch.allow_loopback)
    if given.check_url:  # else every proxy would be blamed for it
        _web_address("proxy.check_url", given.check_url)
    checker = ProxyChecker(
        fetcher, policy, pool.is_trusted, clock,
        check_url=given.check_url,
        check_seconds=given.check_seconds,
        user_agent=settings.fetch.user_agent,
    )  # fmt: skip
    lists = None
    if given.list_url:  # the operator named this host and port: trusted exactly as written
        target = _web_address("proxy.list_url", given.list_url)
        lists = HttpFetcher(GatePolicy(trusted=frozenset({(target.host, target.port)})))
    return ProxyDesk(given, pool, checker, lists, state, clock, policy)


def rotators(bench: Workbench, say: Callable[[str], None]) -> tuple[Coroutine[Any, Any, None], ...]:
    """Coroutines that keep a rotator answering, if the settings say how to start one."""
    given = bench.settings.proxy
    if bench.proxies is None or not given.rotator_command:
        return ()
    if not given.rotator_url:
        raise SettingError("proxy.rotator_url", "", "where the rotator of the command answers")
    live = Path(given.live_folder, LIVE_TXT)
    answers = bench.proxies.rotator_answers
    return (RotatorProcess(given.rotator_command, live, answers, bench.clock, say).run(),)


def _web_address(setting: str, url: str) -> Target:
    try:
        return parse_url(url)
    except ValueError as bad:  # the address may hold a key
        raise SettingError(setting, "…", f"a web address ({bad})") from None
