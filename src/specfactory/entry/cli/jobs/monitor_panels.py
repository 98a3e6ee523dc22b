"""The live view of the queue: one screen, from 80 by 24 upwards.

Keys and ids may come from anywhere: everything is shown as plain text, never read as markup.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from specfactory.entry.cli.terminal import duration, out, per_minute, short, sparkline
from specfactory.model import LEFT_TO_DO, JobStatus

if TYPE_CHECKING:
    from specfactory.observe import Health

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
    alerts = _alert_lines(health, note)[: 3 if height < TALL else 6]
    middle = QUEUE_HEIGHT + min(max(height - 26, 0) // 2, 8)
    other = "workers" if details else "jobs in progress"
    footer = Text.assemble(
        (" q", "bold"), (" leaves   ", "dim"), ("d", "bold"), (f" shows {other}", "dim")
    )
    layout = Layout()
    layout.split_column(
        Layout(_title(health, width), size=1),
        Layout(_headline(health), size=2),
        Layout(name="middle", size=middle),
        Layout(name="people"),
        Layout(Group(*alerts), size=max(len(alerts), 1)),
        Layout(footer, size=1),
    )
    rows = min((middle - QUEUE_HEIGHT) // 2, 2) + 1
    layout["middle"].split_row(Layout(_queue(health), size=QUEUE_WIDTH), Layout(name="pace"))
    layout["middle"]["pace"].split_column(
        Layout(_pace(health, width - QUEUE_WIDTH - 4, rows), size=rows + 4),
        Layout(_failures(health, middle - rows - 7)),
    )
    room = height - middle - 4 - max(len(alerts), 1) - 2
    layout["people"].update(_jobs(health, room) if details else _workers(health, width, room))
    return layout


def _clock(at: int, form: str) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime(form)


def _title(health: Health, width: int) -> Text:
    """Title: what is watched, the state in one word, and the time."""
    what = "queue"
    if (run := health.run) is not None:
        total = health.depth.total
        over = total - sum(health.depth.by_status[status] for status in LEFT_TO_DO)
        share = f" {over / total:.0%} of {total:,} jobs" if total else ""
        what = f"run {run.id} {run.status}{share}"
    left = f" Spec Factory  {what} "
    right = f" {health.word.upper()}  {_clock(health.at, '%H:%M:%S UTC')} "
    line = Text(left + " " * max(width - len(left) - len(right), 1) + right)
    line.stylize(f"bold white on {WORD_COLOURS[health.word]}")
    return line


def _headline(health: Health) -> Table:
    """Five figures to be read from across the room."""
    grid = _grid("ccccc")
    dead, left = health.depth.by_status[JobStatus.FAILED], "–"
    if health.depth.left:
        ends = health.completion_at
        left = "unknown" if ends is None else duration((ends - health.at) / 1000)
    grid.add_row(
        Text(f"{health.depth.due:,}", "bold cyan"),
        Text(f"{health.depth.by_status[JobStatus.IN_PROGRESS]:,}", "bold green"),
        Text(per_minute(health.throughput.per_minute), "bold"),
        Text(left, "bold"),
        Text(f"{dead:,}", "bold red" if dead else "bold green"),
    )
    _add_heads(grid, "due now", "in progress", "throughput", "to completion", "dead letters")
    return grid


def _queue(health: Health) -> Panel:
    table = _grid("lrrrrrr")
    _add_heads(table, "priority", "1", "2", "3", "4", "5", "all")
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
    pace, depth, ends = health.throughput, health.depth, health.completion_at
    lines = sparkline(health.trend, max(width, 8), rows)
    spark = Text("\n".join(lines), "green", no_wrap=True, overflow="crop")
    peak = max((value for value in health.trend if value), default=0.0)
    failed = pace.failure_share
    colour = "bold red" if failed > 0.2 else "yellow" if failed > 0.05 else "green"
    share = Text(f"{failed:.1%} failed", colour)
    line = Text.assemble(f"{pace.done:,} done, ", share, no_wrap=True, overflow="ellipsis")
    if not depth.left:
        words = "nothing is due"
    elif ends is None:
        words = "completion unknown, no pace"
    else:  # the hour if it is today, else the day too
        today = _clock(ends, "%Y-%j") == _clock(health.at, "%Y-%j")
        words = f"complete at {_clock(ends, '%H:%M' if today else '%d %b %H:%M')}"
    words += f"; {depth.scheduled:,} later" if depth.scheduled else ""
    if health.waiting:
        wait = health.waiting[0]
        words += f"; {wait.jobs:,} wait for {wait.words}"
    when = Text(words, "dim", no_wrap=True, overflow="ellipsis")
    title = f"last {duration(pace.seconds)}, peak {per_minute(peak)}"
    return _panel(Group(spark, line, when), title)


def _failures(health: Health, most: int) -> Panel:
    if not health.causes:
        return _panel(Text("nothing has failed", "green"), "failures")
    table = _grid("Lrr")
    _add_heads(table, "cause", "last h", "dead")
    for cause in health.causes[:most]:
        table.add_row(
            Text(out.shorten(f"{cause.cause} ({cause.station})", 40)),
            _count(cause.errors, "yellow"),
            _count(cause.dead, "bold red"),
        )
    more = len(health.causes) - most
    return _panel(table, "failures" + (f" (+{more} kinds)" if more > 0 else ""))


def _workers(health: Health, width: int, room: int) -> Panel:
    table = _grid("llrrrrrL")
    table.columns[0].max_width = 26 if width >= WIDE else 16
    _add_heads(
        table, "worker", "state", "heartbeat", "done", "failed", "pace", "busy", "at work on"
    )
    shown = sorted(health.workers, key=lambda each: not each.alive)[: max(room - 1, 1)]
    for each in shown:
        worker = each.worker
        jobs = (
            job.key + (f" (round {job.round})" if job.round is not None else "")
            for job in each.jobs
        )
        table.add_row(
            Text(out.shorten(worker.id, 26)),
            Text(worker.status, WORKER_COLOURS.get(worker.status, "")),
            Text(f"{duration(each.silent_seconds)} ago", "" if each.alive else "red"),
            Text(short(worker.done)),
            _count(worker.failed, "red"),
            Text(per_minute(each.per_minute)),
            Text(f"{each.busy_share:.0%}"),
            Text(out.shorten(", ".join(jobs), 200)),
        )
    if not shown:
        none = Text("none", "yellow")
        table.add_row(none, "", "", "", "", "", "", Text("spec daemon start", "dim"))
    hidden = len(health.workers) - len(shown)
    title = f"{health.alive} workers" + (f", {hidden} more not shown" if hidden else "")
    return _panel(table, title.replace("1 workers", "1 worker"))


def _jobs(health: Health, room: int) -> Panel:
    table = _grid("lLrrlr")
    _add_heads(table, "job", "about", "round", "try", "worker", "for")
    for job in health.at_work[: max(room - 1, 1)]:
        since = job.last_attempt_at if job.last_attempt_at is not None else health.at
        table.add_row(
            Text(job.name, "green"),
            Text(out.shorten(job.key, 120)),
            Text("" if job.round is None else str(job.round)),
            Text(f"{job.attempts}/{job.max_attempts}"),
            Text(out.shorten(job.lease_owner or "", 16)),
            Text(duration((health.at - since) / 1000)),
        )
    count = health.depth.by_status[JobStatus.IN_PROGRESS]
    return _panel(table, f"{count:,} in progress")


def _alert_lines(health: Health, note: str) -> list[Text]:
    lines = [(f" ✗ {note}", "bold white on red")] if note else []
    for alert in health.alerts:
        mark, colour = ("✗", "bold red") if alert.level == "fail" else ("!", "yellow")
        lines.append((f" {mark} {alert.message} → {alert.advice}", colour))
    return [
        Text(out.shorten(words, 400), style, no_wrap=True, overflow="ellipsis")
        for words, style in lines or [(" ✓ no alerts", "green")]
    ]


def _grid(columns: str) -> Table:
    """A table without lines: l left, r right, c centred; c and L take the room that is left."""
    grid = Table.grid(expand=True, padding=(0, 1))
    for column in columns:
        grid.add_column(
            justify="right" if column == "r" else "center" if column == "c" else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=1 if column in "cL" else None,
        )
    return grid


def _add_heads(table: Table, *heads: str) -> None:
    table.add_row(*(Text(head, "dim") for head in heads))


def _panel(content: RenderableType, title: str) -> Panel:
    return Panel(
        content, title=Text(title, "bold"), title_align="left", box=ROUNDED,
        border_style="bright_black", padding=(0, 1),
    )  # fmt: skip
