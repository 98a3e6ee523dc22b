"""Structured data as it is really out there: RDFa, itemref, page state, and whose it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.model import ViewName
from specfactory.proof import reading
from tests.pages import page_views
from tests.yardstick import within


def said(item):
    """Paths with the words of their values."""
    return [(p.path, " ".join(map(reading, p.values))) for p in item.properties]


def item_of(views, syntax):
    """The one item of a syntax."""
    (item,) = [item for item in views.items if item.syntax == syntax]
    return item


def ld(*things, body="", head=""):
    scripts = "".join(
        f'<script type="application/ld+json">{t if isinstance(t, str) else json.dumps(t)}</script>'
        for t in things
    )
    return page_views(f"<html><head>{head}{scripts}</head><body>{body}</body></html>")


def mains(views):
    return [item.name for item in views.items if item.main]


@pytest.mark.parametrize(
    "written",
    [
        '{"@type": "Product", "name": "Viper", "sku": "A1"}',
        '// made by hand\n{"@type": "Product", /* sic */ "name": "Viper", "sku": "A1"}',
        '{"@type": "Product", "name": "Viper", "sku": "A1",}',
        "{&quot;@type&quot;: &quot;Product&quot;, &quot;name&quot;: &quot;Viper&quot;, "
        "&quot;sku&quot;: &quot;A1&quot;}",
        '//<![CDATA[\n{"@type": "Product", "name": "Viper", "sku": "A1"}\n//]]>',
        '<!-- {"@type": "Product", "name": "Viper", "sku": "A1"} -->',
        '\ufeff{"@type": "Product", "name": "Viper", "sku": "A1"}',
        '{"@type": "WebSite"}{"@type": "Product", "name": "Viper", "sku": "A1"};',
        '{"@graph": [{"@type": "WebPage"}, {"@type": "Product", "name": "Viper", "sku": "A1"}]}',
        '{"@type": ["Thing", "Product"], "name": "Viper", "sku": "A1"}',
        '{"@type": "Product", "description": "two\nlines\tand a tab", "name": "Viper", '
        '"sku": "A1"}',
        '{"@type": "Product", "name": "Viper", "sku": "A1"',
        '[[{"@type": "Product", "name": "Viper", "sku": "A1"}]',
        '{"@type": "Product", "description": "a 24" screen", "name": "Viper", "sku": "A1"}',
        '{"@type": "Product", "description": "a "good"\nmouse", "name": "Viper", "sku": "A1"}',
        '{"@type": "Product", "description": "good"\n "name": "Viper", "sku": "A1"}',
        '{"@type": "http://schema.org/Product", "Name": "Viper", "SKU": "A1"}',
    ],
    ids=["plain", "comments", "comma", "entities", "cdata", "html comment", "bom", "roots",
         "graph", "types", "raw newline", "no brace", "arrays", "quote",
         "quotes and lines", "missing comma", "addresses"],
)  # fmt: skip
def test_json_ld_is_read_however_it_is_broken(written):
    views = ld(written)

    (item,) = [item for item in views.items if item.type == "Product"]

    assert item.main
    assert {("name", "Viper"), ("sku", "A1")} <= set(said(item))
    for named in item.properties:
        for part in (*named.values, named.label):
            assert views.source[part.start : part.end] == part.quote


def test_steps_of_all_sections_are_read_in_their_order():
    views = ld({"@type": "Recipe", "name": "Soup", "recipeInstructions": [
        {"@type": "HowToSection", "name": "Stock", "itemListElement": [
            {"@type": "HowToStep", "text": "Boil."}, {"@type": "HowToStep", "text": "Sieve."}]},
        {"@type": "HowToStep", "text": "Serve."}]})  # fmt: skip

    item = item_of(views, "json-ld")

    assert item.all("recipeInstructions.text") == ("Boil.", "Sieve.", "Serve.")


def test_a_total_follows_from_its_parts_where_it_is_not_stated():
    stated = ld({"@type": "Recipe", "prepTime": "PT5M", "cookTime": "PT1H", "totalTime": "PT2H"})
    parts = ld({"@type": "Recipe", "prepTime": "PT5M", "cookTime": "PT1H", "totalTime": "PT0M"})

    assert "prepTime+cookTime" not in dict(said(stated.items[0]))
    assert dict(said(parts.items[0]))["prepTime+cookTime"] == "PT5M PT1H"


def test_the_main_entity_of_the_page_is_its_own_thing():
    views = ld({"@type": "Product", "name": "Cord"},
               {"@type": "WebPage", "mainEntity": {"@type": "Product", "name": "Mug"}})  # fmt: skip

    assert mains(views) == ["Mug"]


def test_the_address_tells_the_page_s_own_thing():
    own = {"@id": "http://www.shop.example/mug/#top"}
    views = ld({"@type": "Product", "name": "Red mug"},
               {"@type": "Product", "name": "Mug, red", "mainEntityOfPage": own},
               head='<link rel="canonical" href="https://shop.example/mug">',
               body="<h1>Red mug</h1>")  # fmt: skip

    assert mains(views) == ["Mug, red"]


def test_structured_data_of_another_page_is_not_this_page_s():
    lamp = {"@type": "Product", "name": "Lamp", "url": "https://shop.example/lamp"}

    assert mains(ld(lamp, body="<h1>Red mug</h1>")) == []
    assert mains(ld(lamp, body="<h1>Lamp</h1>")) == ["Lamp"]
    assert mains(ld({**lamp, "url": ""}, body="<h1>Red mug</h1>")) == ["Lamp"]


def test_of_two_things_that_fit_equally_well_none_is_the_page_s():
    both = [{"@type": "Product", "name": f"Mug {color}"} for color in ("red", "blue")]

    assert mains(ld(*both, body="<h1>Mug in red and blue</h1>")) == []
    assert mains(ld(both[0], both[0], body="<h1>Mug red</h1>")) == ["Mug red"]


@pytest.mark.parametrize("kind", ["ReportageNewsArticle", "LiveBlogPosting", "HowTo"])
def test_every_kind_of_article_may_be_what_a_page_is_about(kind):
    views = ld({"@type": kind, "headline": "Old bridge saved"}, body="<h1>Old bridge saved</h1>")

    assert [item.type for item in views.items if item.main] == [kind]


def test_a_thing_that_fits_goes_before_a_likelier_kind_that_does_not():
    views = ld({"@type": "Product", "name": "Cook book"}, {"@type": "Recipe", "name": "Leek soup"},
               body="<h1>Leek soup</h1>")  # fmt: skip

    assert mains(views) == ["Leek soup"]


def test_microdata_follows_itemref_to_both_sides():
    views = page_views(
        '<p id="before"><i itemprop="sku">A1</i></p>'
        '<div itemscope itemtype="https://schema.org/Product" itemref="before after">'
        '<h1 itemprop="name">Mug</h1></div><p id="after" itemprop="color">red</p>'
    )

    item = item_of(views, "microdata")

    assert sorted(said(item)) == [("color", "red"), ("name", "Mug"), ("sku", "A1")]


def test_microdata_links_are_read_by_their_words_unless_an_address_is_meant():
    views = page_views(
        '<div itemscope itemtype="https://schema.org/Recipe"><a itemprop="author" href="/ann">Ann'
        '</a><a itemprop="url" href="/soup">here</a><time itemprop="cookTime" datetime="PT5M">5 min'
        '</time><data itemprop="sku" value="7">seven</data></div>'
    )

    assert said(item_of(views, "microdata")) == [
        ("author", "Ann"), ("url", "/soup"), ("cookTime", "PT5M"), ("sku", "7")]  # fmt: skip


def test_rdfa_is_read_with_prefixes_and_nested_things():
    views = page_views(
        '<meta property="og:title" content="Shop"><div vocab="https://schema.org/" '
        'typeof="schema:Product"><h1 property="schema:name">Mug</h1>'
        '<div property="offers" typeof="Offer"><span property="price" content="9.50">9,50 €</span>'
        '<meta property="priceCurrency" content="EUR"></div>'
        '<link property="url" href="/mug"></div>'
    )

    item = item_of(views, "rdfa")

    assert item.main
    assert item.type == "Product"
    assert ("offers.price", "9.50 EUR") in said(item)
    assert {("name", "Mug"), ("url", "/mug")} <= set(said(item))
    assert item_of(views, "meta").first("headline") == "Shop"


STATE = {"props": {"product": {"name": "Red mug", "sku": "A-77", "price": {
    "value": 9.5, "currency": "EUR"}, "brand": {"name": "Kiln"}, "related": [
        {"name": "Blue mug", "price": 7, "sku": "B"}]}}}  # fmt: skip


@pytest.mark.parametrize(
    "script",
    [
        f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(STATE)}</script>',
        f"<script>window.__STATE__ = {json.dumps(STATE)};</script>",
        f"<script>dataLayer.push({json.dumps(STATE)})</script>",
    ],
    ids=["json", "window", "dataLayer"],
)
def test_page_state_is_read_where_it_bears_the_page_s_name(script):
    views = page_views(f"<h1>Red mug</h1><p>9,50 €</p>{script}")

    item = item_of(views, "state")

    assert item.main
    assert {("offers.price", "9.5 EUR"), ("sku", "A-77"), ("brand.name", "Kiln")} <= set(said(item))
    assert "B" not in item.all("sku")
    for named in item.properties:
        assert named.snippet.view is ViewName.SOURCE
        assert views.source[named.snippet.start : named.snippet.end] == named.snippet.quote


@pytest.mark.parametrize(
    "item",
    [
        '{"item_name": "Red mug", "item_id": "A-77", "item_brand": "Kiln", "quantity": 1}',
        "{item_name: 'Red mug', item_id: 'A-77', item_brand: 'Kiln', quantity: 1}",
    ],
)
def test_what_analytics_are_told_of_the_page_s_thing_is_read(item):
    script = f"<script>dataLayer.push({{event: 'view', ecommerce: {{items: [{item}]}}}})</script>"

    state = item_of(page_views(f"<h1>Red mug</h1>{script}"), "state")

    assert {("productID", "A-77"), ("brand.name", "Kiln")} <= set(said(state))


def test_a_string_that_quotes_and_breaks_its_line_is_read_whole():
    views = ld('{"@type": "Product", "name": "Viper", "description": "a "good"\nmouse"}')

    assert views.items[0].first("description") == 'a "good"\nmouse'


def test_page_state_of_other_things_is_left_alone():
    script = f"<script>window.s = {json.dumps(STATE)}</script>"

    assert page_views(f"<h1>Green mug</h1><p>9,50 €</p>{script}").items == ()


def test_a_price_in_state_counts_only_when_people_see_it_too():
    cents = '<script>var p = {\'x\': 1, "title": "Red mug", "price": 950, "sku": "7"}</script>'

    item = item_of(page_views(f"<h1>Red mug</h1><p>9.50</p>{cents}"), "state")

    assert item.all("offers.price") == ()
    assert item.first("sku") == "7"


def test_dublin_core_and_other_meta_count_where_nothing_better_is_said():
    views = page_views(
        '<meta name="DC.creator" content="Ann"><meta name="dcterms.issued" content="2020-01-02">'
        '<meta name="twitter:title" content="Tweet"><meta property="og:title" content="Title">'
    )

    item = item_of(views, "meta")

    assert item.first("author.name") == "Ann"
    assert item.first("datePublished") == "2020-01-02"
    assert item.all("headline") == ("Title",)


@pytest.mark.parametrize("name", ["vr:published-time", "og:article:published_time", "sw-PubDate"])
def test_a_meta_name_that_ends_with_its_publication_tells_the_day(name):
    views = page_views(f'<meta name="{name}" content="2020-01-02">')

    assert item_of(views, "meta").first("datePublished") == "2020-01-02"


@pytest.mark.parametrize("name", ["unpublish-date", "article:expiration_time", "update"])
def test_the_day_on_which_a_page_ends_is_not_that_of_its_publication(name):
    views = page_views(f'<meta name="{name}" content="2020-01-02"><meta name=author content=Ann>')

    assert item_of(views, "meta").first("datePublished") == ""


@pytest.mark.parametrize(
    "script",
    [
        "<script>" + "var a = {'b': [1, 2, 'Red mug']};" * 300_000 + "</script>",
        '<script type="application/json">[' + '{"name": "Red mug"},' * 500_000 + "]</script>",
        '<script type="application/ld+json">[' + '{"name": "Red mug"},' * 500_000 + "]</script>",
        '<script type="application/ld+json">{"a": 1}</script>' * 60_000,
        "<script>" + '{"name": "Red mug"' * 500_000 + "</script>",
        "<script>" + '"Red mug"' + "}" * 10_000_000 + "</script>",
    ],
    ids=["code", "state", "json-ld", "scripts", "open", "braces"],
)
def test_ten_megabytes_of_inline_script_stay_bounded(script):
    views = page_views(f"<h1>Red mug</h1>{script}")

    with within(yards=150):
        assert len(views.items) <= 5_000


@given(st.text(alphabet=st.sampled_from("{}[]:,\"'\\ name price Mug 1.5/*<>&;\n"), max_size=200))
def test_garbage_around_the_name_never_raises(garbage):
    views = page_views(f'<h1>Mug 1</h1><script>{garbage}"Mug 1"{garbage}</script>')

    for item in views.items:
        for named in item.properties:
            assert named.snippet.quote in views.source
