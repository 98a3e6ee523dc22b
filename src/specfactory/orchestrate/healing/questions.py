"""Questions about hosts: tell a person what is wrong and what was tried."""

from specfactory.heal import GIVEN_UP, MEANINGS
from specfactory.model import Event, HealingEvent, Json, Problem, ReviewKind
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Transaction
from specfactory.review import open_review

TRIED_SHOWN = 10


async def ask_person(bench: Workbench, tx: Transaction, made: HealingEvent) -> Event:
    """Open a review of a host; asking again refreshes the reason."""
    known = await bench.healings.of_host(made.host, TRIED_SHOWN, tx)
    tried = [e.remediation for e in reversed(known) if e.status in GIVEN_UP]
    meaning = MEANINGS[Problem(made.diagnosis)]
    reason = f"{made.diagnosis}: {meaning}; {'; '.join(made.reasons)}"
    proposed: Json = {"healing_id": made.id, "diagnosis": made.diagnosis, "tried": tried}
    return await open_review(
        bench.reviews, tx, kind=ReviewKind.HOST, subject=made.host, field=None, reason=reason,
        at=made.created_at, proposed=proposed,
    )  # fmt: skip
