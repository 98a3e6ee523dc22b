"""Carry healing out: visits in, diagnoses and remedies on record, hosts asked another way.

One transaction holds the host from reading its history to the last write, so that one worker heals
a host at a time. Everything outside the database is done after it.
"""

from dataclasses import replace
from itertools import dropwhile

from msgspec import Struct, field

from specfactory.errors import StoreError, UsageError
from specfactory.heal import (
    HostHistory,
    Judged,
    Plan,
    Resources,
    TrialVerdict,
    apply,
    before_change,
    ease_of,
    is_by_ladder,
    is_ease,
    last_proxy,
    plan_for,
    sign_of,
    take_back,
)
from specfactory.model import (
    Action,
    Event,
    Fault,
    HealingEvent,
    HealingStatus,
    HostCare,
    Instant,
    Json,
    Outcome,
    Remedy,
    RemedyKind,
    Sign,
    Visit,
    facts_of,
    failure_facts,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.climbs import note_climb
from specfactory.orchestrate.healing.events import diagnosed, healed, paused, treated, undone
from specfactory.orchestrate.healing.questions import ask_person, close_question
from specfactory.orchestrate.templates import queue_learning
from specfactory.ports import JOBS_CHANNEL, Transaction
from specfactory.proof.text import misread_charset

EVENTS_SEEN = 50  # healing events of a host that are considered
GARBLED_SEEN = 5  # latest visits that are searched for a garbled page


class Healing(Struct):
    """The result of healing one host: events to publish, and what is left to do outside."""

    host: str
    events: list[Event] = field(default_factory=list)
    remedies: list[Remedy] = field(default_factory=list)
    since: Instant | None = None  # requeue jobs that died since then
    changed: bool = False


async def after_visit(bench: Workbench, visit: Visit | None) -> None:
    """Heal a host, or notice that it is well again, where a visit is reason to; never raises."""
    heal = bench.settings.heal
    if visit is None or not heal.enabled:
        return
    try:
        await note_climb(bench, visit)
        if visit.landed and visit.landed == (await bench.policies.care(visit.host)).moved_to:
            visit = replace(visit, landed="")  # the move is known
        if await bench.host_alarm.is_raised_by(visit, heal, bench.clock.monotonic()):
            await heal_host(bench, visit.host)
        # The page said nothing about its host: another visit checks the host after the pause.
        await bench.policies.put_off_probe(visit.host, bench.clock.now())
    except StoreError:
        return  # the database is away; the next visit is reason enough


async def heal_host(bench: Workbench, host: str, least: int | None = None) -> bool:
    """Do what the history of a host asks for; True when something was done.

    ``least`` failures are enough, where something else says as well that the host fails.
    """
    if plan_for(replace(await _history(bench, host), least=least)).is_empty:
        return False
    done = Healing(host)
    async with bench.database.transaction() as tx:
        now = bench.clock.now()
        care = await bench.policies.hold_care(tx, host, now)
        history = replace(await _history(bench, host, tx, care), least=least)
        await _carry_out(bench, tx, history, plan_for(history), done)
        await bench.outbox.append(tx, done.events)
    await _finish(bench, done)
    return done.changed


async def ease(bench: Workbench, host: str) -> bool:
    """Try to do without a remedy at a host that has been well for long."""
    if ease_of(await _history(bench, host)) is None:
        return False
    done = Healing(host)
    async with bench.database.transaction() as tx:
        care = await bench.policies.hold_care(tx, host, bench.clock.now())
        history = await _history(bench, host, tx, care)
        if (remedy := ease_of(history)) is not None:
            await _begin(bench, tx, history, remedy, ("ok", "ease", (remedy.why,)), care, done)
        await bench.outbox.append(tx, done.events)
    await _finish(bench, done)
    return done.changed


async def ease_all(bench: Workbench) -> None:
    """Try to do without remedies, wherever any are in force."""
    if bench.settings.heal.enabled:
        for host in await bench.policies.treated():
            await ease(bench, host)


async def undo(bench: Workbench, event_id: int, actor: str) -> HealingEvent:
    """Undo a remedy for a person; a pause ends, a question is closed."""
    known = await bench.healings.get(event_id)
    done = Healing(known.host, changed=True)
    async with bench.database.transaction() as tx:
        now = bench.clock.now()
        care = await bench.policies.hold_care(tx, known.host, now)
        await bench.policies.put_care(tx, known.host, _without(care, known), now)
        await _close(bench, tx, known, HealingStatus.TAKEN_BACK, known.success, now)
        await close_question(tx, known.host, now)
        await bench.jobs.hasten(tx, known.host, now)  # what waited for the end of a pause
        done.events.append(undone(known, actor, now))
        await bench.outbox.append(tx, done.events)
    await _finish(bench, done)
    return await bench.healings.get(event_id)


async def _history(
    bench: Workbench, host: str, tx: Transaction | None = None, care: HostCare | None = None
) -> HostHistory:
    """Load everything that decisions about a host are made from."""
    settings = bench.settings
    visits = await bench.visits.recent(host, settings.heal.history, tx)
    known = await bench.healings.of_host(host, EVENTS_SEEN, tx)
    events = [event for event in known if not is_by_ladder(event)]
    care = care or await bench.policies.care(host, tx)
    # A new layout can be judged only by pages after its learning, where a remedy asked for one.
    learned_at: Instant | None = None
    asked = next((e for e in events if e.remediation == RemedyKind.RELEARN), None)
    if asked is not None and asked.status is HealingStatus.TRIED:
        rows = await (tx or bench.database).fetch("jobs_of_key", key=host)
        ends = (row["finished_at"] for row in rows if row["kind"] == "learn")
        learned_at = next(ends, asked.created_at)  # without its job: done, and pruned since
    charset = ""
    for visit in visits[:GARBLED_SEEN]:
        if visit.page_id and sign_of(visit, care, settings.heal) is Sign.GARBLED:
            page = await bench.pages.get(visit.page_id)
            charset = misread_charset(await bench.pages.body(page), page.charset)
            break
    pool = bench.proxies.pool if bench.proxies is not None else None
    place = last_proxy(visits)
    used = (proxy.tier for proxy in pool.proxies if proxy.place == place) if pool else iter(())
    tiers = pool.tiers if pool else ()
    has_browser = bench.browser is not None and not bench.browser.trouble
    resources = Resources(proxies=bool(tiers), browser=has_browser, tiers=tiers)
    return HostHistory(
        host, visits, care, events, resources, settings, bench.clock.now(),
        learned_at=learned_at, charset=charset, tier=next(used, "") if place else "",
    )  # fmt: skip


async def _carry_out(
    bench: Workbench, tx: Transaction, history: HostHistory, plan: Plan, done: Healing
) -> None:
    care = history.care
    for judged in plan.judged:
        care = await _end(bench, tx, history, judged, care, done)
    if plan.prescribed is not None:
        found = plan.prescribed.diagnosis
        done.events += diagnosed(history, found)
        ground = (found.failure, found.name, found.reasons)
        await _begin(bench, tx, history, plan.prescribed.remedy, ground, care, done)
    elif care != history.care:
        await bench.policies.put_care(tx, history.host, care, history.now)
    done.changed = done.changed or not plan.is_empty


async def _end(
    bench: Workbench,
    tx: Transaction,
    history: HostHistory,
    judged: Judged,
    care: HostCare,
    done: Healing,
) -> HostCare:
    """Close a remedy that was judged, or prolong a pause; returns what stays in force."""
    known, now, heal = judged.event, history.now, history.settings.heal
    if judged.verdict is TrialVerdict.LONGER:
        seconds = min(2 * float(known.params["seconds"]), heal.longest_pause_seconds)
        until = now + round(seconds * 1000)
        change = {**known.params.get("care", {}), "paused_until": until}
        params: dict[str, Json] = {
            **known.params, "care": change, "until": until, "seconds": seconds,
            "times": int(known.params["times"]) + 1,
        }  # fmt: skip
        await bench.healings.change(tx, known.id, known.status, None, None, params)
        done.events.append(paused(known, until, now))
        return replace(care, paused_until=until, paused_for=known.diagnosis)
    if judged.verdict is TrialVerdict.IN_VAIN:
        await _close(bench, tx, known, HealingStatus.UNDONE, False, now)
        done.events.append(undone(known, "factory", now))
        return _without(care, known)
    await _close(bench, tx, known, HealingStatus.HELPED, True, now)
    done.events += healed(known, now)
    if not is_ease(known):
        await close_question(tx, history.host, now)
        done.since = _failing_since(history)
    return replace(care, paused_until=0, paused_for="") if "until" in known.params else care


async def _begin(
    bench: Workbench,
    tx: Transaction,
    history: HostHistory,
    remedy: Remedy,
    ground: tuple[str, str, tuple[str, ...]],
    care: HostCare,
    done: Healing,
) -> None:
    """Begin a remedy: on record, in force at the host, and among the jobs and questions."""
    failure, diagnosis, reasons = ground
    change = remedy.params.get("care", {})
    asks = remedy.kind is RemedyKind.ASK
    made = HealingEvent(
        0, history.host, failure, diagnosis, remedy.kind,
        HealingStatus.ASKED if asks else HealingStatus.TRIED, history.now, reasons=reasons,
        params=remedy.params, before=before_change(care, change),
    )  # fmt: skip
    made = replace(made, id=await bench.healings.add(tx, made))
    await bench.policies.put_care(tx, history.host, apply(care, change), history.now)
    done.events += treated(made, remedy, history.now)
    if asks or remedy.params.get("review"):
        done.events += await ask_person(bench, tx, made)
    if remedy.kind is RemedyKind.RELEARN:
        categories = await bench.healings.categories(tx, history.host)
        why = f"healing: {'; '.join(reasons[:2])}"
        category = categories[0] if categories else ""
        await queue_learning(bench, tx, history.host, category, why)
    done.remedies.append(remedy)
    done.since, done.changed = _failing_since(history), True


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


async def _finish(bench: Workbench, done: Healing) -> None:
    """After the transaction: proxies, the browser, jobs and listeners."""
    bench.policies.forget_care(done.host)
    bench.host_alarm.forget()
    if not done.changed:
        return
    await bench.policies.reopen(done.host)
    for remedy in done.remedies:
        if remedy.kind is RemedyKind.ROTATE_PROXY and bench.proxies is not None:
            pool, place = bench.proxies.pool, str(remedy.params.get("proxy", ""))
            for proxy in pool.proxies:
                if proxy.place == place:
                    await pool.rest(proxy, f"refused or silent at {remedy.host}")
        elif remedy.kind is RemedyKind.RESTART_BROWSER and bench.browser is not None:
            await bench.browser.restart()
    if done.since is not None:
        await requeue_dead(bench, done.host, done.since)
    await bench.state.publish(done.events)
    await bench.wakeup.notify(JOBS_CHANNEL)


async def requeue_dead(bench: Workbench, host: str, since: Instant) -> int:
    """Requeue the jobs that died at a host since an instant; returns how many."""
    requeued = 0
    for dead in await bench.healings.dead_letters(host, since):
        # Neither a wrong job nor robots.txt changes with what is done about the host.
        by_rules = facts_of(Outcome.REFUSED, dead.page_cause).fault is Fault.RULES
        if by_rules or failure_facts(dead.cause).fault is Fault.JOB:
            continue
        try:  # one at a time: another job of the same subject may have been added meanwhile
            async with bench.database.transaction() as tx:
                await bench.jobs.act(tx, dead.job_id, Action.REQUEUE, bench.clock.now())
        except (UsageError, StoreError):
            continue
        requeued += 1
    return requeued


def _failing_since(history: HostHistory) -> Instant:
    """When the failures began: after the last visit that was well."""
    heal = history.settings.heal
    seen = [(visit, sign_of(visit, history.care, heal)) for visit in history.visits]
    row = list(dropwhile(lambda one: one[1] is Sign.WELL, seen))
    last_well = next((visit.at for visit, sign in row if sign is Sign.WELL), None)
    if last_well is not None:
        return last_well + 1
    return row[-1][0].at if row else history.now
