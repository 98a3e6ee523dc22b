"""What is no browser is found out once and blamed on nobody; a browser that runs is never lost."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from specfactory.adapters.browser import pool as browser_pool
from specfactory.adapters.browser.fetcher import BrowserFetcher
from specfactory.adapters.browser.find import find_browser, why_no_browser
from specfactory.adapters.browser.pool import REST_SECONDS, BrowserPool
from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.adapters.memory.clock import SystemClock
from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch import FetchStation
from specfactory.fetch.addresses import policy_for_pages
from specfactory.fetch.ladder.ways import Ways
from specfactory.heal import diagnose
from specfactory.model import HostCare, Outcome, Page, Rung, Tier, Visit
from specfactory.settings import BrowserSettings, FetchSettings, HealSettings
from specfactory.testing import ANY_LOOPBACK, DirectReaders
from tests.fetch_requests import request_to
from tests.raw_server import answering, running

LOOSE = policy_for_pages(ANY_LOOPBACK)
SHELL = (
    "<title>Mouse</title><div id=root></div><script>document.getElementById('root').innerHTML ="
    " '<h1>Mouse</h1>' + '<p>Weight: 54 g, and much more to say of it.</p>'.repeat(100)</script>"
)


def script(folder: Path, text: str) -> str:
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def real_browser() -> str:
    executable = find_browser(BrowserSettings())
    assert executable, "no browser here; `make browser` brings one along"
    return executable


def serving():
    return running(answering(SHELL.encode(), Content_Type="text/html"))


class Offset(SystemClock):
    """The time of the system, and what a test adds to it."""

    added = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.added


@asynccontextmanager
async def station(
    executable: str, clock: SystemClock | None = None, **given: object
) -> AsyncIterator[tuple[FetchStation, BrowserFetcher]]:
    """A station with real ways to the network, whose browser is what the settings name."""
    clock = clock or SystemClock()
    browsing = BrowserSettings(executable=executable, settle_seconds=0.1, **given)  # type: ignore[arg-type]
    settings = FetchSettings(
        allow_loopback=ANY_LOOPBACK, respect_robots=False, host_delay_seconds=0.4, latency_factor=0
    )
    browser = BrowserFetcher(LOOSE, browsing, executable, clock=clock)
    http = HttpFetcher(LOOSE)
    places = asyncio.Semaphore(browsing.pages_at_once)
    ways = Ways(http, browser, 45.0, "", None, places)
    try:
        yield (
            FetchStation(ways, MemoryState(clock), clock, settings, Random(1), DirectReaders()),
            browser,
        )
    finally:
        await browser.close()
        await http.close()


async def test_browser_says_its_version_and_other_things_are_told_for_what_they_are(tmp_path):
    assert await why_no_browser(real_browser()) == ""
    assert (await why_no_browser("/bin/true")).startswith("is no Chromium: it says 'true (")
    assert await why_no_browser(str(tmp_path / "nowhere")) == (
        "cannot be run: No such file or directory"
    )
    failing = script(tmp_path, "echo; echo please install the browser; exit 1")
    assert await why_no_browser(failing) == (
        "ends with 1 when asked for its version: it says 'please install the browser'"
    )
    assert await why_no_browser(script(tmp_path, "exit 0")) == (
        "is no Chromium: it does not say its version"
    )


async def test_what_never_answers_or_never_ends_is_no_browser_and_leaves_nothing_behind(tmp_path):
    pids = tmp_path / "pids"
    silent = script(tmp_path, f"sleep 1000 & echo $! > {pids}; wait")
    assert await why_no_browser(silent, 0.3) == "does not say its version within 0.3 s"
    assert _is_dead(pids)

    endless = script(tmp_path, "while :; do echo no; done")
    assert await why_no_browser(endless) == "is no Chromium: it says 'no'"


def _is_dead(pids: Path) -> bool:
    """Gone, or killed though nobody has asked yet how it ended."""
    try:
        status = Path(f"/proc/{int(pids.read_text())}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("named", ["/bin/true", "script"])
async def test_page_that_needs_what_is_no_browser_says_so_and_the_host_is_not_blamed(
    tmp_path, named
):
    count = tmp_path / "count"
    executable = script(tmp_path, f"echo x >> {count}; exit 1") if named == "script" else named
    async with serving() as server, station(executable) as (desk, browser):
        urls = [f"{server.url}/{number}" for number in range(5)]
        pages = [(await desk.fetch_page(url, Tier.RETAILER)).page for url in urls]
        direct = await browser.fetch(request_to(server.url))

    assert {(page.outcome, page.rung) for page in pages} == {(Outcome.JS_REQUIRED, Rung.HTTP)}
    for page in pages:
        said = f"a browser might help, but it cannot be used: browser.executable ({executable})"
        assert said in page.outcome_evidence
    assert (direct.failure, direct.status) == (Outcome.JS_REQUIRED, 0)
    assert executable in direct.failure_detail
    assert len(server.requests) == 5  # nothing was asked for twice
    if named == "script":
        assert count.read_text() == "x\n"  # and it was tried once, not once a page
    visits = [visited(page) for page in reversed(pages)]
    assert diagnose(visits, HostCare(), HealSettings()) is None


async def test_browser_that_says_its_version_and_does_not_start_is_tried_again_after_a_rest(
    tmp_path,
):
    count = tmp_path / "count"
    liar = f'case "$1" in --version) echo Chromium 1.2.3.4;; *) echo x >> {count}; exit 3;; esac'
    executable = script(tmp_path, liar)
    clock = Offset()
    async with serving() as server, station(executable, clock) as (desk, browser):
        first = (await desk.fetch_page(server.url, Tier.RETAILER)).page
        tries = count.read_text()
        await desk.fetch_page(server.url + "/2", Tier.RETAILER)
        assert count.read_text() == tries
        clock.added = REST_SECONDS
        assert browser.trouble == ""

        script(tmp_path, f'exec {real_browser()} "$@"')  # it was mended
        mended = (await desk.fetch_page(server.url + "/3", Tier.RETAILER)).page

    assert f"browser.executable ({executable}) does not start" in first.outcome_evidence
    assert (mended.outcome, mended.rung) == (Outcome.OK, Rung.BROWSER)


async def test_browser_whose_session_fails_is_closed(monkeypatch):
    pool = BrowserPool(BrowserSettings(), real_browser())
    opened = []
    launch = pool._open

    async def without_session(proxy: str, *, sandbox: bool):
        browser = await launch(proxy, sandbox=sandbox)
        opened.append(browser)

        async def fail():
            raise RuntimeError("no session")

        monkeypatch.setattr(browser, "new_browser_cdp_session", fail)
        return browser

    monkeypatch.setattr(pool, "_open", without_session)
    assert "does not start: no session" in await pool.prepare("http://127.0.0.1:9")

    assert len(opened) == 2
    assert not any(browser.is_connected() for browser in opened)
    await pool.close()


def visited(page: Page) -> Visit:
    return Visit(
        page.host, page.url, page.fetched_at, page.outcome, page.outcome_evidence, page.status,
        page.rung, cause=page.cause,
    )  # fmt: skip


async def test_browser_whose_sandbox_has_no_room_here_runs_without_it_and_that_is_said(
    tmp_path, monkeypatch, caplog
):
    allowed = f'*--no-sandbox*|*--version*) exec {real_browser()} "$@"'
    refusing = script(
        tmp_path, f'case "$*" in {allowed};; esac; echo No usable sandbox! >&2; exit 1'
    )
    monkeypatch.setattr(browser_pool, "is_root", lambda: False)
    # A library that sets up logging in the same process may have switched ours off.
    monkeypatch.setattr(logging.getLogger("specfactory.browser"), "disabled", False)
    pool = BrowserPool(BrowserSettings(), refusing)
    try:
        assert await pool.prepare("http://127.0.0.1:9") == ""
        await pool.restart()
        assert await pool.prepare("http://127.0.0.1:9") == ""
    finally:
        await pool.close()

    assert [record.message for record in caplog.records] == [browser_pool.WITHOUT_SANDBOX]
