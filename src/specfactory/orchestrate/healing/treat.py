"""Healing carried out: visits in, diagnoses and remedies on record, hosts treated otherwise.

One transaction holds the care of the host from the look into its history to the last write, so
that one worker treats a host at a time. What lies outside the database is done after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile

from msgspec import Struct, field

from specfactory.errors import StoreError
from specfactory.heal import (
    Case,
    Judged,
    Plan,
    Verdict,
    apply,
    before_change,
    ease_of,
    is_by_ladder,
    is_ease,
    last_proxy,
    plan_for,
    sign_of,
    take_back,
    written_in,
)
from specfactory.model import (
    Event,
    HealingEvent,
    HealingStatus,
    HostCare,
    Instant,
    Json,
    Remedy,
    RemedyKind,
    Sign,
    Visit,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.events import diagnosed, healed, paused, treated, undone
from specfactory.orchestrate.healing.healing_hands import act, means_of, tier_of
from specfactory.orchestrate.healing.ladder_cures import note_climb
from specfactory.orchestrate.healing.questions import ask_person, close_question
from specfactory.orchestrate.healing.requeue import requeue_dead
from specfactory.orchestrate.templates import queue_learning
from specfactory.ports import JOBS_CHANNEL, Transaction

EVENTS_SEEN = 50  # healing events of a host that its course is made from
GARBLED_SEEN = 5  # visits among which a garbled page is looked for


class Treated(Struct):
    """What came of a look at a host: who it was, what is told, and what is yet to be done."""

    host: str
    events: list[Event] = field(default_factory=list)
    remedies: list[Remedy] = field(default_factory=list)
    since: Instant | None = None  # jobs that died since then are to be done again
    changed: bool = False


async def after_visit(bench: Workbench, visit: Visit | None) -> None:
    """Look whether a host ails or is well again, where a visit gives reason to; never raises."""
    heal = bench.settings.heal
    if visit is None or not heal.enabled:
        return
    try:
        await note_climb(bench, visit)
        if visit.landed and visit.landed == (await bench.policies.care(visit.host)).moved_to:
            visit = replace(visit, landed="")  # it moved, and we know
        if await bench.ward.wants_look(visit, heal, bench.clock.monotonic()):
            await treat(bench, visit.host)
        # a page that told nothing about its host: somebody else looks after the pause
        await bench.policies.put_off_probe(visit.host, bench.clock.now())
    except StoreError:
        return  # the database is away: the next visit will tell


async def treat(bench: Workbench, host: str, least: int | None = None) -> bool:
    """Do what the history of a host asks for; True when something was done.

    ``least`` failures are enough, where something else says as well that the host ails.
    """
    if _is_idle(plan_for(replace(await _case(bench, host), least=least))):
        return False
    done = Treated(host)
    async with bench.database.transaction() as tx:
        now = bench.clock.now()
        care = await bench.policies.hold_care(tx, host, now)
        case = replace(await _case(bench, host, tx, care), least=least)
        await _carry_out(bench, tx, case, plan_for(case), done)
        await bench.outbox.append(tx, done.events)
    await _finish(bench, done)
    return done.changed


async def ease(bench: Workbench, host: str) -> bool:
    """Try a cheaper treatment of a host that has been well for long."""
    if ease_of(await _case(bench, host)) is None:
        return False
    done = Treated(host)
    async with bench.database.transaction() as tx:
        care = await bench.policies.hold_care(tx, host, bench.clock.now())
        case = await _case(bench, host, tx, care)
        if (remedy := ease_of(case)) is not None:
            await _begin(bench, tx, case, remedy, ("ok", "ease", (remedy.why,)), care, done)
        await bench.outbox.append(tx, done.events)
    await _finish(bench, done)
    return done.changed


async def ease_all(bench: Workbench) -> None:
    """Try cheaper treatments, wherever a host is treated in some special way."""
    if bench.settings.heal.enabled:
        for host in await bench.policies.treated():
            await ease(bench, host)


async def undo(bench: Workbench, event_id: int, actor: str) -> HealingEvent:
    """Take a remedy back on a person's word; a pause ends, a question is closed."""
    known = await bench.healings.get(event_id)
    done = Treated(known.host, changed=True)
    async with bench.database.transaction() as tx:
        now = bench.clock.now()
        care = await bench.policies.hold_care(tx, known.host, now)
        await _put(bench, tx, known.host, _without(care, known), now)
        await _close(bench, tx, known, HealingStatus.TAKEN_BACK, known.success, now)
        await close_question(tx, known.host, now)
        await bench.jobs.hasten(tx, known.host, now)  # what waited for the end of a pause
        done.events.append(undone(known, actor, now))
        await bench.outbox.append(tx, done.events)
    await _finish(bench, done)
    return await bench.healings.get(event_id)


