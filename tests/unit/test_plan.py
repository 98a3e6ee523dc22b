"""The next source is the one with the most expected new fields per cost."""

from __future__ import annotations

from specfactory.discover.round_plan import Lead, plan_round, sources_for
from specfactory.model import Contract, Field, FieldType, Product, Source, SourceYield, Tier

FIELDS = {
    name: Field(name, FieldType.NUMBER, group=group)
    for name, group in {
        "weight": "body", "length": "body", "latency": "lab", "force": "lab", "price": "shop",
    }.items()
}  # fmt: skip
CONTRACT = Contract("mouse", "1", "Mouse", FIELDS)
MAKER = Source("www.razer.example", Tier.MANUFACTURER)
OTHER_MAKER = Source("www.kestrel.example", Tier.MANUFACTURER)
LAB = Source("lab.example", Tier.LAB, groups=("lab",))
SHOP = Source("shop.example", Tier.RETAILER)
RAZER = Product("mouse", "Razer", "Viper")
ALL = tuple(Tier)


def plan(missing, yields=None, leads=(), tiers=ALL, count=3, sources=(MAKER, LAB, SHOP)):
    return plan_round(CONTRACT, sources, leads, missing, yields or {}, tiers, count)


def test_other_brands_sites_are_left_out():
    assert sources_for(RAZER, [MAKER, OTHER_MAKER, SHOP]) == (MAKER, SHOP)


def test_a_source_may_name_its_brands():
    maker = Source("www.example", Tier.MANUFACTURER, brands=("RAZER ",))

    assert sources_for(RAZER, [maker]) == (maker,)


def test_a_disabled_source_is_left_out():
    assert sources_for(RAZER, [Source("a.example", Tier.LAB, enabled=False)]) == ()


def test_a_lab_comes_first_for_what_labs_measure():
    assert plan(["latency", "force"])[0].source is LAB


def test_experience_outweighs_the_first_guess():
    yields = {
        "shop.example": SourceYield("shop.example", "mouse", 20, {"latency": 20, "force": 20})
    }

    assert plan(["latency", "force"], yields)[0].source is SHOP


def test_a_source_that_mostly_fails_is_dear():
    yields = {"lab.example": SourceYield("lab.example", "mouse", 1, {"latency": 1}, failures=30)}

    assert plan(["latency"], yields)[0].source is not LAB


def test_a_known_page_comes_before_a_search_of_the_same_worth():
    lead = Lead(SHOP, "https://shop.example/viper", "given")

    first, second = plan(["price"], leads=[lead], sources=[SHOP], count=2)
    assert (first.url, second.url) == (lead.url, None)


def test_a_page_given_by_the_user_comes_first_of_all():
    lead = Lead(SHOP, "https://shop.example/viper", "given", given=True)

    assert plan(["latency"], leads=[lead], tiers=(Tier.MANUFACTURER, Tier.LAB))[0].url == lead.url


def test_the_identity_check_wants_the_manufacturer_whatever_was_given():
    lead = Lead(SHOP, "https://shop.example/viper", "given", given=True)

    assert [s.source for s in plan(["price"], leads=[lead], tiers=(Tier.MANUFACTURER,))] == [MAKER]


def test_only_the_wanted_tiers_are_asked_while_there_are_any():
    assert [s.source for s in plan(["price"], tiers=(Tier.LAB,))] == [LAB]


def test_a_round_without_its_tiers_takes_what_is_left():
    assert [s.source for s in plan(["price"], tiers=(Tier.COMMUNITY,), sources=[SHOP])] == [SHOP]


def test_the_reason_names_the_gain():
    assert "of 2 open fields (first guess)" in plan(["latency", "force"])[0].why
