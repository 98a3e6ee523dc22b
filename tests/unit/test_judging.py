"""How the golden benchmark holds a record against the demo web's truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.judging import disputed, fell, own_values, why_unkept, why_wrong
from specfactory.contract import compile_contract
from specfactory.demo import Trap, Truth
from specfactory.model import Agreement, FieldResult
from tests.sample import CONTRACT, sample_fields, sample_record

COMPILED = compile_contract(CONTRACT)
RAZER, RTINGS = "www.razer.com", "www.rtings.com"
LATENCY = sample_fields()["click_latency"]  # 0.2 at Razer, which is chosen, and 0.3 at Rtings


def truth(by_host: dict[str, float]) -> Truth:
    return Truth(next(iter(by_host.values())), True, tuple(by_host), by_host)


def unkept(by_host: dict[str, float], result: FieldResult = LATENCY) -> str | None:
    record = sample_record({"click_latency": result})
    own = own_values(COMPILED, truth(by_host), record, "click_latency")
    return why_unkept(COMPILED, result, own)


@pytest.mark.parametrize(
    ("by_host", "problem"),
    [
        ({RAZER: 0.2, RTINGS: 0.3}, None),
        ({RTINGS: 0.3, RAZER: 0.2}, None),
        ({RAZER: 0.9, RTINGS: 0.2}, "truth 0.9"),  # right for another source only
        ({RTINGS: 0.2}, "which does not say it; truth {'www.rtings.com': 0.2}"),
    ],
)
def test_a_value_is_right_when_the_cited_source_says_it(by_host, problem):
    assert why_wrong(COMPILED, truth(by_host), LATENCY) == problem


def test_a_value_of_a_field_without_truth_is_wrong():
    assert why_wrong(COMPILED, None, LATENCY) == "truth 'nothing'"


def test_a_record_that_keeps_what_each_source_says_is_right():
    assert unkept({RAZER: 0.2, RTINGS: 0.3}) is None


def test_sources_that_differ_must_be_called_source_dependent():
    hidden = replace(LATENCY, agreement=Agreement.UNANIMOUS)

    assert "as unanimous" in str(unkept({RAZER: 0.2, RTINGS: 0.3}, hidden))


def test_a_dispute_where_sources_agree_is_wrong():
    assert "keeps (0.3,) for www.rtings.com" in str(unkept({RAZER: 0.2, RTINGS: 0.2}))


def test_a_source_that_was_read_and_is_not_kept_is_lost():
    fields = sample_fields()
    alone = replace(LATENCY, weighed=LATENCY.weighed[:1], agreement=Agreement.SINGLE)
    record = sample_record({**fields, "click_latency": alone})

    own = own_values(COMPILED, truth({RAZER: 0.2, RTINGS: 0.3, "x": 1}), record, "click_latency")

    assert own.lost == [RTINGS]
    assert not disputed(COMPILED, "click_latency", own)


def test_a_trap_is_fallen_into_when_its_value_is_published_and_wrong():
    trap = Trap("comparison", "p", "click_latency", RAZER, 0.2, 0.9)
    record = sample_record()

    assert fell(COMPILED, trap, record, truth({RAZER: 0.9}))
    assert not fell(COMPILED, trap, record, truth({RAZER: 0.2}))  # the cited source does say it
    assert not fell(COMPILED, replace(trap, wrong_value=0.5), record, truth({RAZER: 0.9}))
    assert not fell(COMPILED, replace(trap, wrong_value="N/A"), record, truth({RAZER: 0.9}))
