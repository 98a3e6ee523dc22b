"""What is wrong with a host, by its visits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.heal import diagnose
from specfactory.heal.signs_of_visits import is_bad, sign_of
from specfactory.model import Cause, Diagnosis, HostCare, Outcome, Problem, Sign, Visit
from specfactory.proof.text import garbled_share, misread_charset
from specfactory.settings import HealSettings

HEAL = HealSettings()
USUAL = HostCare()
O = Outcome  # noqa: E741 – so many outcomes in one table


def visit(outcome: Outcome = O.OK, evidence: str = "", status: int = 200, **more: object) -> Visit:
    known = Visit("a.example", "https://a.example/p", 0, outcome, evidence, status)
    return replace(known, **more)  # type: ignore[arg-type]


def history(*blocks: tuple[int, Visit]) -> list[Visit]:
    """Visits in the order they were made, so many of each; given back the newest first."""
    made = [each for count, each in blocks for _ in range(count)]
    numbered = [
        replace(each, at=(n + 1) * 10_000, url=f"https://a.example/{n}")
        for n, each in enumerate(made)
    ]
    return numbered[::-1]


def name_of(visits: list[Visit], settings: HealSettings = HEAL) -> str | None:
    found = diagnose(visits, USUAL, settings)
    return found.name if found else None


WELL = visit(evidence="HTTP 200, 900 characters to read")
READ = replace(WELL, confidence=0.8)
FORBIDDEN = visit(O.BLOCKED, "HTTP 403", 403)
SILENT = visit(O.TIMEOUT, "no complete answer within 30 s", 0)


@pytest.mark.parametrize(
    ("problem", "count", "bad"),
    [
        (Problem.BLOCKED, 5, FORBIDDEN),
        (Problem.SLOW_HOST, 5, SILENT),
        (Problem.DNS_FAILURE, 3, visit(O.DNS_FAILURE, "a.example: no such name", 0)),
        (Problem.RATE_LIMITED, 2, visit(O.RATE_LIMITED, "HTTP 429", 429)),
        (Problem.CONTENT_BLOCK, 3, visit(O.JS_REQUIRED, "12 characters, an empty root")),
        (Problem.CONTENT_BLOCK, 3, visit(O.CONSENT_WALL, "title says 'cookies'")),
        (Problem.SOFT_BLOCK, 3, visit(O.CAPTCHA, "HTTP 403, 'g-recaptcha'", 403)),
        (Problem.SOFT_BLOCK, 5, visit(O.SOFT_404, "title says 'not found'")),
        (Problem.GEO_BLOCKED, 3, visit(O.GEO_BLOCKED, "HTTP 451", 451)),
        (Problem.TLS_FAILURE, 3, visit(O.NETWORK_ERROR, "TLS: certificate has expired", 0,
                                       cause=Cause.TLS)),
        (Problem.REDIRECT_LOOP, 3, visit(O.NETWORK_ERROR, "more than 5 redirects", 302,
                                         cause=Cause.REDIRECT_LOOP)),
        (Problem.REDIRECT_LOOP, 3, visit(O.NETWORK_ERROR, "redirects in a circle", 302,
                                         cause=Cause.REDIRECT_LOOP)),
        (Problem.SITE_GONE, 5, visit(O.NOT_FOUND, "HTTP 404", 404)),
        (Problem.SERVER_ERRORS, 5, visit(O.NETWORK_ERROR, "HTTP 502", 502)),
        (Problem.SERVER_ERRORS, 5, visit(O.MAINTENANCE, "HTTP 503", 503,
                                         cause=Cause.STATUS_ONLY)),
        (Problem.MAINTENANCE, 3, visit(O.MAINTENANCE, "HTTP 503, title says 'back soon'", 503)),
        (Problem.WAITING_ROOM, 3, visit(O.WAITING_ROOM, "title says 'queue'")),
        (Problem.CONNECTION_FAILURE, 5, visit(O.NETWORK_ERROR, "no connection: refused", 0)),
        (Problem.CONNECTION_FAILURE, 5, visit(O.TIMEOUT, "no connection in time", 0,
                                              cause=Cause.NO_CONNECTION)),
        (Problem.BROKEN_COMPRESSION, 3, visit(O.NETWORK_ERROR, "broken gzip: invalid block",
                                              cause=Cause.BROKEN_ENCODING)),
        (Problem.BROKEN_TRANSFER, 5, visit(O.NETWORK_ERROR,
                                           "the body ended before its announced end",
                                           cause=Cause.CUT_OFF)),
        (Problem.CHANGED_ENCODING, 3, visit(O.REFUSED, "binary bytes, declared as text/html",
                                            cause=Cause.NOT_TEXT)),
        (Problem.CHANGED_ENCODING, 3, replace(WELL, garbled=0.02)),
        (Problem.EXPIRED_LOGIN, 3, visit(O.LOGIN_REQUIRED, "HTTP 401", 401)),
        (Problem.EMPTY_PAGES, 5, visit(O.EMPTY, "the body is empty")),
        (Problem.TOO_LARGE, 5, visit(O.TOO_LARGE, "more than 10000000 bytes")),
        (Problem.FORBIDDEN_REDIRECT, 3, visit(O.REFUSED, "gate: link-local address",
                                              cause=Cause.GATE)),
        (Problem.MOVED_SITE, 5, replace(WELL, landed="b.example")),
        (Problem.BROWSER_CRASHED, 3, visit(O.NETWORK_ERROR, "browser crashed", 0,
                                           cause=Cause.BROWSER_CRASHED)),
        (Problem.LAYOUT_CHANGE, 3, replace(READ, confidence=0.5)),
    ],
)  # fmt: skip
def test_a_row_of_alike_failures_is_a_diagnosis(problem: Problem, count: int, bad: Visit) -> None:
    before = (12, READ)

    assert name_of(history(before, (count, bad))) == problem
    assert name_of(history(before, (count - 1, bad))) is None
    assert name_of(history(before, (count, bad), (1, READ))) is None


def test_reasons_say_what_was_seen() -> None:
    found = diagnose(history((7, WELL), (5, FORBIDDEN)), USUAL, HEAL)

    assert found == Diagnosis(
        "blocked", "blocked", 1.0,
        ("the last 5 visits ended as blocked (HTTP 403)", "over plain HTTP, without a proxy",
         "before that, 7 visits were well"),
    )  # fmt: skip


def test_a_login_that_never_was_has_not_expired() -> None:
    assert name_of(history((3, visit(O.LOGIN_REQUIRED, "HTTP 401", 401)))) == Problem.LOGIN_WALL


def test_pages_that_never_were_are_not_gone() -> None:
    assert name_of(history((20, visit(O.NOT_FOUND, "HTTP 404", 404)))) is None


def test_missing_pages_neither_end_nor_lengthen_a_row_of_refusals() -> None:
    missing = visit(O.NOT_FOUND, "HTTP 404", 404)

    assert name_of(history((9, WELL), (3, FORBIDDEN), (2, missing), (2, FORBIDDEN))) == "blocked"
    assert name_of(history((9, WELL), (4, FORBIDDEN), (2, missing))) is None


def test_what_robots_txt_forbids_is_no_illness() -> None:
    assert name_of(history((9, visit(O.REFUSED, "robots.txt forbids it: /x")))) is None


def test_one_proxy_that_fails_beside_others_is_stale() -> None:
    stale = replace(FORBIDDEN, proxy="one.example:3128")
    other = replace(WELL, proxy="two.example:3128")
    visits = history((3, stale), (2, other), (1, stale), (1, other), (1, stale))

    found = diagnose(visits, USUAL, HEAL)

    assert found is not None
    assert found.name == Problem.STALE_PROXY
    assert found.facts == {"proxy": "one.example:3128"}
    assert "meanwhile 3 of 3 visits without it were well" in found.reasons


def test_time_outs_and_refusals_through_one_proxy_are_its_fault() -> None:
    place = "one.example:3128"
    rows = (3, replace(SILENT, proxy=place)), (2, replace(FORBIDDEN, proxy=place))

    assert name_of(history((5, WELL), *rows)) == Problem.STALE_PROXY


def test_refusals_through_all_proxies_are_the_hosts() -> None:
    one = replace(FORBIDDEN, proxy="one.example:3128")
    two = replace(FORBIDDEN, proxy="two.example:3128")

    assert name_of(history((3, one), (2, two), (3, one), (2, two))) == Problem.BLOCKED


def test_a_few_good_pages_between_many_failures_do_not_hide_them() -> None:
    fails = visit(O.NETWORK_ERROR, "HTTP 500", 500)
    visits = history((9, WELL), (3, fails), (1, WELL), (3, fails), (1, WELL), (2, fails))

    assert name_of(visits) == Problem.SERVER_ERRORS


def test_a_server_that_fails_in_several_ways_is_one_that_fails() -> None:
    ways = [visit(O.NETWORK_ERROR, "HTTP 500", 500), SILENT,
            visit(O.NETWORK_ERROR, "no connection: refused", 0)]  # fmt: skip

    assert name_of(history((5, WELL), *[(1, way) for way in ways * 2])) == Problem.SERVER_ERRORS


def test_limits_are_seen_between_good_pages() -> None:
    limited = visit(O.RATE_LIMITED, "HTTP 429", 429)

    assert name_of(history((5, WELL), (1, limited), (2, WELL), (1, limited))) == "rate_limited"
    assert name_of(history((1, limited), (9, WELL), (1, limited))) is None


def test_a_wait_that_the_server_asked_for_is_no_visit() -> None:
    waits = visit(O.RATE_LIMITED, "the server asked to come back in 60 s", 0,
                  cause=Cause.ASKED_TO_WAIT)  # fmt: skip

    assert name_of(history((5, WELL), (9, waits))) is None


def test_a_move_that_is_followed_is_over() -> None:
    moved = history((8, replace(WELL, landed="b.example")))

    assert diagnose(moved, replace(USUAL, moved_to="b.example"), HEAL) is None


def test_a_drop_within_the_limit_is_no_new_layout() -> None:
    visits = history((12, READ), (5, replace(READ, confidence=0.6)))

    assert name_of(visits) is None
    assert name_of(visits, replace(HEAL, confidence_drop=0.2)) == Problem.LAYOUT_CHANGE


@pytest.mark.parametrize("poor", [3, 6, 20, 36])
def test_a_new_layout_is_seen_however_late_one_looks(poor: int) -> None:
    assert name_of(history((12, READ), (poor, replace(READ, confidence=0.1)))) == "layout_change"


def test_a_host_whose_pages_have_always_differed_has_no_new_layout() -> None:
    mixed = [(1, READ), (2, replace(READ, confidence=0.1))] * 10

    assert name_of(history(*mixed, (2, replace(READ, confidence=0.1)))) is None


def test_pages_that_take_long_are_a_slow_host() -> None:
    slow = replace(WELL, timings_ms={"ttfb": 12_000.0, "extract": 1.0})

    assert name_of(history((5, WELL), (5, slow))) == Problem.SLOW_HOST


def test_fewer_failures_are_enough_where_the_settings_say_so() -> None:
    visits = history((5, WELL), (2, FORBIDDEN))

    assert name_of(visits, replace(HEAL, failures_in_a_row=2)) == Problem.BLOCKED


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_is_a_sign(outcome: Outcome) -> None:
    sign = sign_of(visit(outcome, "whatever", 0), USUAL, HEAL)

    assert is_bad(sign) == (
        outcome not in (O.OK, O.NOT_MODIFIED, O.NOT_FOUND, O.SOFT_404, O.REFUSED, O.UNREADABLE)
    )
    assert sign in Sign


def test_utf8_that_is_declared_as_latin_is_garbled() -> None:
    body = "<p>Größe, Höhe – naïve “Maße”</p>".encode()

    assert garbled_share(body, "iso-8859-1") > HEAL.garbled_share
    assert garbled_share(body, "utf-8") == garbled_share(b"plain", "iso-8859-1") == 0.0
    assert misread_charset(body, "iso-8859-1") == "utf-8"


def test_latin_that_is_declared_so_is_not_garbled() -> None:
    body = "<p>Größe, Höhe, naïve, Ångström</p>".encode("cp1252")

    assert garbled_share(body, "iso-8859-1") == garbled_share(body, "") == 0.0
    assert misread_charset(body, "iso-8859-1") == ""
