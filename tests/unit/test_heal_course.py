"""The course of an illness: what is judged, what is tried next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from specfactory.heal import HostHistory, Resources, TrialVerdict, plan_for
from specfactory.heal.trials import judge
from specfactory.model import HealingEvent, HealingStatus, HostCare, Outcome, Rung, Visit
from specfactory.settings import Settings

HOST = "a.example"
NOW = 10_000_000
WELL = Visit(HOST, "https://a.example/p", 0, Outcome.OK, "HTTP 200", 200)
BLOCKED = replace(WELL, outcome=Outcome.BLOCKED, evidence="HTTP 403", status=403)
ALL = Resources(proxies=True, browser=True)


def at(start: int, *visits: Visit) -> list[Visit]:
    """Visits two seconds apart from an instant on, the newest first."""
    made = [
        replace(visit, at=start + 2_000 * (n + 1), url=f"https://a.example/{start + n}")
        for n, visit in enumerate(visits)
    ]
    return made[::-1]


def case(
    visits: Sequence[Visit], *events: HealingEvent, care: HostCare | None = None
) -> HostHistory:
    known = care or HostCare()
    return HostHistory(HOST, visits, known, events, ALL, Settings(), NOW)


def trial(step: str, diagnosis: str = "blocked", **care: object) -> HealingEvent:
    params = {"step": step, "care": care}
    return HealingEvent(
        1, HOST, "blocked", diagnosis, step, HealingStatus.TRIED, 1_000_000, params=params,
        before=dict.fromkeys(care),
    )  # fmt: skip


def next_step(given: HostHistory) -> str:
    prescribed = plan_for(given).prescribed
    assert prescribed is not None
    return str(prescribed.remedy.params["step"])


def test_a_remedy_is_open_until_enough_visits_have_spoken() -> None:
    slower = trial("slow_down", delay_seconds=4.0)

    for few in ([], [WELL], [WELL, WELL], [BLOCKED, BLOCKED], [BLOCKED, WELL, WELL]):
        assert judge(slower, case(at(1_000_000, *few))) is TrialVerdict.OPEN
    assert judge(slower, case(at(1_000_000, BLOCKED, WELL, WELL, WELL))) is TrialVerdict.HELPED
    assert (
        judge(slower, case(at(1_000_000, WELL, BLOCKED, BLOCKED, BLOCKED))) is TrialVerdict.IN_VAIN
    )


def test_a_way_that_is_never_gone_is_not_waited_for_for_ever() -> None:
    by_proxy = trial("use_proxy", rung="http_proxy")

    assert judge(by_proxy, case(at(1_000_000, *[BLOCKED] * 8))) is TrialVerdict.OPEN
    assert judge(by_proxy, case(at(1_000_000, *[BLOCKED] * 9))) is TrialVerdict.IN_VAIN


def test_failures_of_workers_that_did_not_know_yet_do_not_count() -> None:
    soon = [replace(BLOCKED, at=1_000_000 + ms) for ms in (900, 500, 100)]

    assert judge(trial("slow_down", delay_seconds=4.0), case(soon)) is TrialVerdict.OPEN


def test_a_visit_that_began_before_the_remedy_does_not_speak_about_it() -> None:
    late = replace(BLOCKED, at=1_005_000, timings_ms={"ttfb": 9_000.0})

    assert judge(trial("slow_down", delay_seconds=4.0), case([late] * 3)) is TrialVerdict.OPEN


def test_another_way_is_judged_by_pages_that_came_that_way() -> None:
    by_proxy = trial("use_proxy", rung="http_proxy")
    direct = at(1_000_000, BLOCKED, BLOCKED, BLOCKED)

    assert judge(by_proxy, case(direct)) is TrialVerdict.OPEN
    through = [replace(visit, rung=Rung.HTTP_PROXY) for visit in direct]
    assert judge(by_proxy, case(through)) is TrialVerdict.IN_VAIN


def test_ways_that_have_failed_enough_are_not_prescribed() -> None:
    climbed = replace(BLOCKED, rung=Rung.BROWSER)
    visits = at(900_000, *[BLOCKED] * 3, *[climbed] * 5)
    slower = replace(trial("slow_down"), status=HealingStatus.UNDONE)

    assert next_step(case(visits)) == "slow_down"
    assert next_step(case(visits, slower)) == "use_proxy"
    by_proxy = replace(slower, id=2, params={"step": "use_proxy", "care": {}})
    rotated = replace(slower, id=3, params={"step": "rotate_proxy", "care": {}})
    assert next_step(case(visits, rotated, by_proxy, slower)) == "use_browser_proxy"


def test_a_proxy_that_was_not_at_fault_is_forgiven() -> None:
    through = replace(BLOCKED, rung=Rung.HTTP_PROXY, proxy="two.example:1")
    rotating = trial("rotate_proxy", "stale_proxy")

    plan = plan_for(case(at(1_000_000, *[through] * 3), rotating))

    assert [one.verdict for one in plan.judged] == [TrialVerdict.IN_VAIN]
    assert plan.prescribed is not None
    assert plan.prescribed.diagnosis.name == "blocked"
    assert plan.prescribed.diagnosis.reasons[-1] == "first taken for stale_proxy"


def test_another_failure_under_a_remedy_is_another_diagnosis() -> None:
    captcha = replace(BLOCKED, outcome=Outcome.CAPTCHA, evidence="captcha")

    plan = plan_for(case(at(1_000_000, *[captcha] * 3), trial("slow_down", delay_seconds=4.0)))

    assert plan.prescribed is not None
    assert plan.prescribed.diagnosis.name == "soft_block"


def test_a_host_that_is_well_needs_nothing() -> None:
    plan = plan_for(case(at(1_000_000, *[WELL] * 20)))

    assert (plan.judged, plan.prescribed) == ((), None)
