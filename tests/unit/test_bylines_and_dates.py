"""Who wrote a page and when: what a reader believes when a page says several things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.extract.articles.byline import author_groups, find_authors
from specfactory.extract.articles.byline_words import after_by
from specfactory.extract.articles.date_words import said_of_date
from specfactory.extract.articles.headline import find_headline
from specfactory.extract.articles.person_names import is_given_name, names_in
from specfactory.extract.articles.publication_date import date_groups, find_published
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews, reading

_TEXT = "The town council met on the bridge and, after a long debate, agreed to repair it. " * 3
_NEWS = '<meta property="og:type" content="article">'


def _views(body: str, url: str = "https://heron.example/old-bridge") -> PageViews:
    page = Page("p1", url, url, "heron.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, body.encode())


def _day(body: str, url: str = "https://heron.example/old-bridge") -> str:
    found = find_published(_views(body, url))
    return reading(found[0].values[0]) if found else ""


def _people(body: str) -> tuple[str, ...]:
    found = find_authors(_views(body))
    return tuple(reading(value) for value in found[0].values) if found else ()


def test_the_day_shown_under_the_headline_beats_one_that_nobody_reads():
    head = '<meta property="article:published_time" content="2019-03-01T08:00:00">'
    page = f"<head>{_NEWS}{head}</head><article><h1>Old bridge saved</h1><p class=date>"

    assert _day(f"{page}4 April 2022</p><p>{_TEXT}</p></article>") == "4 April 2022"


def test_published_beats_updated():
    page = "<article><h1>Old bridge saved</h1><p>Updated: 9 November 2023</p>"

    day = _day(f"{page}<p>Published: 8 November 2023</p><p>{_TEXT}</p></article>")

    assert day == "8 November 2023"


@pytest.mark.parametrize(
    "line",
    [
        "Doors open on 30 March 2020, 13:15 - 19:00",
        "Our cookie notice was last changed on 2 December 2022",
        "Deadline: 2 December 2022",
        "Copyright 2021",
    ],
)
def test_the_day_of_an_event_a_notice_or_a_copyright_is_no_day_of_publication(line):
    assert _day(f"<h1>Old bridge saved</h1><p>{line}</p><p>{_TEXT}</p>") == ""


def test_the_month_in_the_address_decides_between_days():
    dates = "<p>3 March 2019</p><p>5 June 2018</p>"
    page = f"<article><h1>Old bridge saved</h1>{dates}<p>{_TEXT}</p></article>"

    assert _day(page, "https://heron.example/2018/06/old-bridge") == "5 June 2018"
    assert _day(page, "https://heron.example/2019/03/old-bridge") == "3 March 2019"


@pytest.mark.parametrize("at", ["2020/03/26/old-bridge", "news/26-03-2020", "news/26.03.2020/old"])
def test_a_day_in_the_address_that_the_page_gives_itself_is_seen(at):
    page = f'<head><link rel=canonical href="https://heron.example/{at}"></head><h1>Bears</h1>'

    (group,) = date_groups(_views(page))

    assert (group.day, list(group.places)) == ("2020-03-26", ["address"])


def test_a_list_of_days_is_told_from_the_day_of_a_page():
    listed = "".join(f"<p>Walk {at} on {at}.03.2020</p><p>x</p>" for at in range(1, 9))
    same = "<p>Old bridge 09.03.2020</p>" * 4

    seen = {one.day: one.seen for one in date_groups(_views(f"<h1>Walks</h1>{listed}{same}"))}

    assert seen["2020-03-01"]["days_of_page"] == 0.9
    assert (seen["2020-03-01"]["often"], seen["2020-03-09"]["often"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("kind", "news", "article"),
    [("NewsArticle", 1.0, 1.0), ("BlogPosting", 0.0, 1.0), ("Product", 0.0, 0.0)],
)
def test_what_a_page_calls_itself_is_seen_of_its_authors(kind, news, article):
    item = f'{{"@type":"{kind}","headline":"Old bridge saved"}}'
    script = f'<script type="application/ld+json">{item}</script>'

    (group,) = author_groups(_views(f"{script}<h1>Old bridge saved</h1><p>By Anna Brook</p>"))

    assert (group.seen["page_news"], group.seen["page_article"]) == (news, article)


@pytest.mark.parametrize(("kind", "amount"), [("NewsArticle", 0.0), ("BlogPosting", 1.0)])
def test_a_name_that_nobody_reads_weighs_where_a_page_is_no_news(kind, amount):
    item = f'{{"@type":"{kind}","headline":"Old bridge saved","author":{{"name":"Anna Brook"}}}}'
    page = f'<script type="application/ld+json">{item}</script><h1>Old bridge saved</h1>'

    (hidden,) = author_groups(_views(page))
    (read,) = author_groups(_views(f"{page}<p>By Anna Brook</p>"))

    assert hidden.seen["unread_elsewhere"] == amount
    assert read.seen["unread_elsewhere"] == 0.0


def test_a_day_read_beside_the_headline_stands_against_one_that_nobody_reads():
    head = '<meta property="article:published_time" content="2019-03-01T08:00:00">'
    page = f"<head>{head}</head><h1>Old bridge saved</h1><aside><p>4 April 2022</p></aside>"

    seen = {one.day: one.seen for one in date_groups(_views(page))}

    assert seen["2022-04-04"]["shown_against_hidden"] == 1.0
    assert seen["2019-03-01"]["hidden_against_shown"] == 1.0


@pytest.mark.parametrize(("label", "count"), [("Verfasst von", 1), ("Lesezeit", 0)])
def test_the_card_of_a_page_may_name_its_author(label, count):
    card = f'<meta name="twitter:label1" content="{label}">'
    name = '<meta name="twitter:data1" content="Anna Brook">'

    groups = author_groups(_views(f"<head>{card}{name}</head><h1>Old bridge saved</h1>"))

    assert [group.kinds for group in groups] == [{"card"}] * count


def test_a_day_in_the_description_is_seen():
    page = '<head><meta name=description content="Bears (News of 14 January 2020)"></head>'

    assert "2020-01-14" in [group.day for group in date_groups(_views(f"{page}<h1>Bears</h1>"))]


def test_a_list_of_the_latest_pages_dates_the_page_that_it_names():
    page = "<h1>Old bridge to be saved</h1><p>Old bridge to be saved 21.11.2022</p>"

    (group,) = date_groups(_views(page))

    assert group.day == "2022-11-21"
    assert group.seen["beside_title"] == 1.0


@pytest.mark.parametrize("words", ["By Anna Brook", "von Anna Brook", "Anna Brook"])
def test_a_by_in_structured_data_is_no_part_of_the_name(words):
    item = f'{{"@type":"NewsArticle","headline":"Old bridge saved","author":"{words}"}}'
    page = f'<script type="application/ld+json">{item}</script><h1>Old bridge saved</h1>'

    (group,) = author_groups(_views(page))
    assert group.names == ("Anna Brook",)


def test_structured_data_is_no_second_witness_of_itself():
    item = '{"@type":"WebPage","datePublished":"2020-05-25"}'
    page = f'<script type="application/ld+json">{item}</script><h1>About us</h1>'

    (group,) = date_groups(_views(page))

    assert list(group.places) == ["web_page_published"]


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("Submitted by ada on ", "", "says_published"),
        ("Gespeichert von ada am ", " - 18:55", "clock"),
        ("Letzte Änderung: ", " um 09:25", "says_changed"),
        ("open until ", "", "bound"),
        ("", " - 16 March 2020", "bound"),
        ("Termin: ", "", "other_day"),
    ],
)
def test_the_words_around_a_date_speak_of_it(before, after, what):
    assert said_of_date(before, after)[what] == 1.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_words_around_a_date_break_their_reading(before, after):
    assert set(said_of_date(before, after).values()) <= {0.0, 1.0}


def test_a_byline_that_names_two_beats_structured_data_that_names_the_first():
    item = '{"@type":"NewsArticle","headline":"Old bridge saved","author":{"name":"Anna Brook"}}'
    page = f'<script type="application/ld+json">{item}</script><article><h1>Old bridge saved</h1>'

    people = _people(f"{page}<p class=byline>By Anna Brook and Paul Stone</p><p>{_TEXT}</p>")

    assert people == ("Anna Brook", "Paul Stone")


def test_a_name_that_links_to_the_page_of_an_author_is_seen():
    page = '<h1>Old bridge saved</h1><a href="/authors/ada-brook">Ada Brook</a>'

    groups = {group.names: group.kinds for group in author_groups(_views(page))}

    assert "linked" in groups["Ada Brook",]


def test_a_text_may_be_signed():
    page = f"<h1>Old bridge saved</h1><p>{_TEXT * 4}</p><p><i>Stefan Brook</i></p><p>More</p>"

    groups = {group.names: group.kinds for group in author_groups(_views(page))}

    assert groups["Stefan Brook",] == {"signed"}


def test_a_page_that_names_thousands_of_people_is_not_compared_without_end():
    names = "".join(f"<p>By Anna {chr(65 + at % 26)}{'o' * (at // 26)}</p>" for at in range(1000))

    assert len(author_groups(_views(f"<h1>Members</h1>{names}"))) == 400


def test_words_under_a_text_that_are_nobodys_name_sign_nothing():
    page = f"<h1>Old bridge saved</h1><p>{_TEXT * 4}</p><p>Alpine Paths</p>"

    assert not any("signed" in group.kinds for group in author_groups(_views(page)))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Text von Anna Brook \u00a0 \u00a0Illustration von Paul Stone", ["Anna Brook"]),
        ("Gespeichert von Anna Brook am 24. Juli 2017", ["Anna Brook"]),
        ("Posted by Anna Brook on July 24, 2017", ["Anna Brook"]),
    ],
)
def test_a_name_ends_where_the_illustrator_or_the_day_begins(line, names):
    assert [line[start:end] for start, end in names_in(line, after_by(line) or 0)] == names


@pytest.mark.parametrize("name", ["Jürgen", "Eva-Maria", "Ольга", "JOSÉ", "André"])
def test_given_names_are_known_in_many_languages(name):
    assert is_given_name(name)


@pytest.mark.parametrize("word", ["Alpine", "Letzte", "", "News", "Will"])
def test_other_words_are_no_given_names(word):
    assert not is_given_name(word)


def test_the_heading_of_a_section_is_not_the_headline():
    page = "<title>News - Heron</title><h1>News</h1><h1>The first electron counts most</h1>"
    head = '<meta property="og:title" content="The first electron counts most">'

    found = find_headline(
        _views(f"<head>{head}</head>{page}", "https://heron.example/news/first-electron-counts")
    )

    assert reading(found[0].values[0]) == "The first electron counts most"
