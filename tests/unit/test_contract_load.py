"""Contract files: what is read, and how every problem is named."""

# ruff: noqa: E501, PT017 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pickle
from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specfactory.contract import (
    categories,
    compile_contract,
    contract_problems,
    contract_schema,
    find_contract,
    make_product,
    parse_contract,
    read_text,
    source_from,
)
from specfactory.contract.text import named_product
from specfactory.errors import ContractError, UnknownCategory, UsageError
from specfactory.model import FieldType, IdentityRules, Level, Source, Tier, Tolerance

GOOD = """\
category: kettle
version: 1.0
title: Kettle
identity:
  hard_ids: [gtin]
  variant_words: [mini, pro]
sources:
  - {host: kettles.test, tier: tier1_manufacturer, search: "https://kettles.test/?q={query}", groups: [body], cost: 2}
components:
  heater:
    Coil: [coil heater]
fields:
  weight:
    group: body
    type: number
    unit: g
    units: [g, kg]
    level: required
    labels: {en: [Weight], de: [Gewicht]}
    range: [100, 5000]
    tolerance: 2%
    tiers: [tier2_lab, tier1_manufacturer]
    structured: weight
    patterns: ["weighs {value}"]
  lid: {type: boolean, source_dependent: yes, allowed: {true: [hinged], false: []}}
  heater: {type: text, component: heater}
  kind: {type: enumeration, allowed: [yes, no, stovetop]}
  depth: {type: number, unit: mm, range: [null, 300], tolerance: {absolute: 1, relative: 0.02}}
checks:
  - {name: plausible, expression: "weight > 100 and known(lid)", message: too light}
"""