def _is_idle(plan: Plan) -> bool:
    return not plan.judged and plan.prescribed is None


async def _case(
    bench: Workbench, host: str, tx: Transaction | None = None, care: HostCare | None = None
) -> Case:
    """What is known of a host."""
    settings = bench.settings
    visits = await bench.visits.recent(host, settings.heal.history, tx)
    known = await bench.healings.of_host(host, EVENTS_SEEN, tx)
    events = [event for event in known if not is_by_ladder(event)]
    care = care or await bench.policies.care(host, tx)
    return Case(
        host, visits, care, events, means_of(bench), settings, bench.clock.now(),
        learned_at=await _learned_at(bench, host, events, tx),
        charset=await _charset(bench, visits, care), tier=tier_of(bench, last_proxy(visits)),
    )  # fmt: skip


async def _learned_at(
    bench: Workbench, host: str, events: Sequence[HealingEvent], tx: Transaction | None
) -> Instant | None:
    """When the learning that a remedy asked for came to its end."""
    asked = next((e for e in events if e.remediation == RemedyKind.RELEARN), None)
    if asked is None or asked.status is not HealingStatus.TRIED:
        return None
    rows = await (tx or bench.database).fetch("jobs_of_key", key=host)
    learning = next((row for row in rows if row["kind"] == "learn"), None)
    if learning is None:  # done, and pruned since
        return asked.created_at
    ended: Instant | None = learning["finished_at"]
    return ended


async def _charset(bench: Workbench, visits: Sequence[Visit], care: HostCare) -> str:
    """What the latest garbled page seems to be written in; "" where none is garbled."""
    heal = bench.settings.heal
    for visit in visits[:GARBLED_SEEN]:
        if visit.page_id and sign_of(visit, care, heal) is Sign.GARBLED:
            page = await bench.pages.get(visit.page_id)
            return written_in(await bench.pages.body(page), page.charset)
    return ""


async def _carry_out(
    bench: Workbench, tx: Transaction, case: Case, plan: Plan, done: Treated
) -> None:
    care = case.care
    for judged in plan.judged:
        care = await _end(bench, tx, case, judged, care, done)
    if plan.prescribed is not None:
        found = plan.prescribed.diagnosis
        done.events += diagnosed(case, plan.prescribed)
        ground = (found.failure, found.name, found.reasons)
        await _begin(bench, tx, case, plan.prescribed.remedy, ground, care, done)
    elif care != case.care:
        await _put(bench, tx, case.host, care, case.now)
    done.changed = done.changed or not _is_idle(plan)


async def _end(
    bench: Workbench, tx: Transaction, case: Case, judged: Judged, care: HostCare, done: Treated
) -> HostCare:
    """Close a remedy that was judged, or prolong a pause; gives the care without it."""
    known, now = judged.event, case.now
    if judged.verdict is Verdict.LONGER:
        return await _pause_longer(bench, tx, case, known, care, done)
    if judged.verdict is Verdict.IN_VAIN:
        await _close(bench, tx, known, HealingStatus.UNDONE, False, now)
        done.events.append(undone(known, "factory", now))
        return _without(care, known)
    await _close(bench, tx, known, HealingStatus.HELPED, True, now)
    done.events += healed(known, now)
    if not is_ease(known):
        await close_question(tx, case.host, now)
        done.since = _illness_began(case)
    return replace(care, paused_until=0, paused_for="") if "until" in known.params else care


