"""The course of an illness: what is to be done next about a host. Pure.

A remedy is tried, checked by the visits that come after it, and kept or taken back; then the
next one is tried. A pause is checked by the one visit at its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from specfactory.heal.ailments import Ailment
from specfactory.heal.diagnoses import Seen, chart_of, diagnose
from specfactory.heal.remedies import Means, eased, next_remedy, take_back
from specfactory.heal.signs import PASSES_BY, is_bad, seconds_of
from specfactory.model import (
    Diagnosis,
    Frozen,
    HealingEvent,
    HealingStatus,
    HostCare,
    Instant,
    Remedy,
    RemedyKind,
    Rung,
    Sign,
    Visit,
)
from specfactory.settings import HealSettings, Settings

GRACE_MS = 1_000  # failures so soon after a change may come from workers that do not know of it
SLOW_REMEDY = 5  # a new layout proves itself beside the old one first: it is given so much longer
PATIENCE = 3  # a remedy is judged after so many times heal.check_pages visits at the latest
HOUR_MS = 3_600_000
OPEN = frozenset({HealingStatus.TRIED, HealingStatus.ASKED})
GIVEN_UP = frozenset({HealingStatus.UNDONE, HealingStatus.TAKEN_BACK})


class Verdict(StrEnum):
    """How a remedy stands."""

    OPEN = "open"  # too early to say
    HELPED = "helped"
    IN_VAIN = "in_vain"
    LONGER = "longer"  # a pause was too short: another one, twice as long


class Case(Frozen):
    """What is known of a host: its visits and its healing events, the newest first."""

    host: str
    visits: Sequence[Visit]
    care: HostCare
    events: Sequence[HealingEvent]
    means: Means
    settings: Settings
    now: Instant
    learned_at: Instant | None = None  # when its last learning ended; None: it is going on
    least: int | None = None  # failures that are enough; None: as the settings say
    charset: str = ""  # what its latest garbled page seems to be written in
    tier: str = ""  # of the proxy that was used last


class Judged(Frozen):
    """An open healing event and how it stands now."""

    event: HealingEvent
    verdict: Verdict


class Prescription(Frozen):
    """What is wrong, and what is to be done about it."""

    diagnosis: Diagnosis
    remedy: Remedy


class Plan(Frozen):
    """What is to be done about a host now: remedies judged, and at most one new one."""

    judged: tuple[Judged, ...] = ()
    prescribed: Prescription | None = None


def plan_for(case: Case) -> Plan:
    """Judge what is being tried; where that was in vain, or something new is wrong, go on."""
    judged = tuple(
        Judged(event, verdict)
        for event in case.events
        if event.status in OPEN and (verdict := judge(event, case)) is not Verdict.OPEN
    )
    trial = next((e for e in case.events if e.status is HealingStatus.TRIED), None)
    if trial is None:
        healed = {one.event.id for one in judged if one.verdict is Verdict.HELPED}
        return Plan(judged, _anew(case, healed))
    over = next((one for one in judged if one.event.id == trial.id), None)
    if over is None or over.verdict is not Verdict.IN_VAIN:
        return Plan(judged)
    return Plan(judged, None if is_ease(trial) else _instead(trial, case))


def judge(event: HealingEvent, case: Case) -> Verdict:
    """How an open remedy stands, by the visits since."""
    heal = case.settings.heal
    if "until" in event.params:
        return _judge_pause(event, case)
    told = [
        one for one in _under(event, case)
        if not fails(one, event, heal) or _began(one.visit) > event.created_at + GRACE_MS
    ]  # fmt: skip
    good = [not fails(one, event, heal) for one in told]
    if len(good) >= heal.check_pages and all(good[: heal.check_pages]):
        return Verdict.HELPED
    if event.status is HealingStatus.ASKED:
        return Verdict.OPEN
    counted = sum(not well and _is_way(event, one) for one, well in zip(told, good, strict=True))
    most = heal.check_pages * (SLOW_REMEDY if event.remediation == RemedyKind.RELEARN else 1)
    over = counted >= most or len(told) >= PATIENCE * most
    return Verdict.IN_VAIN if over else Verdict.OPEN


def fails(one: Seen, event: HealingEvent, heal: HealSettings) -> bool:
    """Whether a visit still shows what a remedy is to cure, or fails otherwise."""
    if is_bad(one.sign):
        return True
    ailment, visit = event.diagnosis, one.visit
    if ailment == Ailment.LAYOUT_CHANGE:
        floor = float(event.params.get("floor") or 0.0)
        return visit.confidence is not None and visit.confidence < floor
    if ailment == Ailment.SLOW_HOST:
        return event.failure_type == "ok" and seconds_of(visit) >= heal.slow_seconds
    shows: dict[str, tuple[Sign, ...]] = {
        Ailment.MOVED_SITE: (Sign.MOVED,),
        Ailment.CHANGED_ENCODING: (Sign.GARBLED,),
        Ailment.SITE_GONE: (Sign.GONE, Sign.HIDDEN),
        Ailment.SOFT_BLOCK: (Sign.HIDDEN,),
    }
    return one.sign in shows.get(ailment, ())


def _is_way(event: HealingEvent, one: Seen) -> bool:
    """Whether a page was fetched in the way that a remedy asks for, where it asks for one."""
    wanted = event.params.get("care", {}).get("rung")
    return wanted is None or is_ease(event) or one.visit.rung == wanted


def is_ease(event: HealingEvent) -> bool:
    """Whether it is no remedy but the trial of a cheaper treatment."""
    return event.remediation == RemedyKind.EASE


def since_healed(events: Sequence[HealingEvent]) -> list[HealingEvent]:
    """The events of the present illness."""
    illness: list[HealingEvent] = []
    for event in events:
        if event.status is HealingStatus.HELPED and not is_ease(event):
            break
        illness.append(event)
    return illness


def ease_of(case: Case) -> Remedy | None:
    """A cheaper treatment to try, where all has been well for long."""
    heal = case.settings.heal
    if any(event.status in OPEN for event in case.events) or case.care.paused_for:
        return None
    vain = [e for e in case.events if is_ease(e) and e.status in GIVEN_UP]
    last = max((e.checked_at or e.created_at for e in case.events), default=0)
    patience = heal.ease_hours * 2 ** min(len(vain), 6)
    well = chart_of([v for v in case.visits if v.at > last], case.care, heal).telling
    enough = len(well) >= heal.check_pages and not any(is_bad(one.sign) for one in well)
    if not enough or case.now < last + patience * HOUR_MS:
        return None
    in_vain = {name for event in vain[:3] for name in event.params.get("care", {})}
    change = eased(case.care, case.settings, in_vain)
    if change is None:
        return None
    why = f"all has been well for {(case.now - last) / HOUR_MS:.0f} h"
    return Remedy(RemedyKind.EASE, case.host, {"step": "ease", "care": change}, why)


def _judge_pause(event: HealingEvent, case: Case) -> Verdict:
    """The one visit after a pause decides; pauses double as long as the plan wants them."""
    heal, until = case.settings.heal, int(event.params["until"])
    told = [one for one in _telling(event, case) if one.visit.at >= until]
    if not told or case.now < until:
        return Verdict.OPEN
    if not fails(told[0], event, heal):
        return Verdict.HELPED
    longest = float(event.params["seconds"]) >= heal.longest_pause_seconds
    used_up = int(event.params["times"]) >= int(event.params["most"])
    if event.status is HealingStatus.TRIED and (used_up or longest):
        return Verdict.IN_VAIN
    return Verdict.LONGER


def _telling(event: HealingEvent, case: Case) -> list[Seen]:
    """Visits that tell something about the ailment of an event."""
    seen = chart_of(case.visits, case.care, case.settings.heal).seen
    heal = case.settings.heal
    return [one for one in seen if one.sign not in PASSES_BY or fails(one, event, heal)]


def _under(event: HealingEvent, case: Case) -> list[Seen]:
    """Visits that began under a remedy."""
    since = event.created_at
    if event.remediation == RemedyKind.RELEARN:  # it acts once the layout has been learned
        if case.learned_at is None:
            return []
        since = max(since, case.learned_at)
    return [
        one for one in _telling(event, case)
        if _began(one.visit) > since
    ]  # fmt: skip


def _began(visit: Visit) -> float:
    return visit.at - seconds_of(visit) * 1000


def _anew(case: Case, closed: set[int]) -> Prescription | None:
    """A new diagnosis, unless a person was already asked about it."""
    asked = {
        event.diagnosis for event in case.events
        if event.status is HealingStatus.ASKED and event.id not in closed
    }  # fmt: skip
    visits = _since_closed(case)
    diagnosis = diagnose(visits, case.care, case.settings.heal, least=case.least)
    if diagnosis is None or diagnosis.name in asked or (asked and case.care.paused_for):
        return None
    return _prescribe(diagnosis, case.care, case)


def _since_closed(case: Case) -> list[Visit]:
    """The visits without the failures of what is over."""
    closed = [e.checked_at or 0 for e in case.events if e.status not in OPEN]
    since = max(closed, default=0)
    seen = chart_of(case.visits, case.care, case.settings.heal).seen
    return [one.visit for one in seen if one.visit.at > since or not _ill(one)]


def _ill(one: Seen) -> bool:
    return is_bad(one.sign) or one.sign in PASSES_BY


def _instead(trial: HealingEvent, case: Case) -> Prescription:
    """The next remedy, as if the one in vain had never been."""
    change = trial.params.get("care", {})
    care = take_back(case.care, change, trial.before)
    return _prescribe(_reconsidered(trial, case), care, case, {str(trial.params.get("step"))})


def _reconsidered(trial: HealingEvent, case: Case) -> Diagnosis:
    """The diagnosis in the light of the remedy's failure: the same, unless another shows now."""
    least = case.settings.heal.check_pages
    known = Diagnosis(
        trial.diagnosis, trial.failure_type, 0.8,
        (*trial.reasons[:3], f"{trial.remediation} did not help"), _facts(trial),
    )  # fmt: skip
    visits = [one.visit for one in _under(trial, case)]
    if "until" in trial.params:
        return known
    found = diagnose(visits, case.care, case.settings.heal, least=least, proxies_too=False)
    if found is None or found.name == trial.diagnosis:
        return known
    return replace(found, reasons=(*found.reasons, f"first taken for {trial.diagnosis}"))