def edited(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def problems(text: str) -> list[str]:
    return [str(problem) for problem in contract_problems(text, "kettle.yaml")]


def test_a_good_file_gives_a_contract():
    contract = parse_contract(GOOD, "kettle.yaml")
    weight, lid, kind, depth = (contract.fields[n] for n in ("weight", "lid", "kind", "depth"))

    assert (contract.category, contract.version, contract.title) == ("kettle", "1.0", "Kettle")
    assert contract.identity.variant_words == ("mini", "pro")
    assert contract.sources == (
        Source("kettles.test", Tier.MANUFACTURER, search="https://kettles.test/?q={query}", groups=("body",), cost=2),
    )  # fmt: skip
    assert (weight.type, weight.level, weight.group) == (FieldType.NUMBER, Level.REQUIRED, "body")
    assert (weight.low, weight.high, weight.tolerance) == (100, 5000, Tolerance(relative=0.02))
    assert weight.tiers == (Tier.LAB, Tier.MANUFACTURER)
    assert weight.labels == {"en": ("Weight",), "de": ("Gewicht",)}
    assert weight.structured == ("weight",)
    assert lid.source_dependent is True
    assert lid.allowed == {"true": ("hinged",), "false": ()}
    assert list(kind.allowed) == ["yes", "no", "stovetop"]  # words stay words
    assert (depth.low, depth.high, depth.tolerance) == (None, 300, Tolerance(1, 0.02))
    assert contract.components == {"heater": {"Coil": ("coil heater",)}}
    assert contract.checks[0].message == "too light"
    assert len(contract.digest) == 64


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("category: kettle\n", "", "kettle.yaml:1: category: is missing"),
        ("category: kettle", "category: Big Kettle", "kettle.yaml:1: category: wanted a name of small letters"),
        ("title: Kettle", "titel: Kettle", "kettle.yaml:3: titel: unknown key; did you mean 'title'?"),
        ("title: Kettle", "shoe: size", "kettle.yaml:3: shoe: unknown key; allowed: category, version"),
        ("title: Kettle", "category: pot", "kettle.yaml:3: category: stands twice, first in line 1"),
        ("type: number\n    unit: g", "type: numbr\n    unit: g", "kettle.yaml:15: fields.weight.type: wanted one of number, integer"),
        ("type: number\n    unit: g", "type: numbr\n    unit: g", "did you mean 'number'?"),
        ("    type: number\n", "", "kettle.yaml:14: fields.weight: the type is missing; one of number"),
        ("    unit: g\n", "", "fields.weight.units: there is no `unit` that these come to"),
        ("units: [g, kg]", "units: [g, mm]", "kettle.yaml:17: fields.weight.units: 'mm' cannot be converted to 'g'"),
        ("units: [g, kg]", "units: [g, g]", "fields.weight.units: 'g' stands twice"),
        ("level: required", "level: urgent", "fields.weight.level: wanted one of required, critical, expected, optional, given 'urgent'"),
        ("range: [100, 5000]", "range: [5000, 100]", "kettle.yaml:20: fields.weight.range: is reversed: 5000 is more than 100"),
        ("range: [100, 5000]", "range: [100]", "fields.weight.range: wanted [lowest, highest]"),
        ("range: [100, 5000]", "range: [.nan, 5]", "fields.weight.range: wanted a number, given '.nan'"),
        ("range: [100, 5000]", "range: [nan, 5]", "fields.weight.range: wanted a number, given 'nan'"),
        ("range: [100, 5000]", "range: [1, inf]", "fields.weight.range: wanted a number, given 'inf'"),
        ("tolerance: 2%", "tolerance: -1", "fields.weight.tolerance: may not be negative"),
        ("tolerance: 2%", "tolerance: {exact: 1}", "fields.weight.tolerance.exact: unknown key"),
        ("tiers: [tier2_lab,", "tiers: [tier2_labs,", "kettle.yaml:22: fields.weight.tiers: wanted one of tier1_manufacturer"),
        ("labels: {en: [Weight], de: [Gewicht]}", "labels: {english: [[Weight]]}", "fields.weight.labels.english: wanted a text, given a list"),
        ("labels: {en: [Weight], de: [Gewicht]}", "labels: Weight", "fields.weight.labels: wanted a mapping"),
        ("labels: {en: [Weight], de: [Gewicht]}", "labels: {e1: [Weight]}", "wanted a language code"),
        ('["weighs {value}"]', '["weighs a lot"]', "kettle.yaml:24: fields.weight.patterns: 'weighs a lot': a pattern has exactly one {value}"),
        ("source_dependent: yes", "source_dependent: maybe", "fields.lid.source_dependent: wanted true or false, given 'maybe'"),
        ("{true: [hinged], false: []}", "{sometimes: []}", "fields.lid.allowed: a boolean allows true and false"),
        ("{true: [hinged], false: []}", "{true: [hinged], false: [hinged]}", "'hinged' already means 'true'"),
        ("type: text, component: heater", "type: text, component: heatr", "no component list 'heatr'; there are: heater; did you mean 'heater'?"),
        ("type: text, component: heater", "type: date, component: heater", "fields.heater.component: a date has none"),
        ("allowed: [yes, no, stovetop]", "hint: any", "fields.kind: an enumeration needs `allowed` values"),
        ("  depth: {type: number, unit: mm,", "  depth: {type: text, unit: mm,", "fields.depth.unit: a text has none; only number"),
        ("  depth: {type: number, unit: mm,", "  depth: {type: number, unit: mm, labels: [Gewicht],", "fields.depth.labels: 'Gewicht' already names 'weight'"),
        ("  depth:", "  Depth!:", "fields.Depth!: a field's name has small letters"),
        ("tier: tier1_manufacturer", "tier: best", "kettle.yaml:8: sources[0].tier: wanted one of tier1_manufacturer"),
        ("host: kettles.test", "host: https://kettles.test/", "sources[0].host: wanted a host such as www.example.com"),
        ("host: kettles.test, ", "", "sources[0].host: is missing"),
        ("?q={query}", "?q=kettle", "sources[0].search: has no {query}"),
        ("groups: [body]", "groups: [bodi]", "sources[0].groups: no field is in the group 'bodi'; did you mean 'body'?"),
        ("cost: 2", "cost: 0", "sources[0].cost: must be more than 0"),
        ("cost: 2", "enabled: 2", "sources[0].enabled: wanted true or false"),
        ("cost: 2", "scheme: ftp", "sources[0].scheme: wanted http or https"),
        ("weight > 100 and", "wieght > 100 and", "kettle.yaml:30: checks[0].expression: there is no field 'wieght'; did you mean 'weight'?"),
        ("weight > 100 and", "weight > > 100 and", "checks[0].expression: 'weight > > 100 and known(lid)': '>' stands where a value should be"),
        ("name: plausible, ", "", "checks[0].name: is missing"),
    ],
)  # fmt: skip
def test_a_problem_is_named_with_its_line_and_what_is_allowed(old, new, problem):
    found = problems(edited(old, new))

    assert any(problem in line for line in found), found


