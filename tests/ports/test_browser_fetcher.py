"""The browser as a Fetcher: what a page becomes, and that it always ends. Real Chromium."""

import asyncio
import gzip
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from specfactory.adapters.browser.fetcher import BrowserFetcher
from specfactory.adapters.browser.find import find_browser
from specfactory.adapters.browser.page import CRASHED
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import Outcome, Rung
from specfactory.settings import BrowserSettings
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.proxy_server import ProxyServer
from tests.proxy_server import running as proxying
from tests.raw_server import PAGE, answering, path_of, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUICK = {"settle_seconds": 0.2, "pages_at_once": 4}


def made(**settings) -> BrowserFetcher:
    chosen = BrowserSettings(**{**QUICK, **settings})
    executable = find_browser(chosen)
    assert executable, "no browser here; `make browser` brings one along"
    return BrowserFetcher(policy_for_pages(ANY_LOOPBACK), chosen, executable)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def fetcher() -> AsyncIterator[BrowserFetcher]:
    browser = made()
    yield browser
    await browser.close()


def site(pages: dict[str, bytes | str], **headers: str):
    """A site of HTML pages; what it has not is a 404."""

    async def handle(head, writer):
        page = pages.get(path_of(head).partition("?")[0])
        body = page.encode() if isinstance(page, str) else page or b""
        status = "200 OK" if page is not None else "404 Not Found"
        await answering(body, status, Content_Type="text/html; charset=utf-8", **headers)(
            head, writer
        )

    return handle


def asked(server) -> list[str]:
    return [path_of(head) for head in server.requests]


SHELL = (
    "<!doctype html><title>Mouse</title><div id=root></div><noscript>Enable JavaScript</noscript>"
    "<img src=/a.png><link rel=stylesheet href=/a.css>"
    "<script>fetch('/api').then(r => r.text()).then(t => {"
    "document.getElementById('root').innerHTML = '<p>Weight: ' + t + '</p>'})</script>"
)


async def test_page_is_what_its_scripts_make_of_it_and_the_answer_is_kept_as_it_was(fetcher):
    async with running(site({"/m": SHELL, "/api": "54 g", "/a.css": ""}, ETag='"v1"')) as server:
        response = await fetcher.fetch(request_to(server.url + "/m#x", {"User-Agent": "Spec/1"}))

    assert (response.status, response.body, response.failure) == (200, SHELL.encode(), None)
    assert b"<p>Weight: 54 g</p>" in response.dom
    assert response.dom.startswith(b'<!DOCTYPE html><html data-spec-unseen="">')
    assert b"noscript" not in response.dom
    assert (response.headers["etag"], response.rung) == ('"v1"', Rung.BROWSER)
    assert response.final_url == server.url + "/m"
    assert {"ttfb", "download", "render"} <= set(response.timings_ms)
    assert sorted(asked(server)) == ["/a.css", "/api", "/m"]  # and no image
    assert all(b"User-Agent: Spec/1\r\n" in head for head in server.requests)


async def test_what_stands_in_open_shadow_roots_is_part_of_the_page(fetcher):
    page = """<spec-box><b slot=value>54 g</b></spec-box><script>
      const root = document.querySelector('spec-box').attachShadow({mode: 'open'});
      root.innerHTML = '<i>Weight</i> <slot name=value></slot>';</script>"""
    async with running(site({"/": page})) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert b'<i>Weight</i> <slot name="value"><b slot="value">54 g</b></slot>' in response.dom


async def test_page_in_another_charset_is_given_in_utf_8(fetcher):
    body = "<meta charset=iso-8859-1><p>Größe</p>".encode("latin-1")
    async with running(answering(body, Content_Type="text/html")) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.body == body
    assert "<p>Größe</p>" in response.dom.decode()


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r", "cp866", "iso8859-5", "shift_jis"])
async def test_page_that_is_not_what_it_declares_is_read_as_what_it_is(fetcher, codec):
    words = (
        "マウスの重さは54グラムで、色は黒です。"
        if codec == "shift_jis"
        else "Мышь весит 54 г, и не более."
    )
    body = f"<meta charset=utf-8><title>Mouse</title><p>{words}</p>".encode(codec)
    async with running(answering(body, Content_Type="text/html; charset=utf-8")) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.body == body
    assert f"<p>{words}</p>" in response.dom.decode()


