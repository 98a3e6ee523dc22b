"""The demo web as a value: the same for a seed, true where it says so, trapped where it says so."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from functools import lru_cache
from statistics import mean

import pypdfium2
import pytest
import yaml

from specfactory.contract import compile_contract, find_contract, product_id, value_from_json
from specfactory.demo import Answer, World, build_world, write_truth
from specfactory.errors import NotDerivable, UsageError
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import FieldType, Json, Tier
from specfactory.settings import load

WRONG = {"typo", "copied", "outdated", "weight_with_cable", "weight_of_package"}
BASIC = ("weight", "length", "max_dpi", "polling_rate", "sensor", "buttons", "connection")


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(7)


def all_paths(world: World) -> list[tuple[str, str]]:
    return [(shelf.site.host, path) for shelf in world.shelves for path in shelf.entries]


@lru_cache(maxsize=4096)
def as_read(body: bytes, content_type: str) -> str:
    """The words of a page, roughly as a person or a program reads them."""
    if content_type == "application/pdf":
        return "\n".join(p.get_textpage().get_text_range() for p in pypdfium2.PdfDocument(body))
    text = body.decode("utf-8" if "utf-8" in content_type else "cp1252")
    structured = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.S)
    spoken = " ".join(json.dumps(json.loads(part), ensure_ascii=False) for part in structured)
    plain = re.sub(r"(\d)<sup>(\d\d)</sup>", r"\1.\2", text)
    return html.unescape(plain + spoken.replace('\\"', '"')).replace("\xa0", " ")


def reading(answer: Answer) -> str:
    return as_read(answer.body, answer.headers["Content-Type"])


def told_by(world: World, host: str, product: str, name: str) -> Json:
    """What a host has to say of a product when it says it right."""
    site = next(site for site in world.sites if site.host == host)
    return world.facts_at[site.name][product][name]


def product_pages(world: World, host: str, product: str) -> str:
    shelf = next(shelf for shelf in world.shelves if shelf.site.host == host)
    paths = [e.path for e in shelf.entries.values()
             if e.shown.id == product and e.kind in ("product", "datasheet")]  # fmt: skip
    return "\n".join(reading(world.page(host, path)) for path in paths)


def test_two_builds_of_a_seed_are_the_same_byte_for_byte(world):
    again = build_world(7)

    assert again.truth == world.truth
    assert again.traps == world.traps
    for host, path in all_paths(world):
        assert again.page(host, path) == world.page(host, path)


def test_the_order_in_which_pages_are_asked_for_does_not_matter(world):
    backwards = build_world(7)
    places = all_paths(world)
    answers = {place: backwards.page(*place) for place in reversed(places)}

    assert all(world.page(*place) == answers[place] for place in places)


def test_another_seed_has_other_values_labels_and_order(world):
    other = build_world(8)
    host = next(site.host for site in world.sites if site.name == "razer")
    product = world.products[0].id
    mine, theirs = world.statements(host, product), other.statements(host, product)

    assert world.golden()[product] != other.golden()[product]
    assert {s.label for s in mine} != {s.label for s in theirs}
    common = {s.field for s in mine} & {s.field for s in theirs}
    assert [s.field for s in mine if s.field in common] != [
        s.field for s in theirs if s.field in common
    ]


def test_brands_change_layouts_with_the_seed():
    dealt = {
        tuple(site.layout for site in build_world(seed, products=5).sites) for seed in range(6)
    }

    assert len(dealt) > 1


def test_there_are_sixty_products_on_more_than_ten_sites_of_all_tiers(world):
    assert len(world.products) >= 60
    assert sum(site.tier is not None for site in world.sites) >= 10
    assert {site.tier for site in world.sites} >= set(Tier)


def test_the_readme_product_is_there(world):
    assert world.products[0].id == "mouse-razer-viper-v3-pro-wireless"
    assert world.products[0].name == "Razer Viper V3 Pro Wireless"


def test_ids_are_those_of_the_factory(world):
    for p in world.products:
        assert p.id == product_id(p.category, p.brand, p.model, p.variant)


def test_truth_fits_the_contract(world):
    contract = find_contract("mouse")
    for fields in world.truth.values():
        for name, truth in fields.items():
            field = contract.fields[name]
            value = value_from_json(field, truth.value)
            if field.allowed:
                assert set(value if isinstance(value, tuple) else (value,)) <= set(field.allowed)
            if field.low is not None and isinstance(value, int | float):
                assert field.low <= value <= field.high, (name, value)


def test_truth_passes_the_checks_of_the_contract(world):
    compiled = compile_contract(find_contract("mouse"))
    for fields in world.truth.values():
        values = {n: value_from_json(compiled.contract.fields[n], t.value)
                  for n, t in fields.items()}  # fmt: skip
        failed = [check.name for check in compiled.checks(values) if check.passed is False]
        assert failed == []


def test_codes_are_valid_and_no_two_products_share_one(world):
    codes = [fields["gtin"].value for fields in world.truth.values()]
    parts = [fields["mpn"].value for fields in world.truth.values()]

    assert len(set(codes)) == len(set(parts)) == len(world.products)
    for code in codes:
        assert sum(int(d) * (3 if at % 2 else 1) for at, d in enumerate(code)) % 10 == 0


def test_siblings_differ_in_weight(world):
    for mouse in world.mice:
        family = [m for m in world.mice if m.family == mouse.family and m is not mouse]
        own = world.truth[mouse.id]["weight"].value
        assert all(abs(world.truth[m.id]["weight"].value - own) >= 4 for m in family)


def test_a_hundred_and_ten_fields_are_reachable_on_average(world):
    counts = [sum(t.reachable for t in fields.values()) for fields in world.truth.values()]

    assert mean(counts) >= 110
    assert min(counts) >= 90


def test_some_values_stand_only_where_the_factory_may_not_read():
    worlds = [build_world(seed) for seed in range(3)]

    assert any(t.hosts and not t.reachable for w in worlds for f in w.truth.values()
               for t in f.values())  # fmt: skip


def test_no_site_has_most_of_the_fields(world):
    for product, fields in world.truth.items():
        reachable = [t for t in fields.values() if t.reachable]
        hosts = Counter(host for t in reachable for host in t.hosts)
        assert max(hosts.values()) <= 0.65 * len(reachable), product


def test_basic_values_stand_on_three_sites_or_more(world):
    shares = [len(fields[name].hosts) >= 3 for fields in world.truth.values() for name in BASIC]

    assert mean(shares) > 0.95


def test_measurements_stand_at_labs_only_and_prices_at_shops_only(world):
    tiers = {site.host: site.tier for site in world.sites}
    for fields in world.truth.values():
        assert {tiers[h] for h in fields["click_latency"].hosts} <= {Tier.LAB}
        assert {tiers[h] for h in fields["gtin"].hosts} <= {Tier.RETAILER, Tier.AGGREGATOR}
        assert {tiers[h] for h in fields["price"].hosts} <= {Tier.RETAILER, Tier.AGGREGATOR}


def measured_twice(world: World) -> list[tuple[str, list[Json]]]:
    """Every measurement that the two readable labs both publish."""
    labs = [s.host for s in world.sites if s.tier is Tier.LAB and s.readable]
    told = [(name, [t.by_host.get(lab) for lab in labs])
            for fields in world.truth.values() for name, t in fields.items()]  # fmt: skip
    return [(name, values) for name, values in told if name != "price" and None not in values]


def test_labs_measure_what_the_contract_calls_source_dependent(world):
    contract = find_contract("mouse")
    figures = (FieldType.NUMBER, FieldType.INTEGER, FieldType.PRICE)
    measurable = {name for name, field in contract.fields.items()
                  if field.source_dependent and field.type in figures}  # fmt: skip

    assert measurable == {n for fields in world.truth.values() for n, t in fields.items()
                          if t.by_host}  # fmt: skip


def test_labs_differ_beyond_the_tolerance_in_about_half_of_the_cases():
    compiled = compile_contract(find_contract("mouse"))
    told = [pair for seed in range(4) for pair in measured_twice(build_world(seed))]

    assert 0.4 <= mean(not compiled.same(name, *values) for name, values in told) <= 0.6


def test_two_shops_rarely_ask_the_same_price_and_copies_always_do(world):
    at = {site.name: site.host for site in world.sites}
    told = [fields["price"].by_host for fields in world.truth.values()]
    shops = [(t[at["gearbarn"]], t[at["pixelmarket"]]) for t in told
             if t.keys() >= {at["gearbarn"], at["pixelmarket"]}]  # fmt: skip
    copies = [(t[at["specpile"]], t[at["pixelmarket"]]) for t in told if at["specpile"] in t]

    assert mean(mine == other for mine, other in shops) < 0.1
    assert copies
    assert all(mine == other for mine, other in copies)


def test_the_true_value_is_the_first_labs_or_shops(world):
    tiers = {site.host: site.tier for site in world.sites}
    for fields in world.truth.values():
        for name, truth in fields.items():
            if truth.by_host:
                first, *others = truth.by_host
                leading = Tier.RETAILER if name == "price" else Tier.LAB
                assert truth.value == truth.by_host[first]
                assert tiers[first] is leading or leading not in map(tiers.get, others)


def test_golden_values_accept_what_any_source_says_on_its_own_account(world):
    product = world.products[0].id
    truth, golden = world.truth[product], world.golden()[product]

    assert golden["weight"] == truth["weight"].value
    assert len(golden["price"]["any"]) > 1
    assert all(price in golden["price"]["any"] for price in truth["price"].by_host.values())


def test_what_is_listed_among_several_stands_alone_elsewhere(world):
    sites = {site.host: site for site in world.sites}
    listed = {(trap.product_id, trap.field, trap.host) for trap in world.traps
              if trap.kind in ("range", "alternatives")}  # fmt: skip

    assert {name for _, name, _ in listed} == {"max_dpi", "polling_rate"}
    for product, name, host in listed:
        truth = world.truth[product][name]
        assert host not in truth.hosts
        assert any(sites[other].readable for other in truth.hosts), (product, name)


def test_shops_weigh_more_than_the_mouse_under_a_bare_label(world):
    planted = [t for t in world.traps if t.kind in ("weight_with_cable", "weight_of_package")]
    for trap in planted:
        said = {s.field: s for s in world.statements(trap.host, trap.product_id)}["weight"]
        assert said.label.replace("\u200b", "") == "Weight"
        assert trap.host not in world.truth[trap.product_id]["weight"].hosts
    assert len({trap.product_id for trap in planted}) <= 0.4 * len(world.products)


def test_every_reachable_truth_stands_on_a_page_of_its_host(world):
    readable = {site.host for site in world.sites if site.readable}
    for product, fields in world.truth.items():
        pages = {h: product_pages(world, h, product) for t in fields.values() for h in t.hosts
                 if h in readable}  # fmt: skip
        said = {h: {s.field: s for s in world.statements(h, product)} for h in pages}
        for name, truth in fields.items():
            hosts = [h for h in truth.hosts if h in readable]
            assert hosts or not truth.reachable, (product, name)
            for host in hosts:
                assert said[host][name].words in pages[host], (product, name, host)


def test_statements_give_the_truth_by_the_rules_of_the_contract(world):
    """What a page says of a product is that product's value, unless a trap says otherwise."""
    compiled = compile_contract(find_contract("mouse"))
    planted = {(t.product_id, t.field, t.host) for t in world.traps if t.kind in WRONG}
    told = [(p.id, site, s) for p in world.products[::4] for site in world.sites
            for s in world.statements(site.host, p.id)]  # fmt: skip
    unreadable = 0
    for product, site, said in told:
        field = compiled.contract.fields[said.field]
        right = value_from_json(field, told_by(world, site.host, product, said.field))
        try:
            value = compiled.derive(said.field, said.words, said.label, site.language)
        except NotDerivable:
            unreadable += not world.styles[site.name].lists_several(said.field)
            continue
        wrong = (product, said.field, site.host) in planted
        assert compiled.same(said.field, value, right) != wrong, (product, site.name, said)
    assert unreadable < 0.01 * len(told)