def test_all_problems_are_listed_by_line_and_the_first_is_raised():
    text = edited("level: required", "level: urgent").replace("tier2_lab", "tier9")

    found = contract_problems(text, "kettle.yaml")

    assert [problem.line for problem in found] == [18, 22]
    with pytest.raises(ContractError) as caught:
        parse_contract(text, "kettle.yaml")
    assert str(caught.value) == str(found[0])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(found[0])


def test_a_label_set_apart_by_its_section_may_be_shared():
    text = edited("  depth: {", "  depth: {labels: ['Lid > Weight'], ")

    compiled = compile_contract(parse_contract(text, "kettle.yaml"))

    assert compiled.match_label("Weight").field == "weight"
    assert compiled.match_label("Weight", "Lid").field == "depth"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is empty"),
        ("# only a comment\n", "it is empty"),
        ("~", "it is empty"),
        ("- a\n- b\n", "wanted a mapping"),
        ("just words", "wanted a mapping"),
        ("a: b: c", "it is not YAML"),
        ("a: [1, 2", "it is not YAML"),
        ("a: \x00", "it is not YAML"),
        ("\x89PNG\r\n\x1a\n", "it is not YAML"),
        ("a: !!python/object/apply:os.system [ls]", "the tag"),
        ("a: 1\n---\nb: 2\n", "one document"),
        ("a: *nothing", "repeats nothing that stands before it"),
        ("a: &a [*a]", "repeats nothing that stands before it"),
        ("[" * 100 + "]" * 100, "nested deeper"),
        ("{" * 5000, "nested deeper"),
        ("category: x\nfields: {}", "at least one field"),
        ("category: x\nfields: 3", "wanted a mapping"),
        ("category: x\nfields: {a: 3}", "fields.a: wanted a mapping"),
        ("category: x\nfields: {[1]: 3}", "a name before the colon"),
        ("x" * 5_000_000, "larger than"),
    ],
    ids=range(20),
)  # fmt: skip
def test_files_that_are_no_contract_say_so(text, problem):
    found = problems(text)

    assert any(problem in line for line in found), found


def test_a_bomb_of_aliases_does_not_go_off():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]

    assert any("aliases counted" in line for line in problems("\n".join(lines)))


def test_a_byte_order_mark_does_no_harm():
    assert parse_contract("\ufeff" + GOOD, "kettle.yaml").category == "kettle"


def test_an_anchor_may_be_used_where_it_helps():
    text = edited("tiers: [tier2_lab,", "tiers: &best [tier2_lab,").replace(
        "range: [null, 300]", "tiers: *best"
    )

    contract = parse_contract(text, "kettle.yaml")

    assert contract.fields["depth"].tiers == contract.fields["weight"].tiers


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=8)), lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(["category", "fields", "weight", "type", "number", "unit", "units", "labels", "range", "sources", "checks", "components", "allowed", "en", "tolerance"]), inner, max_size=5)), max_leaves=30))  # fmt: skip
def test_any_yaml_is_a_contract_or_a_contract_error(content):
    text = yaml.safe_dump(content, allow_unicode=True)

    try:
        compile_contract(parse_contract(text, "any.yaml"))
    except ContractError as problem:
        assert problem.line >= 1


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_contract_or_a_contract_error(text):
    for problem in contract_problems(text, "any.yaml"):
        assert problem.problem


@settings(deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.integers(1, 40))
def test_a_file_with_a_hole_in_it_is_read_or_refused(start, length):
    try:
        compile_contract(parse_contract(GOOD[:start] + GOOD[start + length :], "kettle.yaml"))
    except ContractError as problem:
        assert 1 <= problem.line <= GOOD.count("\n") + 1


def test_bytes_that_are_no_text_are_named_with_their_line():
    with pytest.raises(ContractError, match=r"kettle.yaml:2: file: it is not UTF-8"):
        read_text(b"category: kettle\ntitle: \xff\xfe", "kettle.yaml")


