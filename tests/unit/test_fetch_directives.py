"""What a page says about its use, and to whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.fetch.robots.page_directives import unwanted_use

BOTH = ("noindex", "noarchive")


def use(header="", body="<p>text</p>", respect=BOTH):
    headers = {"x-robots-tag": header} if header else {}
    return unwanted_use(headers, body.encode(), respect, "specfactory")


@pytest.mark.parametrize(
    ("header", "directive"),
    [
        ("noindex", "noindex"),
        ("NoArchive", "noarchive"),
        ("nofollow, noindex", "noindex"),
        ("none", "none"),
        ("all", ""),
        ("nofollow", ""),
        ("googlebot: noindex", ""),
        ("googlebot: nofollow, noindex", ""),
        ("specfactory: noindex", "noindex"),
        ("googlebot: noindex, SpecFactory: noarchive", "noarchive"),
        ("unavailable_after: 25 Jun 2010 15:00:00 GMT, noindex", "noindex"),
        ("max-snippet: 20, noarchive", "noarchive"),
        ("noindexing", ""),
        (":::,,", ""),
    ],
)
def test_header_is_read_with_whom_it_is_for(header, directive):
    expected = f"the page asks not to be used: {directive} in X-Robots-Tag" if directive else ""

    assert use(header) == expected


@pytest.mark.parametrize(
    ("meta", "unwanted"),
    [
        ('<meta name="robots" content="noindex">', True),
        ('<META CONTENT="follow, NOARCHIVE" NAME="ROBOTS">', True),
        ("<meta name=robots content=none>", True),
        ('<meta name="specfactory" content="noindex">', True),
        ('<meta name="googlebot" content="noindex">', False),
        ('<meta name="robots" content="index, follow">', False),
        ('<meta property="robots" content="noindex">', False),
        ('<!-- <meta name="robots" content="noindex"> -->', False),
        ('<script>"<meta name=\\"robots\\" content=\\"noindex\\">"</script>', False),
        ('<p>Our pages have a noindex in &lt;meta name="robots"&gt;.</p>', False),
    ],
)
def test_meta_element_is_read_and_nothing_that_only_looks_like_one(meta, unwanted):
    assert bool(use(body=f"<html><head>{meta}</head><body>x</body></html>")) is unwanted


def test_only_what_is_respected_counts():
    assert use("noindex", respect=("noarchive",)) == ""
    assert use("none", respect=("noarchive",)) == ""
    assert use("noarchive", respect=("noindex",)) == ""
    assert use("noindex", respect=()) == ""


def test_body_that_is_no_page_is_not_searched():
    assert unwanted_use({}, b'%PDF-1.7 <meta name="robots" content="noindex">', BOTH, "x") == ""


@given(st.text(max_size=200), st.binary(max_size=300))
def test_any_header_and_body_are_read_without_a_crash(header, body):
    assert isinstance(unwanted_use({"x-robots-tag": header}, body, BOTH, "specfactory"), str)
