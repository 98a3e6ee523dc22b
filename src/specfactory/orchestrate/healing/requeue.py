"""Jobs that died of what a host had are done again once it is treated: no job is lost."""

from __future__ import annotations

from specfactory.errors import StoreError, UsageError
from specfactory.model import Action, Fault, Outcome, facts_of, failure_facts
from specfactory.orchestrate.bench import Workbench


async def requeue_dead(bench: Workbench, host: str, since: int) -> int:
    """Queue again what died at a host since an instant; gives how many."""
    requeued = 0
    for dead in await bench.healings.dead_letters(host, since):
        # neither a wrong job nor robots.txt changes with what is done about the host
        by_rules = facts_of(Outcome.REFUSED, dead.page_cause).fault is Fault.RULES
        if by_rules or failure_facts(dead.cause).fault is Fault.JOB:
            continue
        requeued += await _requeue(bench, dead.job_id)
    return requeued


async def _requeue(bench: Workbench, job_id: int) -> bool:
    """One at a time: another job of the same subject may have come meanwhile."""
    try:
        async with bench.database.transaction() as tx:
            await bench.jobs.act(tx, job_id, Action.REQUEUE, bench.clock.now())
    except (UsageError, StoreError):
        return False
    return True
