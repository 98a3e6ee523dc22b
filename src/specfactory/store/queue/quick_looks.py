"""Quick looks at the queue, for people: each reads a short stretch of one index."""

from specfactory.model import OUTCOMES, Event, Frozen, Instant, Job, JobStatus
from specfactory.store.base import Batch, Store, fetch_all, fetch_number
from specfactory.store.queue.job_rows import names_json

MOST_ERRORS = 10_000
MOST_BATCHES = 20_000
MOST_WAITING = 100_000


class EndedCount(Frozen):
    """Jobs that ended in a stretch of time that began at ``at``."""

    at: Instant
    done: int
    failed: int


class CauseCount(Frozen):
    """Number of errors of a cause, and of jobs that it ended."""

    cause: str
    station: str
    errors: int = 0
    dead: int = 0


class WaitingCount(Frozen):
    """Jobs that wait for a host, for another try after a cause, or else for their time."""

    host: str
    cause: str
    jobs: int
    until: Instant  # the first of them


class HostCount(Frozen):
    """Visits of a host, and how many gave their page."""

    host: str
    visits: int
    good: int

    @property
    def success(self) -> float:
        """The share of visits that gave their page."""
        return self.good / self.visits if self.visits else 0.0


class Glances(Store):
    """Queries of the monitor and the dead-letter commands."""

    async def ended(
        self, since: Instant, slot_ms: int, run_id: int | None = None
    ) -> list[EndedCount]:
        """The jobs still kept that ended since an instant, by stretches, the first one first."""
        rows = await self._db.fetch("ended_by_slot", since=since, slot_ms=slot_ms, run_id=run_id)
        slots: dict[int, dict[str, int]] = {}
        for row in rows:
            slots.setdefault(row["slot"], {})[row["status"]] = row["jobs"]
        return [
            EndedCount(
                slot * slot_ms, counts.get(JobStatus.COMPLETE, 0), counts.get(JobStatus.FAILED, 0)
            )
            for slot, counts in slots.items()
        ]

    async def at_work(self, limit: int = 100, run_id: int | None = None) -> list[Job]:
        """Jobs in progress, the longest leased first."""
        return await fetch_all(self._db, Job, "jobs_at_work", run_id=run_id, limit=limit)

    async def overdue(self, before: Instant, run_id: int | None = None) -> int:
        """Number of leases that expired before an instant and were not rescued."""
        given = {"before": before, "run_id": run_id}
        return await fetch_number(self._db, "count_overdue_leases", **given)

    async def dead_letters(
        self, limit: int = 100, run_id: int | None = None, passed: int = 0
    ) -> list[Job]:
        """Dead letters, the latest first, after skipping ``passed``."""
        given = {"run_id": run_id, "limit": limit, "passed": passed}
        return await fetch_all(self._db, Job, "latest_dead_letters", **given)

    async def causes(self, since: Instant, run_id: int | None = None) -> list[CauseCount]:
        """Causes of errors since an instant and of dead letters, the most frequent first."""
        recent = await self._db.fetch("recent_causes", since=since, most=MOST_ERRORS, run_id=run_id)
        last = await self._db.fetch("dead_causes", most=MOST_ERRORS, run_id=run_id)
        errors = {(row["cause"], row["station"]): int(row["errors"]) for row in recent}
        dead = {(row["cause"], row["station"]): int(row["jobs"]) for row in last}
        return [
            CauseCount(*where, errors.get(where, 0), dead.get(where, 0))
            for where in dict.fromkeys([*errors, *dead])
        ]

    async def waiting(self, now: Instant, run_id: int | None = None) -> list[WaitingCount]:
        """What jobs that are not due wait for, the most frequent first."""
        given = {"now": now, "run_id": run_id, "most": MOST_WAITING}
        return await fetch_all(self._db, WaitingCount, "waiting_for", **given)

    async def hosts(self, since: Instant, limit: int) -> list[HostCount]:
        """The hosts visited since an instant, those that fail most first."""
        good = names_json(outcome for outcome, facts in OUTCOMES.items() if facts.is_good)
        given = {"since": since, "good": good, "limit": limit, "most": MOST_WAITING}
        return await fetch_all(self._db, HostCount, "visited_hosts", **given)

    async def database_size(self) -> int:
        """Bytes that the database takes."""
        return await fetch_number(self._db, "database_size")

    async def depth_of_run(self, run_id: int) -> dict[JobStatus, dict[int, int]]:
        """Jobs of a run by status and priority."""
        found: dict[JobStatus, dict[int, int]] = {}
        for row in await self._db.fetch("depth_of_run", run_id=run_id):
            found.setdefault(JobStatus(row["status"]), {})[row["priority"]] = int(row["jobs"])
        return found

    async def due_in_run(self, run_id: int, now: Instant) -> int:
        """Jobs of a run that could be claimed now."""
        return await fetch_number(self._db, "due_in_run", run_id=run_id, now=now)

    async def story(self, job_id: int) -> list[Event]:
        """The latest events about a job, the first one first."""
        given = {"pattern": f"%job_id%{job_id}%", "most": MOST_BATCHES}
        batches = await fetch_all(self._db, Batch, "events_naming", **given)
        return [
            event
            for batch in batches
            for event in batch.events
            if event.fields.get("job_id") == job_id or job_id in (event.fields.get("job_ids") or ())
        ]
