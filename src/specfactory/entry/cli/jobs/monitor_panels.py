"""The live view of the queue: one screen, from 80 by 24 upwards.

Keys and ids may come from anywhere: everything is shown as plain text, never read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from specfactory.entry.cli.terminal import duration, per_minute, short, shorten, sparkline
from specfactory.model import LEFT_TO_DO, JobStatus

if TYPE_CHECKING:
    from specfactory.model import Run
    from specfactory.observe import Health, WorkerHealth

STATUS_COLOURS = {
    JobStatus.QUEUED: "cyan",
    JobStatus.IN_PROGRESS: "bold green",
    JobStatus.AWAITING_REVIEW: "yellow",
    JobStatus.COMPLETE: "green",
    JobStatus.FAILED: "bold red",
    JobStatus.STALE: "magenta",
    JobStatus.PAUSED: "yellow",
    JobStatus.SKIPPED: "bright_black",
}
WORD_COLOURS = {
    "working": "green",
    "waiting": "yellow",
    "idle": "blue",
    "stalled": "red",
    "no workers": "red",
}
WORKER_COLOURS = {"working": "green", "draining": "yellow", "lost": "bold red", "gone": "dim"}
QUEUE_WIDTH = 45
QUEUE_HEIGHT = 11
WIDE = 110
TALL = 30


def screen(
    health: Health, width: int, height: int, *, details: bool = False, note: str = ""
) -> Layout:
    """The whole screen as it is now; ``note`` says what is wrong with looking itself."""
    alerts = list(_alert_lines(health, note))[: 3 if height < TALL else 6]
    middle = QUEUE_HEIGHT + min(max(height - 26, 0) // 2, 8)
    layout = Layout()
    layout.split_column(
        Layout(_bar(health, width), size=1),
        Layout(_headline(health), size=2),
        Layout(name="middle", size=middle),
        Layout(name="people"),
        Layout(Group(*alerts), size=max(len(alerts), 1)),
        Layout(_footer(details), size=1),
    )
    rows = min((middle - QUEUE_HEIGHT) // 2, 2) + 1
    layout["middle"].split_row(
        Layout(_queue(health), size=QUEUE_WIDTH),
        Layout(name="pace"),
    )
    layout["middle"]["pace"].split_column(
        Layout(_pace(health, width - QUEUE_WIDTH - 4, rows), size=rows + 4),
        Layout(_failures(health, middle - rows - 7)),
    )
    room = height - middle - 4 - max(len(alerts), 1) - 2
    layout["people"].update(_jobs(health, room) if details else _workers(health, width, room))
    return layout


def _bar(health: Health, width: int) -> Text:
    """The title with the state in one word, and the time."""
    what = "queue" if health.run is None else _run_words(health, health.run)
    left = f" Spec Factory  {what} "
    right = f" {health.word.upper()}  {_clock(health.at)} "
    line = Text(left + " " * max(width - len(left) - len(right), 1) + right)
    line.stylize(f"bold white on {WORD_COLOURS[health.word]}")
    return line


def _run_words(health: Health, run: Run) -> str:
    total, left = health.depth.total, health.depth.by_status
    over = total - sum(left[status] for status in LEFT_TO_DO)
    share = f" {over / total:.0%} of {total:,} jobs" if total else ""
    return f"run {run.id} {run.status}{share}"


def _clock(at: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M:%S UTC")


def _headline(health: Health) -> Table:
    """Five figures to be read from across the room."""
    grid = Table.grid(expand=True, padding=(0, 1))
    for _ in range(5):
        grid.add_column(justify="center", ratio=1, no_wrap=True)
    dead = health.depth.by_status[JobStatus.FAILED]
    pace = health.throughput
    grid.add_row(
        Text(f"{health.depth.due:,}", "bold cyan"),
        Text(f"{health.depth.by_status[JobStatus.IN_PROGRESS]:,}", "bold green"),
        Text(per_minute(pace.per_minute), "bold"),
        Text(_done_in(health), "bold"),
        Text(f"{dead:,}", "bold red" if dead else "bold green"),
    )
    words = ("due now", "in progress", "throughput", "to completion", "dead letters")
    grid.add_row(*(Text(word, "dim") for word in words))
    return grid


def _done_in(health: Health) -> str:
    if not health.depth.left:
        return "–"
    if health.completion_at is None:
        return "unknown"
    return duration((health.completion_at - health.at) / 1000)


def _queue(health: Health) -> Panel:
    table = Table.grid(expand=True, padding=(0, 1))
    table.add_column(no_wrap=True)
    for _ in range(6):
        table.add_column(justify="right", no_wrap=True)
    table.add_row(*(Text(head, "dim") for head in ("priority", "1", "2", "3", "4", "5", "all")))
    for status, levels in health.depth.by_priority.items():
        total, colour = health.depth.by_status[status], STATUS_COLOURS[status]
        table.add_row(
            Text(str(status).replace("_", " "), colour if total else "bright_black"),
            *(_count(levels[level], colour) for level in range(1, 6)),
            _count(total, colour),
        )
    return _panel(table, "jobs by status and priority")


def _count(count: int, colour: str) -> Text:
    return Text(short(count), colour) if count else Text("·", "bright_black")


def _pace(health: Health, width: int, rows: int) -> Panel:
    pace = health.throughput
    lines = sparkline(health.trend, max(width, 8), rows)
    spark = Text("\n".join(lines), "green", no_wrap=True, overflow="crop")
    peak = max((value for value in health.trend if value), default=0.0)
    share = Text(f"{pace.failure_share:.1%} failed", _share_colour(pace.failure_share))
    line = Text.assemble(f"{pace.done:,} done, ", share, no_wrap=True, overflow="ellipsis")
    when = Text(_completion(health), "dim", no_wrap=True, overflow="ellipsis")
    title = f"last {duration(pace.seconds)}, peak {per_minute(peak)}"
    return _panel(Group(spark, line, when), title)


def _share_colour(share: float) -> str:
    if share > 0.2:
        return "bold red"
    return "yellow" if share > 0.05 else "green"


def _completion(health: Health) -> str:
    later = f"; {health.depth.scheduled:,} later" if health.depth.scheduled else ""
    if not health.depth.left:
        return "nothing is due" + later
    if health.completion_at is None:
        return "completion unknown, no pace" + later
    return f"complete at {_clock_of(health.completion_at, health.at)}{later}"


def _clock_of(at: int, now: int) -> str:
    """The hour today, else the day too."""
    from datetime import UTC, datetime

    moment, today = (datetime.fromtimestamp(instant / 1000, UTC) for instant in (at, now))
    return moment.strftime("%H:%M" if moment.date() == today.date() else "%d %b %H:%M")


def _failures(health: Health, most: int) -> Panel:
    table = Table.grid(expand=True, padding=(0, 1))
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    if not health.causes:
        return _panel(Text("nothing has failed", "green"), "failures")
    table.add_row(Text("cause", "dim"), Text("last h", "dim"), Text("dead", "dim"))
    for cause in health.causes[:most]:
        table.add_row(
            Text(shorten(f"{cause.cause} ({cause.station})", 40)),
            _count(cause.errors, "yellow"),
            _count(cause.dead, "bold red"),
        )
    more = len(health.causes) - most
    return _panel(table, "failures" + (f" (+{more} kinds)" if more > 0 else ""))


def _workers(health: Health, width: int, room: int) -> Panel:
    table = Table.grid(expand=True, padding=(0, 1))
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=26 if width >= WIDE else 16)
    table.add_column(no_wrap=True)
    for _ in range(4):
        table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    heads = ("worker", "state", "heartbeat", "done", "failed", "pace", "at work on")
    table.add_row(*(Text(head, "dim") for head in heads))
    shown = sorted(health.workers, key=lambda each: not each.alive)[: max(room - 1, 1)]
    for each in shown:
        table.add_row(*_worker_cells(each))
    if not shown:
        table.add_row(Text("none", "yellow"), "", "", "", "", "", Text("spec daemon start", "dim"))
    hidden = len(health.workers) - len(shown)
    title = f"{health.alive} workers" + (f", {hidden} more not shown" if hidden else "")
    return _panel(table, title.replace("1 workers", "1 worker"))


def _worker_cells(each: WorkerHealth) -> Iterator[RenderableType]:
    worker = each.worker
    yield Text(shorten(worker.id, 26))
    yield Text(worker.status, WORKER_COLOURS.get(worker.status, ""))
    yield Text(f"{duration(each.silent_seconds)} ago", "" if each.alive else "red")
    yield Text(short(worker.done))
    yield _count(worker.failed, "red")
    yield Text(per_minute(each.per_minute))
    yield Text(shorten(", ".join(_at_work(each)), 200))


def _at_work(each: WorkerHealth) -> Iterator[str]:
    for job in each.jobs:
        yield job.key + (f" (round {job.round})" if job.round is not None else "")


def _jobs(health: Health, room: int) -> Panel:
    table = Table.grid(expand=True, padding=(0, 1))
    for head in ("job", "about", "round", "try", "worker", "for"):
        right = head in ("round", "try", "for")
        table.add_column(
            justify="right" if right else "left", no_wrap=True, overflow="ellipsis",
            ratio=1 if head == "about" else None,
        )  # fmt: skip
    table.add_row(
        *(Text(head, "dim") for head in ("job", "about", "round", "try", "worker", "for"))
    )
    for job in health.at_work[: max(room - 1, 1)]:
        since = job.last_attempt_at if job.last_attempt_at is not None else health.at
        table.add_row(
            Text(job.name, "green"),
            Text(shorten(job.key, 120)),
            Text("" if job.round is None else str(job.round)),
            Text(f"{job.attempts}/{job.max_attempts}"),
            Text(shorten(job.lease_owner or "", 16)),
            Text(duration((health.at - since) / 1000)),
        )
    count = health.depth.by_status[JobStatus.IN_PROGRESS]
    return _panel(table, f"{count:,} in progress")


def _alert_lines(health: Health, note: str) -> Iterator[Text]:
    if note:
        yield _line(f" ✗ {note}", "bold white on red")
    for alert in health.alerts:
        mark, colour = ("✗", "bold red") if alert.level == "fail" else ("!", "yellow")
        yield _line(f" {mark} {alert.message} → {alert.advice}", colour)
    if not note and not health.alerts:
        yield _line(" ✓ no alerts", "green")


def _line(words: str, style: str) -> Text:
    return Text(shorten(words, 400), style, no_wrap=True, overflow="ellipsis")


def _footer(details: bool) -> Text:
    other = "workers" if details else "jobs in progress"
    return Text.assemble(
        (" q", "bold"), (" leaves   ", "dim"), ("d", "bold"), (f" shows {other}", "dim")
    )


def _panel(content: RenderableType, title: str) -> Panel:
    return Panel(
        content, title=Text(title, "bold"), title_align="left", box=ROUNDED,
        border_style="bright_black", padding=(0, 1),
    )  # fmt: skip
