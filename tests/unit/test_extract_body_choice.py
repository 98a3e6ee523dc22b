"""Which lines make a body: what is said twice, what frames a page, and pages that tell nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from specfactory.extract.body.line_choice import (
    best_lines,
    chosen_lines,
    doubted,
    doubts,
    promise,
    without_repeats,
)
from specfactory.extract.body.line_features import LineFeatures, words_of
from specfactory.extract.body.main_text import content_lines
from tests.pages import page_views

_LONG = words_of("the old bridge over the river was closed for a year")
_OTHER = words_of("nobody in the town had asked for it to be opened again")


def _doubtful(markup: str, article: bool) -> set[str]:
    views = page_views(markup)
    seen = LineFeatures(views, article)
    marked = zip(seen.texts, doubts(views.outline, seen, article), strict=True)
    return {text for text, doubt in marked if doubt}


def test_what_another_box_said_before_is_left_out():
    words = [_LONG, _OTHER, [*_LONG, "again"]]

    assert without_repeats([0, 1, 2], words, [1, 1, 2]) == [0, 1]


def test_what_is_said_again_in_its_own_box_stays():
    assert without_repeats([0, 1], [_LONG, _LONG], [1, 1]) == [0, 1]


def test_a_line_that_quotes_half_of_another_stays():
    half = [*_LONG[:6], *_OTHER[:6]]

    assert without_repeats([0, 1], [_LONG, half], [1, 2]) == [0, 1]


def test_short_lines_may_be_said_twice():
    assert without_repeats([0, 1], [["in", "stock"], ["in", "stock"]], [1, 2]) == [0, 1]


def test_a_page_that_promises_little_has_no_main_content_but_an_article_is_still_looked_for():
    likely, words = [0.1, 0.2, 0.1], [_LONG, _OTHER, ["menu"]]

    assert chosen_lines(likely, words, [1, 2, 3], article=False) == []
    assert chosen_lines(likely, words, [1, 2, 3], article=True)


def test_menus_and_footers_are_doubted():
    page = "<nav>All departments</nav><main><p>A quiet river.</p></main><footer>Imprint</footer>"

    assert _doubtful(page, article=False) == {"All departments", "Imprint"}


def test_what_buyers_wrote_is_doubted_only_where_something_is_sold():
    review = "<div class=reviews><p>Carried it for a week.</p></div>"
    shop = "<p>Add to cart. Shipping and returns are free, delivery takes a day, in stock.</p>"

    assert _doubtful(f"<main>{shop}{review}</main>", article=False) == {"Carried it for a week."}
    assert _doubtful(f"<main><p>A test of packs.</p>{review}</main>", article=False) == set()


def test_the_next_article_below_is_not_the_one_that_was_asked_for():
    page = (
        "<title>The bridge opens</title><article><h1>The bridge opens</h1><p>It was closed.</p>"
        "</article><article><h2>The mill burns</h2><p>Nobody was hurt.</p></article>"
    )

    assert _doubtful(page, article=True) == {"The mill burns", "Nobody was hurt."}
    assert _doubtful(page, article=False) == set()


def test_comments_are_no_part_of_an_article_but_all_there_is_in_a_forum():
    page = "<main><h1>Herons</h1><p>They fish.</p><div class=comments><p>So true.</p></div></main>"

    assert _doubtful(page, article=True) == {"So true."}
    assert _doubtful(page, article=False) == set()


def test_a_doubtful_line_is_less_likely_not_impossible():
    assert doubted([0.9, 0.9], [False, True])[0] == 0.9
    assert 0 < doubted([0.9, 0.9], [False, True])[1] < 0.5


def test_a_text_that_stands_twice_on_a_page_is_given_once():
    told = "".join(
        f"<p>The {name} of the valley was built by hand in the year of the long winter, "
        f"and every {name} after it was measured against that one.</p>"
        for name in ("bridge", "mill", "barn", "road")
    )
    page = (
        "<html><title>The valley</title><body><main><article><h1>The valley</h1>"
        f"<div class=wide>{told}</div><div class=narrow>{told}</div></article></main></body></html>"
    )
    views = page_views(page)

    given_lines = [views.text[a:b] for a, b in content_lines(views, article=True, peer=False)[0]]

    assert sum("measured against" in line for line in given_lines) == 4


_SHARES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 50)), min_size=1, max_size=30)


@given(_SHARES)
def test_no_other_number_of_likeliest_lines_promises_more(lines):
    likely, words = [share for share, _ in lines], [size for _, size in lines]
    order = sorted(range(len(likely)), key=lambda at: -likely[at])

    best = promise(likely, words, best_lines(likely, words))

    assert all(promise(likely, words, order[:n]) <= best + 1e-9 for n in range(len(order) + 1))
