"""What is told at a glance never loses what a full look would find."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import compile_contract, find_contract
from specfactory.contract.values import price_search
from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.labelled.sentences import find_phrases
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews
from specfactory.proof.structured.tags import source_tags
from specfactory.proof.structured.tolerant_json import (
    JsonArray,
    JsonNode,
    JsonObject,
    read_json,
    skim_first,
)

PRODUCT = compile_contract(find_contract("product"))
MOUSE = compile_contract(find_contract("mouse"))

PIECES = (
    "12", "1.299,00", "5", " ", "  ", "\n", "\t", "\u00a0", "$", "US$", "€", "kr", "kr.", "zł",
    "EUR", "CHF", "R$", "S/", "S/.", "B/.", "RD$", "Euro", "dollars", "руб.", "円", "درهم", "ABC",
    "Heft", "x", "-", "/", ".", ",", "R", "(", "№",
)  # fmt: skip
WORDS = ("weighs", "weight", "is", "Only", "54", "g", "battery", "lasts", "70", "hours", "polling",
         "rate", "Sensor", "\n", ".", "ONLY", "about", "just", "İ", "8,000", "Hz")  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
)


def outline_of(body: bytes) -> PageViews:
    url = "https://site.example/page"
    return PageViews(
        Page("page-1", url, url, "site.example", Tier.RETAILER, 0, Outcome.OK, ""), body
    )


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_number_beside_a_currency_may_be_money(text: str) -> None:
    for number in price_search.AMOUNT.finditer(text):
        full = price_search._BEFORE.search(text[max(0, number.start() - 14) : number.start()])
        beside = price_search.with_currency(text, *number.span())

        if beside is not None or (full and price_search._is_currency(full["currency"])):
            assert price_search.may_be_price(text, *number.span())


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_no_phrase_is_lost_where_lines_are_chosen_by_their_words(text: str) -> None:
    expected = [
        (match.field, line[match.value_start : match.value_end])
        for line in text.split("\n")
        if line.count(" ") >= 2
        for match in MOUSE.text_matches(line)
    ]

    found = [(one.field, text[one.value[0] : one.value[1]]) for one in find_phrases(text, MOUSE)]

    assert all(found.count(one) >= expected.count(one) for one in expected)


@given(st.dictionaries(st.text(max_size=6), values, max_size=5), st.booleans())
def test_skimming_reads_the_upper_levels_as_reading_does(value: object, ascii_only: bool) -> None:
    source = f"x = {json.dumps(value, ensure_ascii=ascii_only)};"
    whole = read_json(source, 4)[0]

    skimmed, end = skim_first(source, 4, len(source))

    assert end == len(source) - 1
    assert skimmed is not None
    assert upper(skimmed) == upper(whole)


@given(st.dictionaries(st.text(max_size=6), values, min_size=1, max_size=5), st.data())
def test_what_is_cut_off_is_never_whole(value: object, data: st.DataObject) -> None:
    source = json.dumps(value)
    end = data.draw(st.integers(1, len(source) - 1))

    skimmed, _ = skim_first(source, 0, end)

    assert skimmed is None


def upper(node: JsonNode, level: int = 0) -> object:
    """The scalars of an object and of the objects in it."""
    if isinstance(node, JsonArray) or (isinstance(node, JsonObject) and level > 1):
        return None
    if isinstance(node, JsonObject):
        return [(key, upper(member, level + 1)) for key, member in node.members]
    return node


def test_elements_are_found_by_tag_and_by_attribute_in_document_order() -> None:
    outline = outline_of(
        b"<h2 role=x>a</h2><p><b itemprop=y>b</b><i role=z></i></p><h1>c</h1><b data-x>d</b>"
    ).outline

    assert [element.tag for element in outline.tagged("h1", "b", "h2")] == ["h2", "b", "h1", "b"]
    assert [element.tag for element in outline.marked("itemprop", "role")] == ["h2", "b", "i"]
    assert outline.tagged("table") == outline.marked("itemref") == []
    assert [outline.words(element) for element in outline.marked("data-x")] == ["d"]
    assert all(outline.words(element) for element in outline.shown)


def test_what_looks_like_a_tag_in_an_attribute_is_none() -> None:
    source = """<a title="x > <meta name=a content=b>" data='<i itemprop=no>'>c</a>
        <p data-x="<b>" itemprop="name">d</p><meta name=e content="f &amp; g">"""

    found = source_tags(source)

    assert [tag.name for tag in found if tag.name != "a"] == ["p", "meta"]
    assert found[-1].value("content") == "f & g"


def test_only_words_that_begin_a_label_may_be_one() -> None:
    labels = Labels(PRODUCT)

    assert labels.may_begin("Price: 5")
    assert labels.may_begin("价格: 5")
    assert not labels.may_begin("Zebra: 5")