async def _begin(
    bench: Workbench,
    tx: Transaction,
    case: Case,
    remedy: Remedy,
    ground: tuple[str, str, tuple[str, ...]],
    care: HostCare,
    done: Treated,
) -> None:
    """Begin a remedy: on record, in the care of the host, and among the jobs and questions."""
    failure, diagnosis, reasons = ground
    change = remedy.params.get("care", {})
    asks = remedy.kind is RemedyKind.ASK
    made = HealingEvent(
        0, case.host, failure, diagnosis, remedy.kind,
        HealingStatus.ASKED if asks else HealingStatus.TRIED, case.now, reasons=reasons,
        params=remedy.params, before=before_change(care, change),
    )  # fmt: skip
    made = replace(made, id=await bench.healings.add(tx, made))
    await _put(bench, tx, case.host, apply(care, change), case.now)
    done.events += treated(made, remedy, case.now)
    if asks or remedy.params.get("review"):
        done.events += await ask_person(bench, tx, made)
    if remedy.kind is RemedyKind.RELEARN:
        await _queue_learning(bench, tx, case.host, reasons)
    done.remedies.append(remedy)
    done.since, done.changed = _illness_began(case), True


async def _queue_learning(
    bench: Workbench, tx: Transaction, host: str, reasons: tuple[str, ...]
) -> None:
    categories = await bench.healings.categories(tx, host)
    why = f"healing: {'; '.join(reasons[:2])}"
    await queue_learning(bench, tx, host, categories[0] if categories else "", why)


async def _pause_longer(
    bench: Workbench,
    tx: Transaction,
    case: Case,
    known: HealingEvent,
    care: HostCare,
    done: Treated,
) -> HostCare:
    heal = case.settings.heal
    seconds = min(2 * float(known.params["seconds"]), heal.longest_pause_seconds)
    until = case.now + round(seconds * 1000)
    change = {**known.params.get("care", {}), "paused_until": until}
    params: dict[str, Json] = {**known.params, "care": change, "until": until, "seconds": seconds}
    params["times"] = int(known.params["times"]) + 1
    await bench.healings.change(tx, known.id, known.status, None, None, params)
    done.events.append(paused(known, until, case.now))
    return replace(care, paused_until=until, paused_for=known.diagnosis)


async def _put(bench: Workbench, tx: Transaction, host: str, care: HostCare, now: Instant) -> None:
    await bench.policies.put_care(tx, host, care, now)


async def _close(
    bench: Workbench,
    tx: Transaction,
    known: HealingEvent,
    status: HealingStatus,
    success: bool | None,
    now: Instant,
) -> None:
    await bench.healings.change(tx, known.id, status, success, now, known.params)


def _without(care: HostCare, known: HealingEvent) -> HostCare:
    return take_back(care, known.params.get("care", {}), known.before)


async def _finish(bench: Workbench, done: Treated) -> None:
    """After the transaction: what lies outside the database, jobs, and who listens."""
    bench.policies.forget_care(done.host)
    bench.ward.forget()
    if not done.changed:
        return
    await bench.policies.reopen(done.host)
    for remedy in done.remedies:
        await act(bench, remedy)
    if done.since is not None:
        await requeue_dead(bench, done.host, done.since)
    await bench.state.publish(done.events)
    await bench.wakeup.notify(JOBS_CHANNEL)


def _illness_began(case: Case) -> Instant:
    """When the failures began that are being treated: after the last visit that was well."""
    seen = [(visit, sign_of(visit, case.care, case.settings.heal)) for visit in case.visits]
    row = list(dropwhile(lambda one: one[1] is Sign.WELL, seen))
    last_well = next((visit.at for visit, sign in row if sign is Sign.WELL), None)
    if last_well is not None:
        return last_well + 1
    return row[-1][0].at if row else case.now
