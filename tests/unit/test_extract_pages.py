"""What is taken from pages: tables, lists, pairs, phrases, data sheets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.extract import extract_candidates
from specfactory.model import Method, Money, Tier
from specfactory.proof import prove
from tests.pages import page_views, small_contract, tiny_pdf
from tests.yardstick import within

COMPILED = small_contract()


def taken(markup, **page):
    """(field, value, subject) of every candidate; each must be proven."""
    views = page_views(f"<html lang=en><h1>Razer Viper V3 Pro</h1>{markup}</html>", **page)
    found = extract_candidates(views, COMPILED)
    for candidate in found.candidates:
        assert prove(candidate, COMPILED, views) is None
    return [(c.field, c.value, c.subject) for c in found.candidates]


def dropped(markup, **page):
    views = page_views(f"<html lang=en><h1>Razer Viper V3 Pro</h1>{markup}</html>", **page)
    return [(d.field, d.reason) for d in extract_candidates(views, COMPILED).dropped]


OWN = [("weight", 54, None), ("length", 127, None)]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><th>Weight<td>54 g<tr><th>Length<td>127 mm</table>",
        "<table><tr><td>Weight:<td>54 g (without cable)<tr><td>Length<td>127 mm</table>",
        "<table><tr><th>Specification<th>Value<tr><td>Weight<td>54 g<tr><td>Length<td>127"
        " mm</table>",
        "<table><tr><td>Weight<td>54 g<td>Length<td>127 mm</table>",
        "<table><tr><th>Weight<td>54 g<th>Length<td>127 mm</table>",
        "<table><tr><td>A:<td>B<td>Weight:<td>54 g<tr><td>Length:<td>127 mm<td>Age:<td>3</table>",
        "<table><tr><th>Weight (g)<th>Length (mm)<tr><td>54<td>127</table>",
        "<table><tr><th colspan=2>Body<tr><td>Weight<td>54 g<tr><td>Length<td>127 mm</table>",
        "<table><tr><th rowspan=2>Body<th>Weight<td>54 g<tr><th>Length<td>127 mm</table>",
        "<table><tr><th>Body<th>Weight<td>54 g<tr><th>Size<th>Length<td>127 mm</table>",
        "<table><tr><td>Weight<td>54 g<td>1.9 oz<tr><td>Length<td>127 mm<td>5.0 in</table>",
        "<table><tr><td>x<td><table><tr><td>Weight<td>54 g<tr><td>Length<td>127 mm</table></table>",
        "<dl><dt>Weight<dd>54 g<dt>Length<dd>127 mm</dl>",
        "<dl><div><dt>Weight</dt><dd>54 g</dd></div><div><dt>Length</dt><dd>127 mm</dd></div></dl>",
        "<ul><li>Weight: 54 g<li>Length: 127 mm</ul>",
        "<ul><li><b>Weight</b> 54 g<li><strong>Length:</strong> 127 mm</ul>",
        "<p>Weight: 54 g<br>Length – 127 mm</p>",
        "<p>Weight: 54 g | Length: 127 mm</p>",
        "<p><b>Weight</b> 54 g</p><p><b>Length</b> 127 mm</p>",
        "<pre>Weight\t54 g\nLength\t127 mm</pre>",
        "<div><span>Weight: 54 g</span> <span>Length: 127 mm</span></div>",
    ],
)
def test_tables_lists_and_lines_give_their_pairs(markup):
    assert taken(markup) == OWN


@pytest.mark.parametrize(
    "markup",
    [
        "<div><div>Weight</div><div>54 g</div></div><div><div>Length</div><div>127 mm</div></div>",
        "<div><div>Weight</div><div>54 g</div><div>Length</div><div>127 mm</div></div>",
        "<div><p><span>Weight</span></p><p>54 g</p></div><div><p><i>Length</i></p><p>127 mm"
        "</p></div>",
        "<h3>Weight</h3><p>54 g</p><h3>Length</h3><p>127 mm</p>",
        "<div><span>54 g</span><span>Weight</span></div><div><span>127 mm</span>"
        "<span>Length</span></div>",
        "<section><span>Weight</span><span>54 g</span></section><div>Length <b>127 mm</b></div>",
    ],
)
def test_pairs_are_found_in_any_markup(markup):
    assert sorted(taken(markup)) == sorted(OWN)


def test_a_unit_in_the_column_head_belongs_to_the_value():
    markup = "<table><tr><th><th>mm<th>in<tr><td>Length<td>127<td>5.0</table>"

    assert [value for _, value, _ in taken(markup)] == [127, 127]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><th><th>Viper V3<th>Cobra<tr><td>Weight<td>54 g<td>63 g</table>",
        "<table><tr><td>Model<td>Viper V3<td>Cobra<tr><td>Weight<td>54 g<td>63 g</table>",
        "<table><thead><tr><td>Spec<td>Viper V3<td>Cobra</thead><tr><th>Weight<td>54 g"
        "<td>63 g</table>",
        "<table><tr><th>Model<th>Weight<th>Length<tr><td>Viper V3<td>54 g<td><tr><td>Cobra"
        "<td>63 g<td></table>",
    ],
)
def test_values_beside_each_other_belong_to_the_products_in_the_heads(markup):
    assert taken(markup) == [("weight", 54, "Viper V3"), ("weight", 63, "Cobra")]


def test_a_value_that_is_also_a_label_is_no_pair_of_pairs():
    markup = "<table><tr><th><th>A1<th>B2<th>C3<tr><td>Software<td>None<td>Sensor<td>X</table>"

    assert ("sensor", "X", None) not in taken(markup)


def test_a_heading_gives_a_label_its_meaning():
    assert taken("<h2>Cable</h2><table><tr><td>Length<td>1.8 m</table>") == [
        ("cable_length", 1.8, None)
    ]
    assert taken("<table><tr><th colspan=2>Cable<tr><td>Length<td>1.8 m</table>") == [
        ("cable_length", 1.8, None)]  # fmt: skip
    assert taken("<div><h2>Cable</h2><p>braided</p></div><p>Length: 127 mm</p>") == [
        ("length", 127, None)
    ]


def test_a_menu_of_labels_gives_nothing():
    assert taken("<p><a href=#w>Weight</a> <a href=#s>Sensor</a> <a href=#x>Software</a></p>") == []


def test_a_group_of_pairs_is_no_value():
    assert taken("<h3>Software</h3><div><p>Weight: 54 g</p></div>") == [("weight", 54, None)]


def test_old_prices_are_left_out():
    markup = "<p>Price: <del>$199.99</del> $129<sup>90</sup></p>"

    assert taken(markup) == [("price", Money(129.9, "USD"), None)]
    assert dropped("<p>Price: <s>$199.99</s></p>") == [("price", "other_region")]


def test_what_has_a_label_but_gives_no_value_is_kept_with_its_reason():
    assert dropped("<p>Weight: light</p>") == [("weight", "not_a_number")]
    assert dropped("<p>Nonsense: 54 g</p>") == []


def test_sentences_state_values_of_what_they_name():
    markup = "<p>The Razer Cobra V2 weighs 63 g, while the Razer Viper V3 weighs just 54 g.</p>"

    assert taken(markup) == [("weight", 63, "Razer Cobra V2"), ("weight", 54, "Razer Viper V3")]


def test_known_parts_are_not_whose_value_it_is():
    markup = "<p>With its Focus Pro 35K the mouse weighs 54 g.</p>"

    assert taken(markup) == [("weight", 54, None)]


def test_sentences_about_a_predecessor_are_left_out():
    assert taken("<p>Its predecessor weighs 63 g.</p>") == []
    assert dropped("<p>Its predecessor weighs 63 g.</p>") == [("weight", "other_product")]


@pytest.mark.parametrize(
    "markup",
    [
        "<aside><h3>You may also like</h3><div><a href=/c>Cobra</a><p>Weight: 63 g</p>"
        "</div></aside>",
        "<div class='crossSell'><div><a href=/c>Cobra</a><p>Weight: 63 g</p></div></div>",
        "<h2>Ähnliche Produkte</h2><div><a href=/c>Cobra</a><p>Weight: 63 g</p></div>",
        "<section><h2>Customers also viewed</h2><p><a href=/c>Cobra</a></p><p>Weight: 63 g"
        "</p></section>",
    ],
)
def test_values_in_boxes_of_other_products_carry_their_names(markup):
    assert taken(markup) == [("weight", 63, "Cobra")]


def test_cards_of_one_shape_carry_their_titles():
    cards = "".join(f"<li><a href=/{n}>Mouse {n}x</a><p>Weight: 6{n} g</p></li>" for n in (1, 2, 3))

    assert [subject for _, _, subject in taken(f"<ul>{cards}</ul>")] == [
        "Mouse 1x", "Mouse 2x", "Mouse 3x"]  # fmt: skip


@pytest.mark.parametrize(
    "markup",
    [
        "<footer><p>Weight: 12 g</p></footer>",
        "<nav><p>Weight: 12 g</p></nav>",
        "<div style='display:none'><table><tr><td>Weight<td>12 g</table></div>",
        "<div hidden><p>Weight: 12 g</p></div>",
        "<div class=customer-reviews><p>Weight: 12 g</p></div>",
        "<section><h2>Kundenbewertungen</h2><blockquote><p>Weight: 12 g</p></blockquote></section>",
    ],
)
def test_what_is_not_about_the_page_is_dropped_with_its_reason(markup):
    markup += "<p>" + "A page has more words than its boxes. " * 5 + "</p>"

    assert taken(markup) == []
    assert ("weight", "other_region") in dropped(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<div role=tabpanel hidden><p>Weight: 54 g</p></div>",
        "<a href='#s'>Specs</a><div id=s style='display:none'><p>Weight: 54 g</p></div>",
        "<button aria-controls=s>Specs</button><div id=s hidden><p>Weight: 54 g</p></div>",
        "<div class='tab-pane' style='display: none'><p>Weight: 54 g</p></div>",
        "<details><summary>Specs</summary><p>Weight: 54 g</p></details>",
        "<aside class=infobox><p>Weight: 54 g</p></aside>",
        "<ul><li><a href=/dpi>Weight</a>: 54 g</li></ul>",
    ],
)
def test_what_opens_on_a_click_belongs_to_the_page(markup):
    markup += "<p>" + "A page has more words than its boxes. " * 5 + "</p>"

    assert taken(markup) == [("weight", 54, None)]


def test_a_heading_that_names_another_product_is_the_subject_below_it():
    markup = "<h2>Razer Viper Mini</h2><p>Weight: 61 g</p><h2>Body</h2><p>Length: 127 mm</p>"

    assert taken(markup) == [("weight", 61, "Razer Viper Mini"), ("length", 127, None)]


def test_users_are_believed_on_their_own_sites_only_for_what_they_name():
    post = "<blockquote><p>Mine is the Viper Mini, weight is 61 g.</p></blockquote>"
    post += "<p>" + "A page has more words than its boxes. " * 5 + "</p>"

    assert taken(post) == []
    assert taken(post, tier=Tier.COMMUNITY) == [("weight", 61, "Viper Mini")]


def test_structured_data_of_another_item_carries_its_name():
    markup = (
        '<script type="application/ld+json">[{"@type":"Product","name":"Razer Viper V3'
        ' Pro","weight":"54 g"},'
        '{"@type":"Product","name":"Cobra","weight":"63 g"},{"@type":"Product","weight":"12'
        ' g"}]</script>'
    )

    weights = [(v, s) for f, v, s in taken(markup) if f == "weight"]

    assert weights == [(54, "Razer Viper V3 Pro"), (63, "Cobra")]
    assert dropped(markup) == [("weight", "other_region")]


def test_structured_data_fills_fields_by_path_and_by_label():
    markup = (
        "<script"
        ' type="application/ld+json">{"@type":"Product","name":"Viper","gtin13":"4006381333931",'
        '"brand":{"name":"Razer"},"offers":{"price":"129.90","priceCurrency":"EUR"},'
        '"additionalProperty":[{"name":"Polling rate","value":8000,"unitText":"Hz"}]}</script>'
    )

    assert {f: v for f, v, _ in taken(markup)} == {
        "product_name": "Viper", "gtin": "4006381333931", "brand": "Razer",
        "price": Money(129.9, "EUR"), "polling_rate": 8000}  # fmt: skip


def test_one_place_gives_a_field_one_value():
    views = page_views("<table><tr><td><p><b>Weight:</b> weighs 54 g</p><td></table>")

    found = extract_candidates(views, COMPILED).candidates

    assert [(c.field, c.value) for c in found] == [("weight", 54)]


def test_a_data_sheet_gives_columns_lines_and_what_stands_below_a_label():
    body = tiny_pdf([
        [(50, "Razer Viper V3 Pro")],
        [(50, "Weight"), (300, "54 g")],
        [(50, "Length: 127 mm"), (300, "Polling rate: 8000 Hz")],
        [(50, "Cable")], [(50, "Length"), (300, "1.8 m")],
        [(50, "Sensor")], [(50, "Focus Pro 35K")],
    ])  # fmt: skip
    views = page_views(body, media_type="application/pdf")

    found = extract_candidates(views, COMPILED).candidates

    assert [(c.field, c.value) for c in found] == [
        ("weight", 54), ("length", 127), ("polling_rate", 8000), ("cable_length", 1.8),
        ("sensor", "Focus Pro 35K")]  # fmt: skip
    assert [prove(c, COMPILED, views) for c in found] == [None] * 5


def test_columns_of_a_data_sheet_belong_to_their_heads():
    body = tiny_pdf([[(200, "Viper V3"), (400, "Cobra")],
                     [(50, "Weight"), (200, "54 g"), (400, "63 g")]])  # fmt: skip
    views = page_views(body, media_type="application/pdf")

    found = extract_candidates(views, COMPILED).candidates

    assert [(c.value, c.subject) for c in found] == [(54, "Viper V3"), (63, "Cobra")]


def test_methods_say_how_a_candidate_was_found():
    views = page_views(
        "<table><tr><td>Weight<td>54 g</table><p>Length: 127 mm</p><p>It weighs 55 g.</p>"
    )

    methods = {
        c.field: c.evidence.method for c in extract_candidates(views, COMPILED).candidates[:2]
    }

    assert methods == {"weight": Method.TABLE, "length": Method.PAIR}


PIECES = [
    "<table>", "<tr>", "<td>", "<th rowspan=9>", "<td colspan=99>", "</table>", "<dl>", "<dt>",
    "<dd>", "<div>", "</div>", "<p>", "<li>", "<b>", "</b>", "<del>", "</del>", "<h2>", "</h2>",
    "</a>", "<a href=/x>", "<aside>", "<blockquote>", "<div hidden>", "Weight", "Length", "Cable",
    " 54 g", ": ", "127 mm", "<br>", "weighs 54 g. ", "Viper V3", "<span itemprop=weight>", "|",
    "1.8 m",    "<div itemscope itemtype=Product>", "\n",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_whatever_is_taken_from_whatever_page_is_proven(markup):
    views = page_views(markup)

    for candidate in extract_candidates(views, COMPILED).candidates:
        assert prove(candidate, COMPILED, views) is None


@pytest.mark.parametrize(
    "markup",
    [
        "<div>Weight</div><div>54 g</div>" * 15_000,
        "<table>" + "<tr><td>Weight<td>54 g<td>Length<td>1 mm" * 20_000,
        "<table><tr>" + "<td rowspan=99 colspan=99>Weight" * 15_000,
        "<p>Price: <del>$1</del> $2</p>" * 15_000,
        "<h2>Related</h2><p>Weight: 1 g</p>" * 15_000,
        "<aside>" + "<p>Weight: 1 g</p>" * 15_000 + "</aside>" + "x " * 400_000,
        "<li><a href=/x>Viper</a> Weight: 1 g" * 15_000,
        "<p>" + "it weighs 54 g and " * 100_000,
        "<p>Weight" + "\u00a0" * 500 + ":" * 20_000,
        "<div itemscope><b itemprop=weight>54 g</b></div>" * 15_000,
        "<dl>" + "<dt>Weight<dd>54 g" * 15_000,
        "<div>" * 500 + "<p>Weight: 54 g</p>" * 20_000,
    ],
    ids=["divs", "rows", "spans", "struck", "headings", "aside", "cards", "prose", "separators",
         "microdata", "definitions", "deep"],
)  # fmt: skip
def test_hostile_pages_take_bounded_time_and_give_a_bounded_number(markup):
    with within(yards=250):
        found = extract_candidates(page_views(markup), COMPILED)

    assert len(found.candidates) <= 3_000
    assert len(found.dropped) <= 500
