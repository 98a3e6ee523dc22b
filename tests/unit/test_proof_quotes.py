"""Quotes stand where they were taken, and prove what was taken from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.errors import QuoteNotFound
from specfactory.extract import extract_candidates
from specfactory.model import Method, ViewName
from specfactory.proof import PageViews, prove, snippet, verify
from tests.pages import page_views, small_contract

PAGE = """<html lang=en><head><script type="application/ld+json">
{"@type": "Product", "name": "Viper", "weight": "54 g", "sku": "54 g",
 "offers": {"price": 129.9, "priceCurrency": "EUR"}}</script></head><body><h1>Viper</h1>
<table><tr><th>Weight<td>55 g<tr><th>Length<td>127 mm</table><h2>Cable</h2><p>Length: 1.8 m</p>
<p>In the hand it weighs just 56 g.</p></body></html>"""


@pytest.fixture(scope="module")
def views():
    return page_views(PAGE)


@pytest.fixture(scope="module")
def compiled():
    return small_contract()


@pytest.fixture
def taken(views, compiled):
    candidates = extract_candidates(views, compiled).candidates
    return {(c.field, c.evidence.method): c for c in candidates}


def test_every_candidate_of_a_page_is_proven(views, compiled, taken):
    assert {key: prove(c, compiled, views) for key, c in taken.items()} == {
        ("product_name", Method.STRUCTURED): None,
        ("weight", Method.STRUCTURED): None,
        ("price", Method.STRUCTURED): None,
        ("weight", Method.TABLE): None,
        ("length", Method.TABLE): None,
        ("cable_length", Method.PAIR): None,
        ("weight", Method.PATTERN): None,
    }


def test_one_changed_digit_of_the_page_is_noticed(compiled, taken):
    changed = page_views(PAGE.replace("55 g", "58 g"))

    problem = prove(taken["weight", Method.TABLE], compiled, changed)

    assert problem == "quote '55 g' does not stand at its place"


def test_a_value_that_the_quote_does_not_give_is_refused(views, compiled, taken):
    candidate = replace(taken["weight", Method.TABLE], value=54)

    assert prove(candidate, compiled, views) == "value does not derive: the quotes give 55, not 54"


def test_a_value_of_another_type_is_refused(views, compiled, taken):
    candidate = replace(taken["weight", Method.TABLE], value=55.0)

    assert "value does not derive" in prove(candidate, compiled, views)


def test_a_label_that_names_another_field_is_refused(views, compiled, taken):
    weight, length = taken["weight", Method.TABLE], taken["length", Method.TABLE]
    candidate = replace(weight, evidence=replace(weight.evidence, label=length.evidence.label))

    assert prove(candidate, compiled, views) == "label 'Length' does not name weight"


def test_a_heading_that_is_needed_must_be_quoted(views, compiled, taken):
    cable = taken["cable_length", Method.PAIR]

    assert cable.evidence.section.quote == "Cable"
    without = replace(cable, evidence=replace(cable.evidence, section=None))
    assert prove(without, compiled, views) == "label 'Length' does not name cable_length"


def test_a_property_of_another_path_does_not_name_the_field(views, compiled, taken):
    weight = taken["weight", Method.STRUCTURED]
    sku = next(p for p in views.items[0].properties if p.path == "sku")
    forged = replace(weight.evidence, values=sku.values, label=sku.label)

    assert "does not name weight" in prove(replace(weight, evidence=forged), compiled, views)


def test_a_phrase_must_hold_its_value(views, compiled, taken):
    stated = taken["weight", Method.PATTERN]
    elsewhere = taken["weight", Method.TABLE].evidence.values
    forged = replace(stated, value=55, evidence=replace(stated.evidence, values=elsewhere))

    assert "does not name weight" in prove(forged, compiled, views)


def test_a_quote_of_another_page_or_a_later_view_is_not_found(views):
    quote = snippet(views, ViewName.TEXT, 0, 5)
    evidence = next(iter(extract_candidates(views, small_contract()).candidates)).evidence

    for wrong in (replace(quote, page_id="other"), replace(quote, view_version=99),
                  replace(quote, start=5, end=5, quote=""), replace(quote, start=-3)):  # fmt: skip
        with pytest.raises(QuoteNotFound):
            verify(replace(evidence, values=(wrong,)), views)


def test_machine_numbers_are_read_with_a_point_in_any_language(compiled):
    views = page_views(
        '<html lang=de><script type="application/ld+json">{"@type": "Product", "name": "V", '
        '"weight": {"value": 54.125, "unitText": "g"}}</script><table><tr><td>Gewicht<td>54,125 g'
    )

    candidates = extract_candidates(views, compiled).candidates

    assert [(c.field, c.value) for c in candidates if c.field == "weight"] == [
        ("weight", 54.125)
    ] * 2
    assert [prove(c, compiled, views) for c in candidates] == [None] * len(candidates)


def test_markup_of_a_browsers_page_is_quoted_from_its_dom(compiled):
    page = replace(page_views("").page, response_hash="0" * 64, charset="utf-8")
    rendered = PageViews(page, PAGE.replace("<head>", "<head><meta charset=latin1>").encode())

    candidates = extract_candidates(rendered, compiled).candidates
    quoted = {part.view for c in candidates for part in (*c.evidence.values, c.evidence.label)}

    assert quoted == {ViewName.DOM, ViewName.TEXT}
    assert [prove(candidate, compiled, rendered) for candidate in candidates] == [None] * 7


def test_quote_of_the_dom_does_not_stand_in_what_the_server_sent(views, compiled):
    page = replace(views.page, response_hash="0" * 64)
    rendered = PageViews(page, PAGE.encode())
    of_dom = snippet(rendered, ViewName.SOURCE, 0, 5)
    of_source = snippet(views, ViewName.SOURCE, 0, 5)
    evidence = extract_candidates(views, compiled).candidates[0].evidence

    assert (of_dom.view, of_source.view) == (ViewName.DOM, ViewName.SOURCE)
    for quote, elsewhere in ((of_dom, views), (of_source, rendered)):
        with pytest.raises(QuoteNotFound):
            verify(replace(evidence, values=(quote,)), elsewhere)
