"""Carry healing out: visits in, diagnoses and remedies on record, hosts asked another way.

One transaction holds the host from reading its history to the last write, so that one worker heals
a host at a time. Everything outside the database is done after it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import dropwhile

from msgspec import Struct, field

from specfactory.errors import StoreError, UsageError
from specfactory.heal import (
    GIVEN_UP,
    HostHistory,
    Judged,
    Plan,
    Resources,
    TrialVerdict,
    apply,
    before_change,
    climb_event,
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
    Climb,
    Diagnosis,
    Event,
    Fault,
    HealingEvent,
    HealingStatus,
    HostCare,
    Instant,
    Json,
    Outcome,
    Problem,
    Remedy,
    RemedyKind,
    ReviewKind,
    Sign,
    Visit,
    facts_of,
    failure_facts,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.events import diagnosed, healed, paused, treated, undone
from specfactory.orchestrate.templates import Upkeep
from specfactory.ports import Transaction
from specfactory.proof.text import misread_charset
from specfactory.review import open_review

EVENTS_SEEN = 50  # healing events of a host that are considered
TRIED_SHOWN = 10  # remedies of which a person is told
GARBLED_SEEN = 5  # latest visits that are searched for a garbled page


class Healing(Struct):
    """The healing of one host: what is done in its transaction, and what is left to do after it."""

    bench: Workbench
    tx: Transaction
    host: str
    care: HostCare  # in force
    events: list[Event] = field(default_factory=list)
    remedies: list[Remedy] = field(default_factory=list)
    since: Instant | None = None  # requeue jobs that died since then
    changed: bool = False

    async def carry_out(self, history: HostHistory, plan: Plan) -> None:
        """End the remedies that were judged, and begin the one that is prescribed."""
        for judged in plan.judged:
            await self._end(history, judged)
        if plan.prescribed is not None:
            found = plan.prescribed.diagnosis
            self.events += diagnosed(history, found)
            await self.begin(history, plan.prescribed.remedy, found)
        elif self.care != history.care:
            await self.bench.policies.put_care(self.tx, self.host, self.care, history.now)
        self.changed = self.changed or not plan.is_empty

    async def begin(self, history: HostHistory, remedy: Remedy, found: Diagnosis) -> None:
        """Begin a remedy: on record, in force at the host, and among the jobs and questions."""
        bench, tx, change = self.bench, self.tx, remedy.params.get("care", {})
        asks = remedy.kind is RemedyKind.ASK
        made = HealingEvent(
            0, self.host, found.failure, found.name, remedy.kind,
            HealingStatus.ASKED if asks else HealingStatus.TRIED, history.now,
            reasons=found.reasons, params=remedy.params, before=before_change(self.care, change),
        )  # fmt: skip
        made = replace(made, id=await bench.healings.add(tx, made))
        await bench.policies.put_care(tx, self.host, apply(self.care, change), history.now)
        self.events += treated(made, remedy, history.now)
        if asks or remedy.params.get("review"):
            self.events += await ask_person(bench, tx, made)
        if remedy.kind is RemedyKind.RELEARN:
            categories = await bench.healings.categories(tx, self.host)
            why = f"healing: {'; '.join(found.reasons[:2])}"
            category = categories[0] if categories else ""
            await Upkeep(bench, tx).queue_learning(self.host, category, why)
        self.remedies.append(remedy)
        self.since, self.changed = _failing_since(history), True

    async def _end(self, history: HostHistory, judged: Judged) -> None:
        """Close a remedy that was judged, or prolong a pause."""
        known, now, heal = judged.event, history.now, history.settings.heal
        healings, tx = self.bench.healings, self.tx
        if judged.verdict is TrialVerdict.LONGER:
            seconds = min(2 * float(known.params["seconds"]), heal.longest_pause_seconds)
            until = now + round(seconds * 1000)
            change = {**known.params.get("care", {}), "paused_until": until}
            params: dict[str, Json] = {
                **known.params, "care": change, "until": until, "seconds": seconds,
                "times": int(known.params["times"]) + 1,
            }  # fmt: skip
            await healings.change(tx, known.id, known.status, None, None, params)
            self.events.append(paused(known, until, now))
            self.care = replace(self.care, paused_until=until, paused_for=known.diagnosis)
        elif judged.verdict is TrialVerdict.IN_VAIN:
            await healings.change(tx, known.id, HealingStatus.UNDONE, False, now, known.params)
            self.events.append(undone(known, "factory", now))
            self.care = without(self.care, known)
        else:
            await healings.change(tx, known.id, HealingStatus.HELPED, True, now, known.params)
            self.events += healed(known, now)
            if not is_ease(known):
                await self.bench.reviews.close(tx, ReviewKind.HOST, self.host, None, now)
                self.since = _failing_since(history)
            if "until" in known.params:
                self.care = replace(self.care, paused_until=0, paused_for="")

    async def finish(self) -> None:
        """After the transaction: proxies, the browser, jobs and listeners."""
        bench = self.bench
        bench.policies.forget_care(self.host)
        bench.host_alarm.forget()
        if not self.changed:
            return
        await bench.policies.reopen(self.host)
        for remedy in self.remedies:
            if remedy.kind is RemedyKind.ROTATE_PROXY and bench.proxies is not None:
                pool, place = bench.proxies.pool, str(remedy.params.get("proxy", ""))
                for proxy in pool.proxies:
                    if proxy.place == place:
                        await pool.rest(proxy, f"refused or silent at {remedy.host}")
            elif remedy.kind is RemedyKind.RESTART_BROWSER and bench.browser is not None:
                await bench.browser.restart()
        if self.since is not None:
            await requeue_dead(bench, self.host, self.since)
        await bench.state.publish(self.events)
        await bench.wake_workers()


@asynccontextmanager
async def _healing(bench: Workbench, host: str) -> AsyncIterator[Healing]:
    """Hold a host in one transaction; what is left outside the database is done after it."""
    async with bench.database.transaction() as tx:
        care = await bench.policies.hold_care(tx, host, bench.clock.now())
        healing = Healing(bench, tx, host, care)
        yield healing
        await bench.outbox.append(tx, healing.events)
    await healing.finish()


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


async def note_climb(bench: Workbench, visit: Visit) -> None:
    """Record that the ladder got a page another way, where that is news."""
    climb = bench.policies.last_climb(visit.host) if visit.outcome is Outcome.OK else None
    if climb is None or climb.url != visit.url or await _climb_event(bench, climb, visit) is None:
        return
    async with bench.announcing() as (tx, events):
        # Pages come together: checked again while the host is held.
        await bench.policies.hold_care(tx, visit.host, bench.clock.now())
        if (found := await _climb_event(bench, climb, visit, tx)) is not None:
            made = replace(found, id=await bench.healings.add(tx, found))
            events.extend(healed(made, made.checked_at or made.created_at))


async def _climb_event(
    bench: Workbench, climb: Climb, visit: Visit, tx: Transaction | None = None
) -> HealingEvent | None:
    heal = bench.settings.heal
    known = await bench.healings.of_host(visit.host, EVENTS_SEEN, tx)
    visits = await bench.visits.recent(visit.host, heal.history, tx)
    return climb_event(climb, visit, known, visits, heal)


async def heal_host(bench: Workbench, host: str, least: int | None = None) -> None:
    """Do what the history of a host asks for.

    ``least`` failures are enough, where something else says as well that the host fails.
    """
    if plan_for(replace(await _history(bench, host), least=least)).is_empty:
        return
    async with _healing(bench, host) as healing:
        history = replace(await _history(bench, host, healing), least=least)
        await healing.carry_out(history, plan_for(history))


async def ease(bench: Workbench, host: str) -> bool:
    """Try to do without a remedy at a host that has been well for long."""
    if ease_of(await _history(bench, host)) is None:
        return False
    async with _healing(bench, host) as healing:
        history = await _history(bench, host, healing)
        if (remedy := ease_of(history)) is not None:
            await healing.begin(history, remedy, Diagnosis("ease", "ok", 1.0, (remedy.why,)))
    return healing.changed


async def ease_all(bench: Workbench) -> None:
    """Try to do without remedies, wherever any are in force."""
    if bench.settings.heal.enabled:
        for host in await bench.policies.treated():
            await ease(bench, host)


async def undo(bench: Workbench, event_id: int, actor: str) -> HealingEvent:
    """Undo a remedy for a person; a pause ends, a question is closed."""
    known = await bench.healings.get(event_id)
    async with _healing(bench, known.host) as healing:
        tx, host, ended = healing.tx, known.host, HealingStatus.TAKEN_BACK
        now, healing.changed = bench.clock.now(), True
        await bench.policies.put_care(tx, host, without(healing.care, known), now)
        await bench.healings.change(tx, known.id, ended, known.success, now, known.params)
        await bench.reviews.close(tx, ReviewKind.HOST, host, None, now)
        await bench.jobs.hasten(tx, host, now)  # what waited for the end of a pause
        healing.events.append(undone(known, actor, now))
    return await bench.healings.get(event_id)


async def _history(bench: Workbench, host: str, held: Healing | None = None) -> HostHistory:
    """Load everything that decisions about a host are made from."""
    settings, tx = bench.settings, held.tx if held else None
    visits = await bench.visits.recent(host, settings.heal.history, tx)
    known = await bench.healings.of_host(host, EVENTS_SEEN, tx)
    events = [event for event in known if not is_by_ladder(event)]
    care = held.care if held else await bench.policies.care(host)
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


async def ask_person(bench: Workbench, tx: Transaction, made: HealingEvent) -> list[Event]:
    """Open a review of a host; asking again refreshes the reason."""
    known = await bench.healings.of_host(made.host, TRIED_SHOWN, tx)
    tried = [e.remediation for e in reversed(known) if e.status in GIVEN_UP]
    meaning = Problem(made.diagnosis).meaning
    reason = f"{made.diagnosis}: {meaning}; {'; '.join(made.reasons)}"
    proposed: Json = {"healing_id": made.id, "diagnosis": made.diagnosis, "tried": tried}
    lost = await bench.healings.dead_letters(made.host, 0, tx=tx)
    return await open_review(
        bench.reviews, tx, kind=ReviewKind.HOST, subject=made.host, field=None, reason=reason,
        at=made.created_at, proposed=proposed, worth=max(1, len(lost)),
    )  # fmt: skip


def without(care: HostCare, known: HealingEvent) -> HostCare:
    """The care of a host without what a remedy changed."""
    return take_back(care, known.params.get("care", {}), known.before)


async def requeue_dead(bench: Workbench, host: str, since: Instant) -> None:
    """Requeue the jobs that died at a host since an instant."""
    for dead in await bench.healings.dead_letters(host, since):
        # Neither a wrong job, robots.txt nor what ended a reader changes with the host's care.
        by_rules = facts_of(Outcome.REFUSED, dead.page_cause).fault is Fault.RULES
        by_page = dead.cause == Outcome.UNREADABLE
        if by_rules or by_page or failure_facts(dead.cause).fault is Fault.JOB:
            continue
        try:  # one at a time: another job of the same subject may have been added meanwhile
            async with bench.database.transaction() as tx:
                await bench.jobs.act(tx, dead.job_id, Action.REQUEUE, bench.clock.now())
        except (UsageError, StoreError):
            continue


def _failing_since(history: HostHistory) -> Instant:
    """When the failures began: after the last visit that was well."""
    heal = history.settings.heal
    seen = [(visit, sign_of(visit, history.care, heal)) for visit in history.visits]
    row = list(dropwhile(lambda one: one[1] is Sign.WELL, seen))
    last_well = next((visit.at for visit, sign in row if sign is Sign.WELL), None)
    if last_well is not None:
        return last_well + 1
    return row[-1][0].at if row else history.now
