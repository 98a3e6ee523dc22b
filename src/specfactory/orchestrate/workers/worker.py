"""A worker: lanes through the jobs of its kinds, a heartbeat, a sweeper, and a way to stop.

All workers are alike, on one machine or on many: each pulls jobs from the queue, under leases.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

from specfactory.declared_events import event
from specfactory.errors import StoreError
from specfactory.model import Frozen, Instant, JobKind, JobStatus, Lease, WorkerReport
from specfactory.orchestrate.bench import OF_THIS_PROCESS, Workbench
from specfactory.orchestrate.jobs import Handlers, until_written
from specfactory.orchestrate.kinds import ProxyRounds
from specfactory.orchestrate.workers.claims import Claims
from specfactory.orchestrate.workers.heartbeat import Heartbeat
from specfactory.orchestrate.workers.lanes import Lane
from specfactory.orchestrate.workers.sweeper import Sweeper
from specfactory.ports import JOBS_CHANNEL, Database

GIVING_UP_SECONDS = 5.0  # for the last writes to a database that may be away
DRAINED_AHEAD_MS = 60_000  # a job that is due within a minute is waited for when draining


class WorkerPlan(Frozen):
    """The identity of a worker and the jobs it takes."""

    id: str
    host: str
    pid: int
    kinds: tuple[str, ...]
    slots: int  # products at once, and as many other long jobs
    start_interval_seconds: float = 0.0  # between two starts of products
    grace_seconds: float = 60.0  # to finish what was begun, after being told to stop
    until_empty: bool = False  # stop when the queue is empty
    waits_for_learning: bool = False  # before it stops then
    max_jobs: int | None = None


class WorkerEnd(Frozen):
    """The totals of a worker that has ended."""

    done: int
    failed: int
    lost: int
    waiting: int = 0  # jobs left in the queue for later, when it was to stop at its end
    next_due: Instant | None = None  # of those
    to_learn: int = 0  # hosts left to be learned


class Worker:
    """Pulls jobs until it is told to stop."""

    def __init__(
        self,
        bench: Workbench,
        handlers: Handlers,
        plan: WorkerPlan,
        heartbeat_database: Callable[[], Database] | None = None,
    ) -> None:
        self._bench, self._plan, self._started_at = bench, plan, bench.clock.now()
        self._claims = Claims(bench, plan.id, plan.max_jobs)
        self._lanes = tuple(_lanes(bench, handlers, self._claims, plan, self._may_start))
        self._awaited = [lane for lane in self._lanes if lane.is_awaited]

        def lose(leases: Sequence[Lease]) -> None:
            for lane in self._lanes:
                lane.lose(leases)

        self._heartbeat = Heartbeat(
            bench, self._claims.held, self._report, lose, heartbeat_database
        )
        self._draining, self._stopped = asyncio.Event(), asyncio.Event()
        self._problem: Exception | None = None
        self._left: tuple[int, Instant | None, int] = (0, None, 0)
        self._is_quiet = False
        self._looked_at = self._quiet_at = bench.clock.monotonic()

    @property
    def is_draining(self) -> bool:
        """True once it was told to stop."""
        return self._draining.is_set()

    def drain(self) -> None:
        """Claim no more, give back what was not begun, finish the rest within the grace time."""
        self._draining.set()
        self._claims.draining = True
        if self._bench.browser is not None:
            self._bench.browser.drain()
        for lane in self._lanes:
            lane.drain()

    def stop(self) -> None:
        """Give everything back at once."""
        self.drain()
        self._claims.stopping = True
        self._stopped.set()
        for lane in self._lanes:
            lane.stop()

    async def run(self, on_up: Callable[[], None] = lambda: None) -> WorkerEnd:
        """Work until drained or stopped; ``on_up`` is called when it has begun."""
        bench, plan = self._bench, self._plan
        await until_written(self._say_hello, bench.clock, bench.random)
        self._heartbeat.start()
        on_up()
        lanes = [asyncio.create_task(lane.run()) for lane in self._awaited]
        behind = [lane for lane in self._lanes if not lane.is_awaited]
        lanes_behind = [asyncio.create_task(self._guard(lane.run())) for lane in behind]
        sides: list[Coroutine[Any, Any, None]] = [
            self._wake(),
            Sweeper(bench).run(),
            self._keep_grace([*lanes, *lanes_behind]),
            bench.health.watch_state(),
        ]
        if bench.browser is not None:
            sides.append(bench.health.watch_browser(bench.browser))
        if bench.proxies is not None and JobKind.PROXIES in plan.kinds:
            sides.append(ProxyRounds(bench, bench.proxies).run())
        if plan.until_empty:
            sides.append(self._watch_queue())
        side_tasks = [asyncio.create_task(self._guard(side)) for side in sides]
        try:
            if not lanes:
                await self._draining.wait()
            else:
                done, _ = await asyncio.wait(lanes, return_when=asyncio.FIRST_EXCEPTION)
                for lane in done:
                    if not lane.cancelled() and (problem := lane.exception()):
                        raise problem
        finally:
            self.stop()
            await _end([*lanes, *lanes_behind], GIVING_UP_SECONDS)
            await _end(side_tasks)
            await self._heartbeat.stop()
            await self._say_goodbye()
        if self._problem is not None:
            raise self._problem
        return WorkerEnd(self._claims.done, self._claims.failed, self._claims.lost, *self._left)

    async def _guard(self, side: Coroutine[Any, Any, None]) -> None:
        """Stop the worker on an error beside the lanes: it would go on without noticing."""
        try:
            await side
        except Exception as problem:
            self._problem = problem
            self.stop()

    async def _wake(self) -> None:
        """Wake the lanes when jobs are added, and regularly in case a notification was lost."""
        listener = self._bench.wakeup.listen(JOBS_CHANNEL)
        try:
            while True:
                await listener.wait(self._bench.settings.queue.poll_seconds)
                for lane in self._lanes:
                    lane.wake()
        finally:
            listener.close()

    async def _keep_grace(self, lanes: Sequence[asyncio.Task[None]]) -> None:
        """Give current jobs the grace time to end, then stop; cancel lanes that still hang."""
        await self._draining.wait()
        grace = asyncio.ensure_future(self._bench.clock.sleep(self._plan.grace_seconds))
        stopped = asyncio.ensure_future(self._stopped.wait())
        await asyncio.wait({grace, stopped}, return_when=asyncio.FIRST_COMPLETED)
        await _end([grace, stopped])
        self.stop()
        await self._bench.clock.sleep(2 * GIVING_UP_SECONDS)
        for lane in lanes:
            lane.cancel()

    async def _watch_queue(self) -> None:
        """Stop when nothing is left to do here or anywhere."""
        while True:
            await self._bench.clock.sleep(self._bench.settings.queue.poll_seconds)
            try:
                if all(lane.is_idle for lane in self._awaited) and await self._is_empty():
                    return self.drain()
            except StoreError:
                continue  # the database is away: look again

    async def _is_empty(self) -> bool:
        """True if no job of our kinds is in progress anywhere, or due within a minute."""
        jobs = self._bench.jobs
        kinds = [kind for lane in self._awaited for kind in lane.kinds]
        due_at = await jobs.next_due(kinds)
        if due_at is not None and due_at < self._bench.clock.now() + DRAINED_AHEAD_MS:
            return False
        stats = await jobs.stats()  # one look at both: a job may go from one to the other
        if any(stats.by_kind(JobStatus.IN_PROGRESS).get(kind) for kind in kinds):
            return False
        queued, begun = stats.by_kind(), stats.by_kind(JobStatus.IN_PROGRESS)
        behind = [kind for kind in self._plan.kinds if kind not in kinds]
        to_learn = sum(queued.get(kind, 0) + begun.get(kind, 0) for kind in behind)
        self._left = (sum(queued.get(kind, 0) for kind in kinds), due_at, to_learn)
        return due_at is not None or not self._left[0]

    def _may_start(self) -> bool:
        """True where nothing else is to be done, or after a long wait for that."""
        now = self._bench.clock.monotonic()
        is_quiet = all(lane.is_quiet for lane in self._lanes if not lane.is_background)
        if is_quiet:
            self._quiet_at = now
            if self._is_quiet:
                OF_THIS_PROCESS.idle_seconds += now - self._looked_at
        self._is_quiet, self._looked_at = is_quiet, now
        return is_quiet or now - self._quiet_at >= self._bench.settings.learn.wait_minutes * 60

    def _report(self) -> WorkerReport:
        plan, claims = self._plan, self._claims
        status = "draining" if self.is_draining else "working"
        return WorkerReport(
            plan.id, plan.host, plan.pid, plan.kinds, self._started_at, self._bench.clock.now(),
            claims.done, claims.failed, status,
            round(1000 * max((lane.busy_seconds for lane in self._lanes), default=0.0)),
        )  # fmt: skip

    async def _say_hello(self) -> None:
        bench, plan = self._bench, self._plan
        about = {"worker": plan.id, "host": plan.host, "pid": plan.pid}
        async with bench.announcing() as (tx, events):
            await bench.workers.beat(tx, self._report())
            events.append(event("worker.started", bench.clock.now(), **about))

    async def _say_goodbye(self) -> None:
        """Sign off, unless the database is away."""
        bench, claims, now = self._bench, self._claims, self._bench.clock.now()
        about = {"worker": self._plan.id, "done": claims.done, "failed": claims.failed}
        with contextlib.suppress(StoreError, TimeoutError):
            async with asyncio.timeout(GIVING_UP_SECONDS), bench.announcing() as (tx, events):
                await bench.workers.beat(tx, self._report())
                await bench.workers.gone(tx, self._plan.id, now)
                events.append(event("worker.stopped", now, **about))


def _lanes(
    bench: Workbench,
    handlers: Handlers,
    claims: Claims,
    plan: WorkerPlan,
    may_start: Callable[[], bool],
) -> list[Lane]:
    short = tuple(kind for kind in plan.kinds if handlers.of(kind).short)
    long = [kind for kind in plan.kinds if kind not in short]
    products = tuple(kind for kind in long if kind == JobKind.PRODUCT)
    models = tuple(kind for kind in long if kind == JobKind.MODEL)
    learning = tuple(kind for kind in long if kind == JobKind.LEARN)
    rereading = tuple(kind for kind in long if kind == JobKind.REREAD)
    apart = (*products, *models, *learning, *rereading)
    others = tuple(kind for kind in long if kind not in apart)
    lanes: list[Lane] = []
    if products:
        lane = Lane(bench, handlers, claims, products, plan.slots, plan.start_interval_seconds)
        lanes.append(lane)
    # Models have a lane of their own: an answer may take long, and nothing waits for it.
    lanes += [Lane(bench, handlers, claims, some, plan.slots) for some in (others, models) if some]
    # One host at a time, when nothing else is to be done. What was found out is kept, so that
    # it can stop at any moment.
    waits = len(plan.kinds) == 1 or plan.waits_for_learning
    at_once = replace(bench.settings, learn=replace(bench.settings.learn, cpu_share=1.0))
    learner = replace(bench, settings=at_once) if waits else bench
    for own, some, is_awaited in ((bench, rereading, True), (learner, learning, waits)):
        if some:
            lane = Lane(
                own, handlers, claims, some, 1, may_start=may_start, gives_back=True,
                is_awaited=is_awaited,
            )  # fmt: skip
            lanes.append(lane)
    if short:
        batch = bench.settings.queue.claim_batch
        lanes.append(Lane(bench, handlers, claims, short, batch, short=True))
    return lanes


async def _end(tasks: Sequence[asyncio.Future[Any]], patience_seconds: float = 0.0) -> None:
    """Wait for tasks, then cancel what is left."""
    if tasks and patience_seconds:
        await asyncio.wait(tasks, timeout=patience_seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
