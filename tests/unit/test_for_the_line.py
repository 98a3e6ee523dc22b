"""What a page offers without a label goes down the line only where nothing speaks against it."""

from __future__ import annotations

from specfactory.contract import compile_contract, find_contract
from specfactory.extract import answer_page, extract_candidates
from specfactory.extract.answers.library import page_of
from specfactory.model import Candidate, Method
from specfactory.proof import PageViews

MOUSE = compile_contract(find_contract("mouse"))
PRODUCT = compile_contract(find_contract("product"))
SHOP = """<html lang="en"><title>Viper V3 Pro</title><main><h1>Viper V3 Pro</h1>{price}
<button>Add to cart</button></main></html>"""


def _views(html: str, url: str = "https://shop.example/p/viper") -> PageViews:
    return PageViews(page_of(html, url), html.encode())


def _taken(views: PageViews, field: str) -> list[Candidate]:
    found = extract_candidates(views, MOUSE).candidates
    return [candidate for candidate in found if candidate.field == field]


def test_a_shops_price_without_a_label_is_taken() -> None:
    [price] = _taken(_views(SHOP.format(price='<p class="price">$129.99</p>')), "price")

    assert price.evidence.method is Method.VISIBLE
    assert price.value.amount == 129.99  # type: ignore[union-attr]


def test_a_price_that_a_label_gives_to_another_field_is_no_shops_price() -> None:
    views = _views(SHOP.format(price="<table><tr><th>MSRP</th><td>$129.99</td></tr></table>"))

    assert [candidate.value.amount for candidate in _taken(views, "msrp")] == [129.99]  # type: ignore[union-attr]
    assert _taken(views, "price") == []


def test_a_code_in_the_address_answers_for_a_page_but_does_not_go_down_the_line() -> None:
    own = "https://shop.example/item/537166"
    views = _views(f'<link rel="canonical" href="{own}">' + SHOP.format(price=""), own)

    assert answer_page(views, PRODUCT)["sku"].candidate.value == "537166"
    assert _taken(views, "sku") == []