@pytest.mark.parametrize("status", [430, 520, 999])
async def test_page_of_a_status_that_nobody_knows_is_opened_like_any(fetcher, status):
    page = answering(SHELL.encode(), f"{status} Odd", Content_Type="text/html")
    async with running(page) as server:
        got = await fetcher.fetch(request_to(server.url))

    assert (got.failure, got.status) == (None, status)


async def test_file_that_is_no_page_is_given_as_it_is(fetcher):
    pdf = b"%PDF-1.4\n" + bytes(range(256)) * 100
    async with running(answering(pdf, Content_Type="application/pdf")) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert (response.body, response.dom, response.failure) == (pdf, b"", None)


async def test_redirect_is_told_and_followed_only_as_far_as_asked(fetcher):
    async def handle(head, writer):
        if path_of(head) == "/old":
            await answering(b"", "301 Moved", Location="/new")(head, writer)
        else:
            await answering(PAGE, Content_Type="text/html")(head, writer)

    async with running(handle) as server:
        told = await fetcher.fetch(request_to(server.url + "/old", max_redirects=0))
        followed = await fetcher.fetch(request_to(server.url + "/old"))

    assert (told.status, told.headers["location"], told.dom) == (301, "/new", b"")
    assert asked(server) == ["/old", "/old", "/new"]
    assert followed.redirects == (server.url + "/new",)
    assert b"54 g" in followed.dom


async def test_page_whose_script_goes_elsewhere_is_told_as_a_redirect(fetcher):
    pages = {"/a": "<p>here</p><script>location.href = '/b'</script>", "/b": PAGE}
    async with running(site(pages)) as server:
        told = await fetcher.fetch(request_to(server.url + "/a", max_redirects=0))

    assert (told.status, told.headers["location"]) == (302, server.url + "/b")
    assert asked(server) == ["/a"]


async def test_cookies_of_a_redirect_are_told_with_it(fetcher):
    moved = answering(b"", "302 Found", Location="/b", Set_Cookie="seen=1; Path=/; HttpOnly")
    async with running(moved) as server:
        told = await fetcher.fetch(request_to(server.url, max_redirects=0))

    assert told.headers["set-cookie"] == "seen=1"


async def test_page_may_set_a_cookie_and_load_itself_again(fetcher):
    async def handle(head, writer):
        page = b"<p>Weight: 54 g</p>"
        if b"passed=1" not in head:
            page = b"<script>document.cookie = 'passed=1'; location.reload()</script>"
        await answering(page, Content_Type="text/html")(head, writer)

    async with running(handle) as server:
        first = await fetcher.fetch(request_to(server.url))
        second = await fetcher.fetch(request_to(server.url))

    assert b"54 g" in first.dom
    assert b"54 g" in second.dom
    assert len(server.requests) == 4  # nothing is kept from page to page


async def test_page_that_loads_itself_for_ever_is_stopped(fetcher):
    async with running(site({"/": "<p>again</p><script>location.reload()</script>"})) as server:
        response = await fetcher.fetch(request_to(server.url, timeout_seconds=10))

    assert b"again" in response.dom
    assert len(server.requests) <= 4


async def test_page_that_is_lost_when_it_loads_itself_again_is_no_error_page(fetcher):
    async def handle(head, writer):
        if len(server.requests) > 1:
            writer.close()
            return
        page = b"<p>54 g</p><script>location.reload()</script>"
        await answering(page, Content_Type="text/html")(head, writer)

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url, timeout_seconds=10))

    assert (response.failure, response.dom) == (Outcome.NETWORK_ERROR, b"")


async def test_page_that_asks_for_ever_gets_so_many_answers(fetcher):
    greedy = "<script>for (let n = 0; n < 500; n++) fetch('/x?' + n)</script><p>54 g</p>"
    async with running(site({"/": greedy, "/x": ""})) as server:
        browser = made(max_requests=20)
        response = await browser.fetch(request_to(server.url))
        await browser.close()

    assert b"54 g" in response.dom
    assert len(server.requests) <= 20


