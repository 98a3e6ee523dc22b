"""Decide what to do next about a host. Pure.

A remedy is tried, checked by the visits that come after it, and kept or undone; then the next one
is tried. A pause is checked by the one visit at its end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from specfactory.heal.diagnoses import Observation, diagnose, observe
from specfactory.heal.remedies import Resources, eased, next_remedy, take_back
from specfactory.heal.signs_of_visits import OF_PAGES, is_bad, seconds_of
from specfactory.model import (
    Diagnosis,
    Frozen,
    HealingEvent,
    HealingStatus,
    HostCare,
    Instant,
    Problem,
    Remedy,
    RemedyKind,
    Rung,
    Sign,
    Visit,
)
from specfactory.settings import HealSettings, Settings

GRACE_MS = 1_000  # failures this soon after a change may come from workers that do not know of it
SLOW_REMEDY = 5  # a new layout is tried beside the old one first: it gets this many times longer
PATIENCE = 3  # a remedy is judged after this many times heal.check_pages visits at the latest
HOUR_MS = 3_600_000
OPEN = frozenset({HealingStatus.TRIED, HealingStatus.ASKED})
GIVEN_UP = frozenset({HealingStatus.UNDONE, HealingStatus.TAKEN_BACK})
SHOWN_BY: Mapping[str, tuple[Sign, ...]] = {
    Problem.MOVED_SITE: (Sign.MOVED,),
    Problem.CHANGED_ENCODING: (Sign.GARBLED,),
    Problem.SITE_GONE: (Sign.GONE, Sign.HIDDEN),
    Problem.SOFT_BLOCK: (Sign.HIDDEN,),
}
"""Signs of good pages, and of single ones, that show that a diagnosis still holds."""
_FACTS = ("proxy", "place", "floor", "charset", "page_id")


class TrialVerdict(StrEnum):
    """State of a remedy that is being tried."""

    OPEN = "open"  # too early to say
    HELPED = "helped"
    IN_VAIN = "in_vain"
    LONGER = "longer"  # a pause was too short: another one, twice as long


class HostHistory(Frozen):
    """Everything known of a host: its visits and its healing events, the newest first."""

    host: str
    visits: Sequence[Visit]
    care: HostCare
    events: Sequence[HealingEvent]
    resources: Resources
    settings: Settings
    now: Instant
    learned_at: Instant | None = None  # when its last learning ended; None: it is going on
    least: int | None = None  # failures that are enough; None: as the settings say
    charset: str = ""  # what its latest garbled page seems to be written in
    tier: str = ""  # of the proxy that was used last

    def seen(self) -> Sequence[Observation]:
        """The visits that say something, with their signs."""
        return observe(self.visits, self.care, self.settings.heal).all


class Judged(Frozen):
    """An open healing event and its verdict."""

    event: HealingEvent
    verdict: TrialVerdict


class Prescribed(Frozen):
    """A diagnosis and the remedy to try for it."""

    diagnosis: Diagnosis
    remedy: Remedy


class Plan(Frozen):
    """Next steps for a host: remedies judged, and at most one new one."""

    judged: tuple[Judged, ...] = ()
    prescribed: Prescribed | None = None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to do."""
        return not self.judged and self.prescribed is None


def plan_for(history: HostHistory) -> Plan:
    """Judge what is being tried; where that failed, or something new is wrong, go on."""
    judged = tuple(
        Judged(event, verdict)
        for event in history.events
        if event.status in OPEN and (verdict := judge(event, history)) is not TrialVerdict.OPEN
    )
    trial = next((e for e in history.events if e.status is HealingStatus.TRIED), None)
    if trial is None:
        healed = {one.event.id for one in judged if one.verdict is TrialVerdict.HELPED}
        return Plan(judged, _diagnosed_anew(history, healed))
    over = next((one for one in judged if one.event.id == trial.id), None)
    if over is None or over.verdict is not TrialVerdict.IN_VAIN or is_ease(trial):
        return Plan(judged)
    # The next remedy, as if the one that failed had never been tried.
    care = take_back(history.care, trial.params.get("care", {}), trial.before)
    diagnosis = _reconsidered(trial, history)
    return Plan(judged, _prescribe(diagnosis, care, history, {str(trial.params.get("step"))}))


