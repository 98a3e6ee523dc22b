"""Opens what fetches: HTTP, browser, proxies and searches, wired for the fetch station."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from random import Random

from specfactory.adapters.http import HttpFetcher
from specfactory.assembly.choices import choose_browser, choose_search, close_later
from specfactory.assembly.proxies import open_desk, open_pool
from specfactory.discover import Sitemaps, SiteSearch
from specfactory.fetch import FetchStation
from specfactory.fetch.addresses import policy_for_pages, read_logins
from specfactory.fetch.ladder import Ways
from specfactory.orchestrate.bench import Network
from specfactory.ports import Clock, Database, Readers, Search, SharedState
from specfactory.settings import Settings
from specfactory.store import HostPolicies


def open_network(
    settings: Settings,
    database: Database,
    state: SharedState,
    clock: Clock,
    random: Random,
    policies: HostPolicies,
    readers: Readers,
    opened: AsyncExitStack,
) -> Network:
    """Everything that fetches; closed with ``opened``."""
    pool = open_pool(settings, database, state, clock, random)
    policy = policy_for_pages(settings.fetch.allow_loopback)
    fetcher = close_later(opened, HttpFetcher(policy, trusts_proxy=pool.is_trusted))
    browser, why_none = choose_browser(settings, policy, pool.is_trusted)
    close_later(opened, browser)
    web = close_later(opened, choose_search(settings, clock))
    desk = close_later(opened, open_desk(settings, pool, fetcher, state, clock))
    slots = asyncio.Semaphore(settings.browser.pages_at_once)
    ways = Ways(fetcher, browser, settings.browser.timeout_seconds, why_none, pool, slots)
    logins = read_logins(settings.fetch.logins, os.environ)
    station = FetchStation(
        ways, state, clock, settings.fetch, random, readers, policies=policies, logins=logins
    )
    get = station.fetch_support
    own: tuple[Search, ...] = (SiteSearch(get, readers), Sitemaps(get, readers))
    return Network(station, (*own, web) if web else own, desk, browser)