def _facts(trial: HealingEvent) -> dict[str, object]:
    return {name: trial.params[name] for name in _FACTS if name in trial.params}


_FACTS = ("proxy", "place", "floor", "charset", "page_id")


def _prescribe(
    diagnosis: Diagnosis, care: HostCare, case: Case, vain: set[str] | None = None
) -> Prescription:
    tried = {
        str(event.params.get("step")) for event in since_healed(case.events)
        if event.status in GIVEN_UP and not is_ease(event)
    } | (vain or set())  # fmt: skip
    known = {"proxy": last_proxy(case.visits), "charset": case.charset, "tier": case.tier}
    facts = {name: fact for name, fact in known.items() if fact} | dict(diagnosis.facts)
    told = replace(diagnosis, facts=facts)
    rungs = _rungs_in_vain(diagnosis, case)
    remedy = next_remedy(case.host, told, care, tried, case.means, case.settings, case.now, rungs)
    return Prescription(told, remedy)


def _rungs_in_vain(diagnosis: Diagnosis, case: Case) -> set[Rung]:
    """Ways to fetch that have failed as often as a remedy would have to."""
    if diagnosis.name == Ailment.STALE_PROXY:  # another proxy may do
        return set()
    seen = chart_of(_since_closed(case), case.care, case.settings.heal).seen
    failed = Counter(one.visit.rung for one in seen if is_bad(one.sign))
    well = {one.visit.rung for one in seen if not _ill(one)}
    least = case.settings.heal.check_pages
    return {rung for rung, count in failed.items() if count >= least and rung not in well}


def last_proxy(visits: Sequence[Visit]) -> str:
    """The place of the proxy that was used last; "" where none was."""
    return next((visit.proxy for visit in visits if visit.proxy), "")
