"""What a page is filed under, by the links that it marks as its tags."""

from __future__ import annotations

from specfactory.contract import compile_contract, find_contract
from specfactory.extract import answer_page
from specfactory.extract.articles.topics_and_language import find_topics
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews, prove, reading

_TAGS = (
    '<p>Filed under <a rel=tag href=/t/a>Bridges</a>, <a rel="tag nofollow" href=/t/b>#Towns</a>'
)


def _views(body: str) -> PageViews:
    url = "https://heron.example/old-bridge"
    page = Page("p1", url, url, "heron.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, body.encode())


def test_the_tags_of_a_page_are_its_topics_and_are_proven():
    views = _views(f"<article><h1>Old bridge saved</h1>{_TAGS}</article>")
    compiled = compile_contract(find_contract("article"))

    answer = answer_page(views, compiled)["topics"]

    assert answer.candidate.value == ("Bridges", "Towns")
    assert prove(answer.candidate, compiled, views) is None


def test_structured_data_speaks_before_tags():
    views = _views(f"<head><meta name=keywords content=repairs></head><h1>Old bridge</h1>{_TAGS}")

    answer = answer_page(views, compile_contract(find_contract("article")))["topics"]

    assert answer.candidate.value == ("repairs",)


def test_tags_of_other_pages_are_not_this_pages_topics():
    others = (
        f"<h1>Old bridge saved</h1><div class=related-posts>{_TAGS}</div><aside>{_TAGS}</aside>"
    )

    assert find_topics(_views(others)) == []


def test_a_tag_that_stands_twice_is_one_topic():
    (found,) = find_topics(_views(f"<article>{_TAGS}</p>{_TAGS}</article>"))

    assert [reading(value) for value in found.values] == ["Bridges", "Towns"]


def test_the_section_of_a_site_is_no_topic():
    assert find_topics(_views('<article><a rel="category tag" href=/n>News</a></article>')) == []
