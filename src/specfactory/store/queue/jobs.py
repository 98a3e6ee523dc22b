"""The queue's jobs: none is lost, none is duplicated.

Every write emits its event in the same transaction, one row of the outbox per call.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from specfactory.model import Event, Frozen, Instant, Job, JobError, JobStatus, NewJob
from specfactory.ports import Transaction
from specfactory.store.base import emit, fetch_all, fetch_first, fetch_number, like_pattern
from specfactory.store.queue.job_adding import CHUNK, Added, add_chunk, restore_chunk
from specfactory.store.queue.job_changes import ChangedJobs
from specfactory.store.queue.job_leases import LeasedJobs
from specfactory.store.queue.job_rows import Queued, names_json

Step = Callable[
    [Transaction, Sequence[Queued], Instant], Awaitable[tuple[list[Added], list[Event]]]
]


class JobCount(Frozen):
    """Number of jobs of a status, kind and priority."""

    status: JobStatus
    kind: str
    priority: int
    jobs: int


class Stats(Frozen):
    """Numbers of jobs."""

    counts: tuple[JobCount, ...]

    @property
    def total(self) -> int:
        """Number of all jobs."""
        return sum(count.jobs for count in self.counts)

    def by_status(self) -> dict[JobStatus, int]:
        """Jobs in each state, none left out."""
        return {status: sum(self._jobs(status, "status").values()) for status in JobStatus}

    def by_priority(self, status: JobStatus = JobStatus.QUEUED) -> dict[int, int]:
        """Jobs of a state by priority."""
        found = self._jobs(status, "priority")
        return {priority: found[priority] for priority in range(1, 6)}

    def by_kind(self, status: JobStatus = JobStatus.QUEUED) -> dict[str, int]:
        """Jobs of a state by kind; kinds that no worker knows included."""
        return dict(self._jobs(status, "kind"))

    def _jobs(self, status: JobStatus, what: str) -> Counter[Any]:
        found: Counter[Any] = Counter()
        for each in self.counts:
            if each.status is status:
                found[getattr(each, what)] += each.jobs
        return found


class Summary(Frozen):
    """Number of jobs that ended on a day (since 1970) and are no longer kept in full."""

    day: int
    kind: str
    status: JobStatus
    category: str
    jobs: int


class Jobs(LeasedJobs, ChangedJobs):
    """All jobs. Writes take a Transaction and the time; reads see what was committed."""

    async def add(self, tx: Transaction, jobs: Sequence[NewJob], now: Instant) -> list[Added]:
        """Queue jobs; where the subject has an active job already, return that one."""
        return await self._by_chunks(tx, jobs, now, add_chunk)

    async def restore(self, tx: Transaction, jobs: Sequence[Job], now: Instant) -> list[Added]:
        """Restore exported jobs; those that were in progress are queued."""
        return await self._by_chunks(tx, jobs, now, restore_chunk)

    async def _by_chunks(
        self, tx: Transaction, jobs: Sequence[Queued], now: Instant, step: Step[Queued]
    ) -> list[Added]:
        results: list[Added] = []
        emitted: list[Event] = []
        for start in range(0, len(jobs), CHUNK):
            added, events = await step(tx, jobs[start : start + CHUNK], now)
            results += added
            emitted += events
        await emit(tx, *emitted)
        return results

    async def get(self, job_id: int) -> Job | None:
        """The job with this id."""
        return await fetch_first(self._db, Job, "get_job", id=job_id)

    async def find(self, words: str) -> list[Job]:
        """Jobs by number (``q_000123``), by key, or by words of the key, the latest first."""
        words = words.strip()
        number = words.removeprefix("q_")
        if number.isdecimal() and len(number) < 19:
            return [job] if (job := await self.get(int(number))) else []
        if found := await fetch_all(self._db, Job, "jobs_of_key", key=words):
            return found
        wanted = words.casefold().replace("-", " ").split()
        if not wanted:
            return []
        pattern = like_pattern(max(wanted, key=len))
        found = await fetch_all(self._db, Job, "find_jobs", pattern=pattern)
        return [job for job in found if all(word in job.key.casefold() for word in wanted)]

    async def stats(self) -> Stats:
        """Count jobs by status, kind and priority."""
        return Stats(tuple(await fetch_all(self._db, JobCount, "count_jobs")))

    async def sum_counts(self, tx: Transaction) -> None:
        """Keep the counts of ``stats`` short; the sweeper calls it."""
        await tx.execute("sum_job_counts")

    async def due(self, now: Instant, kinds: Sequence[str]) -> int:
        """Number of queued jobs of these kinds that could be claimed now."""
        return await fetch_number(self._db, "count_due_jobs", now=now, kinds=names_json(kinds))

    async def newest_at(self) -> Instant:
        """Time at which the newest job was added; 0 when there is none."""
        return await fetch_number(self._db, "newest_job")

    async def next_due(self, kinds: Sequence[str]) -> Instant | None:
        """Time at which the next queued job of these kinds is due; None: there is none."""
        rows = await self._db.fetch("next_due", kinds=names_json(kinds))
        found: Instant | None = rows[0]["due_at"]
        return found

    async def errors(self, job_id: int) -> list[JobError]:
        """All errors of a job, the first one first."""
        return await fetch_all(self._db, JobError, "list_job_errors", job_id=job_id)

    async def dead_errors(self, run_id: int | None = None, limit: int = 10_000) -> list[JobError]:
        """The last error of each dead letter, the latest first."""
        given = {"run_id": run_id, "limit": limit}
        return await fetch_all(self._db, JobError, "dead_letter_errors", **given)

    async def summaries(self) -> list[Summary]:
        """The counts of jobs that are no longer kept in full, the latest day first."""
        return await fetch_all(self._db, Summary, "list_job_summaries")

    async def list(
        self,
        status: JobStatus | None = None,
        category: str | None = None,
        tag: str | None = None,
        run_id: int | None = None,
        kind: str | None = None,
        limit: int = 100,
        after: int = 0,
    ) -> list[Job]:
        """Matching jobs in the order of their ids, after the last one seen."""
        given = {"status": status, "category": category, "run_id": run_id, "kind": kind,
                 "limit": limit, "after": after}  # fmt: skip
        if tag is not None:
            return await fetch_all(self._db, Job, "list_tagged_jobs", tag=tag, **given)
        if status is JobStatus.IN_PROGRESS:
            del given["status"]
            return await fetch_all(self._db, Job, "list_leased_jobs", **given)
        # Most jobs are queued or complete: such a one is found soon in the order of ids.
        most = (None, JobStatus.QUEUED, JobStatus.COMPLETE)
        query = "list_jobs" if status in most else "list_idle_jobs"
        return await fetch_all(self._db, Job, query, **given)
