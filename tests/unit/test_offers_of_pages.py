"""What a page sells its thing for, and whether it can be bought: told from what stands around."""

from __future__ import annotations

import json

import pytest

from specfactory.extract.unlabelled.script_keys import find_currency, find_keyed
from specfactory.extract.unlabelled.shop_words import button_opens
from specfactory.model import Money
from tests.unit.test_visible_values import HEAD, LISTING, answers, price


@pytest.mark.parametrize(
    ("markup", "amount"),
    [
        ("<p>$195.00 or 4 payments of $48.75</p><button>Add to bag</button>", 195),
        ("<p>$195.00, then 3 equal parts of $65.00</p><button>Buy</button>", 195),
        ("<div class=price>$99.95</div><p>Members get an est. $9.99 in rewards</p>", 99.95),
        ("<p><span>$120.00</span> <span>$90.00</span> <span>$30.00</span></p>", 90),
        ("<p class=price>$35.00/piece</p><p>$3.50/kg</p><button>Buy</button>", 35),
        ("<p class=price>$48.00</p><p>$43.20 with your club card</p>", 48),
    ],
)
def test_parts_of_a_price_and_prices_on_condition_are_not_the_price(markup, amount):
    assert price(markup) == Money(amount, "USD")


@pytest.mark.parametrize(
    ("markup", "money"),
    [
        (
            "<p>De <s>R$ 499,90</s></p><p>Por <b>R$ 349,90</b></p>"
            "<p>ou R$ 332,41 no Pix (5% de desconto)</p>",
            Money(349.9, "BRL"),
        ),
        ("<p><del>€ 120,00</del> <b>€ 84,00</b></p><button>Buy</button>", Money(84, "EUR")),
        (
            "<p><del>٢٬٤٩٩٫٠٠ ر.س</del> <ins>١٬٨٩٩٫٥٠ ر.س</ins></p><p>رسوم الشحن ٢٥ ر.س</p>",
            Money(1899.5, "SAR"),
        ),
    ],
)
def test_prices_are_read_in_the_figures_and_the_customs_of_their_country(markup, money):
    assert price(markup) == money


def group(prices, availability="InStock"):
    """A page whose markup names a thing and its variants."""
    variants = [
        {"@type": "Product", "name": f"Acme Kettle K2 - Colour {at}",
         "offers": {"@type": "Offer", "price": amount, "priceCurrency": "USD",
                    "availability": f"https://schema.org/{availability}"}}
        for at, amount in enumerate(prices)
    ]  # fmt: skip
    thing = {"@type": "ProductGroup", "name": "Acme Kettle K2", "hasVariant": variants}
    return f"<script type=application/ld+json>{json.dumps(thing)}</script>"


def test_variants_speak_for_the_thing_that_the_page_is_about():
    shown = "<p>Earn $99.00 with a friend</p><p>$49.00</p>"

    assert price(group([49, 49, 49]) + shown) == Money(49, "USD")


def test_a_price_of_nothing_in_markup_is_no_price():
    offer = {"@type": "Product", "name": "Acme Kettle K2",
             "offers": {"@type": "Offer", "price": "0", "priceCurrency": "USD"}}  # fmt: skip

    assert price(f"<script type=application/ld+json>{json.dumps(offer)}</script>") is None


def test_a_price_that_only_markup_names_is_taken_with_its_currency():
    form = '<form data-price="49.90" data-currency="EUR"><button>Add to cart</button></form>'

    assert price(form) == Money(49.9, "EUR")


def test_a_price_that_only_markup_names_needs_one_amount_and_one_currency():
    assert price('<form data-price="49.90"><button>Add to cart</button></form>') is None
    other = '<i data-price="4.90" data-currency="EUR"></i><i data-price="9" data-currency="EUR">'
    assert price(other) is None


def test_old_prices_and_shipping_are_not_called_a_price():
    source = '{"oldPrice": 60.00, "shipping_price": 5, "price": "48.00", "salePrice":"48"}'

    assert dict(find_keyed(source).counts) == {48.0: 2}


def test_two_currencies_are_none():
    one, two = '"currency":"EUR"', '"currencyCode": "USD"'

    assert find_currency(one) == (12, 15)
    assert find_currency(f"{one},{two}") is None


def availability(markup):
    found = answers(f"{HEAD}<p class=price>$5.00</p>{markup}").get("availability")
    return found.candidate.value if found else None


@pytest.mark.parametrize(
    ("markup", "value"),
    [
        ("<button>Add to bag – $20.00</button>", "in stock"),
        ("<button class=btn-buy><img src=x.png></button>", "in stock"),
        ("<div onclick=\"x()\" class='js-to-cart'><img src=c.png></div>", "in stock"),
        ("<a class=button href=/t>Comprar entradas</a>", "in stock"),
        ('<script>var p = {"id": 7, "available":true}</script>', "in stock"),
        ('<script>var p = {"id": 7, "in_stock":false}</script>', "out of stock"),
        ("<p>We will tell you when this is in stock</p><p>Sold out</p>", "out of stock"),
        ("<a href=/orders>Purchase history</a>", None),
    ],
)
def test_buttons_are_told_by_their_words_their_names_or_by_scripts(markup, value):
    assert availability(markup) == value


