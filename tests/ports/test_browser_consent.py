"""Consent walls are refused where that is possible, and left alone where nothing is covered."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from specfactory.adapters.browser.fetcher import BrowserFetcher
from specfactory.adapters.browser.find import find_browser
from specfactory.fetch.addresses import policy_for_pages
from specfactory.fetch.outcomes.classification import classify
from specfactory.fetch.snapshots import as_read
from specfactory.model import FetchResponse, Outcome
from specfactory.settings import BrowserSettings
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.raw_server import answering, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

WORDS = "<p>A mouse of 54 g for quick hands, with much to say of it.</p>" * 100
PRESSED = "onclick=\"document.body.dataset.pressed += this.id; this.closest('.wall').remove()\""
ALL_OVER = "style='position:fixed;inset:0;background:white;z-index:9'"
STRIP = "style='position:fixed;bottom:0;left:0;right:0;height:60px'"
RELOADS = (
    "<script>const chosen = document.cookie.includes('chosen=');"
    "function choose(what) {{ document.cookie = 'chosen=' + what; location.reload(); }}"
    "if (chosen) document.write(document.cookie + `{words}`);"
    "else document.write(`<h1>Before you continue</h1><p>We and our partners store cookies.</p>"
    "<button onclick=choose('all')>Accept all</button>"
    "<a href=/settings>Reject in our settings</a>"
    "<button onclick=choose('none')>Reject all</button>`)</script>"
)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browsers() -> AsyncIterator[dict[bool, BrowserFetcher]]:
    """One that only refuses, and one that accepts where it must."""
    made = {accept: _made(accept) for accept in (False, True)}
    yield made
    for browser in made.values():
        await browser.close()


def _made(accept: bool) -> BrowserFetcher:
    settings = BrowserSettings(settle_seconds=0.3, accept_consent=accept)
    executable = find_browser(settings)
    assert executable, "no browser here; `make browser` brings one along"
    return BrowserFetcher(policy_for_pages(ANY_LOOPBACK), settings, executable)


async def seen(browser: BrowserFetcher, page: str) -> FetchResponse:
    body = f"<!doctype html><meta charset=utf-8><title>Mouse</title>{page}".encode()
    async with running(answering(body, Content_Type="text/html")) as server:
        return await browser.fetch(request_to(server.url))


def wall(
    buttons: str, words: str = "We use cookies", marks: str = "", place: str = ALL_OVER
) -> str:
    return (
        f"<body data-pressed=''><div class=wall {marks} {place}><p>{words}</p>{buttons}</div>"
        f"{WORDS}</body>"
    )


def button(text: str, name: str) -> str:
    return f"<button id={name} {PRESSED}>{text}</button>"


def pressed(response: FetchResponse) -> str:
    dom = response.dom.decode()
    return dom.partition('data-pressed="')[2].partition('"')[0]


async def test_page_behind_a_wall_is_read_after_the_refusing_button_was_pressed(browsers):
    response = await seen(browsers[False], RELOADS.format(words=WORDS))

    assert classify(as_read(response))[0] is Outcome.OK
    assert b"chosen=none" in response.dom
    assert b"54 g" in response.dom


@pytest.mark.parametrize(
    ("words", "accept", "refuse"),
    [
        ("We use cookies", "Accept all", "Reject all"),
        ("Wir verwenden Cookies", "Alle akzeptieren", "Nur notwendige Cookies"),
        ("Le respect de votre vie privée", "Tout accepter", "Continuer sans accepter"),
        ("Tu privacidad", "Aceptar", "Rechazar todo"),
        ("Мы используем куки", "Принять все", "Отклонить все"),
        ("当サイトはクッキーを使用", "同意する", "すべて拒否"),
        ("我们重视您的隐私", "接受", "全部拒绝"),
    ],
)
async def test_refusing_button_is_known_in_many_languages(browsers, words, accept, refuse):
    page = wall(button(accept, "yes") + button(refuse, "no"), words, "role=dialog")
    assert pressed(await seen(browsers[False], page)) == "no"


async def test_button_of_a_known_maker_is_pressed_in_a_shadow_root_too(browsers):
    page = f"""<body data-pressed=''><div id=tool></div>{WORDS}<script>
      const root = document.getElementById('tool').attachShadow({{mode: 'open'}});
      root.innerHTML = `<div {ALL_OVER}><button data-testid=uc-deny-all-button>×</button></div>`;
      root.querySelector('button').onclick = () => {{ document.body.dataset.pressed = 'no'; }};
      </script></body>"""
    assert pressed(await seen(browsers[False], page)) == "no"


async def test_wall_that_cannot_be_refused_is_accepted_only_where_that_is_allowed(browsers):
    page = wall(button("Accept all", "yes"))

    assert pressed(await seen(browsers[False], page)) == ""
    assert pressed(await seen(browsers[True], page)) == "yes"


@pytest.mark.parametrize(
    "page",
    [
        wall(button("Reject all", "no"), place=STRIP),
        wall(button("Reject all", "no"), words="Join our chess club", marks="role=dialog"),
        wall("<a id=no href=/away>Reject all cookies</a>"),
        wall(button("Rejected goods are sent back at our cost, read more about it there", "no")),
        wall(button("Reject all", "no"), marks="hidden", place=""),
    ],
    ids=["a strip", "about something else", "a link", "a sentence", "not shown"],
)
async def test_what_covers_nothing_or_is_no_wall_is_left_alone(browsers, page):
    assert pressed(await seen(browsers[False], page)) == ""