@pytest.mark.parametrize(
    "script",
    ["while (true);", "setTimeout(() => { while (true); }, 50)",
     "const spin = () => Promise.resolve().then(spin); spin()"],
)  # fmt: skip
async def test_page_that_holds_the_browser_is_ended_and_the_next_one_goes_on(fetcher, script):
    pages = {"/bad": f"<p>54 g</p><script>{script}</script>", "/good": PAGE}
    async with running(site(pages)) as server:
        began = asyncio.get_running_loop().time()
        bad = await fetcher.fetch(request_to(server.url + "/bad", timeout_seconds=3))
        took = asyncio.get_running_loop().time() - began
        good = await fetcher.fetch(request_to(server.url + "/good"))

    assert bad.failure is Outcome.TIMEOUT
    assert took < 12
    assert b"54 g" in good.dom


async def test_page_that_is_never_quiet_is_read_as_it_stands(fetcher):
    busy = (
        "<p>54 g</p><div id=n></div><script>setInterval(() => {"
        "document.getElementById('n').append(document.createElement('i')); fetch('/x')}, 50)"
        "</script>"
    )
    async with running(site({"/": busy, "/x": ""})) as server:
        response = await fetcher.fetch(request_to(server.url, timeout_seconds=8))

    assert response.failure is None
    assert b"<p>54 g</p>" in response.dom


async def test_server_that_does_not_answer_is_a_timeout(fetcher):
    async def handle(_, writer):
        await asyncio.sleep(20)

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url, timeout_seconds=1))

    assert (response.failure, response.status) == (Outcome.TIMEOUT, 0)


async def test_bomb_is_cut_before_the_browser_sees_it(fetcher):
    bomb = gzip.compress(b"<p>boom</p>" * 3_000_000, 9)
    async with running(
        answering(bomb, Content_Type="text/html", Content_Encoding="gzip")
    ) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.TOO_LARGE
    assert len(response.body) <= 10_000_000


async def test_page_that_grows_without_end_is_too_large(fetcher):
    growing = "<script>document.write('x'.repeat(3000000))</script>"
    async with running(site({"/": growing})) as server:
        response = await fetcher.fetch(request_to(server.url, max_bytes=1_000_000))

    assert (response.failure, response.dom) == (Outcome.TOO_LARGE, b"")


async def test_credentials_go_to_their_own_origin_only(fetcher):
    async with running(site({"/x": ""}, Access_Control_Allow_Origin="*")) as other:
        page = f"<script>fetch('{other.url}/x'); fetch('/own')</script><p>54 g</p>"
        async with running(site({"/": page, "/own": ""})) as server:
            headers = {"X-Api-Key": "s3cret", "Cookie": "session=t0ken"}
            await fetcher.fetch(request_to(server.url, headers))

    assert all(b"s3cret" in head and b"session=t0ken" in head for head in server.requests)
    assert len(server.requests) == 2
    assert b"s3cret" not in other.requests[0]


async def test_password_that_a_server_asks_for_is_not_given(fetcher):
    refusing = answering(b"<p>no</p>", "401 Unauthorized", WWW_Authenticate='Basic realm="x"')
    async with running(refusing) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.status == 401
    assert not any(b"uthorization:" in head for head in server.requests)


async def test_page_comes_through_a_proxy_when_asked_to(fetcher):
    shop = site({"/": SHELL, "/api": "54 g"})
    async with proxying(ProxyServer(user="u", password="s3cret")) as proxy, running(shop) as server:
        response = await fetcher.fetch(request_to(server.url, proxy=proxy.url))

    assert b"Weight: 54 g" in response.dom
    assert (response.rung, response.proxy) == (Rung.BROWSER_PROXY, proxy.place)
    assert len(proxy.asked) == len(server.requests) == 3
    assert "s3cret" not in repr(response)


async def test_thirty_pages_leave_nothing_behind(fetcher):
    async with running(site({"/": SHELL, "/api": "54 g"})) as server:
        await fetcher.fetch(request_to(server.url))
        before = len(await processes(fetcher))
        urls = [f"{server.url}/?{number}" for number in range(30)]
        requests = [request_to(url, timeout_seconds=200.0) for url in urls]
        responses = await asyncio.gather(*map(fetcher.fetch, requests))
        after = await settled(fetcher, before + 1)

    assert all(b"54 g" in response.dom for response in responses)
    assert after <= before + 1  # Chromium keeps one renderer in reserve
    assert browser_of(fetcher).browser.contexts == []


