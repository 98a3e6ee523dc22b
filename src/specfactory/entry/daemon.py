"""The daemon and the worker as foreground processes: they obey SIGTERM and keep a log.

The first signal lets current jobs end within the grace time; the second gives everything back
at once. Either way the process ends with 0 and nothing is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

from specfactory.assembly import heartbeat_database, open_factory, rotators
from specfactory.entry.daemon_logs import event_file, follow, teller
from specfactory.entry.event_loop import cancelled
from specfactory.errors import StoreError
from specfactory.orchestrate import Worker, WorkerPlan, standard_handlers
from specfactory.orchestrate.jobs import VARIABLE
from specfactory.orchestrate.workers import Delivery, StaleCheck

if TYPE_CHECKING:
    from specfactory.orchestrate import Handlers, Workbench
    from specfactory.orchestrate.workers import WorkerEnd
    from specfactory.settings import Settings


async def serve_daemon(settings: Settings, log: Any, on_up: Callable[[], None]) -> WorkerEnd:
    """Do the jobs of the queue, or leave them to workers, until a signal ends it."""
    handlers = standard_handlers(os.environ.get(VARIABLE, ""))
    single = settings.processing.mode == "single"
    plan = worker_plan(
        settings,
        kinds=handlers.choose() if single else (),
        slots=settings.products_at_once,
        start_interval_seconds=settings.daemon.start_interval_seconds,
    )
    async with open_factory(settings, models=True) as bench, delivering(bench):
        checking = asyncio.create_task(StaleCheck(bench).run())
        try:
            return await work(bench, handlers, plan, log, on_up)
        finally:
            await cancelled(checking)


async def serve_worker(
    settings: Settings, handlers: Handlers, plan: WorkerPlan, log: Any
) -> WorkerEnd:
    """Do jobs of some kinds until a signal, an empty queue or enough jobs end it.

    Where no daemon delivers the events, one of the workers does.
    """
    async with open_factory(settings, models=True) as bench, delivering(bench, if_alone=True):
        return await work(bench, handlers, plan, log)


@contextlib.asynccontextmanager
async def delivering(bench: Workbench, *, if_alone: bool = False) -> AsyncIterator[None]:
    """Bring events into the event log meanwhile, and the last ones in the end."""
    file = event_file(bench.settings)
    delivery = Delivery(bench, file, if_alone=if_alone)
    task = asyncio.create_task(delivery.run())
    try:
        yield
    finally:
        await cancelled(task)
        with contextlib.suppress(StoreError, OSError):  # the rest waits for the next one
            while await delivery.deliver():
                pass
        file.close()


async def work(
    bench: Workbench,
    handlers: Handlers,
    plan: WorkerPlan,
    log: Any,
    on_up: Callable[[], None] = lambda: None,
) -> WorkerEnd:
    """One worker in this process, with its events in the log."""
    worker = Worker(bench, handlers, plan, heartbeat_database(bench.settings))
    rotating = rotators(bench, teller(log, "rotator", bench.clock))
    sides = [follow(log, bench.state), *rotating]
    tasks = [asyncio.create_task(side) for side in sides]
    await asyncio.sleep(0)  # the log listens before anything happens
    try:
        with obeying_signals(worker):
            if bench.proxies is not None and plan.kinds:
                on_up()  # it lives, though it waits
                say = teller(log, "proxies", bench.clock, "warning")
                await bench.proxies.wait_until_ready(say, lambda: worker.is_draining)
            return await worker.run(on_up)
    finally:
        await asyncio.sleep(0)  # the last event reaches the log
        for task in tasks:
            await cancelled(task)


@contextlib.contextmanager
def obeying_signals(worker: Worker) -> Iterator[None]:
    """SIGTERM and Ctrl-C drain the worker; the second time they stop it."""

    def told() -> None:
        if worker.is_draining:
            worker.stop()
        else:
            worker.drain()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def worker_plan(settings: Settings, worker_id: str = "", **more: Any) -> WorkerPlan:
    """A plan for this process; the id is unlike any other unless one is given."""
    host, pid = platform.node() or "localhost", os.getpid()
    return WorkerPlan(
        id=worker_id or f"{host}-{pid}-{secrets.token_hex(2)}",
        host=host,
        pid=pid,
        grace_seconds=settings.daemon.grace_seconds,
        **more,
    )
