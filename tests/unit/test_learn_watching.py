"""Templates at work are held against their samples; new ones must prove themselves first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.learn import find_drift, judge_trial
from specfactory.learn.drift_and_trials import at_most
from specfactory.model.learned_templates import (
    FieldConduct,
    FieldFigures,
    TemplateConduct,
    lower_bound,
)

GIVEN = {"least_pages": 10, "certainty": 0.99, "drop": 0.3}


def samples(field: str = "weight", filled: int = 20, valid: int | None = None) -> FieldFigures:
    valid = filled if valid is None else valid
    return FieldFigures(field, 20, 20, pages=20, filled=filled, valid=valid)


def conduct(*fields: FieldConduct) -> TemplateConduct:
    return TemplateConduct(max(one.pages for one in fields), fields)


def test_a_field_that_is_no_longer_found_has_drifted():
    drift = find_drift([samples()], conduct(FieldConduct("weight", 12, 3, 3)), **GIVEN)

    assert drift is not None
    assert (drift.field, drift.what, drift.pages) == ("weight", "fill rate", 12)
    assert drift.reason == "fill rate of weight fell from 98% to 25% on 12 pages"


def test_values_that_no_longer_hold_are_a_drift_too():
    drift = find_drift([samples()], conduct(FieldConduct("weight", 12, 12, 2)), **GIVEN)

    assert drift is not None
    assert drift.what == "validity"


@pytest.mark.parametrize("found", [11, 12])
def test_a_page_or_two_without_a_value_are_no_drift(found):
    latest = conduct(FieldConduct("weight", 12, found, found))

    assert find_drift([samples()], latest, **GIVEN) is None


def test_a_rare_field_does_not_drift_by_being_rare():
    latest = conduct(FieldConduct("weight", 10, 2, 2))

    assert find_drift([samples(filled=8)], latest, **GIVEN) is None


def test_few_pages_say_nothing():
    latest = conduct(FieldConduct("weight", 9, 0, 0))

    assert find_drift([samples()], latest, **GIVEN) is None


def test_many_fields_make_no_false_alarm_of_one_chance_in_a_thousand():
    latest = conduct(FieldConduct("f0", 10, 1, 1))
    baseline = [samples(f"f{n}", filled=12) for n in range(60)]

    assert find_drift([samples("f0", filled=12)], latest, **GIVEN) is not None
    assert find_drift(baseline, latest, **GIVEN) is None


def trial(*fields: FieldConduct):
    return judge_trial(conduct(*fields), baseline=[samples()], agree_at=0.9, **GIVEN)


def test_a_trial_goes_on_until_enough_pages_have_spoken():
    assert trial(FieldConduct("weight", 9, 9, 9, agreed=9)) is None


def test_a_template_that_agrees_passes_its_trial():
    end = trial(FieldConduct("weight", 10, 10, 10, agreed=9, disagreed=1))

    assert end is not None
    assert end.passed
    assert "9 of 10 values agree" in end.reason


@pytest.mark.parametrize(
    ("latest", "why"),
    [
        (FieldConduct("weight", 10, 10, 10, agreed=8, disagreed=2), "2 of 10 values differ"),
        (FieldConduct("weight", 10, 1, 1, agreed=1), "fill rate of weight fell"),
        (FieldConduct("other", 10, 0, 0), "found nothing that holds"),
    ],
)
def test_a_template_that_differs_or_finds_little_is_for_a_person(latest, why):
    end = trial(latest)

    assert end is not None
    assert not end.passed
    assert why in end.reason


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.data())
def test_the_chance_of_so_few_grows_with_the_number_and_ends_at_one(tries, share, data):
    hits = data.draw(st.integers(0, tries - 1))

    assert 0 <= at_most(hits, tries, share) <= at_most(hits + 1, tries, share) + 1e-9
    assert at_most(tries, tries, share) == pytest.approx(1)


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_lower_bound_is_below_the_share(right, more):
    tried = right + more

    assert 0 <= lower_bound(right, tried) <= right / tried + 1e-12
