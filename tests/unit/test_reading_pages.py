"""Pages that are read for a product: broken ones, and such as say too much."""

from __future__ import annotations

from specfactory.contract import compile_contract, find_contract
from specfactory.model import Product
from specfactory.orchestrate.pages.product_reading import MOST_DROPPED, MOST_OF_A_FIELD, read_page
from tests.pages import page_views

VIPER = Product("mouse", "Razer", "Viper V3 Pro")


def test_a_broken_pdf_is_told_among_the_reasons_why_it_gave_nothing() -> None:
    body = b"%PDF-1.4 garbage"
    page = page_views(body, media_type="application/pdf").page

    reading = read_page(VIPER, compile_contract(find_contract("mouse")), (), page, body)

    assert reading.identity.reasons[0].startswith("the PDF cannot be read: ")
    assert reading.candidates == ()


def test_a_page_that_repeats_a_field_without_end_gives_a_bounded_number_of_values() -> None:
    rows = "".join(f"<p>Weight: {50 + number} g</p>" for number in range(200))
    prices = "".join(f"<p>Weight: {number} km</p>" for number in range(600))
    body = f"<h1>Razer Viper V3 Pro</h1><p>DPI: 35000</p>{rows}{prices}".encode()
    page = page_views(body).page

    reading = read_page(VIPER, compile_contract(find_contract("mouse")), (), page, body)

    weights = [one.value for one in reading.candidates if one.field == "weight"]
    assert len(weights) == MOST_OF_A_FIELD
    assert weights[0] == 50
    assert len(reading.dropped) <= MOST_DROPPED
    assert {one.field for one in reading.candidates} > {"weight"}
