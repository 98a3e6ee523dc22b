"""Plans of remedies: what is tried, in which order, and how it is taken back."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.heal import Resources, apply, before_change, take_back
from specfactory.heal.remedies import eased, next_remedy, plain_care
from specfactory.heal.remedy_plans import PLANS
from specfactory.model import Diagnosis, HostCare, Problem, Remedy, RemedyKind, Rung
from specfactory.settings import Settings
from tests.host_care import contradictions

SETTINGS = Settings()
NOW = 1_767_225_600_000
ALL = Resources(proxies=True, browser=True)
USUAL = HostCare()


def prescribe(
    problem: Problem,
    tried: AbstractSet[str] = frozenset(),
    means: Resources = ALL,
    care: HostCare = USUAL,
) -> Remedy:
    facts = {"proxy": "p.example:1", "place": "b.example", "floor": 0.5, "charset": "utf-8"}
    diagnosis = Diagnosis(problem, "blocked", 1.0, ("seen",), facts)
    return next_remedy("a.example", diagnosis, care, tried, means, SETTINGS, NOW)


def all_of(problem: Problem, means: Resources = ALL) -> list[str]:
    """The steps of a plan when nothing helps."""
    tried: set[str] = set()
    names: list[str] = []
    while not names or names[-1] not in ("ask", "wait"):
        names.append(str(prescribe(problem, tried, means).params["step"]))
        tried.add(names[-1])
    return names


def test_every_ailment_has_a_meaning_and_a_plan_that_ends() -> None:
    assert set(PLANS) == set(Problem)
    assert all(problem.meaning for problem in Problem)
    for steps in PLANS.values():
        assert steps[-1].kind in (RemedyKind.ASK, RemedyKind.WAIT)
        assert len({step.name for step in steps}) == len(steps)


def test_remedies_go_from_mild_to_strong() -> None:
    assert all_of(Problem.BLOCKED) == [
        "slow_down", "use_proxy", "rotate_proxy", "use_browser", "use_browser_proxy", "ask",
    ]  # fmt: skip


TIERS = ("datacenter", "residential", "mobile")


def test_blocks_that_persist_on_one_tier_of_proxies_lead_to_the_next() -> None:
    tiered = Resources(proxies=True, tiers=TIERS)

    assert all_of(Problem.SOFT_BLOCK, tiered) == [
        "use_proxy", "rotate_proxy", "higher_tier", "last_tier", "ask",
    ]  # fmt: skip
    assert all_of(Problem.STALE_PROXY, replace(tiered, tiers=TIERS[:2])) == [
        "rotate_proxy", "rotate_proxy_again", "higher_tier", "pause", "ask",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("used", "step", "tier"),
    [("", "higher_tier", "residential"), ("datacenter", "last_tier", "mobile"),
     ("residential", "higher_tier", "mobile"), ("gone", "higher_tier", "residential")],
)  # fmt: skip
def test_the_tier_above_is_that_of_the_proxies_in_use(used: str, step: str, tier: str) -> None:
    known = Diagnosis(Problem.BLOCKED, "blocked", 1.0, ("seen",), {"tier": used})
    tried = {each.name for each in PLANS[Problem.BLOCKED]} - {step}
    means = Resources(proxies=True, browser=True, tiers=TIERS)

    remedy = next_remedy("a.example", known, USUAL, tried, means, SETTINGS, NOW, tuple(Rung))

    assert remedy.params["care"] == {"rung": "http_proxy", "proxy_tier": tier}


def test_above_the_dearest_tier_there_is_none() -> None:
    known = Diagnosis(Problem.GEO_BLOCKED, "geo_blocked", 1.0, ("seen",), {"tier": "mobile"})
    means = Resources(proxies=True, tiers=TIERS)
    tried = {"use_proxy", "rotate_proxy"}

    assert next_remedy("a.example", known, USUAL, tried, means, SETTINGS, NOW).kind == "ask"


def test_what_there_is_not_is_not_prescribed() -> None:
    assert all_of(Problem.BLOCKED, Resources()) == ["slow_down", "ask"]
    assert all_of(Problem.BLOCKED, Resources(browser=True)) == ["slow_down", "use_browser", "ask"]


@pytest.mark.parametrize(
    ("problem", "change"),
    [
        (Problem.CONTENT_BLOCK, {"rung": "browser"}),
        (Problem.SOFT_BLOCK, {"rung": "http_proxy"}),
        (Problem.RATE_LIMITED, {"delay_seconds": 4.0}),
        (Problem.REDIRECT_LOOP, {"keep_cookies": True}),
        (Problem.BROKEN_COMPRESSION, {"plain": True}),
        (Problem.MOVED_SITE, {"moved_to": "b.example"}),
        (Problem.CHANGED_ENCODING, {"charset": "utf-8"}),
        (Problem.DNS_FAILURE, {"paused_until": NOW + 60_000, "paused_for": "dns_failure"}),
        (Problem.LAYOUT_CHANGE, {}),
        (Problem.STALE_PROXY, {}),
    ],
)
def test_the_first_remedy_changes_what_it_says(problem: Problem, change: dict[str, object]) -> None:
    assert prescribe(problem).params["care"] == change


def test_a_soft_block_is_told_to_a_person_at_once() -> None:
    assert prescribe(Problem.SOFT_BLOCK).params["review"] is True


def test_nothing_is_done_twice() -> None:
    in_browser = replace(USUAL, rung=Rung.BROWSER)

    assert prescribe(Problem.CONTENT_BLOCK, care=in_browser).params["care"] == {
        "rung": "browser_proxy"
    }


def test_no_remedy_touches_certificates() -> None:
    steps = {step.kind for step in PLANS[Problem.TLS_FAILURE]}

    assert steps == {RemedyKind.PAUSE, RemedyKind.ASK}


cares = st.builds(
    HostCare,
    rung=st.sampled_from(Rung),
    delay_seconds=st.sampled_from([0.0, 0.5, 4.0, 60.0]),
    timeout_factor=st.sampled_from([1.0, 2.0, 8.0]),
    proxy_tier=st.sampled_from(["", "residential"]),
    plain=st.booleans(),
    keep_cookies=st.booleans(),
    moved_to=st.sampled_from(["", "b.example"]),
    charset=st.sampled_from(["", "utf-8"]),
)
means = st.builds(
    Resources,
    proxies=st.booleans(),
    browser=st.booleans(),
    tiers=st.sampled_from([(), ("",), ("datacenter", "residential")]),
)
steps = st.sets(
    st.sampled_from(sorted({s.name for plan in PLANS.values() for s in plan} - {"ask"}))
)
hosts = st.sampled_from([a for a in Problem if PLANS[a][-1].kind is RemedyKind.ASK])


@given(cares, means, steps, hosts)
def test_every_remedy_makes_sense_and_is_taken_back_exactly(
    care: HostCare, given_means: Resources, tried: set[str], problem: Problem
) -> None:
    remedy = prescribe(problem, tried, given_means, care)
    change = remedy.params["care"]

    treated = apply(care, change)

    assert contradictions(treated, "a.example") == []
    assert take_back(treated, change, before_change(care, change)) == care


@given(cares)
def test_easing_ends_with_no_care_at_all_but_for_moves(care: HostCare) -> None:
    for _ in range(30):
        change = eased(care, SETTINGS, ())
        if change is None:
            break
        care = apply(care, change)

    assert set(plain_care(care)) <= {"moved_to"}


def test_taking_back_leaves_what_was_changed_since() -> None:
    change = {"delay_seconds": 4.0}
    later = replace(apply(USUAL, change), delay_seconds=8.0, plain=True)

    assert take_back(later, change, {"delay_seconds": 0.0}) == later


def test_the_end_of_one_pause_is_not_the_end_of_another() -> None:
    change = {"paused_until": 10, "paused_for": "dns_failure"}
    other = replace(USUAL, paused_until=99, paused_for="maintenance")

    assert take_back(other, change, {"paused_until": 0, "paused_for": ""}) == other
