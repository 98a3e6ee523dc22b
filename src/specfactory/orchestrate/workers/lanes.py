"""A lane: how one worker gets through the jobs of some kinds.

Long jobs run side by side, each in a task, no more than the lane has slots. Short ones are done
one after the other, without the price of a task. The lane talks to the database in turns: each
finishes all jobs that have ended since the last one and claims as many new ones, in one
transaction; meanwhile the others go on. The busier the database or the machine, the more jobs a
turn takes along.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from specfactory.errors import Interrupted, JobDeferred, LeaseLost
from specfactory.model import Cause, Job, Lease
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import AWAY, Done, Ended, Handlers, failure_of
from specfactory.orchestrate.workers.claims import Claims, Finished
from specfactory.orchestrate.workers.host_turns import PoliteTurns

LAST_WORDS_SECONDS = 0.2  # a job that has just ended is not held any more either
OVERTIME_SECONDS = 60.0  # a job ends by its own budget; later than that it hangs


def is_suspect(job: Job) -> bool:
    """The last worker of the job fell silent: the job may have killed it."""
    return job.last_cause == Cause.LEASE_EXPIRED


class Lane:
    """Works on jobs of some kinds until it is drained or stopped."""

    def __init__(
        self,
        bench: Workbench,
        handlers: Handlers,
        claims: Claims,
        kinds: tuple[str, ...],
        slots: int,
        start_interval_seconds: float = 0.0,
        *,
        short: bool = False,  # the jobs are done one after the other
        may_start: Callable[[], bool] | None = None,  # background work: begun only then
        gives_back: bool = False,  # what is not done when it is drained
        is_awaited: bool = True,  # before a worker ends with an empty queue
    ) -> None:
        self.kinds, self.is_awaited = kinds, is_awaited
        self._bench, self._handlers, self._claims = bench, handlers, claims
        self._slots, self._interval, self._short = slots, start_interval_seconds, short
        self._may_start, self._gives_back = may_start, gives_back
        self._next_start = bench.clock.monotonic()
        self._host_turns = PoliteTurns(bench)
        self._tasks: dict[Lease, asyncio.Task[None]] = {}
        self._timers: set[asyncio.Task[None]] = set()
        self._results: list[Finished] = []  # ended, and written with the next turn
        self._lost: set[Lease] = set()
        self._woken = asyncio.Event()
        self._draining = self._stopping = False
        self._is_busy = False  # writing results, or at a short job
        self._found_nothing = False  # at the last look into the queue
        self._alone = False  # a suspect is at work, or waits for the others to end
        self._busy_seconds, self._counted_at = 0.0, bench.clock.monotonic()

    @property
    def is_idle(self) -> bool:
        """Nothing is at work, or yet to be written."""
        return not self._tasks and not self._results and not self._is_busy

    @property
    def busy_seconds(self) -> float:
        """Time that its slots were at work: all of them for a second, or half of them for two."""
        since = self._bench.clock.monotonic() - self._counted_at
        return self._busy_seconds + since * self._share_at_work()

    def _count_time(self) -> None:
        """Add the time until now; called whenever a job begins or ends."""
        self._busy_seconds = self.busy_seconds
        self._counted_at = self._bench.clock.monotonic()

    def _share_at_work(self) -> float:
        return float(self._is_busy) if self._short else min(len(self._tasks) / self._slots, 1.0)

    async def run(self) -> None:
        """Work until drained or stopped, and until what was begun has ended."""
        try:
            with contextlib.suppress(*AWAY):  # stopped while it waited for the database
                await self._turns()
            while self._tasks:
                await asyncio.wait(self._tasks.values())
        finally:
            self.stop()
            for timer in self._timers:
                timer.cancel()

    def wake(self) -> None:
        """There may be something to do."""
        self._woken.set()

    @property
    def is_quiet(self) -> bool:
        """Nothing is at work, and its last look found nothing to do."""
        return self._found_nothing and self.is_idle

    @property
    def is_background(self) -> bool:
        """Its jobs begin at quiet moments."""
        return self._may_start is not None

    def drain(self) -> None:
        """Claim no more."""
        self._draining = True
        self.wake()
        if self._gives_back:
            self._cancel()

    def stop(self) -> None:
        """Give back what is not done, at once."""
        self.drain()
        self._cancel()

    def _cancel(self) -> None:
        if self._stopping:
            return  # a second cancellation would keep jobs from being given back
        self._stopping = True
        for task in self._tasks.values():
            task.cancel()

    def lose(self, leases: Sequence[Lease]) -> None:
        """Stop working on jobs that are another's by now, unless they are just ending.

        A short job is done before it could be stopped; its end is refused.
        """
        for lease in leases:
            if lease in self._tasks:

                def cut_off(lease: Lease = lease) -> None:
                    if task := self._tasks.get(lease):
                        self._lost.add(lease)
                        task.cancel()

                self._later(LAST_WORDS_SECONDS, cut_off)

    async def _turns(self) -> None:
        while not self._is_over:
            self._woken.clear()
            results, self._results = self._results, []
            self._count_time()
            self._is_busy = bool(results) or self._short
            try:
                count = 0 if self._draining else self._free()
                claimed = await self._claims.turn(results, self.kinds, count, self._host_turns)
                jobs = await self._apart(claimed)
                self._found_nothing = not jobs
                if count > len(jobs) and (seconds := self._host_turns.seconds_to_next) is not None:
                    self._later(seconds, self.wake)  # a host has jobs, and its turn comes then
                for place, job in enumerate(jobs):
                    if not self._short:
                        self._start(job)
                    elif self._draining:
                        await self._claims.give_back(jobs[place:])
                        break
                    else:
                        await self._work(job)
            finally:
                self._count_time()
                self._is_busy = False
            await self._follow_up(results)
            if not self._results and not self._is_over:
                await self._woken.wait()

    @property
    def _is_over(self) -> bool:
        ended = self._draining or self._claims.is_spent
        return ended and not self._tasks and not self._results

    def _free(self) -> int:
        if self._may_start is not None and not self._may_start():
            return 0
        free = self._slots - len(self._tasks)
        if self._alone:
            free = 0 if self._tasks else 1
        if self._interval <= 0:
            return free
        return min(free, 1) if self._bench.clock.monotonic() >= self._next_start else 0

    async def _apart(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """Let a suspect work alone, so that it takes no other job with it; the rest go back."""
        suspects = [job for job in jobs if is_suspect(job)]
        if not suspects:
            if self._alone and not self._tasks:
                self._alone = False
                self.wake()  # the other slots are free again
            return jobs
        self._alone = True
        chosen = suspects[:1] if not self._tasks else []
        await self._claims.give_back([job for job in jobs if job not in chosen])
        return chosen

    def _start(self, job: Job) -> None:
        if self._draining:  # it was being claimed when we were told to stop
            task = asyncio.create_task(self._claims.give_back([job]))
        else:
            task = asyncio.create_task(self._work_in_time(job), name=job.name)
        self._count_time()
        self._tasks[job.lease] = task
        self._host_turns.start(job)

        def ended(_: asyncio.Task[None]) -> None:
            self._count_time()
            del self._tasks[job.lease]
            self._host_turns.end(job)
            self._lost.discard(job.lease)
            self.wake()

        task.add_done_callback(ended)
        if self._interval > 0:
            self._next_start = self._bench.clock.monotonic() + self._interval
            self._later(self._interval, self.wake)

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        async def wait() -> None:
            await self._bench.clock.sleep(seconds)
            action()

        timer = asyncio.create_task(wait())
        self._timers.add(timer)
        timer.add_done_callback(self._timers.discard)

    async def _work_in_time(self, job: Job) -> None:
        """Do one job in its task, which is cancelled when the job is lost or the lane stops."""
        longest = self._bench.settings.daemon.product_seconds + OVERTIME_SECONDS
        try:
            await self._work(job, None if self._gives_back else longest)
        except asyncio.CancelledError:
            if job.lease in self._lost:
                self._claims.count_loss(job)
            else:
                await self._give_back(job)

    async def _work(self, job: Job, limit_seconds: float | None = None) -> None:
        """Do one job and say what became of it; nothing that it raises ends the worker."""
        claims = self._claims
        try:
            work = self._handlers.of(job.kind).work(self._bench, job)
            if limit_seconds is None:
                done: object = await work
            else:
                async with asyncio.timeout(limit_seconds):
                    done = await work
            if isinstance(done, Done):
                self._results.append((job, done))
            elif isinstance(done, Ended):
                (claims.count_done if done.ok else claims.count_failure)(job)
            else:  # fails the job, not the worker
                raise TypeError(f"its handler gave {done!r}; a Done or an Ended is wanted")
        except LeaseLost:
            claims.count_loss(job)
        except (Interrupted, *AWAY):
            await self._give_back(job)
        except JobDeferred as later:
            with contextlib.suppress(*AWAY):
                await claims.defer(job, later)
        except Exception as problem:
            await self._fail(job, problem)

    async def _follow_up(self, results: Sequence[Finished]) -> None:
        """Do what is to be done after the results were written."""
        if any(done.jobs for _, done in results):
            await self._bench.wake_workers()
        for job, done in results:
            if done.after is None:
                continue
            try:
                await done.after()
            except AWAY:
                continue
            except Exception as problem:
                await self._fail(job, problem)

    async def _give_back(self, job: Job) -> None:
        """Retry while the database is away, unless we stop at once: then the lease will expire."""
        with contextlib.suppress(*AWAY):
            await self._claims.give_back([job])

    async def _fail(self, job: Job, problem: Exception) -> None:
        with contextlib.suppress(*AWAY):
            await self._claims.fail(job, failure_of(problem))
