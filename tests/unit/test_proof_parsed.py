"""A page is parsed once for all who look at it one after the other."""

from __future__ import annotations

from specfactory.fetch.outcomes.classification import classify
from specfactory.model import FetchResponse, Outcome
from specfactory.proof.text.parsed import parse_page
from tests.pages import page_views

HEADERS = {"content-type": "text/html; charset=utf-8"}
PROSE = "<p>It is a pleasure to use every day, and it feels good in the hand.</p>" * 60


def test_who_asks_next_for_the_same_body_gets_the_same_tree():
    body = b"<p>one"

    assert parse_page(body, "text/html").tree is parse_page(body, "text/html").tree
    assert parse_page(body, "text/html").tree is not parse_page(b"<p>two", "text/html").tree


def test_a_body_that_is_declared_otherwise_is_decoded_otherwise():
    body = "<p>grün".encode("latin-1")

    assert parse_page(body, "", "latin-1").decoded[0] == "<p>grün"
    assert parse_page(body, "", "cp1251").decoded[0] != "<p>grün"


def test_judging_a_page_leaves_its_tree_whole():
    body = f"<script>var one = 1;</script>{PROSE}".encode()
    response = FetchResponse("http://a.test/", "http://a.test/", 200, HEADERS, body)

    assert classify(response)[0] is Outcome.OK

    assert parse_page(body, HEADERS["content-type"], "utf-8").tree.css_first("script") is not None


def test_scripts_and_blanks_are_nothing_to_read():
    hidden = f"<script>{'x = 1;' * 2000}</script>{' ' * 9000}<noscript>{'y' * 9000}</noscript>"
    response = FetchResponse(
        "http://a.test/", "http://a.test/", 200, HEADERS, f"<div id=root></div>{hidden}".encode()
    )

    assert classify(response)[0] is Outcome.JS_REQUIRED


def test_a_pdf_has_no_tree_whatever_it_holds():
    assert page_views(b"%PDF-1.4 <p>x").tree is None
