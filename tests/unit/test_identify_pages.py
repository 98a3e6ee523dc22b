"""Whose page it is, by its ids and by what it calls itself."""

from __future__ import annotations

import pytest

from specfactory.identify import contradict, judge_page, named_measures
from specfactory.model import IdentityRules, Outcome, Page, Product, Tier, Verdict
from specfactory.proof import PageViews

RULES = IdentityRules(variant_words=("mini", "pro", "hyperspeed", "v2", "v3", "se"))
VIPER = Product("mouse", "Razer", "Viper V3 Pro")
SIBLINGS = (Product("mouse", "Razer", "Viper V3 HyperSpeed"), Product("mouse", "Razer", "Viper"))
GTIN, OTHER_GTIN = "8886419333456", "8886419333449"


def _page(html: str, url: str = "https://shop.example/p/1", tier: Tier = Tier.RETAILER):
    page = Page("p1", url, url, "shop.example", tier, 0, Outcome.OK, "", media_type="text/html")
    return PageViews(page, html.encode())


def _html(title: str = "", h1: str = "", body: str = "", head: str = "") -> str:
    return (
        f"<html><head><title>{title}</title>{head}</head>"
        f"<body><h1>{h1}</h1>{body or '<p>Some words.</p>'}</body></html>"
    )


def _item(name: str, **properties: str) -> str:
    pairs = "".join(f', "{key}": "{value}"' for key, value in properties.items())
    product = f'{{"@type": "Product", "name": "{name}"{pairs}}}'
    return f'<script type="application/ld+json">{product}</script>'


def _with_ids(**ids: str) -> Product:
    return Product("mouse", "Razer", "Viper V3 Pro", hard_ids=ids)


def test_title_and_heading_that_agree_make_it_the_same():
    views = _page(_html("Razer Viper V3 Pro | Shop", "Razer Viper V3 Pro"))

    found = judge_page(VIPER, RULES, views, SIBLINGS)

    assert found.verdict is Verdict.SAME
    assert found.confidence >= 0.95


@pytest.mark.parametrize(
    "name", ["Razer Viper V3 HyperSpeed", "Razer Viper V2 Pro", "Razer Viper", "Razer Viper Mini"]
)
def test_a_siblings_page_is_another_products(name):
    views = _page(_html(f"{name} kaufen", name, "<p>Better than the Viper V3 Pro?</p>"))

    assert judge_page(VIPER, RULES, views, SIBLINGS).verdict is Verdict.OTHER


def test_names_that_contradict_each_other_are_left_to_a_person():
    views = _page(_html("Razer Viper V3 Pro", "Razer Viper V3 HyperSpeed"))

    found = judge_page(VIPER, RULES, views, SIBLINGS)

    assert found.verdict is Verdict.UNSURE
    assert "contradict" in found.reasons[-1]


def test_a_page_that_compares_two_is_about_the_family():
    title = "Razer Viper V3 Pro vs Razer Viper V3 HyperSpeed"

    assert judge_page(VIPER, RULES, _page(_html(title, title)), SIBLINGS).verdict is Verdict.FAMILY


def test_a_heading_that_names_nothing_does_not_count():
    views = _page(_html("Razer Viper V3 Pro", "Technical specifications"))

    assert judge_page(VIPER, RULES, views, SIBLINGS).verdict is Verdict.SAME


def test_the_main_items_name_settles_an_unclear_title():
    head = _item("Razer Viper V3 Pro", sku="123")
    views = _page(_html("Razer Viper V3 Pro Faker Edition", "", head=head))

    found = judge_page(VIPER, RULES, views)

    assert found.verdict is Verdict.SAME
    assert found.confidence < 0.93


def test_a_url_that_names_another_variant_makes_one_name_doubtful():
    views = _page(_html("Razer Viper V3 Pro"), url="https://shop.example/razer-viper-v3-pro-se")

    assert judge_page(VIPER, RULES, views).verdict is Verdict.UNSURE


@pytest.mark.parametrize("title", ["Refurbished {} | Shop", "{} bundle", "Basilisk {}"])
def test_a_plain_heading_does_not_settle_what_the_title_doubts(title):
    product = Product("mouse", "Razer", "Viper")
    views = _page(_html(title.format("Viper"), "Razer Viper"), "https://x.example/razer-viper")

    assert judge_page(product, RULES, views).verdict is Verdict.UNSURE


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [("https://schema.org/UsedCondition", Verdict.UNSURE), ("used", Verdict.UNSURE),
     ("unused", Verdict.SAME),
     ("https://schema.org/DamagedCondition", Verdict.UNSURE), ("Gebraucht", Verdict.UNSURE),
     ("https://schema.org/RefurbishedCondition", Verdict.UNSURE), ("renewed", Verdict.UNSURE),
     ("https://schema.org/NewCondition", Verdict.SAME), ("new", Verdict.SAME)],
)  # fmt: skip
def test_structured_data_says_that_it_is_used(condition, verdict):
    head = _item("Razer Viper V3 Pro", itemCondition=condition)
    views = _page(_html("Razer Viper V3 Pro", "Razer Viper V3 Pro", head=head))

    assert judge_page(VIPER, RULES, views).verdict is verdict


