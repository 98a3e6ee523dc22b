"""Rounds: go on or stop."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.model import Budget, Coverage, Level, Spent, Tier
from specfactory.orchestrate.attempts.rounds import Round, Stop, next_round
from specfactory.orchestrate.bench.budgets import exhausted, model_exhausted, used
from specfactory.publish import utilization
from specfactory.settings import PlanSettings

SETTINGS = PlanSettings()
OPEN_CORE = Coverage(100, 40, {Level.CRITICAL: ("click_latency",), Level.EXPECTED: ("x",) * 59})
FILLED_CORE = Coverage(100, 40, {Level.EXPECTED: ("x",) * 60})
MOSTLY = Coverage(100, 86, {Level.CRITICAL: ("gtin",), Level.EXPECTED: ("x",) * 13})


def test_the_first_round_is_one_manufacturer_page():
    first = next_round(None, OPEN_CORE, 0, 0.0, SETTINGS)

    assert isinstance(first, Round)
    assert (first.number, first.sources, first.tiers) == (0, 1, (Tier.MANUFACTURER,))


def test_round_one_follows_even_when_the_core_is_filled():
    assert next_round(0, FILLED_CORE, 40, 0.1, SETTINGS) == Round(
        1, "core specs", 3, (Tier.MANUFACTURER, Tier.LAB)
    )


@pytest.mark.parametrize(
    ("finished", "state", "gained", "used_share"),
    [
        (1, FILLED_CORE, 30, 0.3),
        (2, MOSTLY, 30, 0.5),
        (2, OPEN_CORE, 30, 0.7),
        (3, OPEN_CORE, 1, 0.5),
        (7, OPEN_CORE, 9, 0.5),
        (0, Coverage(3, 3, {}), 3, 0.1),
    ],
)
def test_a_round_that_would_not_pay_is_not_begun(finished, state, gained, used_share):
    assert isinstance(next_round(finished, state, gained, used_share, SETTINGS), Stop)


@pytest.mark.parametrize(
    ("finished", "state", "gained", "used_share"),
    [(1, OPEN_CORE, 0, 0.3), (2, OPEN_CORE, 0, 0.69), (3, OPEN_CORE, 2, 0.9), (5, OPEN_CORE, 2, 0)],
)
def test_a_round_that_may_pay_is_begun(finished, state, gained, used_share):
    following = next_round(finished, state, gained, used_share, SETTINGS)

    assert isinstance(following, Round)
    assert following.number == finished + 1


def test_the_ledger_shares_are_those_of_the_seed():
    spent = Spent(pages=7, model_calls={"flash": 4, "deep": 1}, model_cost_usd=0.087, seconds=142)

    share = utilization(Budget(), spent)
    assert {k: round(v, 2) for k, v in share.items()} == {
        "pages": 0.58, "llm_calls": 0.5, "cost": 0.17, "time": 0.47,
    }  # fmt: skip
    assert used(Budget(), spent) == share["pages"]


@pytest.mark.parametrize(
    ("spent", "name"),
    [(Spent(pages=12), "max_pages"), (Spent(seconds=300), "max_seconds"), (Spent(pages=11), None)],
)
def test_a_spent_budget_is_named(spent, name):
    assert exhausted(Budget(), spent) == name


@pytest.mark.parametrize(
    ("spent", "cost", "name"),
    [
        (Spent(model_calls={"m": 10}), 0.0, "max_model_calls"),
        (Spent(model_cost_usd=0.49), 0.02, "max_model_cost_usd"),
        (Spent(model_cost_usd=0.49), 0.01, None),
    ],
)
def test_the_model_stops_at_its_own_budgets(spent, cost, name):
    assert model_exhausted(Budget(), spent, cost) == name


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_shares_are_never_negative_and_a_zero_budget_is_used_up_by_anything(amount, limit):
    share = utilization(Budget(max_model_cost_usd=limit), Spent(model_cost_usd=amount))["cost"]

    assert share >= 0
    assert (share >= 1) == (amount >= limit and amount > 0) or limit > 0
