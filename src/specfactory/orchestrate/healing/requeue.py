"""Jobs that died of what a host had are done again once it is treated: no job is lost."""

from __future__ import annotations

from specfactory.errors import StoreError, UsageError
from specfactory.fetch import FORBIDDEN as ROBOTS
from specfactory.model import Action
from specfactory.orchestrate.bench import Workbench

OWN_FAULT = frozenset({"bad_payload", "unknown_category", "no_such_product", "unknown_kind"})
"""Causes that lie in the job: another try would meet the same, whatever its host does."""


async def requeue_dead(bench: Workbench, host: str, since: int) -> int:
    """Queue again what died at a host since an instant; gives how many."""
    requeued = 0
    for dead in await bench.healings.dead_letters(host, since):
        if dead.cause in OWN_FAULT or ROBOTS in dead.message:
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
