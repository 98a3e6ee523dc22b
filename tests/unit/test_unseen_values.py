"""Values that no reader sees, that stand in another order, or that the visible page contradicts."""

from __future__ import annotations

import json

import pytest

from specfactory.extract import extract_candidates
from specfactory.extract.language_model import short_list
from specfactory.model import replace
from specfactory.proof import prove
from tests.pages import page_views, small_contract
from tests.yardstick import within

COMPILED = small_contract()
REST = "<p>" + "A page has more words than its boxes. " * 5 + "</p>"


def read(markup, head=""):
    views = page_views(
        f"<html lang=en><head>{head}</head><h1>Razer Viper V3 Pro</h1>{markup}{REST}</html>"
    )
    return views, extract_candidates(views, COMPILED)


def weights(markup, head=""):
    """(value, whether it is in doubt) of every weight taken; each must be proven."""
    views, found = read(markup, head)
    for one in found.candidates:
        assert prove(one, COMPILED, views) is None
    return [(one.value, bool(one.doubt)) for one in found.candidates if one.field == "weight"]


def test_the_seen_part_of_a_cell_is_its_value():
    cell = "<table><tr><th>Weight<td><b style='display:none'>99 g</b> 54 g</table>"

    assert weights(cell) == [(54, False)]


def test_a_label_that_no_reader_sees_names_nothing():
    assert weights("<p><b style='display:none'>Weight:</b> 54 g</p>") == []


def test_what_may_open_is_taken_in_doubt():
    assert weights("<div class=tab-pane hidden><p>Weight: 54 g</p></div>") == [(54, True)]


@pytest.mark.parametrize(
    "value",
    ["\u202e45 g\u202c", "<bdo dir=rtl>45 g</bdo>",
     "<i style='unicode-bidi:bidi-override;direction:rtl'>45 g</i>"],
)  # fmt: skip
def test_digits_in_another_order_are_refused(value):
    assert weights(f"<table><tr><th>Weight<td>{value}</table>") == []


def linked(**properties):
    item = {"@type": "Product", "name": "Razer Viper V3 Pro", **properties}
    return f'<script type="application/ld+json">{json.dumps(item)}</script>'


def test_data_that_the_visible_page_contradicts_are_in_doubt():
    table = "<table><tr><th>Weight<td>54 g</table>"

    assert (99, True) in weights(table, linked(weight="99 g"))
    assert weights(table, linked(weight="54.3 g")) == [(54.3, False), (54, False)]
    assert (99, False) in weights(f"{table}<p>99 g with its box</p>", linked(weight="99 g"))
    assert weights("", linked(weight="99 g")) == [(99, False)]


@pytest.mark.parametrize("turned", ["\\u202e99 g", "&#8238;99 g"])
def test_overrides_in_data_are_refused_too(turned):
    data = linked(weight="X").replace("X", turned)

    assert weights("", data) == []


@pytest.mark.parametrize("unread", ["\u200b", "\u202a", "\u2066", "\x01", "\x9f", "\ufeff"])
def test_characters_that_nobody_reads_are_no_part_of_a_value(unread):
    value = COMPILED.derive("sensor", f"Focus{unread} Pro{unread}")

    assert value == "Focus Pro"


def test_a_value_taken_with_such_characters_is_still_proven():
    views, found = read("<table><tr><th>Sensor<td>Focus\u2066 Pro</table>")
    (one,) = [each for each in found.candidates if each.field == "sensor"]

    assert one.value == "Focus Pro"
    assert prove(replace(one, value="Focus\u2066 Pro"), COMPILED, views) is None


def test_a_model_is_not_shown_what_no_reader_sees():
    sheet = "<style>.x{opacity:0}</style>"
    views, _ = read("<p class=x>Its weight is 99 g.</p><p>Its weight is 54 g.</p>", sheet)

    listed = short_list(views, COMPILED, ["weight"], 1_000)

    assert listed.words(listed.nodes[-1]) == "Its weight is 54 g."
    assert not any("99" in listed.words(node) for node in listed.nodes)


@pytest.mark.parametrize(
    "page",
    [
        lambda n: "<style>" + "".join(f".c{i}{{display:none}}" for i in range(n)) + "</style>"
        + "".join(f"<p class=c{i}>{i}" for i in range(n)),
        lambda n: "<style>" + ".x .y{display:none}" * n + "</style>" + "<p class=y>1" * n,
        lambda n: "<style>" + "".join(f".a{i} .y{{opacity:0}}" for i in range(n)) + "</style>"
        + "".join(f"<div class=a{i}><p class=y>1</div>" for i in range(n)),
        lambda n: "<div hidden>1</div>" * n,
        lambda n: "<style>" + "/*{" * n + "</style><p hidden>1",
        lambda n: "<style>" + "a{b:'" * n + "</style><p hidden>1",
        lambda n: "<style>" + "p," * n + "p{display:none}</style>" + "<p>1" * n,
        lambda n: "<div style='color:#fff'>" * 100 + "<p style='color:#fff'>1" * n,
    ],
)  # fmt: skip
def test_finding_what_is_hidden_takes_time_in_proportion_to_the_page(page):
    views = page_views(page(3_000))
    assert views.outline.elements

    with within(60):  # yards; where time grew with the square it took thousands
        assert views.unseen is not None
