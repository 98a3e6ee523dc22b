"""What the ladder cured by itself is put on record, beside what healing did."""

from __future__ import annotations

from dataclasses import replace

from specfactory.events import event
from specfactory.heal.climbs import cure_of
from specfactory.model import Climb, Event, HealingEvent, Outcome, Visit
from specfactory.orchestrate.workbench import Workbench
from specfactory.ports import Transaction

EVENTS_SEEN = 50


async def note_climb(bench: Workbench, visit: Visit) -> None:
    """Tell that the ladder had a page another way, where that is news."""
    climb = bench.fetch.take_climb(visit.host) if visit.outcome is Outcome.OK else None
    if climb is None or await _cure(bench, climb, visit) is None:
        return
    async with bench.database.transaction() as tx:
        await bench.cares.hold(tx, visit.host, bench.clock.now())  # pages come together
        cure = await _cure(bench, climb, visit, tx)
        if cure is None:
            return
        told = _told(replace(cure, id=await bench.healings.add(tx, cure)))
        await bench.outbox.append(tx, [told])
    await bench.state.publish([told])


async def _cure(
    bench: Workbench, climb: Climb, visit: Visit, tx: Transaction | None = None
) -> HealingEvent | None:
    heal = bench.settings.heal
    events = await bench.healings.of_host(visit.host, EVENTS_SEEN, tx)
    visits = await bench.visits.recent(visit.host, heal.history, tx)
    return cure_of(climb, visit, events, visits, heal)


def _told(cure: HealingEvent) -> Event:
    at = cure.checked_at or cure.created_at
    return event(
        "host.healed", at, healing_id=cure.id, host=cure.host, diagnosis=cure.diagnosis,
        remediation=cure.remediation, seconds=(at - cure.created_at) / 1000,
    )  # fmt: skip
