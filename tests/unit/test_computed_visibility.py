"""What a browser marked as hidden, and what of it counts."""

from __future__ import annotations

import pytest

from specfactory.model import replace
from specfactory.proof import PageViews, substance_hash
from specfactory.proof.text import TURNED_MARK, UNSEEN_MARK
from tests.pages import page_views

REST = "<p>" + "A page has more words than its boxes. " * 5 + "</p>"


def marked(markup: str, root: str = UNSEEN_MARK, *, rendered: bool = True) -> PageViews:
    """A page as the browser gives it; ``[way]`` stands for a mark."""
    written = markup.replace("[", f'{UNSEEN_MARK}="').replace("]", '"')
    plain = page_views(f"<html {root}><body><h1>Viper</h1>{written}{REST}</body></html>")
    page = replace(plain.page, response_hash="0" * 64) if rendered else plain.page
    return PageViews(page, plain.source.encode())


def sight(views: PageViews, word: str = "secret") -> str:
    """How a word is seen: "seen", "doubt" or "never"."""
    start = views.text.index(word)
    span = start, start + len(word)
    if views.unseen.hides(span):
        return "never"
    return "doubt" if views.unseen.doubt(span) else "seen"


WAYS = [
    "not displayed", "invisible", "transparent", "tiny", "clipped", "of no size", "off the page",
    "in no colour",
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_what_the_browser_does_not_show_is_never_seen(way):
    assert sight(marked(f"<div [{way}]><p>a <i>secret</i></p></div>")) == "never"


@pytest.mark.parametrize("way", WAYS)
def test_what_another_state_may_show_is_in_doubt(way):
    assert sight(marked(f"<div [{way}?]><p>secret</p></div>")) == "doubt"


def test_the_browser_knows_better_than_the_styles_of_the_page():
    assert sight(marked("<p style='display:none'>secret</p>")) == "seen"


def test_words_that_are_shown_again_are_seen():
    views = marked("<div [invisible]>hushed <b []>secret</b></div>")

    assert (sight(views), sight(views, "hushed")) == ("seen", "never")


def test_nothing_is_shown_again_in_a_box_that_is_not_displayed():
    assert sight(marked("<div [not displayed]><b []>secret</b></div>")) == "never"


def test_what_a_control_opens_is_seen_but_not_what_stays_hidden_in_it():
    views = marked(
        "<a href='#p'>Details</a><div id=p [not displayed]>secret"
        "<section><i [transparent]>hushed</i></section></div>"
    )

    assert (sight(views), sight(views, "hushed")) == ("seen", "never")


def test_a_mark_is_no_control_of_what_its_words_name():
    opened = "<a href='#p'>Details</a><div id=p [not displayed]>panel</div>"
    trap = "<section><p>Apart.</p><p>Apart.</p><div id=displayed [invisible]>secret</div></section>"

    assert sight(marked(opened + trap)) == "never"


def test_a_body_of_hidden_letters_is_in_doubt_when_the_page_shows_others():
    page = marked(f"<div []>{REST}</div>secret")
    body = page.source.replace("<body>", f'<body {UNSEEN_MARK}="invisible">')

    assert sight(PageViews(page.page, body.encode())) == "doubt"


def test_letters_that_the_browser_turned_are_turned():
    views = marked(f"<p>Weight: <i {TURNED_MARK}>45 g</i></p>")
    start = views.text.index("45 g")

    assert views.unseen.turns((start, start + 4))


@pytest.mark.parametrize(("root", "rendered"), [(UNSEEN_MARK, False), ("", True)])
def test_marks_mean_nothing_that_our_browser_did_not_write(root, rendered):
    markup = "<p [not displayed]>secret</p><div hidden><i []>hushed</i></div>"
    views = marked(markup, root, rendered=rendered)

    assert (sight(views), sight(views, "hushed")) == ("seen", "never")


def test_marks_change_neither_the_text_of_a_page_nor_its_substance():
    markup = "<p [not displayed]>Weight: 54 g</p>"
    with_marks, without = marked(markup), marked("<p>Weight: 54 g</p>", root="")

    assert with_marks.text == without.text
    assert substance_hash(with_marks) == substance_hash(without)
