"""Structured data: JSON-LD, microdata and meta tags, with their proofs."""

from __future__ import annotations

import json

from specfactory.model import Encoding, ViewName
from specfactory.proof import reading
from tests.pages import page_views


def ld(*things, head="", body=""):
    scripts = "".join(f'<script type="application/ld+json">{_text(t)}</script>' for t in things)
    return page_views(f"<html><head>{head}{scripts}</head><body>{body}</body></html>")


def _text(thing):
    return thing if isinstance(thing, str) else json.dumps(thing)


def said(item):
    """Paths with the words of their values."""
    return [(p.path, " ".join(map(reading, p.values))) for p in item.properties]


def test_json_ld_is_flattened_under_its_paths():
    views = ld({"@type": "Product", "name": "Viper", "brand": {"@type": "Brand", "name": "Razer"},
                "offers": [{"price": "129.90", "priceCurrency": "EUR"}]})  # fmt: skip

    (item,) = views.items

    assert item.type == "Product"
    assert item.name == "Viper"
    assert item.main
    assert ("brand.name", "Razer") in said(item)
    assert ("offers.price", "129.90 EUR") in said(item)


def test_every_snippet_stands_in_the_source_where_it_says():
    views = ld({"name": 'Caf\u00e9 "x"', "weight": 54, "ok": True})

    for named in views.items[0].properties:
        for part in (*named.values, named.label):
            assert part.view is ViewName.SOURCE
            assert views.source[part.start : part.end] == part.quote
    assert views.items[0].first("name") == 'Café "x"'
    assert views.items[0].properties[0].snippet.encoding is Encoding.JSON
    assert views.items[0].properties[1].snippet.encoding is Encoding.PLAIN


def test_measured_values_come_with_their_unit():
    views = ld({"@type": "Product", "weight": {"@type": "QuantitativeValue", "value": 54,
                "unitCode": "GRM", "unitText": "g"}})  # fmt: skip

    assert ("weight", "54 g") in said(views.items[0])


def test_additional_properties_carry_their_own_label():
    rate = {"@type": "PropertyValue", "name": "Polling rate", "value": "8000", "unitText": "Hz"}
    views = ld({"@type": "Product", "additionalProperty": [rate]})

    (named,) = [p for p in views.items[0].properties if p.path == "additionalProperty"]

    assert reading(named.label) == "Polling rate"
    assert [reading(part) for part in named.values] == ["8000", "Hz"]


def test_references_are_followed_and_circles_end():
    views = ld({"@graph": [
        {"@type": "Product", "@id": "#p", "name": "Viper", "offers": {"@id": "#o"}},
        {"@type": "Offer", "@id": "#o", "price": 99, "seller": {"@id": "#p"}, "url": "/"},
    ]})  # fmt: skip

    product = next(item for item in views.items if item.type == "Product")

    assert ("offers.price", "99") in said(product)


def test_the_product_named_in_the_heading_is_the_main_one():
    views = ld({"@type": "Product", "name": "DeathAdder V3"},
               {"@type": "Product", "name": "Viper V3"},
               {"@type": "Organization", "name": "Viper V3 Shop"}, body="<h1>Razer Viper V3"
               "</h1>")  # fmt: skip

    assert [(item.name, item.main) for item in views.items] == [
        ("DeathAdder V3", False), ("Viper V3", True), ("Viper V3 Shop", False)]  # fmt: skip


def test_related_products_are_items_of_their_own():
    views = ld({"@type": "Product", "name": "Viper", "isRelatedTo": [
        {"@type": "Product", "name": "Mini", "weight": "61 g"}]})  # fmt: skip

    assert [(item.name, item.main) for item in views.items] == [("Viper", True), ("Mini", False)]
    assert ("weight", "61 g") not in said(views.items[0])


def test_named_offers_say_whose_they_are():
    views = ld({"@type": "Product", "name": "Viper", "offers": [
        {"name": "Viper White", "price": 1}, {"price": 2}]})  # fmt: skip

    prices = [p.subject for p in views.items[0].properties if p.path == "offers.price"]

    assert prices == ["Viper White", None]


def test_scripts_in_comments_do_not_count():
    views = page_views(
        '<!-- <script type="application/ld+json">{"@type":"Product","weight":"12 g"}</script> -->'
        '<script>var a = \'<script type="application/ld+json">{"weight": 1}<\\/script>\';</script>'
    )

    assert views.items == ()


def test_broken_json_ld_gives_what_can_be_read():
    views = ld('{"@type": "Product", "name": "Viper", "weight": "54 g", oops ')

    assert ("weight", "54 g") in said(views.items[0])


def test_microdata_takes_values_from_attributes_and_from_the_text():
    views = page_views(
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Viper '
        "<b>V3</b></h1>"
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        '<span itemprop="price" content="129.90">129<sup>90</sup></span>'
        '<meta itemprop="priceCurrency" content="EUR"></div>'
        '<span itemprop="sku">A&amp;1</span></div>'
    )

    (item,) = views.items

    assert said(item) == [("name", "Viper V3"), ("sku", "A&1"), ("offers.price", "129.90 EUR"),
                          ("offers.priceCurrency", "EUR")]  # fmt: skip
    assert item.main
    for named in item.properties:
        text = views.source if named.snippet.view is ViewName.SOURCE else views.text
        assert text[named.snippet.start : named.snippet.end] == named.snippet.quote
        assert views.source[named.label.start : named.label.end] == named.label.quote


def test_microdata_properties_with_names_are_pairs():
    views = page_views(
        '<div itemscope itemtype="http://schema.org/Product"><p'
        ' itemprop="additionalProperty" itemscope>'
        '<b itemprop="name">Weight</b> <i itemprop="value">54 g</i></p></div>'
    )

    (named,) = views.items[0].properties

    assert (named.path, named.label_words, named.words) == ("additionalProperty", "Weight", "54 g")


def test_meta_tags_speak_in_the_words_of_schema_org():
    views = page_views(
        '<head><meta property="og:type" content="product"><meta property="og:title"'
        ' content="Viper &amp; co">'
        '<meta property="product:price:amount" content="99.00">'
        '<meta property="product:price:currency" content="EUR"></head>'
    )

    (item,) = views.items

    assert ("name", "Viper & co") in said(item)
    assert ("offers.price", "99.00 EUR") in said(item)


def test_the_title_of_an_article_is_not_the_name_of_a_product():
    views = page_views('<meta property="og:title" content="Viper review">')

    assert said(views.items[0]) == [("headline", "Viper review")]


def test_breadcrumbs_come_from_structured_data():
    views = ld({"@type": "BreadcrumbList", "itemListElement": [
        {"@type": "ListItem", "position": 1, "name": "Mice"},
        {"@type": "ListItem", "position": 2, "item": {"@id": "/r", "name": "Razer"}}]})  # fmt: skip

    assert views.breadcrumbs == ("Mice", "Razer")


def test_types_and_names_are_known_in_any_spelling():
    views = page_views(
        "<div itemscope itemtype='http://schema.org/product/'>"
        "<i itemprop=PRICECURRENCY content=EUR>"
        "</i><i itemprop=price content=5></i></div>"
    )

    assert (views.items[0].type, views.items[0].main) == ("Product", True)
    assert ("price", "5 EUR") in said(views.items[0])