def judge(event: HealingEvent, history: HostHistory) -> TrialVerdict:
    """Judge an open remedy by the visits since."""
    heal = history.settings.heal
    if "until" in event.params:
        return _judge_pause(event, history)
    seen = [
        one for one in _under(event, history)
        if not fails(one, event, heal) or _began(one.visit) > event.created_at + GRACE_MS
    ]  # fmt: skip
    good = [not fails(one, event, heal) for one in seen]
    if len(good) >= heal.check_pages and all(good[: heal.check_pages]):
        return TrialVerdict.HELPED
    if event.status is HealingStatus.ASKED:
        return TrialVerdict.OPEN
    # Only pages that were fetched the way the remedy asks for count against it.
    rung = None if is_ease(event) else event.params.get("care", {}).get("rung")
    failed = sum(
        not well and rung in (None, one.visit.rung) for one, well in zip(seen, good, strict=True)
    )
    most = heal.check_pages * (SLOW_REMEDY if event.remediation == RemedyKind.RELEARN else 1)
    over = failed >= most or len(seen) >= PATIENCE * most
    return TrialVerdict.IN_VAIN if over else TrialVerdict.OPEN


def fails(one: Observation, event: HealingEvent, heal: HealSettings) -> bool:
    """True if a visit still shows what a remedy is for, or fails otherwise."""
    if is_bad(one.sign):
        return True
    visit = one.visit
    if event.diagnosis == Problem.LAYOUT_CHANGE:
        floor = float(event.params.get("floor") or 0.0)
        return visit.confidence is not None and visit.confidence < floor
    if event.diagnosis == Problem.SLOW_HOST:
        return event.failure_type == "ok" and seconds_of(visit) >= heal.slow_seconds
    return one.sign in SHOWN_BY.get(event.diagnosis, ())


def is_ease(event: HealingEvent) -> bool:
    """True if it is no remedy but the trial of doing with less."""
    return event.remediation == RemedyKind.EASE


def since_healed(events: Sequence[HealingEvent]) -> list[HealingEvent]:
    """The events since the host was last healed."""
    since: list[HealingEvent] = []
    for event in events:
        if event.status is HealingStatus.HELPED and not is_ease(event):
            break
        since.append(event)
    return since


def ease_of(history: HostHistory) -> Remedy | None:
    """Choose a remedy in force to do without, where all has been well for long."""
    heal, events = history.settings.heal, history.events
    if any(event.status in OPEN for event in events) or history.care.paused_for:
        return None
    vain = [e for e in events if is_ease(e) and e.status in GIVEN_UP]
    last = max((e.checked_at or e.created_at for e in events), default=0)
    patience = heal.ease_hours * 2 ** min(len(vain), 6)
    recent = [visit for visit in history.visits if visit.at > last]
    seen = observe(recent, history.care, heal).of_host
    enough = len(seen) >= heal.check_pages and not any(is_bad(one.sign) for one in seen)
    if not enough or history.now < last + patience * HOUR_MS:
        return None
    in_vain = {name for event in vain[:3] for name in event.params.get("care", {})}
    change = eased(history.care, history.settings, in_vain)
    if change is None:
        return None
    why = f"all has been well for {(history.now - last) / HOUR_MS:.0f} h"
    return Remedy(RemedyKind.EASE, history.host, {"step": "ease", "care": change}, why)


def last_proxy(visits: Sequence[Visit]) -> str:
    """Place of the proxy that was used last; "" where none was."""
    return next((visit.proxy for visit in visits if visit.proxy), "")


def _judge_pause(event: HealingEvent, history: HostHistory) -> TrialVerdict:
    """The one visit after a pause decides; pauses double as long as the plan wants them."""
    heal, until = history.settings.heal, int(event.params["until"])
    after = [one for one in _relevant(event, history) if one.visit.at >= until]
    if not after or history.now < until:
        return TrialVerdict.OPEN
    if not fails(after[0], event, heal):
        return TrialVerdict.HELPED
    longest = float(event.params["seconds"]) >= heal.longest_pause_seconds
    used_up = int(event.params["times"]) >= int(event.params["most"])
    if event.status is HealingStatus.TRIED and (used_up or longest):
        return TrialVerdict.IN_VAIN
    return TrialVerdict.LONGER


