"""A page that lists several products gives no value of one of them as its own."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

import specfactory
from specfactory.extract import Values

NAMES = ("red", "blue", "green", "black", "white", "grey", "pink", "brown")
OWN = (
    '<div class="buy"><span class="price">$49.00</span><p>SKU: KX-4711</p>'
    "<button>Add to cart</button><p>In stock</p></div>"
)
WANTED = ("price", "sku", "availability")


def cards(count: int, more: str = "") -> str:
    blocks = "".join(
        f'<li class="card"><a href="/p/{n}"><h3>Kettle {NAMES[n]}</h3></a>'
        f'<span class="price">${10 + n}.50</span>{more}</li>'
        for n in range(count)
    )
    return f'<ul class="grid">{blocks}</ul>'


def page(body: str, data: object = None, title: str = "Kettles") -> str:
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data else ""
    return (
        f"<html lang=en><head><title>{title} | Shop</title>{head}</head><body><nav><a href=/>Home"
        f"</a></nav><main><h1>{title}</h1>{body}</main><footer>Imprint</footer></body></html>"
    )


def said(html: str) -> Values:
    return specfactory.extract(html, want=WANTED, url="https://shop.example/kettles")


@pytest.mark.parametrize("count", [3, 4, 8])
@pytest.mark.parametrize("more", ["", "<button>Add to cart</button><p>In stock</p>"])
def test_one_of_many_blocks_is_not_what_the_page_is_about(count, more):
    values = said(page(cards(count, more)))

    assert not values
    assert "the page lists several products" in values.missing["price"]


def test_a_collection_says_so_itself():
    values = said(page(cards(2), {"@type": "CollectionPage", "name": "Kettles"}))

    assert "the page lists several products" in values.missing["price"]


def test_products_of_equal_rank_in_structured_data_give_nothing():
    each = [
        {"@type": "Product", "name": f"Kettle {n}", "sku": f"K-10{n}",
         "offers": {"@type": "Offer", "price": 10 + n, "priceCurrency": "USD"}}
        for n in range(4)
    ]  # fmt: skip

    values = said(page(cards(4), each))

    assert not values
    assert "several" in values.missing["sku"]


@pytest.mark.parametrize("more", ["", "<button>Add to cart</button>"])
@pytest.mark.parametrize("heading", ["<h2>You may also like</h2>", ""])
def test_a_product_beside_which_others_are_listed_has_its_own_price(more, heading):
    values = said(page(OWN + heading + cards(8, more), title="Kettle X"))

    assert (values["price"].value.amount, values["sku"].value) == (49, "KX-4711")
    assert values["availability"].value == "in stock"


def test_structured_data_of_one_product_settles_it():
    offer = {"@type": "Offer", "price": "49.00", "priceCurrency": "USD"}
    own = {"@type": "Product", "name": "Kettle X", "offers": offer}

    assert said(page(cards(8), own, "Kettle X"))["price"].value.amount == 49


def test_money_in_the_news_is_no_price():
    news = "".join(
        f"<article><h2><a href=/n/{n}>Round {n}</a></h2><p>They raised ${n + 2}0 million, said "
        "people who know, and want more of it before the year is over.</p></article>"
        for n in range(3)
    )

    assert "price" not in said(page(news, title="Start-up news"))


def test_the_code_of_an_address_where_nothing_is_sold_is_no_sku():
    canonical = "<link rel=canonical href=https://news.example/story-83920441>"
    html = page("<p>They met, and talked.</p>", title="Talks").replace(
        "<head>", "<head>" + canonical
    )

    found = specfactory.extract(html, want=["sku"], url="https://news.example/story-83920441")

    assert "nothing on the page says that it is about one product" in found.missing["sku"]


def test_a_word_about_stock_where_nothing_is_sold_is_no_availability():
    values = said(page("<p>Available pets</p><p>Call us, we are open.</p>", title="Our pets"))

    assert "availability" not in values


def test_without_a_price_in_the_contract_blocks_and_buttons_decide():
    listed = specfactory.extract(page(cards(8)), want=["sku", "availability"])
    own = specfactory.extract(page(OWN, title="Kettle X"), want=["availability"])

    assert not listed
    assert own["availability"].value == "in stock"


def test_two_offers_of_equal_rank_give_no_price():
    boxes = "".join(
        f"<div class=p><h2>Kettle X {colour}</h2><b class=price>${amount}.00</b>"
        "<button>Add to cart</button></div>"
        for colour, amount in (("red", 129), ("blue", 139))
    )

    found = said(page(boxes, title="Kettle X"))

    assert "price" not in found
    assert "several_products" in found.missing["price"]


def test_a_price_that_is_hard_to_tell_counts_where_something_can_be_bought():
    box = (
        "<div><s>$59.99</s> <b>$39.95</b> <small>plus $4.95 shipping</small><p>or 3 x $13.32</p>"
        "</div><p>In stock</p><button>Add to cart</button>"
        "<table><tr><th>SKU</th><td>KX-4711</td></tr></table>"
    )
    others = "".join(f"<div class=card><a href=/p/{n}>T{n}</a> ${n}4.99</div>" for n in (2, 8))

    found = said(page(f"<nav><a>Shop</a></nav>{box}<aside>{others}</aside>", title="Kettle X"))

    assert found["price"].value.amount == Decimal("39.95")
