"""Signals reach a worker, its group or its browser: no page is lost, no host is blamed for it."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.stories.conftest import Workspace
from tests.stories.desk import Desk

PATIENCE_SECONDS = 60.0
SHELL = (
    "<!doctype html><title>Shop</title><div id=root></div>"
    "<noscript>Please enable JavaScript.</noscript><script>fetch('/slow').then((r) => r.text())"
    ".then((text) => { document.getElementById('root').innerHTML = text })</script>"
)
WORDS = "<h1>Mouse</h1>" + "<p>Weight: 54 g, and much more to say of it.</p>" * 100


@dataclass
class Shop:
    """A shop that answers its page's script only when it is told to."""

    url: str = ""
    asked: threading.Event = field(default_factory=threading.Event)
    answers: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def shop() -> Iterator[Shop]:
    here = Shop()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/slow":
                here.asked.set()
                here.answers.wait(PATIENCE_SECONDS)
            text = {"/viper": SHELL, "/slow": WORDS}.get(self.path, "")
            with contextlib.suppress(OSError):  # whoever asked may be gone
                self.send_response(200 if text else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    here.url = f"http://127.0.0.1:{server.server_port}/viper"
    yield here
    here.answers.set()
    server.shutdown()
    server.server_close()


@dataclass
class Working:
    """A worker in a group of its own, with a page of its job open in its browser."""

    desk: Workspace
    process: subprocess.Popen[str]
    family: tuple[int, ...] = ()  # its driver, its browser and all that those have started

    def ended(self) -> str:
        """Let it end by itself, and all that it has started; what it said on stderr."""
        _, said = self.process.communicate(timeout=PATIENCE_SECONDS)
        self.has_no_orphans()
        return said

    def has_no_orphans(self) -> None:
        until(lambda: not any(map(is_alive, self.family)), "the end of driver and browser")

    def kin(self, word: str) -> list[int]:
        """Those of the family whose command line has the word."""
        return [pid for pid in self.family if word in command_of(pid)]

    def drained(self) -> None:
        until(lambda: rows(self.desk, "SELECT status FROM workers") == [("draining",)], "draining")


@pytest.fixture
def working(tmp_path: Path, shop: Shop) -> Iterator[Working]:
    settings = {
        "database_url": "sqlite:///factory.db",
        "contract_sources": False,
        "queue": {"poll_seconds": 0.1, "heartbeat_seconds": 0.2},
        "fetch": {"allow_loopback": [urlsplit(shop.url).netloc], "host_delay_seconds": 0.0},
        "browser": {"settle_seconds": 0.3},
    }
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    desk = Workspace(tmp_path)
    Desk(tmp_path).spec("queue", "pages", shop.url)
    own = {k: v for k, v in os.environ.items() if not k.startswith("SPEC_")}
    with subprocess.Popen(
        desk.command("worker", "--kinds", "page"), cwd=tmp_path, env=own, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert shop.asked.wait(PATIENCE_SECONDS), "the page was not opened"
            yield Working(desk, process, descendants(process.pid))
        finally:
            process.kill()


def is_calm(said: str) -> bool:
    """Whether the log has nothing but events, and the last of them that the worker has ended."""
    loud = [word for word in ("exception", "traceback", "crashed") if word in said.lower()]
    return not loud and "worker.stopped" in said.splitlines()[-1]


def until(condition: Callable[[], Any], what: str) -> None:
    patience = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < patience, f"waited in vain: {what}"
        time.sleep(0.05)


def rows(desk: Workspace, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(desk.database, timeout=10)) as db:
        return db.execute(query).fetchall()


def descendants(pid: int) -> tuple[int, ...]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return (*found, *(one for child in found for one in descendants(child)))


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def is_alive(pid: int) -> bool:
    return bool(command_of(pid))  # a process that only waits to be counted has none


def test_sigterm_to_the_whole_group_lets_the_page_in_the_browser_end(working, shop):
    assert working.kin("run-driver")
    assert working.kin("--type=renderer")

    os.killpg(working.process.pid, signal.SIGTERM)
    working.drained()
    shop.answers.set()
    said = working.ended()

    assert working.process.returncode == 0
    assert is_calm(said)
    assert rows(working.desk, "SELECT outcome, rung FROM pages") == [("ok", "browser")]
    assert rows(working.desk, "SELECT status, attempts FROM jobs") == [("complete", 1)]


@pytest.mark.parametrize("victim", ["run-driver", "--headless"])
def test_browser_that_ends_before_a_drained_worker_gives_its_page_back(working, victim):
    os.kill(working.process.pid, signal.SIGTERM)
    working.drained()
    for pid in working.kin(victim):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    said = working.ended()

    assert working.process.returncode == 0
    assert is_calm(said)
    assert rows(working.desk, "SELECT status, attempts FROM jobs") == [("queued", 0)]
    assert rows(working.desk, "SELECT * FROM pages") == []
    assert rows(working.desk, "SELECT * FROM visits") == []
    assert rows(working.desk, "SELECT * FROM job_errors") == []


def test_killed_worker_leaves_neither_driver_nor_browser_behind(working):
    working.process.kill()
    working.process.wait()

    working.has_no_orphans()
