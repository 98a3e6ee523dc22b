"""What changed between versions, and how right a record is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.contract import compile_contract
from specfactory.model import Agreement, FieldResult, Record, UnknownReason
from specfactory.publish import accuracy, changes, source_verdicts
from tests.sample import (
    CONTRACT,
    candidate,
    factory_page,
    known,
    sample_fields,
    sample_record,
    unknown,
)

WEIGHT = known(
    (54, (candidate(factory_page(), "weight", 54, "Weight", "54 g"),)), agreement=Agreement.SINGLE
)
NOTHING = unknown("weight", UnknownReason.BUDGET_EXHAUSTED)
OVERRIDE = FieldResult("weight", 55, 1.0, Agreement.OVERRIDE, reasons=("eve weighed it",))


def record(weight: FieldResult) -> Record:
    return sample_record({"weight": weight})


def test_the_first_version_fills_what_it_knows() -> None:
    assert {c.field: c.kind for c in changes(None, sample_record())} == {
        "weight": "filled",
        "sensor": "filled",
        "click_latency": "filled",
    }


def test_the_same_again_is_no_change() -> None:
    assert changes(sample_record(), sample_record(version=4)) == []


@pytest.mark.parametrize(
    ("old", "new", "kind", "why"),
    [
        (NOTHING, WEIGHT, "filled",
         "new evidence: razer.com (tier1_manufacturer) says 'Weight … 54 g'"),
        (replace(WEIGHT, value=60), WEIGHT, "changed",
         "value changed from 60 to 54: razer.com (tier1_manufacturer) says 'Weight … 54 g'"),
        (WEIGHT, OVERRIDE, "overridden", "override: eve weighed it"),
        (OVERRIDE, WEIGHT, "changed",
         "the override was undone; razer.com (tier1_manufacturer) says 'Weight … 54 g'"),
        (WEIGHT, NOTHING, "lost", "lost: budget_exhausted"),
        (NOTHING, unknown("weight", UnknownReason.BLOCKED), "reason",
         "still unknown: budget_exhausted before, blocked_by_robots_or_tos now"),
    ],
)  # fmt: skip
def test_a_change_says_what_and_why(
    old: FieldResult, new: FieldResult, kind: str, why: str
) -> None:
    [change] = changes(record(old), record(new))

    assert (change.kind, change.before, change.after) == (kind, old.value, new.value)
    assert change.why == why


def test_several_sources_are_counted() -> None:
    [change, *_] = changes(None, sample_record())

    assert "razer.com (tier1_manufacturer) and 1 more says" in change.why


def test_an_override_that_says_the_same_is_still_told_once() -> None:
    same = replace(OVERRIDE, value=54)

    assert [c.kind for c in changes(record(WEIGHT), record(same))] == ["overridden"]
    assert changes(record(same), record(same)) == []


def test_a_field_that_left_the_contract_is_told() -> None:
    [change] = changes(record(WEIGHT), sample_record({}))

    assert (change.kind, change.why) == ("lost", "the contract has no such field any more")


def test_accuracy_counts_published_fields_that_have_a_truth() -> None:
    golden = {
        "weight": 54.5,  # within the tolerance of 1 g
        "sensor": "Hero 2",
        "click_latency": None,  # nobody should have a value
        "price": {"amount": 159.99, "currency": "USD"},
        "encoder_brand": None,
        "not_in_the_contract": 1,
    }

    measured = accuracy(sample_record(), golden, compile_contract(CONTRACT))

    assert measured.right == ("weight",)
    assert [(w.field, w.published, w.truth) for w in measured.wrong] == [
        ("sensor", "Focus Pro 35K", "Hero 2"),
        ("click_latency", 0.2, None),
    ]
    assert measured.missing == ("price",)
    assert measured.share == pytest.approx(1 / 3)
    assert measured.coverage == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("accepted", "right"), [([0.3, 0.2], True), ([0.2], True), ([0.9, 1.5], False), ([], False)]
)
def test_any_of_several_verified_values_is_right(accepted: list[float], right: bool) -> None:
    golden = {"click_latency": {"any": accepted}}

    measured = accuracy(sample_record(), golden, compile_contract(CONTRACT))

    assert (measured.right == ("click_latency",)) is right
    assert len(measured.wrong) == (not right)


def test_sources_that_differ_are_both_right_where_both_are_verified() -> None:
    golden = {"click_latency": {"any": [0.2, 0.3]}}

    told = source_verdicts(sample_record(), golden, compile_contract(CONTRACT))

    assert {v.host: v.right for v in told} == {"www.razer.com": True, "www.rtings.com": True}


def test_nothing_published_is_nothing_wrong() -> None:
    measured = accuracy(sample_record({}), {"weight": 54}, compile_contract(CONTRACT))

    assert (measured.share, measured.coverage) == (1.0, 0.0)


def test_each_source_is_judged_once_per_field() -> None:
    golden = {"weight": 54, "click_latency": 0.3}
    record = sample_record(sample_fields())

    told = {(v.host, v.field): v.right
            for v in source_verdicts(record, golden, compile_contract(CONTRACT))}  # fmt: skip

    assert told == {
        ("www.razer.com", "weight"): True,
        ("www.rtings.com", "weight"): True,
        ("www.razer.com", "click_latency"): False,
        ("www.rtings.com", "click_latency"): True,
    }


def test_a_source_that_says_both_is_wrong() -> None:
    right = candidate(factory_page(), "weight", 54, "Weight", "54 g")
    wrong = replace(right, value=64)
    both = known((64, (wrong,)), (54, (right,)), agreement=Agreement.CONFLICT)

    [verdict] = source_verdicts(record(both), {"weight": 54}, compile_contract(CONTRACT))

    assert not verdict.right
