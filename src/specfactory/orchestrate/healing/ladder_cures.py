"""What the ladder cured by itself is put on record, beside what healing did."""

from __future__ import annotations

from dataclasses import replace

from specfactory.heal import cure_of
from specfactory.model import Climb, HealingEvent, Outcome, Visit
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.events import healed
from specfactory.ports import Transaction

EVENTS_SEEN = 50


async def note_climb(bench: Workbench, visit: Visit) -> None:
    """Tell that the ladder had a page another way, where that is news."""
    climb = bench.policies.last_climb(visit.host) if visit.outcome is Outcome.OK else None
    if climb is None or climb.url != visit.url or await _cure(bench, climb, visit) is None:
        return
    async with bench.database.transaction() as tx:
        await bench.policies.hold_care(tx, visit.host, bench.clock.now())  # pages come together
        cure = await _cure(bench, climb, visit, tx)
        if cure is None:
            return
        made = replace(cure, id=await bench.healings.add(tx, cure))
        told = healed(made, made.checked_at or made.created_at)
        await bench.outbox.append(tx, told)
    await bench.state.publish(told)


async def _cure(
    bench: Workbench, climb: Climb, visit: Visit, tx: Transaction | None = None
) -> HealingEvent | None:
    heal = bench.settings.heal
    events = await bench.healings.of_host(visit.host, EVENTS_SEEN, tx)
    visits = await bench.visits.recent(visit.host, heal.history, tx)
    return cure_of(climb, visit, events, visits, heal)
