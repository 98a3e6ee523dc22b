"""A PDF that is read for a product, and cannot be read."""

from __future__ import annotations

from specfactory.contract import compile_contract, find_contract
from specfactory.model import Product
from specfactory.orchestrate.pages.read_for_product import read_page
from tests.pages import page_views

VIPER = Product("mouse", "Razer", "Viper V3 Pro")


def test_a_broken_pdf_is_told_among_the_reasons_why_it_gave_nothing() -> None:
    body = b"%PDF-1.4 garbage"
    page = page_views(body, media_type="application/pdf").page

    reading = read_page(VIPER, compile_contract(find_contract("mouse")), (), page, body)

    assert reading.identity.reasons[0].startswith("the PDF cannot be read: ")
    assert reading.candidates == ()