def _relevant(event: HealingEvent, history: HostHistory) -> list[Observation]:
    """Visits that say something about the diagnosis of an event."""
    heal = history.settings.heal
    return [one for one in history.seen() if one.sign not in OF_PAGES or fails(one, event, heal)]


def _under(event: HealingEvent, history: HostHistory) -> list[Observation]:
    """Visits that began under a remedy."""
    since = event.created_at
    if event.remediation == RemedyKind.RELEARN:  # takes effect once the layout has been learned
        if history.learned_at is None:
            return []
        since = max(since, history.learned_at)
    return [one for one in _relevant(event, history) if _began(one.visit) > since]


def _began(visit: Visit) -> float:
    return visit.at - seconds_of(visit) * 1000


def _diagnosed_anew(history: HostHistory, closed: set[int]) -> Prescribed | None:
    """A new diagnosis, unless a person was already asked about it."""
    asked = {
        event.diagnosis for event in history.events
        if event.status is HealingStatus.ASKED and event.id not in closed
    }  # fmt: skip
    visits = [one.visit for one in _since_closed(history)]
    care, heal = history.care, history.settings.heal
    diagnosis = diagnose(visits, care, heal, least=history.least)
    if diagnosis is None or diagnosis.name in asked or (asked and care.paused_for):
        return None
    return _prescribe(diagnosis, care, history)


def _since_closed(history: HostHistory) -> list[Observation]:
    """The visits without the failures before the last remedy ended."""
    closed = [e.checked_at or 0 for e in history.events if e.status not in OPEN]
    since = max(closed, default=0)
    return [one for one in history.seen() if one.visit.at > since or one.is_well]


def _reconsidered(trial: HealingEvent, history: HostHistory) -> Diagnosis:
    """The diagnosis after its remedy failed: the same, unless another shows now."""
    facts = {name: trial.params[name] for name in _FACTS if name in trial.params}
    reasons = (*trial.reasons[:3], f"{trial.remediation} did not help")
    known = Diagnosis(trial.diagnosis, trial.failure_type, 0.8, reasons, facts)
    if "until" in trial.params:
        return known
    visits = [one.visit for one in _under(trial, history)]
    heal = history.settings.heal
    found = diagnose(visits, history.care, heal, least=heal.check_pages, proxies_too=False)
    if found is None or found.name == trial.diagnosis:
        return known
    return replace(found, reasons=(*found.reasons, f"first taken for {trial.diagnosis}"))


def _prescribe(
    diagnosis: Diagnosis, care: HostCare, history: HostHistory, vain: set[str] | None = None
) -> Prescribed:
    """Choose the next remedy for a diagnosis, without those that failed since it was healed."""
    tried = {
        str(event.params.get("step")) for event in since_healed(history.events)
        if event.status in GIVEN_UP and not is_ease(event)
    } | (vain or set())  # fmt: skip
    known = {"proxy": last_proxy(history.visits), "charset": history.charset, "tier": history.tier}
    facts = {name: fact for name, fact in known.items() if fact} | dict(diagnosis.facts)
    diagnosis = replace(diagnosis, facts=facts)
    # Rungs that have failed as often as a remedy would have to; another proxy may do, though.
    rungs_in_vain: set[Rung] = set()
    if diagnosis.name != Problem.STALE_PROXY:
        visits = [one.visit for one in _since_closed(history)]
        seen = observe(visits, history.care, history.settings.heal).all
        failed = Counter(one.visit.rung for one in seen if is_bad(one.sign))
        well = {one.visit.rung for one in seen if one.is_well}
        least = history.settings.heal.check_pages
        rungs_in_vain = {rung for rung in failed.keys() - well if failed[rung] >= least}
    remedy = next_remedy(
        history.host, diagnosis, care, tried, history.resources, history.settings, history.now,
        rungs_in_vain,
    )  # fmt: skip
    return Prescribed(diagnosis, remedy)
