"""Hard ids: those of the product itself, from its own part of the page, never a shop's numbers."""

from __future__ import annotations

import pytest

from specfactory.contract import make_product
from specfactory.extract import place_owners
from specfactory.identify import judge_page
from specfactory.model import IdentityRules, Tier, Verdict
from tests.pages import page_views

NIKON = make_product("camera", "Nikon", "D40")
RULES = IdentityRules()
UPC = "018208254200"


def _judge(body, product=NIKON, tier=Tier.RETAILER):
    title = "<title>Nikon D40</title><h1>Nikon D40</h1>"
    views = page_views(f"<html lang=en>{title}{body}</html>", tier=tier)
    return judge_page(product, RULES, views, (), place_owners(views))


def test_an_id_of_the_products_own_part_is_proven():
    assert _judge("<p>Manufacturer part number: DMC-25420</p>").hard_ids == {"mpn": "DMC-25420"}


@pytest.mark.parametrize(
    "box",
    [
        "<h2>Accessories</h2><div>Panasonic battery<br>MPN: DMW-BCG10</div>",
        "<h3>Customers also bought</h3><ul><li><a href=/1>Panasonic case</a> MPN: DMW-BCG10</ul>",
        "<div class=related-products><a href=/1>Panasonic case</a> MPN: DMW-BCG10</div>",
        "<aside>Panasonic case, MPN: DMW-BCG10</aside>",
        "<div><p>Currently unavailable. Consider this instead:</p>"
        "<div><a href=/1>Panasonic Lumix</a><p>MPN: DMW-BCG10</p></div></div>",
    ],
)
def test_an_id_in_a_box_about_other_things_is_not_the_products(box):
    assert _judge(f"<p>A fine camera.</p>{box}").hard_ids == {}


def test_an_id_in_a_box_about_other_things_is_no_veto():
    ours = make_product("camera", "Nikon", "D40", hard_ids={"gtin": UPC})
    box = "<h2>Accessories</h2><div><a href=/1>Case</a> UPC: 074101001471</div>"

    assert _judge(box, ours).verdict is Verdict.SAME


@pytest.mark.parametrize(
    "words", ["Part number: N82E1683011", "Item #: 26205AB", "Product code: CAM-26205"]
)
def test_a_shops_own_number_is_no_part_number(words):
    assert _judge(f"<p>{words}</p>").hard_ids == {}


def test_a_makers_part_number_is_one():
    found = _judge("<p>Part number: VBA-25420</p>", tier=Tier.MANUFACTURER)

    assert found.hard_ids == {"mpn": "VBA-25420"}


def test_a_bare_part_number_that_is_the_products_matches():
    ours = make_product("camera", "Nikon", "D40", hard_ids={"mpn": "VBA-25420"})

    assert "mpn VBA-25420" in _judge("<p>Part number: VBA-25420</p>", ours).reasons[0]


@pytest.mark.parametrize(
    "label", ["UPC", "UPC code", "EAN", "Barcode UPC", "Part number", "Item number", "SKU", "MPN"]
)
def test_a_upc_is_a_gtin_in_whatever_words(label):
    assert _judge(f"<p>{label}: {UPC}</p>").hard_ids == {"gtin": UPC}
