"""A person fills the queue and walks away; whatever is killed, every product is done once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.stories.conftest import DemoWeb, Ended, Workspace
from tests.stories.desk import Desk

PRODUCTS = ("Razer,Viper V3 Pro,Wireless", "Lumora,Aeris 2,Wireless", "Feinwerk,FM 200,Wireless",
            "Kestrel,Talon V2,Wireless")  # fmt: skip
PATIENCE_SECONDS = 60
HANDLERS = """
import asyncio, os, pathlib

from specfactory.model import Product
from specfactory.orchestrate import Done


async def wait_for_word(bench, job):
    name = os.environ["NAME"]
    pathlib.Path(f"begun-{name}").touch()
    while not pathlib.Path(f"go-{name}").exists():
        await asyncio.sleep(0.05)
    product = Product("mouse", name, job.key, id=f"{name}-{job.key}")
    return Done(lambda tx: bench.products.save(tx, product))


def register(handlers):
    handlers.register("wait", wait_for_word)
"""


# A worker that is to be paused holds its job briefly. Nobody else does: on a machine that is busy
# with other things, a healthy worker may be silent for seconds.
BRIEFLY = ("--set", "queue.lease_seconds=2")


@pytest.fixture
def factory(workspace: Workspace) -> Workspace:
    """A workspace in a hurry."""
    workspace.change(
        queue={"poll_seconds": 0.1, "heartbeat_seconds": 0.3},
        daemon={"start_interval_seconds": 0.1, "pid_file": "d.pid", "log_file": "d.log"},
    )
    return workspace


@contextlib.contextmanager
def process(
    factory: Workspace, *arguments: str, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """A command that goes on until the block is left."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("SPEC_")}
    with subprocess.Popen(
        factory.command(*arguments), cwd=factory.folder, env={**own, **environment}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as running:  # fmt: skip
        try:
            yield running
        finally:
            running.send_signal(signal.SIGCONT)
            running.kill()


def until(condition: Callable[[], Any], what: str) -> Any:
    """What the condition gives, as soon as it gives something."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while not (found := condition()):
        assert time.monotonic() < patience, f"waited in vain: {what}"
        time.sleep(0.05)
    return found


def fill(factory: Workspace, *products: str) -> None:
    lines = "\n".join(("brand,model,variant", *products))
    (factory.folder / "products.csv").write_text(lines)
    here(factory, "queue", "add-batch", "--file", "products.csv", "--category", "mouse")


def here(factory: Workspace, *arguments: str, check: bool = True) -> Ended:
    """A short command in this very process: a process of its own costs a second."""
    return Desk(factory.folder).spec(*arguments, check=check)


def rows(factory: Workspace, query: str, *given: object) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(factory.database, timeout=10)) as db:
        return db.execute(query, given).fetchall()


def count(factory: Workspace, status: str) -> int:
    """Products of that status; what the factory does around them comes and goes."""
    query = "SELECT count(*) FROM jobs WHERE kind = 'product' AND status = ?"
    return int(rows(factory, query, status)[0][0])


def versions(factory: Workspace) -> list[tuple[str, int]]:
    return rows(factory, "SELECT product_id, count(*) FROM records GROUP BY product_id")


def add_waiting_job(factory: Workspace) -> None:
    """A job whose handler waits for a word of the test."""
    (factory.folder / "waiting.py").write_text(HANDLERS)
    here(factory, "queue", "stats")  # makes the database
    with contextlib.closing(sqlite3.connect(factory.database, timeout=10)) as db, db:
        db.execute(
            "INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload,"
            " tags, overrides, added_at, added_by, due_at, attempts, max_attempts)"
            " VALUES ('wait', 'x', '', 'queued', 3, '', '{}', '[]', '{}', 0, '', 0, 0, 3)"
        )


def waiting_worker(factory: Workspace, name: str, *options: str) -> Any:
    return process(
        factory, *options, "worker", "--worker-id", name, "--kinds", "wait", "--max-jobs", "1",
        SPEC_HANDLERS="waiting:register", PYTHONPATH=str(factory.folder), NAME=name,
    )  # fmt: skip


def let_leases_expire(factory: Workspace) -> None:
    """As if the time of all leases had passed."""
    with contextlib.closing(sqlite3.connect(factory.database, timeout=10)) as db, db:
        db.execute("UPDATE jobs SET lease_until = 1 WHERE lease_until IS NOT NULL")


def pause(factory: Workspace, worker: subprocess.Popen[str]) -> None:
    """Stop a process, though not while it holds the one lock of SQLite: that stops everybody."""

    def is_paused() -> bool:
        worker.send_signal(signal.SIGSTOP)
        with contextlib.closing(sqlite3.connect(factory.database, timeout=1)) as db:
            try:
                db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                worker.send_signal(signal.SIGCONT)
                return False
        return True

    until(is_paused, "a moment between two writes")


def events(factory: Workspace) -> Path:
    return factory.folder / "specfactory-data" / "events.jsonl"


def has(factory: Workspace, name: str) -> bool:
    return (factory.folder / name).exists()


def test_the_daemon_makes_every_product_of_the_queue_exactly_once(factory):
    fill(factory, *PRODUCTS)

    assert "is up" in factory.spec("daemon", "start").out
    try:
        until(lambda: count(factory, "complete") == 4, "four products")
        status = here(factory, "daemon", "status", "--json").json
        again = here(factory, "daemon", "start", check=False)
    finally:
        here(factory, "daemon", "stop")

    assert status["running"]
    assert status["queue"]["complete"] == 4
    assert again.code == 2
    assert "running already" in again.err
    assert [made for _, made in versions(factory)] == [1, 1, 1, 1]
    assert {(a,) for (a,) in rows(factory, "SELECT attempts FROM jobs")} == {(1,)}
    assert here(factory, "daemon", "status", check=False).code == 1
    told = here(factory, "daemon", "logs", "--tail", "1000").out
    assert told.count(" record.published ") == 4
    delivered = [json.loads(line) for line in events(factory).open()]
    assert sum(line["event"] == "record.published" for line in delivered) == 4
    assert len({line["number"] for line in delivered}) == len(delivered)
    assert "worker.stopped" in here(factory, "daemon", "logs", "--tail", "1").out


def test_sigterm_lets_current_products_end_and_leaves_nothing_in_progress(factory):
    factory.change(products_at_once=2, log={"format": "json"})
    fill(factory, *PRODUCTS)

    with process(factory, "daemon", "start", "--foreground") as daemon:
        until(lambda: rows(factory, "SELECT 1 FROM attempts")[1:], "two products begun")
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(PATIENCE_SECONDS) == 0

    assert count(factory, "in_progress") == 0
    assert count(factory, "complete") >= 2
    assert count(factory, "complete") + count(factory, "queued") == 4
    assert not has(factory, "d.pid")
    names = [json.loads(line)["event"] for line in (factory.folder / "d.log").open()]
    assert names[0] == "worker.started"
    assert names[-1] == "worker.stopped"

    factory.spec("worker", "--drain")
    assert [made for _, made in versions(factory)] == [1, 1, 1, 1]


def test_a_second_signal_gives_everything_back_at_once(factory):
    factory.change(fetch={"host_delay_seconds": 30})
    fill(factory, *PRODUCTS[:2])

    with process(factory, "daemon", "start", "--foreground") as daemon:
        until(lambda: count(factory, "in_progress") == 2, "two products at work")
        daemon.send_signal(signal.SIGTERM)
        until(lambda: "draining" in str(rows(factory, "SELECT status FROM workers")), "draining")
        assert daemon.poll() is None
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(15) == 0

    assert rows(factory, "SELECT status, attempts FROM jobs") == [("queued", 0)] * 2
    assert set(rows(factory, "SELECT status FROM attempts")) == {("interrupted",)}


def test_a_killed_worker_loses_nothing_another_finishes_its_product(factory):
    fill(factory, PRODUCTS[0])

    slow = ("--set", "fetch.host_delay_seconds=30")
    with process(factory, *slow, "worker", "--worker-id", "w1") as first:
        until(lambda: rows(factory, "SELECT 1 FROM attempts"), "an attempt")
        first.kill()
        first.wait()
        let_leases_expire(factory)
        factory.spec("worker", "--drain", "--worker-id", "w2")

    assert rows(factory, "SELECT status, attempts, lease_owner FROM jobs") == [
        ("complete", 2, "w2")
    ]
    assert rows(factory, "SELECT cause, worker FROM job_errors") == [("lease_expired", "w1")]
    assert [status for (status,) in rows(factory, "SELECT status FROM attempts ORDER BY started_at")
            ] == ["interrupted", "complete"]  # fmt: skip
    assert [made for _, made in versions(factory)] == [1]


def test_a_worker_that_was_paused_too_long_can_do_no_harm(factory):
    add_waiting_job(factory)

    with waiting_worker(factory, "w1", *BRIEFLY) as first:
        until(lambda: has(factory, "begun-w1"), "the first worker")
        pause(factory, first)
        with waiting_worker(factory, "w2") as second:
            (factory.folder / "go-w2").touch()
            assert second.wait(PATIENCE_SECONDS) == 0
        (factory.folder / "go-w1").touch()
        first.send_signal(signal.SIGCONT)
        said, _ = first.communicate(timeout=PATIENCE_SECONDS)

    assert first.returncode == 0
    assert "w1: 0 done, 0 failed, 1 taken over by others" in said
    assert rows(factory, "SELECT id FROM products") == [("w2-x",)]
    assert rows(factory, "SELECT status, lease_owner FROM jobs") == [("complete", "w2")]


def test_two_daemons_on_one_database_share_the_work(factory):
    factory.change(products_at_once=1)
    fill(factory, *PRODUCTS)

    second = ("--set", "daemon.pid_file=other.pid", "--set", "daemon.log_file=other.log")
    with (
        process(factory, "daemon", "start", "--foreground") as one,
        process(factory, *second, "daemon", "start", "--foreground") as other,
    ):
        until(lambda: count(factory, "complete") == 4, "four products")
        for daemon in (one, other):
            daemon.send_signal(signal.SIGTERM)
            assert daemon.wait(PATIENCE_SECONDS) == 0

    assert len(set(rows(factory, "SELECT lease_owner FROM jobs"))) == 2
    assert [made for _, made in versions(factory)] == [1, 1, 1, 1]


def test_after_a_crash_the_next_daemon_goes_on_where_it_stopped(factory):
    fill(factory, *PRODUCTS[:2])
    slow = ("--set", "fetch.host_delay_seconds=30")
    with process(factory, *slow, "daemon", "start", "--foreground") as first:
        until(lambda: count(factory, "in_progress") == 2, "two products at work")
        first.kill()
        first.wait()
    assert has(factory, "d.pid")
    let_leases_expire(factory)

    assert here(factory, "daemon", "status", check=False).code == 1
    factory.spec("daemon", "start")
    try:
        until(lambda: count(factory, "complete") == 2, "both products")
    finally:
        here(factory, "daemon", "stop")

    assert [made for _, made in versions(factory)] == [1, 1]


def test_a_daemon_that_cannot_start_says_why(factory):
    factory.change(schedule={"stale_check_cron": "at night"})

    ended = factory.spec("daemon", "start", check=False)

    assert ended.code == 1
    assert "schedule.stale_check_cron is 'at night'" in ended.err


def run_file(factory: Workspace, **more: Any) -> None:
    plan = {"category": "mouse", "files": ["products.csv"], **more}
    (factory.folder / "run.yaml").write_text(yaml.safe_dump(plan))
    lines = "\n".join(("brand;model;variant", *(p.replace(",", ";") for p in PRODUCTS[:2])))
    (factory.folder / "products.csv").write_text(lines)


def test_two_identical_coordinators_do_one_run_together(factory, demo_web: DemoWeb):
    source = demo_web.settings()["sources"][0]
    run_file(factory, urls=[f"http://{source['host']}/"])

    coordinator = ("coordinator", "--config", "run.yaml", "--json")
    with process(factory, *coordinator) as one, process(factory, *coordinator) as other:
        ends = [json.loads(each.communicate(timeout=PATIENCE_SECONDS)[0]) for each in (one, other)]

    assert [end["run"] for end in ends] == [1, 1]
    assert sum(end["new"] for end in ends) == 3
    assert ends[0]["summary"] == ends[1]["summary"]
    assert ends[0]["summary"]["by_status"] == {"complete": 3}
    assert rows(factory, "SELECT status, attempts FROM jobs WHERE kind = 'run'") == [
        ("complete", 1)
    ]


def test_a_distributed_run_is_left_to_the_workers(factory):
    factory.change(processing={"mode": "distributed"})
    run_file(factory, budget={"max_pages": 2})

    with (
        process(factory, "worker", "--workers", "2") as worker,
        process(factory, "coordinator", "--config", "run.yaml") as coordinator,
    ):
        said, _ = coordinator.communicate(timeout=PATIENCE_SECONDS)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE_SECONDS) == 0

    assert coordinator.returncode == 0
    assert "run 1 is complete: 2 complete" in said
    spent = [json.loads(s)["pages"] for (s,) in rows(factory, "SELECT spent FROM attempts")]
    assert spent == [2, 2]


def test_wrong_lines_of_a_run_are_told_and_cost_no_other(factory):
    run_file(factory, products=[{"brand": "", "model": "X"}])

    ended = here(factory, "coordinator", "--config", "run.yaml", "--no-wait", check=False)

    assert ended.code == 1
    assert "product 1: brand: is missing; passed over" in ended.err
    assert count(factory, "queued") == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "must name what to do"),
        ("moons: 3", "'moons' is not known"),
        ("products: []", "names no products"),
        ("files: [nowhere.csv]", "nowhere.csv"),
        ("urls: [gopher://x]", "no http(s) address"),
        ("products: {brand: [", "no YAML"),
    ],
)
def test_a_run_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, content, words):
    (tmp_path / "run.yaml").write_text(content)

    ended = Desk(tmp_path).spec("coordinator", "--config", "run.yaml", check=False)

    assert ended.code == 2
    assert words in ended.err
    assert len(ended.err.splitlines()) == 1


def test_an_idle_worker_is_small(factory):
    with process(factory, "worker", "--worker-id", "w1") as worker:
        until(lambda: has(factory, "factory.db") and _seen(factory), "the worker")
        status = Path(f"/proc/{worker.pid}/status").read_text()
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE_SECONDS) == 0

    kilobytes = int(status.partition("VmHWM:")[2].split()[0])
    assert kilobytes < 120_000


def _seen(factory: Workspace) -> bool:
    with contextlib.suppress(sqlite3.OperationalError):
        return bool(rows(factory, "SELECT 1 FROM workers"))
    return False
