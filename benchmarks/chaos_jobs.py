"""The jobs of the chaos: they log outside the database what they do, and misbehave as told.

Workers get them by ``SPEC_HANDLERS=benchmarks.chaos_jobs:register``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator

from benchmarks.chaos_history import ACCEPTED, STARTED
from specfactory.errors import JobFailed, LeaseLost
from specfactory.model import Event, Job, NewJob
from specfactory.orchestrate.bench.workbench import Workbench
from specfactory.orchestrate.jobs.handlers import Done, Ended, Handlers
from specfactory.orchestrate.kinds.run import work_on_run
from specfactory.ports import Transaction

SHORT, LONG = "chaos", "chaos_long"
LOG = "CHAOS_LOG"
RESULTS = "chaos"

_begun: dict[int, int] = {}  # the token under which this process last started a job
_listening: set[asyncio.Task[None]] = set()


def register(handlers: Handlers) -> None:
    """Short jobs go through the batch lane, long ones through slots; runs are watched too."""
    handlers.register(SHORT, work, short=True)
    handlers.register(LONG, work)
    handlers.register("run", post_process, short=True)


async def work(bench: Workbench, job: Job) -> Done | Ended:
    """Do as the payload says: take time, fail at first, kill the worker, find more jobs."""
    _listen(bench)
    _begin(job)
    todo = job.payload
    if seconds := float(str(todo.get("seconds", 0))):
        await asyncio.sleep(seconds)
    if todo.get("kills"):
        os.kill(os.getpid(), signal.SIGKILL)
    if job.attempts <= int(str(todo.get("fails", 0))):
        raise JobFailed("chaos", f"attempt {job.attempts} was told to fail", "worker")
    if todo.get("own"):
        return await _finish_alone(bench, job)
    return Done(_result(bench, job), tuple(found_jobs(job)))


async def post_process(bench: Workbench, job: Job) -> Done | Ended:
    """The factory's own post-processing, with its start and its acceptance logged."""
    _listen(bench)
    _begin(job)
    ended = await work_on_run(bench, job)
    append(ACCEPTED, job.id, job.lease_token)
    return ended


def found_jobs(job: Job) -> list[NewJob]:
    """The jobs that a job finds on its way; another may find the same."""
    keys = job.payload.get("finds", [])
    assert isinstance(keys, list)
    return [NewJob(SHORT, str(key), run_id=job.run_id, max_attempts=job.max_attempts)
            for key in keys]  # fmt: skip


async def _finish_alone(bench: Workbench, job: Job) -> Ended:
    """End the job in a transaction of our own, as attempts at products do."""
    async with bench.database.transaction() as tx:
        if not await bench.jobs.finish(tx, [job.lease], bench.clock.now()):
            raise LeaseLost(job.name)
        await _write(bench, job, tx)
    append(ACCEPTED, job.id, job.lease_token)
    return Ended()


def _result(bench: Workbench, job: Job):  # type: ignore[no-untyped-def]
    async def write(tx: Transaction) -> None:
        await _write(bench, job, tx)

    return write


async def _write(bench: Workbench, job: Job, tx: Transaction) -> None:
    """A result that counts itself, so that a second one would be seen."""
    await bench.yields.add(tx, str(job.id), RESULTS, fields=[str(job.lease_token)])


def _begin(job: Job) -> None:
    _begun[job.id] = job.lease_token
    append(STARTED, job.id, job.lease_token)


def append(what: str, job_id: int, token: int) -> None:
    """One line in the outside log: in one piece, and on disk before anything else happens."""
    line = json.dumps({"what": what, "job_id": job_id, "token": token}) + "\n"
    file = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(file, line.encode())
        os.fsync(file)
    finally:
        os.close(file)


def _listen(bench: Workbench) -> None:
    """Log what this worker hears of accepted results, after their commit."""
    if not _listening:
        _listening.add(asyncio.create_task(_hear(bench.state.subscribe())))


async def _hear(events: AsyncIterator[Event]) -> None:
    async for told in events:
        if told.name != "job.finished":
            continue
        ids = told.fields["job_ids"]
        assert isinstance(ids, list)
        for job_id in map(int, map(str, ids)):
            if job_id in _begun:
                with contextlib.suppress(OSError):  # the disk is full: a line may lack
                    append(ACCEPTED, job_id, _begun[job_id])
