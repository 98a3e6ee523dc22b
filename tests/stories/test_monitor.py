"""A person watches the queue: once, live on a terminal, or as figures for a machine."""

from __future__ import annotations

import asyncio
import json
import os
import re
import termios
from pathlib import Path

import pytest
import yaml

from specfactory.adapters.memory.clock import SystemClock
from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.model import JobError, NewJob, WorkerReport
from specfactory.store import Jobs, Runs, Workers
from tests.stories.desk import Desk, on_a_terminal, read_until

LIVE = ("monitor", "--live")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A queue in which a worker has done some things, failed at some, and is at one."""
    settings = {"database_url": "sqlite:///factory.db"}
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    desk = Desk(tmp_path)
    asyncio.run(_work(desk))
    return desk


async def _work(desk: Desk) -> None:
    db, now = SqliteDatabase(f"sqlite:///{desk.database}"), SystemClock().now()
    await db.migrate()
    jobs = Jobs(db)
    async with db.transaction() as tx:
        run, _ = await Runs(db).join(tx, {"site": "shop"}, now)
        await jobs.add(tx, [NewJob("product", f"mouse-a-{i}", priority=2) for i in range(20)], now)
        await jobs.add(tx, [NewJob("page", f"p-{i}", run_id=run.id) for i in range(4)], now)
        for job in (taken := await jobs.claim(tx, "w1", 11, ["product"], 300, now))[:6]:
            await jobs.finish(tx, [job.lease], now)
        for job in taken[6:10]:
            error = JobError(job.id, 1, now, "w1", "fetch", "timeout", "slow\x1b[31m", "shop")
            await jobs.fail(tx, job.lease, error, now)
        await jobs.note_round(tx, taken[10].lease, 2)
        worker = WorkerReport("w1", "host", 7, ("product", "page"), now - 60_000, now, 6, 4)
        await Workers(db).beat(tx, worker)
    await db.close()


def test_the_monitor_says_how_the_queue_stands(desk: Desk) -> None:
    shown = desk.spec("monitor", "--details").out

    assert re.search(r"^in_progress +1 ", shown, re.MULTILINE)
    assert re.search(r"^timeout +fetch +4 +4$", shown, re.MULTILINE)
    assert re.search(r"^w1 +working .* mouse-a-10$", shown, re.MULTILINE)
    assert re.search(r"^complete: in \d+ \w+, at 20\d\d-", shown, re.MULTILINE)
    assert "40% of 10 jobs failed" in shown
    assert "\x1b" not in shown


def test_figures_are_exported_and_printed_for_machines(desk: Desk) -> None:
    desk.spec("monitor", "--export", "figures.json")

    figures = json.loads((desk.folder / "figures.json").read_text())
    printed = desk.spec("monitor", "--json").json
    for each in (figures, printed):
        assert each["depth"]["by_status"]["complete"] == 6
        assert each["depth"]["by_priority"]["queued"]["2"] == 9
        assert each["throughput"]["done"] == 6
        assert each["throughput"]["failed"] == 4
        assert each["workers"][0]["jobs"] == ["q_000011"]
        assert each["completion_at"] > each["at"]
        assert each["state"] == "working"


def test_alerts_alone_decide_the_exit_code(desk: Desk) -> None:
    alerted = desk.spec("monitor", "--alerts", "--json", check=False)
    relaxed = desk.spec("--set", "monitor.alert_failure_share=0.5", "monitor", "--alerts")

    assert alerted.code == 1
    assert [alert["name"] for alert in alerted.json] == ["failing"]
    assert relaxed.out.strip() == "no alerts"


def test_one_run_is_watched_by_itself(desk: Desk) -> None:
    run = desk.spec("monitor", "--run", "1", "--json").json

    assert run["run"]["status"] == "open"
    assert run["depth"]["total"] == run["depth"]["due"] == 4
    assert run["throughput"]["done"] == 0
    assert desk.spec("monitor", "--run", "99", check=False).code == 2


def test_into_a_pipe_the_live_view_prints_a_block_at_each_look(desk: Desk) -> None:
    live = ("--set", "monitor.refresh_seconds=0.1", "monitor", "--live", "--refreshes", "2")

    assert desk.spec(*live).out.count("queue at ") == 2
    lines = desk.spec(*live, "--json").out.strip().splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["working", "working"]


def test_the_live_view_fits_a_small_terminal_and_q_leaves(desk: Desk) -> None:
    with on_a_terminal(desk, LIVE, 80, 24) as (terminal, process):
        screen = read_until(terminal, "q leaves")
        os.write(terminal, b"d")
        jobs = read_until(terminal, "1 in progress ─")
        os.write(terminal, b"q")

        assert process.wait(30) == 0
    for words in ("WORKING", "throughput", "to completion", "timeout (fetch)", "1 worker ─",
                  "mouse-a-10 (round 2)", "40% of 10 jobs failed"):  # fmt: skip
        assert words in screen, screen
    assert max(len(line) for line in screen.splitlines()) <= 80
    assert "q_000011" in jobs


def test_ctrl_c_leaves_the_live_view_and_the_terminal_as_it_was(desk: Desk) -> None:
    with on_a_terminal(desk, LIVE, 120, 40) as (terminal, process):
        before = termios.tcgetattr(terminal)
        read_until(terminal, "q leaves")
        process.send_signal(2)

        assert process.wait(30) == 0
        assert termios.tcgetattr(terminal)[3] == before[3]