async def test_browser_that_dies_is_told_and_started_again():
    hanging = "<p>54 g</p><script>setInterval(() => fetch('/x'), 20)</script>"
    browser = made()
    async with running(site({"/": hanging, "/x": "", "/good": PAGE})) as server:
        fetching = asyncio.ensure_future(browser.fetch(request_to(server.url)))
        await until(lambda: len(server.requests) > 2)
        browser_of(browser).kill()
        crashed = await asyncio.wait_for(fetching, 30)
        good = await browser.fetch(request_to(server.url + "/good"))
    await browser.close()

    assert crashed.failure is Outcome.NETWORK_ERROR
    assert CRASHED in crashed.failure_detail
    assert b"54 g" in good.dom
    assert browser.pool.started == 2


async def test_page_whose_process_dies_is_told_as_a_crash_and_the_browser_goes_on():
    hanging = "<p>54 g</p><script>setInterval(() => fetch('/x'), 20)</script>"
    browser = made()
    async with running(site({"/": hanging, "/x": "", "/good": PAGE})) as server:
        fetching = asyncio.ensure_future(browser.fetch(request_to(server.url)))
        await until(lambda: len(server.requests) > 2)
        for pid in await processes(browser, "renderer"):
            os.kill(pid, 9)
        crashed = await asyncio.wait_for(fetching, 30)
        good = await browser.fetch(request_to(server.url + "/good"))
    await browser.close()

    assert (crashed.failure, crashed.failure_detail) == (Outcome.NETWORK_ERROR, CRASHED)
    assert b"54 g" in good.dom
    assert browser.pool.started == 1


@pytest.mark.parametrize("settings", [{"recycle_pages": 2}, {"recycle_megabytes": 10}])
async def test_browser_is_started_anew_after_so_many_pages_or_megabytes(settings, monkeypatch):
    # on a busy machine a page is weighed while it loads: one of this browser's size goes on
    monkeypatch.setattr("specfactory.adapters.browser.page.HARD_MEMORY_FACTOR", 1_000)
    browser = made(**settings)
    async with running(site({"/": PAGE})) as server:
        first = await browser.fetch(request_to(server.url))
        for _ in range(3):
            await browser.fetch(request_to(server.url))
    await browser.close()

    assert first.failure is None
    assert browser.pool.started == (2 if "recycle_pages" in settings else 4)


async def test_page_that_eats_memory_is_ended():
    eating = (
        "<script>const eaten = []; setInterval(() => {"
        "eaten.push(new Uint8Array(2e7).fill(7)); fetch('/x')}, 5)</script>"
    )
    browser = made(recycle_megabytes=300)
    async with running(site({"/": eating, "/x": "", "/good": PAGE})) as server:
        bad = await browser.fetch(request_to(server.url, timeout_seconds=20))
        good = await browser.fetch(request_to(server.url + "/good"))
    await browser.close()

    assert (bad.failure, CRASHED in bad.failure_detail) == (Outcome.NETWORK_ERROR, True)
    assert "600 MB" in bad.failure_detail
    assert b"54 g" in good.dom


async def test_closing_ends_every_process_and_is_harmless_twice():
    browser = made()
    async with running(site({"/": PAGE})) as server:
        await browser.fetch(request_to(server.url))
    pids = await processes(browser)
    await browser.close()
    await browser.close()

    assert len(pids) >= 3
    await until(lambda: not any(map(is_alive, pids)))


async def test_cancelled_fetch_leaves_the_browser_usable(fetcher):
    async def handle(head, writer):
        if path_of(head) == "/slow":
            await asyncio.sleep(20)
        await answering(PAGE, Content_Type="text/html")(head, writer)

    async with running(handle) as server:
        fetching = asyncio.ensure_future(fetcher.fetch(request_to(server.url + "/slow")))
        await until(lambda: server.requests)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
        good = await fetcher.fetch(request_to(server.url + "/"))

    assert b"54 g" in good.dom
    assert browser_of(fetcher).browser.contexts == []


def browser_of(fetcher):
    (running_one,) = fetcher.pool._all
    return running_one


async def processes(fetcher, kind="") -> list[int]:
    found = await browser_of(fetcher).session.send("SystemInfo.getProcessInfo")
    return [each["id"] for each in found["processInfo"] if kind in each["type"]]


async def settled(fetcher, most: int) -> int:
    """How many processes there are when those of closed pages have ended."""
    for _ in range(100):
        if (count := len(await processes(fetcher))) <= most:
            return count
        await asyncio.sleep(0.05)
    return count


async def until(condition) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110  # of another process, which sets no event
            await asyncio.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")