def offered(availability):
    offer = {"@type": "Product", "name": "Acme Kettle K2",
             "offers": {"@type": "Offer", "price": "5", "priceCurrency": "USD",
                        "availability": f"https://schema.org/{availability}"}}  # fmt: skip
    return f"<script type=application/ld+json>{json.dumps(offer)}</script>"


def test_an_offer_that_has_ended_is_not_in_stock_because_its_seller_can_be_asked():
    assert availability(offered("OutOfStock") + "<a href=/s>Contact seller</a>") == "out of stock"


def test_a_live_button_outweighs_markup_that_was_not_kept_up():
    markup = offered("OutOfStock") + "<button>Add to basket</button>"

    assert availability(markup) == "in stock"


@pytest.mark.parametrize(
    ("words", "opens"),
    [("Add to cart – $20", True), ("Buy $5", True), ("Purchase history", False), ("Buyers", False)],
)
def test_a_button_opens_with_an_offer_or_it_does_not(words, opens):
    assert button_opens(words) is opens


def test_an_amount_without_any_currency_is_named_where_it_is_missed():
    found = answers(f"{HEAD}<p class=price>49.90</p><button>Add to cart</button>")

    assert "price" not in found
    (dropped,) = [one for one in found.dropped if one.field == "price"]
    assert (dropped.reason, dropped.quote) == ("currency_missing", "49.90")


def test_a_brand_that_is_only_a_picture_is_read_from_what_is_said_instead():
    logo = '<a class=brand-logo href="/brands/acme"><img src=a.png alt="Acme"></a>'

    found = answers(f"{HEAD}{logo}<p class=price>$5.00</p>")["brand"]

    assert found.candidate.value == "Acme"
    assert found.candidate.evidence.values[0].quote == "Acme"


def offers(*things):
    """A page whose markup describes these things."""
    made = [{"@type": "Product", **thing} for thing in things]
    return f"<script type=application/ld+json>{json.dumps(made)}</script>"


def sold(price, stock="InStock", **thing):
    return {"offers": {"price": price, "priceCurrency": "USD", "availability": stock}, **thing}


def test_markup_that_was_left_over_from_another_page_answers_nothing():
    lamp = sold("9.00", name="Lamp", sku="L-1", url="https://shop.example/lamp")

    found = answers(HEAD + offers(lamp))

    assert {"sku", "price", "currency", "availability"}.isdisjoint(found)
    said = {one.field: one for one in found.dropped}
    assert said["sku"].reason == "other_product"
    assert "'Lamp'" in said["sku"].detail


def test_of_two_things_with_one_name_neither_gives_its_price_or_code():
    name = "Acme Kettle K2"
    both = offers(sold("9.00", name=name, sku="K-A"), sold("8.00", name=name, sku="K-B"))

    found = answers(HEAD + both)

    assert {"sku", "price"}.isdisjoint(found)
    assert found["currency"].candidate.value == "USD"
    assert {one.reason for one in found.dropped} == {"several_subjects"}
    assert price(both + "<p class=price>$8.00</p><button>Add to cart</button>") == Money(8, "USD")


def test_a_thing_that_is_written_twice_is_one_thing():
    name = "Acme Kettle K2"
    twice = offers(sold("9.00", name=name, sku="K-A"), sold("9.00", name=name))

    assert price(twice) == Money(9, "USD")


def test_a_thing_is_in_stock_when_one_of_its_variants_is():
    name = "Acme Kettle K2"
    variants = [
        {"@type": "Product", **sold("9.00", stock, name=f"{name} {at}", sku=f"K-{at}")}
        for at, stock in enumerate(("OutOfStock", "InStock", "OutOfStock"))
    ]
    thing = {"@type": "ProductGroup", "name": name, "hasVariant": variants}

    assert answers(HEAD + offers(thing))["availability"].candidate.value == "in stock"


def test_reviews_are_counted_in_whole_numbers_however_they_are_grouped():
    rated = {"name": "Acme Kettle K2",
             "aggregateRating": {"ratingValue": "4,6", "reviewCount": "1.284"}}  # fmt: skip

    found = answers(HEAD + offers(rated))

    assert found["review_count"].candidate.value == 1284
    assert found["rating"].candidate.value == 4.6


def test_a_value_ends_where_another_label_begins():
    line = "<p>Tenure: Freehold · Council tax band: C · EPC rating: D</p>"

    found = answers(f"<h1>House for sale</h1>{line}", LISTING)

    quotes = {name: found[name].candidate.evidence.values[0].quote for name in found}
    assert quotes["tenure"] == "Freehold"
    assert quotes["energy_class"] == "D"


def test_the_day_from_which_a_home_is_free_is_not_when_it_was_posted():
    rows = "<dl><dt>Available from<dd>2025-03-01<dt>Rooms<dd>3</dl>"

    found = answers(f"<h1>Bright flat</h1>{rows}", LISTING)

    assert found["available_from"].candidate.value == "2025-03-01"
    assert "date_posted" not in found
