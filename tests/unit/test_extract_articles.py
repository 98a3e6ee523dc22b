"""Articles: headline, author, date and body, each with its proof."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import compile_contract, find_contract
from specfactory.contract.values.dates import date_spans
from specfactory.extract import answer_page
from specfactory.extract.articles.byline import author_groups, find_authors
from specfactory.extract.articles.headline import find_headline
from specfactory.extract.articles.person_names import names_in
from specfactory.extract.articles.publication_date import date_groups, find_published
from specfactory.extract.body.main_text import content_lines
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews, prove, reading

_SENTENCE = "The town council met on the bridge and, after a long debate, agreed to repair it. "
_ARTICLE = f"""<html lang=en><head><title>Old bridge to be repaired | The Daily Heron</title>
<meta property=og:site_name content="The Daily Heron"></head><body>
<nav class=menu><a href=/a>Politics</a> <a href=/b>Sport</a> <a href=/c>Culture</a></nav>
<main><article><h1>Old bridge to be repaired</h1>
<p class=byline>By Ada Brook and Ben Stone | 5 November 2023</p>
<div class=article-body><p>{_SENTENCE * 3}</p><p>{_SENTENCE * 2}Nobody objected.</p>
<p>{_SENTENCE * 3}</p></div></article>
<section class=comments><h2>Comments</h2><p>Great news!</p></section></main>
<footer class=footer>© 2023 The Daily Heron. All rights reserved. <a href=/p>Privacy</a></footer>
</body></html>"""


def _views(body: str, url: str = "https://heron.example/story") -> PageViews:
    page = Page("p1", url, url, "heron.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, body.encode())


def _words(found) -> list[str]:
    return [reading(value) for value in found[0].values]


def test_an_article_is_answered_and_every_answer_is_proven():
    views, compiled = _views(_ARTICLE), compile_contract(find_contract("article"))

    answers = answer_page(views, compiled)

    assert answers["title"].candidate.value == "Old bridge to be repaired"
    assert answers["author"].candidate.value == ("Ada Brook", "Ben Stone")
    assert answers["date_published"].candidate.value == "2023-11-05"
    assert all(prove(answer.candidate, compiled, views) is None for answer in answers.values())


def test_the_body_holds_the_paragraphs_and_not_the_frame():
    views, compiled = _views(_ARTICLE), compile_contract(find_contract("article"))

    body = answer_page(views, compiled)["body"].candidate.value

    assert body.count("after a long debate") == 8
    assert not any(word in body for word in ("Politics", "Great news", "All rights reserved"))


def test_the_body_is_found_without_trafilatura():
    views = _views(_ARTICLE)

    text = " ".join(views.text[a:b] for a, b in content_lines(views, article=True, peer=False)[0])

    assert text.count("after a long debate") == 8
    assert "Privacy" not in text


def test_the_name_of_the_site_is_cut_off_a_title():
    page = "<title>How herons fish &mdash; The Daily Heron</title><p>Herons stand still.</p>"

    assert _words(find_headline(_views(page))) == ["How herons fish"]


def test_a_name_inside_a_name_is_no_byline():
    page = f"<h1>Wetlands</h1><p>Christoph von Ried</p><p>{_SENTENCE}</p>"

    assert not any(_words([one]) == ["Ried"] for one in find_authors(_views(page)))


@pytest.mark.parametrize("empty", ["", "<html></html>", "<p>\x00</p>", "<h1></h1><title></title>"])
def test_a_page_without_words_gives_nothing(empty):
    views = _views(empty)

    assert find_authors(views) == find_published(views) == []
    assert content_lines(views)[0] == ()


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada Brook and Ben Stone", ["Ada Brook", "Ben Stone"]),
        ("Ada Brook, PhD, Ben Stone", ["Ada Brook", "Ben Stone"]),
        ("Ada Brook | 5 November 2023", ["Ada Brook"]),
        ("read more", []),
    ],
)
def test_names_stand_before_dates_and_degrees(line, names):
    assert [line[a:b] for a, b in names_in(line)] == names


@given(st.text(max_size=200))
def test_no_text_breaks_the_readers_of_names_and_dates(text):
    for start, end in (*names_in(text), *date_spans(text)):
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>A walk</h1><time>Published on August 19, 2019</time><time>12 likes</time>",
        "<h1>A walk</h1><div><span>Erstellt am</span><span>19.08.2019</span></div>",
        '<h1>A walk</h1><script>var page = {"published_at":"2019-08-19T06:22:28"}</script>',
        "<head><meta name=parsely-pub-date content=2019-08-19></head><h1>A walk</h1>",
    ],
)
def test_a_day_is_seen_in_time_elements_glued_words_state_and_head(body):
    assert "2019-08-19" in [group.day for group in date_groups(_views(body))]


def test_authors_in_tags_of_their_own_stand_together():
    names = ("Ada Brook", "Ben Stone", "Cy Reed")
    tags = "".join(f'<meta name=citation_author content="{name}">' for name in names)

    assert names in [group.names for group in author_groups(_views(f"<head>{tags}</head>"))]


@pytest.mark.parametrize("line", ["Redakteurin Ada Brook", "Ada Brook Autorin", "Ada Brook"])
def test_a_role_is_no_part_of_a_name(line):
    assert [line[start:end] for start, end in names_in(line)] == ["Ada Brook"]
