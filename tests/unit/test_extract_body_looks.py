"""The two looks at a page's lines: what they see, and that the shipped trees ask for no more."""

from __future__ import annotations

import json
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from specfactory.extract.body.line_features import NAMES, LineFeatures
from specfactory.extract.body.second_pass import line_groups, rows_again
from tests.pages import page_views

_REVIEWED = """<html><title>Trail pack</title><body><main><h1>Trail pack</h1>
<p>A light pack for a day in the hills, with two pockets and a cover against the rain.</p>
<h2>Customer reviews</h2><h3>Very comfortable</h3><p>I wore it for three days and was happy.</p>
<h2>Materials</h2><p>Nylon.</p></main><footer>All rights reserved</footer></body></html>"""
_CARDS = "".join(f"<div class='card big'>Pack {at}</div>" for at in range(6))


def _column(seen: LineFeatures, name: str) -> dict[str, float]:
    at = NAMES.index(name)
    return {text: row[at] for text, row in zip(seen.texts, seen.rows, strict=True)}


def test_a_review_stays_one_under_a_heading_of_its_own():
    under = _column(LineFeatures(page_views(_REVIEWED)), "under_reviews")

    assert under["I wore it for three days and was happy."] == 1.0
    assert under["Nylon."] == under["Trail pack"] == 0.0


def test_lines_know_their_place_by_the_main_element_and_the_title():
    seen = LineFeatures(page_views(_REVIEWED))

    assert _column(seen, "after_main")["All rights reserved"] == 1.0
    assert _column(seen, "title_cover")["Trail pack"] == 1.0
    assert _column(seen, "place_in_main")["Trail pack"] == 0.0


def test_cards_of_one_shape_are_a_group():
    seen = LineFeatures(page_views(f"<h1>Packs</h1><p>All of them.</p><section>{_CARDS}</section>"))

    sizes = _column(seen, "group_size")
    assert sizes["Pack 1"] > sizes["All of them."]


def test_the_second_look_sees_what_the_first_says_around_a_line():
    seen = LineFeatures(page_views("<div><p>one</p><p>two</p></div><div><p>three</p></div>"))

    rows = rows_again(seen.rows, line_groups(seen), [0.9, 0.5, 0.1])

    first, before, _, after = zip(*(row[len(NAMES) : len(NAMES) + 4] for row in rows), strict=True)
    assert first == (0.9, 0.5, 0.1)
    assert before == (0.0, 0.9, 0.5)
    assert after == (0.5, 0.1, 0.0)


def test_the_shipped_trees_ask_for_nothing_that_is_not_seen():
    shipped = json.loads(
        (files("specfactory.extract.learned").joinpath("data") / "body_trees.json").read_text(
            "utf-8"
        )
    )
    seen = LineFeatures(page_views(_REVIEWED))
    again = rows_again(seen.rows, line_groups(seen), [0.5] * len(seen.lines))

    for name, width in (("lines", len(NAMES)), ("again", len(again[0]))):
        asked = [node[0] for tree in shipped[name]["trees"] for node in tree if len(node) > 1]
        assert max(asked) < width


_TAGS = st.sampled_from(("p", "div", "li", "h2", "main", "td", "a", "noscript", "section", "pre"))


@given(st.lists(st.tuples(_TAGS, st.text(max_size=20), st.booleans()), max_size=30))
def test_whatever_the_markup_every_line_has_a_full_row(parts):
    markup = "".join(f"<{tag} role=main>{words}{f'</{tag}>' * end}" for tag, words, end in parts)

    seen = LineFeatures(page_views(f"<body>{markup}</body>"))

    assert {len(row) for row in seen.rows} <= {len(NAMES)}
    if seen.lines:
        assert len(rows_again(seen.rows, line_groups(seen), [0.0] * len(seen.lines))) == len(
            seen.rows
        )
