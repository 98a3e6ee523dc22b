"""Record pages that the ladder got another way, beside what healing did."""

from dataclasses import replace

from specfactory.heal import climb_event
from specfactory.model import Climb, HealingEvent, Outcome, Visit
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.events import healed
from specfactory.ports import Transaction

EVENTS_SEEN = 50


async def note_climb(bench: Workbench, visit: Visit) -> None:
    """Record that the ladder got a page another way, where that is news."""
    climb = bench.policies.last_climb(visit.host) if visit.outcome is Outcome.OK else None
    if climb is None or climb.url != visit.url or await _event(bench, climb, visit) is None:
        return
    async with bench.database.transaction() as tx:
        # Pages come together: checked again while the host is held.
        await bench.policies.hold_care(tx, visit.host, bench.clock.now())
        found = await _event(bench, climb, visit, tx)
        if found is None:
            return
        made = replace(found, id=await bench.healings.add(tx, found))
        events = healed(made, made.checked_at or made.created_at)
        await bench.outbox.append(tx, events)
    await bench.state.publish(events)


async def _event(
    bench: Workbench, climb: Climb, visit: Visit, tx: Transaction | None = None
) -> HealingEvent | None:
    heal = bench.settings.heal
    events = await bench.healings.of_host(visit.host, EVENTS_SEEN, tx)
    visits = await bench.visits.recent(visit.host, heal.history, tx)
    return climb_event(climb, visit, events, visits, heal)
