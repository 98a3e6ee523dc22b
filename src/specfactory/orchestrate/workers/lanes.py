"""Lanes: how one worker gets through its jobs.

A slot lane runs long jobs side by side, no more than it has slots, and starts no faster than it
is told. A batch lane does short ones one after the other and finishes each batch in the very
transaction that claims the next.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from specfactory.errors import Interrupted, JobDeferred, LeaseLost
from specfactory.model import Cause, Job, Lease
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import AWAY, Done, Ended, Failure, Handlers, failure_of
from specfactory.orchestrate.workers.claims import Claims, Finished

LAST_WORDS_SECONDS = 0.2  # a job that has just ended is not held any more either
OVERTIME_SECONDS = 60.0  # a job ends by its own budget; later than that it hangs


class Lane(Protocol):
    """A way through the jobs of some kinds."""

    kinds: tuple[str, ...]

    async def run(self) -> None:
        """Work until drained or stopped, and until what was begun has ended."""
        ...

    def stir(self) -> None:
        """There may be something to do."""
        ...

    def drain(self) -> None:
        """Claim no more."""
        ...

    def stop(self) -> None:
        """Give back what is not done, at once."""
        ...

    def lose(self, leases: Sequence[Lease]) -> None:
        """These are another's by now."""
        ...

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in its hands."""
        ...


def is_suspect(job: Job) -> bool:
    """Whether the last worker of a job fell silent: the job may have killed it."""
    return job.last_cause == Cause.LEASE_EXPIRED


def checked(done: object) -> Done | Ended:
    """What a handler gave; one that gives something else fails its job, not the worker."""
    if not isinstance(done, Done | Ended):
        raise TypeError(f"its handler gave {done!r}; a Done or an Ended is wanted")
    return done


class SlotLane:
    """Long jobs, each in a task of its own."""

    def __init__(
        self,
        bench: Workbench,
        handlers: Handlers,
        claims: Claims,
        kinds: tuple[str, ...],
        slots: int,
        start_interval_seconds: float = 0.0,
    ) -> None:
        self.kinds = kinds
        self._bench, self._handlers, self._claims = bench, handlers, claims
        self._slots, self._interval = slots, start_interval_seconds
        self._next_start = bench.clock.monotonic()
        self._tasks: dict[Lease, asyncio.Task[None]] = {}
        self._timers: set[asyncio.Task[None]] = set()
        self._lost: set[Lease] = set()
        self._stirred = asyncio.Event()
        self._draining = self._stopping = False
        self._alone = False  # a suspect is at work, or waits for the others to end

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in its hands."""
        return not self._tasks

    async def run(self) -> None:
        """Work until drained or stopped, and until what was begun has ended."""
        try:
            with contextlib.suppress(*AWAY):  # told to stop while it waited for the database
                await self._fill()
            await self._let_end()
        finally:
            self._end()

    async def _let_end(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    def _end(self) -> None:
        self.stop()
        for timer in self._timers:
            timer.cancel()

    async def _fill(self) -> None:
        while not self._draining and not self._claims.is_spent:
            self._stirred.clear()
            for job in await self._apart(await self._claims.take(self.kinds, self._free())):
                self._start(job)
            await self._stirred.wait()

    async def _apart(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """Let a suspect work alone, so that it takes no other job with it; the rest go back."""
        suspects = [job for job in jobs if is_suspect(job)]
        if not suspects:
            if self._alone and not self._tasks:
                self._alone = False
                self.stir()  # the other slots are free again
            return jobs
        self._alone = True
        chosen = suspects[:1] if not self._tasks else []
        await self._claims.give_back([job for job in jobs if job not in chosen])
        return chosen

    def stir(self) -> None:
        """There may be something to do."""
        self._stirred.set()

    def drain(self) -> None:
        """Claim no more."""
        self._draining = True
        self.stir()

    def stop(self) -> None:
        """Give back what is not done, at once."""
        self.drain()
        if self._stopping:
            return  # a second cancellation would keep jobs from being given back
        self._stopping = True
        for task in self._tasks.values():
            task.cancel()

    def lose(self, leases: Sequence[Lease]) -> None:
        """These are another's by now: stop working on them, unless they are just ending."""
        for lease in leases:
            if lease in self._tasks:
                self._later(LAST_WORDS_SECONDS, partial(self._cut_off, lease))

    def _cut_off(self, lease: Lease) -> None:
        if task := self._tasks.get(lease):
            self._lost.add(lease)
            task.cancel()

    def _free(self) -> int:
        free = self._slots - len(self._tasks)
        if self._alone:
            free = 0 if self._tasks else 1
        if self._interval <= 0:
            return free
        return min(free, 1) if self._bench.clock.monotonic() >= self._next_start else 0

    def _start(self, job: Job) -> None:
        if self._draining:  # it was being claimed when we were told to stop
            task = asyncio.create_task(self._claims.give_back([job]))
        else:
            task = asyncio.create_task(self._work(job), name=job.name)
        self._tasks[job.lease] = task
        task.add_done_callback(lambda _: self._ended(job.lease))
        if self._interval > 0:
            self._next_start = self._bench.clock.monotonic() + self._interval
            self._later(self._interval, self.stir)

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        async def wait() -> None:
            await self._bench.clock.sleep(seconds)
            action()

        timer = asyncio.create_task(wait())
        self._timers.add(timer)
        timer.add_done_callback(self._timers.discard)

    def _ended(self, lease: Lease) -> None:
        del self._tasks[lease]
        self._lost.discard(lease)
        self.stir()

    async def _work(self, job: Job) -> None:
        """Do one job and say what became of it; nothing that it raises ends the worker."""
        claims = self._claims
        try:
            limit = self._bench.settings.daemon.product_seconds + OVERTIME_SECONDS
            async with asyncio.timeout(limit):
                done = checked(await self._handlers.of(job.kind).work(self._bench, job))
            if isinstance(done, Ended):
                claims.count_end(job, ok=done.ok)
            else:
                await self._finish(job, done)
        except asyncio.CancelledError:
            await self._cancelled(job)
        except LeaseLost:
            claims.count_loss(job)
        except (Interrupted, *AWAY):
            await self._give_back(job)
        except JobDeferred as later:
            with contextlib.suppress(*AWAY):
                await claims.defer(job, later)
        except Exception as problem:
            await self._fail(job, failure_of(problem))

    async def _finish(self, job: Job, done: Done) -> None:
        await self._claims.finish(job, done)
        if done.after is not None:
            await done.after()

    async def _cancelled(self, job: Job) -> None:
        if job.lease in self._lost:
            self._claims.count_loss(job)
        else:
            await self._give_back(job)

    async def _give_back(self, job: Job) -> None:
        """Patiently, unless we are to stop at once: then its lease will end by itself."""
        with contextlib.suppress(*AWAY):
            await self._claims.give_back([job])

    async def _fail(self, job: Job, failure: Failure) -> None:
        with contextlib.suppress(*AWAY):
            await self._claims.fail(job, failure)


class BatchLane:
    """Short jobs by the batch."""

    def __init__(
        self,
        bench: Workbench,
        handlers: Handlers,
        claims: Claims,
        kinds: tuple[str, ...],
        batch: int,
    ) -> None:
        self.kinds = kinds
        self._bench, self._handlers, self._claims, self._batch = bench, handlers, claims, batch
        self._stirred = asyncio.Event()
        self._draining = False
        self._hands: Sequence[Job] = ()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in its hands."""
        return not self._hands

    async def run(self) -> None:
        """Work until drained or stopped; what was claimed and not begun is given back."""
        with contextlib.suppress(*AWAY):  # told to stop while it waited for the database
            await self._turns()

    async def _turns(self) -> None:
        results: list[Finished] = []
        while True:
            self._stirred.clear()
            count = 0 if self._draining else self._batch
            self._hands = await self._claims.turn(results, self.kinds, count)
            results = []
            if self._hands:
                results = await self._work(self._hands)
            elif self._draining or self._claims.is_spent:
                return
            else:
                await self._stirred.wait()

    def stir(self) -> None:
        """There may be something to do."""
        self._stirred.set()

    def drain(self) -> None:
        """Claim no more."""
        self._draining = True
        self.stir()

    def stop(self) -> None:
        """The same: what is short need not be cut short."""
        self.drain()

    def lose(self, leases: Sequence[Lease]) -> None:
        """Nothing to stop: what is short is done before anybody could; its end is refused."""

    async def _work(self, jobs: Sequence[Job]) -> list[Finished]:
        results: list[Finished] = []
        suspect = next((job for job in jobs if is_suspect(job)), None)
        if suspect is not None and len(jobs) > 1:  # it may take the others with it
            await self._claims.give_back([job for job in jobs if job is not suspect])
            jobs = [suspect]
        for place, job in enumerate(jobs):
            if self._draining:
                await self._claims.give_back(jobs[place:])
                break
            try:
                done = checked(await self._handlers.of(job.kind).work(self._bench, job))
            except LeaseLost:
                self._claims.count_loss(job)
            except (Interrupted, *AWAY):
                await self._claims.give_back([job])
            except JobDeferred as later:
                await self._claims.defer(job, later)
            except Exception as problem:
                await self._claims.fail(job, failure_of(problem))
            else:
                if isinstance(done, Ended):
                    self._claims.count_end(job, ok=done.ok)
                else:
                    results.append((job, done))
        return results
