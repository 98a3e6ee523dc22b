"""How fetches end, and why we say so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.fetch import classify
from specfactory.model import FetchResponse, Outcome
from tests.yardstick import within

URL = "https://shop.example/mice/viper-v3-pro"
PROSE = "<p>" + "The sensor tracks well on every surface we tried. " * 60 + "</p>"


def fetched(
    body: str | bytes = "",
    status: int = 200,
    content_type: str = "text/html; charset=utf-8",
    final_url: str = URL,
    **headers: str,
) -> FetchResponse:
    raw = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    redirects = () if final_url == URL else (final_url,)
    return FetchResponse(
        URL, final_url, status, {"content-type": content_type, **named}, raw, redirects
    )


def page(title: str = "", body: str = "", head: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    )


def outcome_of(*args, **kwargs) -> Outcome:
    return classify(fetched(*args, **kwargs))[0]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (304, Outcome.NOT_MODIFIED), (401, Outcome.LOGIN_REQUIRED), (403, Outcome.BLOCKED),
        (404, Outcome.NOT_FOUND), (410, Outcome.NOT_FOUND), (429, Outcome.RATE_LIMITED),
        (451, Outcome.GEO_BLOCKED), (503, Outcome.MAINTENANCE), (500, Outcome.NETWORK_ERROR),
        (502, Outcome.NETWORK_ERROR), (400, Outcome.REFUSED), (999, Outcome.BLOCKED),
        (418, Outcome.BLOCKED), (302, Outcome.NETWORK_ERROR), (204, Outcome.EMPTY),
    ],
)  # fmt: skip
def test_status_alone_tells(status, outcome):
    assert outcome_of("", status) is outcome


def test_failure_on_the_wire_is_passed_on_with_its_words():
    response = FetchResponse(URL, URL, 0, {}, b"", failure=Outcome.TIMEOUT, failure_detail="30 s")

    assert classify(response)[:2] == (Outcome.TIMEOUT, "30 s")


@pytest.mark.parametrize(
    ("title", "body", "outcome"),
    [
        ("Just a moment...", "", Outcome.BLOCKED),
        ("Access Denied", "<h1>Access Denied</h1>", Outcome.BLOCKED),
        ("Robot Check", "<form><input name=captcha></form>", Outcome.CAPTCHA),
        ("shop.example", '<p>Press on</p><div id="px-captcha"></div>', Outcome.CAPTCHA),
        ("shop.example", "<div class=g-recaptcha></div><p>One moment please", Outcome.CAPTCHA),
        ("", "<p>Please solve the CAPTCHA to go on.</p>", Outcome.CAPTCHA),
        ("", "<p>You’re in line. Your estimated wait is 4 minutes</p>", Outcome.WAITING_ROOM),
        ("Sorry", "<p>This shop is not available in your country.</p>", Outcome.GEO_BLOCKED),
        ("Before you continue", "<button>Accept all</button>", Outcome.CONSENT_WALL),
        ("Sign in", "<form><input type=password></form>", Outcome.LOGIN_REQUIRED),
        ("Shop", "<h1>Anmelden</h1><input type=password>", Outcome.LOGIN_REQUIRED),
        ("Down for maintenance", "<p>Soon back</p>", Outcome.MAINTENANCE),
        ("Shop", "<p>Wir führen gerade Wartungsarbeiten durch.</p>", Outcome.MAINTENANCE),
        ("404", "<p>Go home</p>", Outcome.SOFT_404),
        ("Shop", "<h1>Seite nicht gefunden</h1><p>Zur Startseite</p>", Outcome.SOFT_404),
        ("Boutique", "<h1>Page introuvable</h1>", Outcome.SOFT_404),
        ("Tienda", "<p>La página no existe</p>", Outcome.SOFT_404),
    ],
)
def test_walls_are_told_by_what_a_thin_page_says(title, body, outcome):
    found, evidence, *_ = classify(fetched(page(title, body)))

    assert found is outcome
    assert evidence


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("How a captcha works", PROSE + "<p>Solve the captcha. Access denied. 404.</p>"),
        ("Viper V3 Pro", "<h1>Viper V3 Pro</h1><table><tr><td>Weight<td>54 g</table>"),
        ("Viper V3 Pro", PROSE + "<footer>Cookie consent. We value your privacy</footer>"),
        ("Viper V3 Pro", PROSE + "<dialog><input type=password>Log in</dialog>"),
        ("Contact", PROSE + "<form><div class=g-recaptcha></div></form>"),
        ("Forum: error 404 on my router", "<h1>Error 404 on my router</h1>" + PROSE),
        ("Viper V3 Pro", PROSE + "<noscript>Please enable JavaScript</noscript><script src=a.js>"),
    ],
)
def test_page_with_something_to_read_is_ok_whatever_it_mentions(title, body):
    assert outcome_of(page(title, body)) is Outcome.OK


@pytest.mark.parametrize(
    "body",
    [
        '<div id="root"></div><script src="/bundle.js"></script>',
        '<div id="__next"></div><script src="/a.js"></script><script src="/b.js"></script>',
        "<noscript>You need to enable JavaScript to run this app.</noscript>"
        '<div id="app">Loading…</div><script src="/app.js"></script>',
        '<app-root></app-root><script src="main.js"></script>',
        "<script>window.__STATE__ = {" + '"a": 1,' * 5000 + "}</script>",
        "<p>Please enable JavaScript to view this page.</p><script src=x.js></script>",
    ],
)
def test_shell_without_content_needs_javascript(body):
    assert outcome_of(page("Shop", body)) is Outcome.JS_REQUIRED


def test_bare_page_that_carries_its_product_as_data_is_ok():
    data = '<script type="application/ld+json">{"@type": "Product", "name": "Viper"}</script>'

    assert (
        outcome_of(page("Viper", "<div id=root></div><script src=a.js></script>", data))
        is Outcome.OK
    )


def test_bare_page_that_only_describes_its_site_is_still_a_shell():
    data = '<script type="application/ld+json">{"@type": "WebSite", "name": "Shop"}</script>'
    body = "<div id=root></div><script src=a.js></script>"

    assert outcome_of(page("Shop", body, data)) is Outcome.JS_REQUIRED


def test_late_content_of_a_large_page_is_seen():
    state = "<script>var state = '" + "x" * 600_000 + "'</script>"

    assert outcome_of(page("Viper", state + "<div id=root></div>" + PROSE)) is Outcome.OK


def test_maintenance_that_says_so_is_told_from_a_server_that_fails():
    said = page("Maintenance", "<p>We are down for maintenance.</p>")

    assert classify(fetched(said, 503))[1].startswith("HTTP 503, ")
    assert classify(fetched(page("Oops"), 503))[:2] == (Outcome.MAINTENANCE, "HTTP 503")


def test_challenge_behind_an_error_status_is_told_from_maintenance():
    assert outcome_of(page("Just a moment...", PROSE), 503) is Outcome.BLOCKED
    assert outcome_of(page("Robot check"), 403) is Outcome.CAPTCHA
    assert outcome_of(page("", "<p>not available in your region</p>"), 403) is Outcome.GEO_BLOCKED
    assert outcome_of(page("Maintenance", "<p>Back soon</p>"), 503) is Outcome.MAINTENANCE
    assert outcome_of(page("", "<div></div><script src=a.js></script>"), 403) is Outcome.BLOCKED


@pytest.mark.parametrize("body", ["", " \n ", "<html></html>", "<!-- nothing -->"])
def test_empty_pages_are_empty(body):
    assert outcome_of(body) is Outcome.EMPTY


@pytest.mark.parametrize(
    ("content_type", "body", "outcome"),
    [
        ("application/pdf", b"%PDF-1.7 ...", Outcome.OK),
        ("application/octet-stream", b"%PDF-1.7 ...", Outcome.OK),
        ("application/json", b'{"a": 1}', Outcome.OK),
        ("application/vnd.api+json", b'{"a": 1}', Outcome.OK),
        ("text/plain", b"Weight: 54 g", Outcome.OK),
        ("", b"<p>Weight: 54 g and so on</p>", Outcome.OK),
        ("image/jpeg", b"\xff\xd8\xff", Outcome.REFUSED),
        ("application/zip", b"PK\x03\x04", Outcome.REFUSED),
        ("video/mp4", b"....", Outcome.REFUSED),
        ("text/html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(200), Outcome.REFUSED),
        ("", b"\x7fELF\x02\x01", Outcome.REFUSED),
        ("text/html", "<p>Weight: 54 g</p>".encode("utf-16"), Outcome.OK),
    ],
)
def test_media_types_that_hold_text_pass_and_binary_is_refused(content_type, body, outcome):
    assert outcome_of(body, content_type=content_type) is outcome


@pytest.mark.parametrize("charset", ["idna", "punycode", "hex", "undefined", "utf-7", "rot13"])
def test_charset_that_is_none_is_not_believed(charset):
    body = page("Viper", PROSE * 50)

    assert outcome_of(body, content_type=f"text/html; charset={charset}") is Outcome.OK


def test_wrong_charset_does_not_matter():
    assert outcome_of(page("Größe", PROSE).encode("cp1252")) is Outcome.OK
    assert (
        outcome_of(page("Größe", PROSE), content_type="text/html; charset=nonsense") is Outcome.OK
    )


def test_product_page_that_leads_to_the_front_page_is_gone():
    home = "https://shop.example/"

    assert outcome_of(page("Shop", PROSE), final_url=home) is Outcome.SOFT_404
    assert outcome_of(page("Shop", PROSE), final_url=home + "mice/viper-v3") is Outcome.OK


def test_hundred_thousand_nested_tags_are_no_trouble():
    nested = "<div>" * 100_000 + "Weight 54 g"

    with within(yards=30):
        assert outcome_of(PROSE + nested) is Outcome.OK
        assert outcome_of(nested) is Outcome.EMPTY  # nothing stands where anyone would see it


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode), st.integers(100, 999))
def test_any_answer_has_an_outcome_with_evidence(body, status):
    outcome, evidence, *_ = classify(fetched(body, status))

    assert isinstance(outcome, Outcome)
    assert evidence
