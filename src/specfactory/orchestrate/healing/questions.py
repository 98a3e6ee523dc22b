"""Questions about hosts: tell a person what is wrong and what was tried."""

from specfactory.declared_events import event
from specfactory.heal import GIVEN_UP, MEANINGS
from specfactory.model import Event, HealingEvent, Instant, Json, Problem, ReviewKind
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Transaction

TRIED_SHOWN = 10


async def ask_person(bench: Workbench, tx: Transaction, made: HealingEvent) -> list[Event]:
    """Open a review of a host; asking again refreshes the reason."""
    known = await bench.healings.of_host(made.host, TRIED_SHOWN, tx)
    tried = [e.remediation for e in reversed(known) if e.status in GIVEN_UP]
    meaning = MEANINGS[Problem(made.diagnosis)]
    reason = f"{made.diagnosis}: {meaning}; {'; '.join(made.reasons)}"
    proposed: Json = {"healing_id": made.id, "diagnosis": made.diagnosis, "tried": tried}
    review = await bench.reviews.open(
        tx, kind=ReviewKind.HOST, subject=made.host, field=None, reason=reason,
        at=made.created_at, proposed=proposed,
    )  # fmt: skip
    return [
        event(
            "review.opened", made.created_at, review_id=review.id, kind=ReviewKind.HOST,
            subject=made.host, field=None, reason=reason,
        )
    ]  # fmt: skip


async def close_question(tx: Transaction, host: str, now: Instant) -> None:
    """Close the open review of a host, if there is one."""
    await tx.execute(
        "close_review", kind=ReviewKind.HOST, subject=host, field="", at=now, decision_id=None
    )
