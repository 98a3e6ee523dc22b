"""Values without labels: which of a page's prices, codes and phrases is its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import compile_contract, find_contract
from specfactory.extract import answer_page, extract_candidates
from specfactory.extract.learned import ranking_weights as rank_module
from specfactory.extract.learned.ranking_weights import Group, Weights
from specfactory.extract.unlabelled.prices import find_figures
from specfactory.extract.unlabelled.shop_words import button_says
from specfactory.model import Method, Money
from specfactory.proof import PageViews, prove
from tests.pages import page_views

PRODUCT = compile_contract(find_contract("product"))
LISTING = compile_contract(find_contract("listing"))
HEAD = "<title>Acme Kettle K2 - Shop</title><h1>Acme Kettle K2</h1>"


def answers(markup, contract=PRODUCT, **page):
    """The answers of a page, each proven."""
    views = page_views(f"<html lang=en>{markup}</html>")
    views = PageViews(replace(views.page, **page), views.source.encode())
    found = answer_page(views, contract)
    for answer in found.values():
        assert prove(answer.candidate, contract, views) is None
    return found


def price(markup, **page):
    found = answers(HEAD + markup, **page).get("price")
    return found.candidate.value if found else None


@pytest.mark.parametrize(
    ("markup", "amount"),
    [
        ("<div class=price>$49.90</div><button>Add to cart</button>", 49.9),
        ("<div><s>$59.90</s> <b>$49.90</b></div><button>Add to cart</button>", 49.9),
        ("<p><span class=old-price>$60.00</span> <b>-20%</b> <span>$48.00</span></p>", 48),
        ("<p class=price>$48.00</p><p>+ $4.95 shipping</p>", 48),
        ("<p class=price>$480.00</p><p>or 12 x $40.00 per month</p>", 480),
        ("<p class=price>$129<sup>90</sup></p>", 129.9),
        ("<p class=price><span>$</span><span>129</span><span>.</span><span>90</span></p>", 129.9),
    ],
)
def test_the_price_is_told_from_what_stands_beside_it(markup, amount):
    assert price(markup) == Money(amount, "USD")


def test_prices_of_other_things_are_not_the_pages_own():
    cards = "".join(
        f"<div class=card><a href=/p/{n}>Other kettle {n}</a><span>${n}9.00</span></div>"
        for n in range(1, 6)
    )
    markup = f"<div class=price>$49.90</div><h2>You may also like</h2><div>{cards}</div>"

    assert price(markup) == Money(49.9, "USD")


def test_a_bare_amount_takes_the_currency_that_structured_data_names():
    offer = '{"@type":"Product","name":"Acme Kettle K2","offers":{"priceCurrency":"CHF"}}'
    markup = f"<script type=application/ld+json>{offer}</script><span class=price>49.90</span>"

    assert price(markup) == Money(49.9, "CHF")


def test_structured_data_and_the_visible_price_agree_is_a_reason():
    offer = (
        '{"@type":"Product","name":"Acme Kettle K2",'
        '"offers":{"price":"49.90","priceCurrency":"USD"}}'
    )
    found = answers(f"{HEAD}<script type=application/ld+json>{offer}</script><p>$49.90</p>")

    assert found["price"].likelihood > 0.8
    assert "structured data says so" in found["price"].reasons
    assert (found["price"].candidate.likelihood or 0.0) > 0.8


def test_a_page_without_a_price_has_no_answer():
    assert "price" not in answers(f"{HEAD}<p>Free shipping on orders over 50. Call us.</p>")


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("<button>Add to cart</button>", "in stock"),
        ("<button>In den Warenkorb</button>", "in stock"),
        ("<p>Sold out</p><button>Notify me</button>", "out of stock"),
        ("<p>Нет в наличии</p>", "out of stock"),
        ('<form><input type=submit value="Add to basket"></form>', "in stock"),
    ],
)
def test_buttons_and_phrases_say_whether_it_can_be_bought(words, value):
    assert (
        answers(f"{HEAD}<p class=price>$5.00</p>{words}")["availability"].candidate.value == value
    )


def test_the_code_of_the_address_is_proven_on_the_page():
    canonical = "<link rel=canonical href=https://shop.example/kettle-k2-83920441.html>"
    markup = f"{HEAD}{canonical}<button>Add to cart</button>"

    found = answers(markup, final_url="https://shop.example/kettle-k2-83920441.html")["sku"]

    assert found.candidate.value == "83920441"
    assert found.candidate.evidence.method is Method.VISIBLE


def test_a_labelled_code_goes_before_the_one_of_the_address():
    markup = f"{HEAD}<p>SKU: AK-2291</p><a href=/kettle-83920441>this page</a>"

    found = answers(markup, final_url="https://shop.example/kettle-83920441")

    assert found["sku"].candidate.value == "AK-2291"


def test_the_sign_of_the_price_gives_the_currency():
    assert answers(f"{HEAD}<p class=price>£49.90</p>")["currency"].candidate.value == "GBP"


def test_a_label_is_no_value_of_the_label_before_it():
    assert "brand" not in answers(f"{HEAD}<table><tr><td>Brand:<td>Colour:</table>")


def test_in_the_line_only_the_likeliest_value_without_label_stays():
    views = page_views(f"<html lang=en>{HEAD}<p class=price>$49.90</p><p>Save $10.00</p></html>")

    found = extract_candidates(views, PRODUCT).candidates

    visible = [c.value for c in found if c.field == "price" and c.evidence.method is Method.VISIBLE]
    assert visible == [Money(49.9, "USD")]


def test_scripts_fill_what_nothing_else_says():
    script = '<script>var s = {"location": {"lat": 51.4756, "lng": -1.4481}, "city": "Hungerford"}'
    found = answers(f"<h1>House for sale</h1>{script}</script>", LISTING)

    assert found["latitude"].candidate.value == 51.4756
    assert found["longitude"].candidate.value == -1.4481
    assert found["city"].candidate.value == "Hungerford"


def test_without_the_data_file_the_order_of_methods_holds(monkeypatch):
    monkeypatch.setattr("specfactory.extract.ranking.ranking.ranking", dict)
    offer = (
        '{"@type":"Product","name":"Acme Kettle K2",'
        '"offers":{"price":"49.90","priceCurrency":"USD"}}'
    )
    markup = f"{HEAD}<script type=application/ld+json>{offer}</script><p class=price>$59.90</p>"

    assert answers(markup)["price"].candidate.value == Money(49.9, "USD")


def test_groups_and_none_of_them_share_one_whole():
    weights = Weights({"good": 2.0}, bias=-1.0, floor=0.1)
    likely = weights.likelihoods([Group(features={"good": 1.0}), Group(features={})])

    assert likely[0] > likely[1]
    assert sum(likely) < 1


def test_the_shipped_weights_are_small_and_for_every_role():
    assert set(rank_module.ranking()) == {"price", "currency", "id", "availability", "brand"}
    assert all(0 <= one.floor < 0.5 for one in rank_module.ranking().values())


@pytest.mark.parametrize(
    ("words", "said"),
    [("Add to cart", "buy"), ("Acheter", "buy"), ("купить", "buy"), ("Sold out", "none"),
     ("Buy more, save more today", ""), ("", "")],
)  # fmt: skip
def test_buttons_are_read_whole(words, said):
    assert button_says(words) == said


class NoPlaces:
    """No element stands anywhere."""

    def at(self, start, end):
        return None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Save 150$249.99 now", ["$249.99"]),
        ("12€50 a piece", ["12€50"]),
        ("EUR 7,73 and 8,20 EUR", ["EUR 7,73", "8,20 EUR"]),
        ("EVGA 3992-KR 12GB card", []),
        ("30,000원~ each", ["30,000원"]),
        ("€ 20,- today", ["€ 20,-"]),
        ("size 42, 3 pieces", []),
    ],
)
def test_amounts_are_numbers_with_their_own_sign(text, found):
    assert [text[slice(*one.span)] for one in find_figures(text, NoPlaces())] == found


@given(st.text(alphabet="0123456789.,'  €$£EURkr\n-", max_size=60))
def test_any_text_gives_amounts_in_order(text):
    spans = [one.span for one in find_figures(text, NoPlaces())]

    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


def home(*items, body=""):
    """The markup of a listing page with these items of JSON-LD."""
    scripts = "".join(f'<script type="application/ld+json">{item}</script>' for item in items)
    return f"{scripts}<title>12 Elm Road - Homes</title><h1>12 Elm Road</h1>{body}"


_OFFERED = """{"@type": "Product", "name": "12 Elm Road", "offers": {"price": "250000",
    "priceCurrency": "USD", "url": "https://homes.example/12"}}"""


def test_a_home_is_described_by_its_offer_and_by_the_house_that_is_offered():
    house = '{"@type":"House","url":"https://homes.example/12","numberOfBedrooms":4}'
    found = answers(home(_OFFERED, house), LISTING)
    assert found["bedrooms"].candidate.value == 4
    assert found["bedrooms"].candidate.evidence.method is Method.STRUCTURED
    assert found["price"].candidate.value == Money(250000, "USD")


@pytest.mark.parametrize(
    "houses",
    [
        ['{"@type":"House","url":"https://homes.example/13","numberOfBedrooms":4}'],
        ['{"@type":"House","name":"9 Oak Lane","numberOfBedrooms":4}'],
        [f'{{"@type":"House","name":"12 Elm Road","numberOfBedrooms":{n}}}' for n in (4, 5)],
    ],
)
def test_a_house_of_another_address_is_not_the_one_that_is_offered(houses):
    items = page_views(home(_OFFERED, *houses)).items
    assert not any(item.main for item in items if item.type == "House")


def test_the_kind_of_home_is_read_from_what_is_for_sale():
    found = answers(home(body="<p>Lovely 4 bedroom house for sale</p>"), LISTING)
    assert found["property_type"].candidate.value == "house"


def test_a_term_that_explains_itself_is_named_by_its_first_line():
    note = "How a home is owned. There are several kinds: freehold, leasehold and commonhold homes."
    body = f"<dl><dt><p>Tenure</p><p>{note}</p></dt><dd>Freehold</dd></dl>"
    found = answers(home(body=body), LISTING)
    assert found["tenure"].candidate.value == "freehold"


@pytest.mark.parametrize(
    ("button", "value"),
    [
        ('<button aria-label="Add to cart"><svg></svg></button>', "in stock"),
        ("<button id=product-add-to-cart><svg></svg></button>", "in stock"),
        ('<form action="/cart/add"><input type=number></form>', "in stock"),
        ('<button aria-label="Add to wishlist"><svg></svg></button>', None),
    ],
)
def test_a_button_without_words_says_by_its_markup_what_it_is_for(button, value):
    found = answers(f"{HEAD}<p class=price>$48.00</p>{button}").get("availability")
    assert (found.candidate.value if found else None) == value


@pytest.mark.parametrize("words", ["dodaj v košarico", "lisa ostukorvi", "Verkäufer kontaktieren"])
def test_what_can_be_bought_says_so_in_many_languages(words):
    found = answers(f"{HEAD}<p class=price>$48.00</p><button>{words}</button>")
    assert found["availability"].candidate.value == "in stock"


def test_a_reply_to_a_comment_sells_nothing():
    assert "availability" not in answers(f"{HEAD}<p>Nice kettle.</p><a href=#r>Reply</a>")
