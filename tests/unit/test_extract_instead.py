"""A product that cannot be had, and another one that its page offers instead."""

from __future__ import annotations

import pytest

from specfactory.contract import compile_contract, find_contract
from specfactory.extract import answer_page, extract_candidates
from tests.pages import page_views

PRODUCT = compile_contract(find_contract("product"))
OTHER = (
    '<div class=box><a href="/p/lumix">Panasonic Lumix DMC-TZ5</a><div>Price: $249.99</div>'
    "<div>Rating: 4.5 out of 5</div><div>Availability: In Stock</div><button>Add to cart</button>"
    "</div>"
)
OWN = "<table><tr><td>Brand<td>Nikon<tr><td>MPN<td>25420</table>"


def _page(body, head=""):
    title = "<title>Nikon D40 Digital SLR Camera</title>"
    return page_views(f"<html lang=en>{title}{head}<body><h1>Nikon D40</h1>{body}</html>")


def _offer(views):
    answers = answer_page(views, PRODUCT)
    return {name: answers[name].candidate.value for name in answers if name in TAKEN}


TAKEN = ("price", "rating", "availability", "currency", "sku")


@pytest.mark.parametrize(
    "body",
    [
        f"<div><p>Currently unavailable.</p><p>Consider this instead:</p>{OTHER}</div>{OWN}",
        f"<p>Currently unavailable – consider this instead</p>{OTHER}{OWN}",
        f"<div><h3>Consider these available items</h3>{OTHER}</div>{OWN}",
        f"<div><div><b>Currently unavailable.</b></div><div><i>Recommended replacement</i></div>"
        f"{OTHER}</div>{OWN}",
        "<p>Currently unavailable – consider this instead: "
        f"<a href=/p/2>Panasonic Lumix DMC-TZ5</a> $249.99, rated 4.5 out of 5, in stock</p>{OWN}",
        f"<p>Nicht verfügbar</p><h3>Nachfolgemodell</h3>{OTHER}{OWN}",
    ],
)
def test_nothing_of_a_product_that_is_offered_instead_is_taken(body):
    views = _page(body)

    assert _offer(views).items() <= {"availability": "out of stock"}.items()
    candidates = extract_candidates(views, PRODUCT).candidates
    assert {c.field for c in candidates}.isdisjoint({"price", "rating"})
    assert {c.value for c in candidates if c.field == "mpn"} == {"25420"}


def test_markup_of_the_product_that_is_offered_instead_is_not_taken():
    markup = (
        "<div itemscope itemtype='https://schema.org/Product'><a href=/p/2 itemprop=url>"
        "<span itemprop=name>Nikon D60 Digital SLR Camera</span></a>"
        "<div itemprop=offers itemscope itemtype='https://schema.org/Offer'>"
        "<span itemprop=price content=449.00>$449.00</span>"
        "<meta itemprop=priceCurrency content=USD></div></div>"
    )
    views = _page(f"<div><p>Currently unavailable. Consider this instead:</p>{markup}</div>{OWN}")

    assert "price" not in answer_page(views, PRODUCT)


@pytest.mark.parametrize(
    "body",
    [
        f"<div><b>Price: $399.00</b></div><p>It replaces film instead of tape.</p>{OWN}",
        f"<p>The D40 was replaced by the D60 in 2008.</p><div><b>Price: $399.00</b></div>{OWN}",
        f"<p>See our other cameras instead.</p><div><b>Price: $399.00</b></div>{OWN}",
    ],
)
def test_the_pages_own_price_stays_where_no_other_product_is_named(body):
    assert answer_page(_page(body), PRODUCT)["price"].candidate.value.amount == 399
