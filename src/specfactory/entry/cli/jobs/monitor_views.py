"""The state of the queue as blocks or JSON, once, and again and again on a screen or in a pipe."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from specfactory import observe
from specfactory.entry import shapes
from specfactory.entry.cli.terminal import as_typed, duration, kinds_done_here, out, per_minute
from specfactory.entry.event_loop import cancelled
from specfactory.errors import DatabaseAway, StoreBusy

if TYPE_CHECKING:
    from rich.live import Live

    from specfactory.orchestrate import Workbench
    from specfactory.ports import Clock

REST = 9  # times as long as looking took, at the least: watching must not cost much
LEAVING = ("q", "Q", "\x03", "\x04")
PRIORITIES = ("1 urgent", "2 high", "3 normal", "4 low", "5 background")
WORKERS = (
    ("worker", lambda each: each.worker.id),
    ("state", lambda each: each.worker.status),
    ("heartbeat", lambda each: f"{duration(each.silent_seconds)} ago"),
    ("done", lambda each: each.worker.done),
    ("failed", lambda each: each.worker.failed),
    ("pace", lambda each: per_minute(each.per_minute)),
    ("busy", lambda each: f"{each.busy_share:.0%}"),
    ("at work on", lambda each: out.shorten(", ".join(job.key for job in each.jobs[:3]), 60)),
)
WAITING = (
    ("waiting", "jobs"),
    ("for", lambda wait: as_typed(wait.words)),
    ("until", lambda wait: "" if wait.until is None else shapes.moment(wait.until)),
)
HOSTS = ("host", "visits", ("success", lambda each: f"{each.success:.1%}"))
CAUSES = (("failure", "cause"), "station", ("last hour", "errors"), ("dead letters", "dead"))


def shape(health: observe.Health) -> dict[str, Any]:
    """The figures as JSON."""
    return observe.health_json(health, shapes.moment)


def print_health(
    health: observe.Health, details: bool = False, runs: list[Any] | None = None
) -> None:
    """Print the whole as plain blocks."""
    what = "queue" if health.run is None else f"run {health.run.id} ({health.run.status})"
    out.heading(f"{what} at {shapes.moment(health.at)}: {health.word}")
    depth, pace = health.depth, health.throughput
    out.line(
        f"to do {depth.left:,} ({depth.due:,} due, {depth.scheduled:,} later), "
        f"{per_minute(pace.per_minute)} over {duration(pace.seconds)}, "
        f"{pace.failure_share:.1%} failed"
    )
    if not depth.left:
        out.line("complete: nothing is due")
    elif health.completion_at is None:
        out.line("complete: unknown, nothing has ended lately")
    else:
        left = duration((health.completion_at - health.at) / 1000)
        out.line(f"complete: in {left}, at {shapes.moment(health.completion_at)}")
    rows = [
        (str(status), *(levels[level] or None for level in range(1, 6)), depth.by_status[status])
        for status, levels in depth.by_priority.items()
    ]
    out.section("", ("status", *PRIORITIES, "total"), rows)
    out.section("", WAITING, health.waiting)
    none = "no workers; start one: spec daemon start, or spec worker"
    out.section("", WORKERS, health.workers, empty=none)
    out.section("", CAUSES, health.causes)
    out.section("", HOSTS, [host for host in health.hosts if details or host.success < 1])
    if details:
        _print_details(health, runs or [])
    for alert in health.alerts:
        out.line()
        out.line(f"{alert.level}: {alert.message} ({alert.name}); {as_typed(alert.advice)}")


def _print_details(health: observe.Health, runs: list[Any]) -> None:
    from specfactory.model import JobStatus

    out.section(
        "",
        (
            ("job", "name"),
            "kind",
            ("about", lambda job: out.shorten(job.key, 48)),
            "round",
            ("try", "attempts"),
            ("worker", lambda job: job.lease_owner or ""),
            ("for", lambda job: duration((health.at - (job.last_attempt_at or health.at)) / 1000)),
        ),
        health.at_work,
        empty="nothing is being worked on",
    )
    to_do = (JobStatus.QUEUED, JobStatus.IN_PROGRESS, JobStatus.PAUSED)
    rows = [
        (run.id, str(run.status), shapes.moment(run.created_at), sum(counts[s] for s in to_do),
         counts[JobStatus.COMPLETE], counts[JobStatus.FAILED])
        for run, counts in runs
    ]  # fmt: skip
    out.section("", ("run", "status", "since", "left", "done", "failed"), rows)


async def keep_looking(
    factory: Workbench, run_id: int | None, details: bool, refreshes: int | None, as_json: bool
) -> None:
    """Show the queue until the person leaves, or ``refreshes`` times."""
    watch = observe.Watch(factory.database, factory.settings, kinds_done_here(), run_id)
    looks = _looks(watch, factory.clock, factory.settings.monitor.refresh_seconds, refreshes)
    if out.on_terminal() and not as_json:
        await _Screen(looks, details).show()
        return
    async for health, note in looks:  # a block, or a line of JSON, at each look
        if note:
            out.note(f"spec: {note}")
        elif as_json:
            out.write(out.json_text(shape(health)) + "\n")
            sys.stdout.flush()
        else:
            print_health(health, details)
            out.line()
            sys.stdout.flush()


async def _looks(
    watch: observe.Watch, clock: Clock, pause: float, refreshes: int | None
) -> AsyncIterator[tuple[observe.Health, str]]:
    """The queue at each look; when the database is away, how it was last, and why."""
    began = clock.monotonic()
    health, note = await watch.look(clock.now()), ""  # the first one must succeed
    for taken in count(1):
        spent = clock.monotonic() - began
        yield health, note
        if taken == refreshes:
            return
        await clock.sleep(max(pause - spent, spent * REST))
        began = clock.monotonic()
        try:
            health, note = await watch.look(clock.now()), ""
        except (DatabaseAway, StoreBusy) as problem:
            note = str(problem)


class _Screen:
    """The full screen, and the keys that change it."""

    def __init__(self, looks: AsyncIterator[tuple[observe.Health, str]], details: bool) -> None:
        self._looks, self._details, self._left = looks, details, False
        self._latest: tuple[observe.Health, str] | None = None
        self._changed = asyncio.Event()

    async def show(self) -> None:
        """Draw until q or Ctrl-C."""
        from rich.console import Console
        from rich.live import Live

        looking = asyncio.create_task(self._look())
        looking.add_done_callback(lambda _: self._changed.set())
        await self._changed.wait()
        if not looking.done():
            console = Console(highlight=False)
            with (
                Live(console=console, screen=True, auto_refresh=False) as live,
                _keys(self._press),
                contextlib.suppress(asyncio.CancelledError),  # Ctrl-C leaves, like q
            ):
                await self._draw(live, looking)
        await cancelled(looking)

    async def _look(self) -> None:
        async for latest in self._looks:
            self._latest = latest
            self._changed.set()

    async def _draw(self, live: Live, looking: asyncio.Task[None]) -> None:
        from specfactory.entry.cli.jobs.monitor_panels import screen

        while not (self._left or looking.done()):
            if self._latest is not None:
                health, note = self._latest
                width, height = live.console.size
                live.update(
                    screen(health, width, height, details=self._details, note=note), refresh=True
                )
            self._changed.clear()
            await self._changed.wait()

    def _press(self, key: str) -> None:
        if key in LEAVING:
            self._left = True
        elif key in ("d", "D"):
            self._details = not self._details
        self._changed.set()


@contextmanager
def _keys(press: Callable[[str], None]) -> Iterator[None]:
    """Hand over each key as it is pressed; nothing where there is no keyboard."""
    if not sys.stdin.isatty():
        yield
        return
    import os
    import termios
    import tty

    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    loop = asyncio.get_running_loop()

    def read() -> None:
        for key in os.read(stream, 64).decode(errors="replace"):
            press(key)

    tty.setcbreak(stream)
    loop.add_reader(stream, read)
    try:
        yield
    finally:
        loop.remove_reader(stream)
        termios.tcsetattr(stream, termios.TCSADRAIN, before)