def test_the_users_own_contract_wins_over_the_bundled_one(tmp_path: Path):
    own = GOOD.replace("category: kettle", "category: mouse")
    (tmp_path / "mouse.yaml").write_text(own, encoding="utf-8")
    (tmp_path / "kettle.yaml").write_text(GOOD, encoding="utf-8")

    assert find_contract("mouse", tmp_path).title == "Kettle"
    assert find_contract("mouse").title != "Kettle"
    assert {"kettle", "mouse", "monitor"} <= set(categories(tmp_path))


def test_an_unknown_category_lists_the_known_ones(tmp_path: Path):
    with pytest.raises(UnknownCategory, match="known: article, listing, monitor, mouse"):
        find_contract("moose", tmp_path)


def test_a_file_named_otherwise_than_its_category_is_refused(tmp_path: Path):
    (tmp_path / "pot.yaml").write_text(GOOD, encoding="utf-8")

    with pytest.raises(ContractError, match="the file is named 'pot'"):
        find_contract("pot", tmp_path)


def test_a_path_is_no_category(tmp_path: Path):
    with pytest.raises(UnknownCategory):
        find_contract("../bundled/mouse", tmp_path)


def test_the_same_contract_is_compiled_once():
    assert compile_contract(parse_contract(GOOD, "a")) is compile_contract(
        parse_contract(GOOD, "b")
    )


@pytest.mark.parametrize("category", categories())
def test_the_schema_for_editors_accepts_the_bundled_contracts(category):
    bundled = Path(str(__import__("specfactory.contract").contract.__file__)).parent / "bundled"
    content = yaml.safe_load((bundled / f"{category}.yaml").read_text(encoding="utf-8"))

    jsonschema_rs.validator_for(contract_schema()).validate(content)


def test_the_schema_for_editors_refuses_what_the_loader_refuses():
    valid = jsonschema_rs.validator_for(contract_schema())
    content = {"category": "kettle", "fields": {"weight": {"type": "number"}}}

    assert valid.is_valid(content)
    assert not valid.is_valid({**content, "titel": "Kettle"})
    assert not valid.is_valid({"category": "kettle", "fields": {"weight": {"type": "numbr"}}})
    assert not valid.is_valid({"category": "kettle", "fields": {"weight": {}}})


def test_a_source_of_the_settings_is_read_like_one_of_a_contract():
    entry = {"host": "127.0.0.1:8601", "tier": "tier2_lab", "scheme": "http", "groups": ["body"], "enabled": True}  # fmt: skip

    assert source_from(entry, "setting sources") == Source(
        "127.0.0.1:8601", Tier.LAB, scheme="http", groups=("body",)
    )
    with pytest.raises(UsageError, match=r"setting sources: sources.tier: wanted one of tier1"):
        source_from({**entry, "tier": "best"}, "setting sources")


def test_a_product_of_a_contract_needs_a_brand_and_a_model():
    with pytest.raises(UsageError, match="needs a brand"):
        named_product("kettle", IdentityRules(), {"brand": " ", "model": "X1"})
    with pytest.raises(UsageError, match="needs a model"):
        make_product("kettle", "Acme", "--")


def test_a_thing_is_named_by_the_fields_of_its_contract():
    rules = IdentityRules(names=("title", "author"))

    book = named_product("book", rules, {"title": "Dune", "author": "Frank Herbert"})
    alone = named_product("book", rules, {"title": "Dune"})

    assert (book.id, book.name) == ("book-frank-herbert-dune", "Frank Herbert Dune")
    assert alone.id == "book-dune"
    with pytest.raises(UsageError, match="book needs a title"):
        named_product("book", rules, {"author": "Frank Herbert"})


@pytest.mark.parametrize(
    ("names", "problem"),
    [("[titel]", "there is no field 'titel'; did you mean"), ("[]", "one to three fields")],
)
def test_a_contract_names_things_by_its_own_fields(names, problem):
    text = f"category: book\nidentity: {{names: {names}}}\nfields: {{title: {{type: text}}}}\n"

    assert problem in str(contract_problems(text, "book.yaml")[0])
