"""Hand-written selectors give candidates that can be proven from the page alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import parse_contract, source_from
from specfactory.errors import ContractError, UsageError
from specfactory.extract.templates.selectors import select, settled
from specfactory.model import Candidate, Evidence, Method, Money, Tier, ViewName
from specfactory.proof import PageViews, prove, reading
from tests.pages import CONTRACT, page_views, small_contract

COMPILED = small_contract()


def selected(body: str, **selectors: str):
    views = page_views(body)
    found = select(views, COMPILED, selectors)
    assert [prove(one, COMPILED, views) for one in found.candidates] == [None] * len(
        found.candidates
    )
    return views, found


def only(body: str, selector: str, field: str = "weight"):
    _, found = selected(body, **{field: selector})
    (candidate,) = found.candidates
    return candidate


def test_a_value_in_one_piece_is_quoted_from_the_source():
    candidate = only('<html lang=en><p>Net <b class="w">\n  54 g </b>', "b.w")

    assert (candidate.value, candidate.evidence.method) == (54, Method.SELECTOR)
    assert candidate.evidence.values[0].view is ViewName.SOURCE
    assert candidate.evidence.values[0].quote == "54 g"


def test_a_page_that_a_browser_made_is_quoted_from_its_dom():
    plain = page_views('<b class="w">54 g</b>')
    views = PageViews(replace(plain.page, response_hash="f" * 64), b'<b class="w">54 g</b>')

    (candidate,) = select(views, COMPILED, {"weight": ".w"}).candidates

    assert candidate.evidence.values[0].view is ViewName.DOM
    assert prove(candidate, COMPILED, views) is None


@pytest.mark.parametrize(
    "body",
    [
        "<b class=w>54 g</b>",  # written otherwise than a parser writes it
        '<b class="w"><i>54</i> g</b>',  # in several pieces
        '<b class="w">54&#32;g</b>',
    ],
)
def test_what_is_not_found_in_the_source_is_quoted_from_the_text(body):
    candidate = only(body, ".w")

    assert candidate.value == 54
    assert candidate.evidence.values[0].view is ViewName.TEXT


def test_entities_are_read():
    candidate = only('<p class="s">A &amp; B</p>', ".s", "software")

    assert candidate.value == "A & B"
    assert candidate.evidence.values[0].quote == "A &amp; B"


def test_of_elements_that_are_written_alike_the_selected_one_is_quoted():
    body = '<aside><b class="w">54 g</b> theirs</aside><main><b class="w">54 g</b> ours</main>'

    candidate = only(body, "main .w")

    quote = candidate.evidence.values[0]
    assert quote.view is ViewName.SOURCE
    assert quote.start == body.rindex("54 g")


def test_where_two_cannot_be_told_apart_the_text_tells():
    body = '<p><b class="w">54 g</b></p>' * 2

    candidate = only(body, "p + p .w")

    quote = candidate.evidence.values[0]
    assert (quote.view, quote.start) == (ViewName.TEXT, len("54 g\n"))


def test_the_value_of_an_attribute_is_quoted():
    body = '<meta itemprop="price" content=" 12.50 &quot;EUR&quot;"><meta content="9.00 EUR">'

    candidate = only(body, "meta[itemprop=price]::attr(content)", "price")

    assert candidate.value == Money(12.5, "EUR")
    assert candidate.evidence.values[0].quote == "12.50 &quot;EUR&quot;"


def test_a_list_takes_all_elements():
    _, found = selected('<ul class="c"><li>Black<li>White</ul>', colors=".c li::text")

    assert found.candidates[0].value == ("Black", "White")


def test_the_label_before_a_value_may_give_the_unit():
    body = '<table><tr><th>Weight (oz)</th><td class="w">2</td></tr></table>'

    candidate = only(body, ".w")

    assert candidate.value == 57
    assert candidate.evidence.label is not None


def test_what_cannot_be_read_or_derived_is_dropped_with_its_reason():
    body = '<p class="a"></p><p class="b">heavy</p>'

    _, found = selected(body, length=".a", weight=".b", price=".none", unheard_of=".b")

    assert not found.candidates
    assert next((one.field, one.reason) for one in found.dropped) == ("length", "not_read")
    assert found.dropped[1].field == "weight"
    assert len(found.dropped) == 2


def test_where_a_selector_gave_a_value_others_are_left_out():
    _views, found = selected('<b class="w">54 g</b>', weight=".w")
    other = Candidate("weight", 60, Evidence("p", "u", Tier.RETAILER, Method.TABLE, ()))
    length = Candidate("length", 60, Evidence("p", "u", Tier.RETAILER, Method.TABLE, ()))

    assert settled([other, length], found) == [*found.candidates, length]


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=30),
    st.text(alphabet="<>/&;\"'= abp\n", max_size=60),
)
def test_whatever_the_page_holds_is_proven_or_left_out(words, noise):
    body = f'{noise}<p class="s">{words}</p>{noise}<p class="s">{words}</p>'

    _views, found = selected(body, software="p.s", brand="p + p", sensor="[class]::attr(class)")

    for candidate in found.candidates:
        assert reading(candidate.evidence.values[0]).strip()


def test_a_contract_names_selectors_of_a_source():
    given = CONTRACT + (
        "sources:\n  - host: shop.example\n    tier: tier3_retailer\n"
        "    selectors: {weight: 'b.w', price: 'meta::attr(content)'}\n"
    )

    (source,) = parse_contract(given, "mouse.yaml").sources

    assert source.selectors == {"weight": "b.w", "price": "meta::attr(content)"}
    assert {source: 1}[source] == 1


@pytest.mark.parametrize(
    ("selectors", "problem"),
    [
        ("{wight: b}", "there is no field 'wight'; did you mean 'weight'?"),
        ("{weight: 'b['}", "is no CSS selector: 'b['"),
        ("{weight: 'b::first-line'}", "is no CSS selector"),
        ("{weight: ''}", "wanted a text"),
        ("[b]", "wanted a mapping"),
    ],
)
def test_a_wrong_selector_is_refused_in_one_line(selectors, problem):
    entry = f"sources:\n  - host: a.example\n    tier: tier3_retailer\n    selectors: {selectors}\n"

    with pytest.raises(ContractError) as refused:
        parse_contract(CONTRACT + entry, "mouse.yaml")

    assert problem in str(refused.value)


def test_settings_may_give_selectors_too():
    entry = {"host": "a.example", "tier": "tier3_retailer", "selectors": {"weight": "b"}}

    assert source_from(entry, "setting sources").selectors == {"weight": "b"}
    with pytest.raises(UsageError, match="is no CSS selector"):
        source_from({**entry, "selectors": {"weight": "b["}}, "setting sources")
