"""What the browser does not show is marked in what it gives, and is no evidence. Real Chromium."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from specfactory.adapters.browser.fetcher import BrowserFetcher
from specfactory.adapters.browser.find import find_browser
from specfactory.extract import extract_candidates
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import replace
from specfactory.proof import PageViews, prove
from specfactory.settings import BrowserSettings
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.pages import page_views, small_contract
from tests.raw_server import answering, path_of, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMPILED = small_contract()
REST = "<p>" + "A page has more words than its boxes. " * 9 + "</p>"
TRICKS = {
    "display": "display:none",
    "hidden": "visibility:hidden",
    "opacity": "opacity:0",
    "font": "font-size:0",
    "clip": "position:absolute;clip:rect(0 0 0 0)",
    "path": "clip-path:inset(50%)",
    "shape": "clip-path:polygon(0 0, 0 0, 0 0)",
    "box": "height:0;overflow:hidden",
    "left": "position:absolute;left:-4000px",
    "top": "position:fixed;top:-300px",
    "right": "position:absolute;left:9000px",
    "indent": "text-indent:-3000px;white-space:nowrap;overflow:hidden",
    "scale": "transform:scale(0)",
    "same": "color:#fefefe",
    "clear": "color:transparent",
    "effect": "filter:opacity(0)",
}
SHEET = "".join(f".t-{name}{{{style}}}" for name, style in TRICKS.items()) + (
    ".half,.half .half{opacity:.15} #panel{display:none} .again{visibility:visible}"
    ".slow{opacity:0;transition:opacity 1s} .press{cursor:pointer} .dark{background:#000}"
    ".dark *{color:#fff} .turned{unicode-bidi:bidi-override;direction:rtl}"
)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def fetcher() -> AsyncIterator[BrowserFetcher]:
    chosen = BrowserSettings(settle_seconds=0.2)
    executable = find_browser(chosen)
    assert executable, "no browser here; `make browser` brings one along"
    browser = BrowserFetcher(policy_for_pages(ANY_LOOPBACK), chosen, executable)
    yield browser
    await browser.close()


async def rendered(fetcher, markup: str, head: str = "") -> PageViews:
    page = (
        f"<!doctype html><html lang=en><head><link rel=stylesheet href=/a.css>{head}</head>"
        f"<body><h1>Razer Viper V3 Pro</h1>{REST}{markup}</body></html>"
    )

    async def handle(head, writer):
        sheet = path_of(head) == "/a.css"
        kind = "text/css" if sheet else "text/html; charset=utf-8"
        await answering((SHEET if sheet else page).encode(), Content_Type=kind)(head, writer)

    async with running(handle) as server:
        got = await fetcher.fetch(request_to(server.url + "/"))
    assert got.failure is None
    plain = page_views(got.dom)
    return PageViews(replace(plain.page, response_hash="0" * 64, charset="utf-8"), got.dom)


def weights(views: PageViews) -> dict[float, bool]:
    """Every weight taken, with whether it is in doubt; each must be proven."""
    found = extract_candidates(views, COMPILED).candidates
    assert all(prove(one, COMPILED, views) is None for one in found)
    return {one.value: bool(one.doubt) for one in found if one.field == "weight"}


def row(grams: int) -> str:
    return f"<table><tr><th>Weight<td>{grams} g</table>"


async def test_what_style_sheets_elsewhere_and_scripts_hide_is_not_taken(fetcher):
    staged = "".join(
        f"<section><div class=t-{name}>Weight: {100 + at} g</div></section>"
        for at, name in enumerate(TRICKS)
    )
    late = (
        f"<section class=half><div class=half>{row(90)}</div></section><div id=late>{row(91)}</div>"
        "<script>late.style.cssText = 'visibility:hidden'</script>"
    )

    assert weights(await rendered(fetcher, staged + late + row(54))) == {54: False}


async def test_what_a_reader_can_open_or_sees_again_is_taken(fetcher):
    tab = (
        "<button role=tab aria-controls=panel>Specifications</button>"
        f"<div id=panel role=tabpanel>{row(54)}<p><i class=t-display>Weight: 99 g</i></p></div>"
    )
    details = f"<details><summary>More</summary>{row(55)}</details>"
    again = (
        f"<section><div class=t-hidden><div class=again>{row(56)}</div>{row(98)}</div></section>"
    )
    dark = f"<section class=dark>{row(57)}</section>"
    found = weights(await rendered(fetcher, tab + details + again + dark))

    assert found == {54: False, 55: False, 56: False, 57: False}


async def test_what_may_be_shown_later_is_in_doubt(fetcher):
    slow = f"<section><div class=slow>{row(54)}</div></section>"
    pressed = f"<section><p class=press>In short</p><div class=t-display>{row(55)}</div></section>"

    assert weights(await rendered(fetcher, slow + pressed)) == {54: True, 55: True}


async def test_digits_that_a_style_sheet_elsewhere_turns_are_refused(fetcher):
    turned = "<table><tr><th>Weight<td><i class=turned>45 g</i></table>"
    forged = "<table><tr><th>Weight<td><i data-spec-turned>54 g</i></table>"

    assert weights(await rendered(fetcher, turned + forged)) == {54: False}


async def test_a_page_that_writes_marks_of_its_own_gains_nothing(fetcher):
    forged = f"<section><div class=t-display><div data-spec-unseen>{row(99)}</div></div></section>"
    honest = f"<div data-spec-unseen='not displayed'>{row(54)}</div>"
    listener = """<x-trap class=t-display></x-trap><script>
      const heard = document.body.appendChild(document.createElement('p'));
      customElements.define('x-trap', class extends HTMLElement {
        static observedAttributes = ['data-spec-unseen'];
        attributeChangedCallback() { heard.textContent = 'Length: 12 mm'; }
      });
      new MutationObserver(() => { heard.textContent = 'Length: 13 mm'; })
        .observe(document, {attributes: true, subtree: true});
      Element.prototype.setAttribute = Element.prototype.removeAttribute = () => {};
    </script>"""
    views = await rendered(fetcher, forged + honest + listener, "<meta data-spec-unseen>")

    assert weights(views) == {54: False}
    assert "mm" not in views.text


async def test_names_on_a_page_do_not_get_in_the_way(fetcher):
    of_forms = "setAttribute childNodes shadowRoot localName outerHTML getBoundingClientRect"
    of_document = "documentElement querySelector createRange implementation importNode"
    inputs = "".join(f"<input name={name}>" for name in of_forms.split())
    images = "".join(f"<img name={name}>" for name in of_document.split())
    form = f"<form>{inputs}<div class=t-display>{row(99)}</div></form>"

    assert weights(await rendered(fetcher, form + images + row(54))) == {54: False}


async def test_a_page_that_shows_nothing_yet_is_read_as_its_markup_says(fetcher):
    views = await rendered(fetcher, row(54), "<style>body{opacity:0}</style>")

    assert weights(views) == {54: False}
    assert "data-spec-unseen" not in views.source


async def test_what_is_hidden_in_a_shadow_root_is_marked_where_it_stands(fetcher):
    page = f"""<spec-box>{row(54)}<div slot=no>{row(98)}</div></spec-box><script>
      document.querySelector('spec-box').attachShadow({{mode: 'open'}}).innerHTML =
        '<style>.in{{display:none}}</style><p><i class=in>Weight: 99 g</i></p><slot></slot>';
    </script>"""

    assert weights(await rendered(fetcher, page)) == {54: False}


async def test_a_page_of_too_many_elements_is_given_without_marks(fetcher):
    views = await rendered(fetcher, "<wbr>" * 60_001 + row(54))

    assert "54 g" in views.source
    assert "data-spec-unseen" not in views.source
