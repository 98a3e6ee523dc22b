"""Hostile pages: reading them stays in proportion to what a bare parse of them takes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews
from specfactory.proof.text.text_view import MAX_NODES

# A page of ordinary markup takes about 10 parses; a walk that goes back takes thousands.
MOST = 150


def views_of(body: bytes) -> PageViews:
    url = "https://site.example/page"
    page = Page("page-1", url, url, "site.example", Tier.RETAILER, 0, Outcome.OK, "")
    return PageViews(page, body)


def quickest(work: Callable[[], object]) -> float:
    """The processor time of the quicker of two turns."""
    turns = []
    for _ in range(2):
        started = time.process_time()
        work()
        turns.append(time.process_time() - started)
    return min(turns)


def read_whole(body: bytes) -> None:
    views = views_of(body)
    assert views.language is not None
    assert views.items is not None
    assert views.breadcrumbs is not None


HOSTILE = {
    "script": b"<p>a<script>" + b"let x='<b itemprop=y>';" * 450_000 + b"</script><p>b",
    "unclosed": b"<p>a<script>" + b"</scrip" * 300_000,
    "nested": b"<div>" * 100_000 + b"x</div>" * 100_000,
    "one_node": b"<p>" + b"Weight: 54 g, " * 75_000,
    "breaks": b"<p>a" + b"<br>b" * 200_000,
    "marks": b"<i itemprop=name>itemprop </i>" * 15_000,
    "mentions": b"<p>itemprop property= typeof= </p>" * 20_000,
    "comments": b"<!-- <meta> -->" * 80_000,
    "quotes": b"<a title='<b>" * 60_000,
    "raised": b"<sup>1<sub>2" * 200 + b"<b>3</b>" * 60_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_page_is_read_in_proportion_to_its_parse(kind: str) -> None:
    body = HOSTILE[kind]

    # Nested tags are cut off before the parse; bare, they take the square of their number.
    flat = body if kind != "nested" else b"<div>x</div>" * 100_000
    bare = quickest(lambda: LexborHTMLParser(flat))
    read = quickest(lambda: read_whole(body))

    assert read <= MOST * bare, f"{read / bare:.0f} parses"


def test_what_stands_behind_megabytes_of_script_is_read() -> None:
    body = b"<p>a<script>" + b"let x = 'y > z';" * 600_000 + b"</script><p>b"

    assert views_of(body).text == "a\nb"


def test_a_page_of_breaks_ends_where_the_walk_does() -> None:
    views = views_of(HOSTILE["breaks"])

    assert views.text.count("\n") < MAX_NODES
    assert len(views.outline.elements) <= MAX_NODES


def test_every_element_is_found_again_by_its_node() -> None:
    views = views_of(
        b"<p>a <b>b</b><script>c</script><svg><g>d</g></svg><x-y>e</x-y></p><ul><li>f<li>g</ul>"
    )
    expected = {"p": "a be", "b": "b", "x-y": "e", "ul": "f\ng", "li": "f"}
    assert views.tree is not None

    for tag, words in expected.items():
        node = views.tree.css_first(tag)
        start, end = (node and views.span(node)) or (0, 0)
        assert views.text[start:end] == words

    dropped = views.tree.css_first("g")
    assert dropped is not None
    assert views.span(dropped) is None