def test_what_a_page_says_of_a_variant_that_the_product_leaves_open_is_noted():
    views = _page(_html("Acme X 8 GB RAM, 128GB | Shop", "Acme X"))

    open_one = named_measures(Product("phone", "Acme", "X"), RULES, views)
    told = named_measures(Product("phone", "Acme", "X", "128 GB"), RULES, views)

    assert open_one == ((8.0, "GB memory"), (128.0, "GB"))
    assert told == ((8.0, "GB memory"),)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ([(64.0, "GB")], [(128.0, "GB")], True),
        ([(64.0, "GB")], [(64.0, "GB"), (8.0, "GB memory")], False),
        ([(64.0, "GB")], [(13.0, "inch")], False),
        ([(64.0, "GB"), (128.0, "GB")], [(128.0, "GB")], False),
        ([], [(128.0, "GB")], False),
    ],
)
def test_measures_contradict_when_each_says_what_the_other_does_not(one, other, apart):
    assert contradict(one, other) is contradict(other, one) is apart


def test_an_empty_page_is_unsure():
    assert judge_page(VIPER, RULES, _page("")).verdict is Verdict.UNSURE


@pytest.mark.parametrize(
    ("url", "body"),
    [
        ("https://www.razer.com/mice/x1", "<p>Some words.</p>"),
        ("https://shop.example/x1", "<p>Made by Razer.</p>"),
    ],
)
def test_the_brand_may_stand_elsewhere(url, body):
    views = _page(_html("Viper V3 Pro", "Viper V3 Pro", body), url)

    assert judge_page(VIPER, RULES, views).verdict is Verdict.SAME


def test_without_its_brand_anywhere_a_model_may_be_anyones():
    views = _page(_html("Viper V3 Pro", "Viper V3 Pro"))

    assert judge_page(VIPER, RULES, views).verdict is Verdict.UNSURE


def test_a_matching_gtin_is_near_certain_even_under_a_poor_title():
    views = _page(_html("Gaming mouse, black", head=_item("Gaming mouse", gtin13=GTIN)))

    found = judge_page(_with_ids(gtin=GTIN), RULES, views)

    assert (found.verdict, found.hard_ids) == (Verdict.SAME, {"gtin": GTIN})
    assert found.confidence >= 0.99


def test_another_gtin_is_a_veto_under_the_right_title():
    head = _item("Razer Viper V3 Pro", gtin13=OTHER_GTIN)
    views = _page(_html("Razer Viper V3 Pro", head=head))

    found = judge_page(_with_ids(gtin=GTIN), RULES, views)

    assert found.verdict is Verdict.OTHER
    assert OTHER_GTIN in found.reasons[0]


def test_a_gtin_with_a_wrong_check_digit_says_nothing():
    head = _item("Razer Viper V3 Pro", gtin13="8886419333450")
    views = _page(_html("Razer Viper V3 Pro", head=head))

    found = judge_page(_with_ids(gtin=GTIN), RULES, views)

    assert (found.verdict, dict(found.hard_ids)) == (Verdict.SAME, {})


def test_a_matching_id_under_a_siblings_name_is_left_to_a_person():
    head = _item("Razer Viper V3 Pro SE", gtin13=GTIN)
    views = _page(_html("Razer Viper V3 Pro SE", head=head))

    assert judge_page(_with_ids(gtin=GTIN), RULES, views).verdict is Verdict.UNSURE


def test_a_labelled_id_in_the_text_is_proven():
    views = _page(_html("Razer Viper V3 Pro", body=f"<p>EAN: {GTIN}</p><p>MPN RZ01-05120100</p>"))

    found = judge_page(VIPER, RULES, views)

    assert found.hard_ids == {"gtin": GTIN, "mpn": "RZ01-05120100"}


def test_a_shops_own_sku_is_neither_a_conflict_nor_kept():
    product = _with_ids(sku="RZ01-04630100-R3A1")
    views = _page(_html("Razer Viper V3 Pro", head=_item("Razer Viper V3 Pro", sku="4711-A")))

    found = judge_page(product, RULES, views)

    assert (found.verdict, dict(found.hard_ids)) == (Verdict.SAME, {})


def test_a_part_number_of_the_same_scheme_that_differs_in_a_digit_is_a_veto():
    product = _with_ids(mpn="RZ01-04630100-R3A1")
    head = _item("Razer Viper V3 Pro", mpn="RZ01-05120100-R3A1")

    views = _page(_html("Razer Viper V3 Pro", head=head))

    assert judge_page(product, RULES, views).verdict is Verdict.OTHER


def test_a_part_number_of_another_region_is_no_conflict():
    product = _with_ids(mpn="RZ01-04630100-R3A1")
    head = _item("Razer Viper V3 Pro", mpn="RZ01-04630100-R3U1")

    views = _page(_html("Razer Viper V3 Pro", head=head))

    assert judge_page(product, RULES, views).verdict is Verdict.SAME


def test_the_makers_sku_is_kept():
    head = _item("Razer Viper V3 Pro", sku="RZ01-04630100-R3A1")
    views = _page(_html("Razer Viper V3 Pro", head=head), tier=Tier.MANUFACTURER)

    assert judge_page(VIPER, RULES, views).hard_ids == {"sku": "RZ01-04630100-R3A1"}