def test_every_trap_stands_on_the_page_it_names(world):
    for trap in world.traps:
        if trap.words:
            page = world.page(trap.host, trap.path)
            body = page.body.decode(
                "utf-8" if "utf-8" in page.headers["Content-Type"] else "cp1252"
            )
            assert trap.words in body or trap.words in reading(page), trap


def test_traps_of_all_kinds_are_planted_on_many_products(world):
    kinds = Counter(trap.kind for trap in world.traps)

    assert set(kinds) >= {
        "sibling_variant", "sibling_mentioned", "comparison", "related_box", "jsonld_related",
        "search_sibling_first", "lookalike_url", "ounces", "inches", "decimal_comma",
        "thousands_point", "small_cents", "old_price", "instalment", "shipping", "outdated",
        "typo", "copied", "weight_with_cable", "weight_of_package", "empty_row", "range",
        "alternatives", "hostile_injection", "hostile_false_table", "hostile_hidden_table",
        "hostile_comment", "hostile_script", "soft_404", "empty_page", "private_page",
    }  # fmt: skip
    assert len({trap.product_id for trap in world.traps}) == len(world.products)


def test_traps_differ_from_the_truth(world):
    for trap in world.traps:
        if trap.wrong_value is not None:
            assert trap.right_value == told_by(world, trap.host, trap.product_id, trap.field)
            assert trap.wrong_value != trap.right_value, trap


