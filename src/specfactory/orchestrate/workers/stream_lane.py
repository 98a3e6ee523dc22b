"""A lane for many jobs that mostly wait, such as pages: what has ended is written together.

It talks to the database in turns. Each turn finishes all jobs that have ended since the last one
and claims as many new ones, in one transaction; meanwhile the others go on. The busier the
database or the machine, the more jobs a turn takes along.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import AWAY, Done, Handlers, failure_of
from specfactory.orchestrate.workers.claims import Claims, Finished
from specfactory.orchestrate.workers.lanes import SlotLane
from specfactory.ports import JOBS_CHANNEL


class StreamLane(SlotLane):
    """Jobs side by side, each in a task of its own; their ends by the handful."""

    def __init__(
        self,
        bench: Workbench,
        handlers: Handlers,
        claims: Claims,
        kinds: tuple[str, ...],
        slots: int,
    ) -> None:
        super().__init__(bench, handlers, claims, kinds, slots)
        self._results: list[Finished] = []
        self._is_writing = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in its hands, or yet to be written."""
        return not self._tasks and not self._results and not self._is_writing

    async def run(self) -> None:
        """Work until drained or stopped, and until what was begun has ended."""
        try:
            with contextlib.suppress(*AWAY):  # told to stop while it waited for the database
                await self._turns()
            await self._let_end()
        finally:
            self._end()

    async def _turns(self) -> None:
        while not self._is_over:
            self._stirred.clear()
            results, self._results = self._results, []
            for job in await self._apart(await self._turn(results)):
                self._start(job)
            await self._follow_up(results)
            if not self._results and not self._is_over:
                await self._stirred.wait()

    @property
    def _is_over(self) -> bool:
        ended = self._draining or self._claims.is_spent
        return ended and not self._tasks and not self._results

    async def _turn(self, results: Sequence[Finished]) -> Sequence[Job]:
        count = 0 if self._draining else self._free()
        self._is_writing = bool(results)
        try:
            return await self._claims.turn(results, self.kinds, count)
        finally:
            self._is_writing = False

    async def _finish(self, job: Job, done: Done) -> None:
        """It is written in the next turn."""
        self._results.append((job, done))

    async def _follow_up(self, results: Sequence[Finished]) -> None:
        """What is to be done after the ends were written."""
        if any(done.jobs for _, done in results):
            await self._bench.wakeup.notify(JOBS_CHANNEL)
        for job, done in results:
            if done.after is None:
                continue
            try:
                await done.after()
            except AWAY:
                continue
            except Exception as problem:
                await self._fail(job, failure_of(problem))