def test_every_html_page_says_that_its_values_are_invented(world):
    for shelf in world.shelves:
        entries = [e for e in shelf.entries.values() if e.kind == "product"]
        for entry in entries[:3] if shelf.site.layout != "script" else ():
            assert re.search("invented|erfunden", reading(world.page(shelf.site.host, entry.path)))


def test_product_pages_are_as_large_as_real_ones(world):
    sizes = [len(world.page(shelf.site.host, entry.path).body) for shelf in world.shelves
             for entry in shelf.entries.values() if entry.kind == "product"]  # fmt: skip

    assert 20_000 <= mean(sizes) <= 80_000
    assert max(sizes) <= 100_000


def test_settings_are_accepted_by_the_factory(world, tmp_path):
    file = tmp_path / "specfactory.yaml"
    file.write_text(yaml.safe_dump(world.settings()))

    settings = load(file, environment={})

    opened = policy_for_pages(settings.fetch.allow_loopback).loopback
    assert opened == {(f"{s.name}.localhost", s.port) for s in world.sites if s.tier is not None}
    hosts = {source["host"] for source in settings.sources if source.get("enabled", True)}
    assert hosts == {site.host for site in world.sites if site.tier is not None}


def test_groups_are_those_of_the_contract(world):
    fields = find_contract("mouse").fields
    for style in world.styles.values():
        assert all(fields[name].group == spec.section for name, spec in style.fields.items())


def test_truth_is_written_to_a_file(world, tmp_path):
    write_truth(world, tmp_path / "truth.json")

    written = json.loads((tmp_path / "truth.json").read_text())
    assert written["products"].keys() == world.truth.keys()
    assert len(written["traps"]) == len(world.traps)


def test_an_unknown_host_or_path_is_not_found(world):
    assert world.page("nobody.localhost:1", "/").status == 404
    assert world.page(world.sites[1].host, "/%00/../x?page=x").status == 404


def test_a_small_world_still_has_all_brands():
    small = build_world(1, products=10)

    assert len({product.brand for product in small.products}) == 5


def test_more_products_than_there_are_is_refused():
    with pytest.raises(UsageError, match="64"):
        build_world(1, products=1000)
