"""The files of the daemon: its PID file, its log, and the lines of it."""

from __future__ import annotations

import json
import os
import resource
import threading
from pathlib import Path

import pytest

from specfactory.declared_events import event
from specfactory.entry.daemon_logs import EventFile, last_lines, new_lines, open_log, write_event
from specfactory.entry.daemon_pid import PidFile, Running, running
from specfactory.errors import UsageError
from specfactory.settings import DaemonSettings, LogSettings, Settings
from specfactory.store import Batch

AT = 1_767_225_600_000
ESCAPE = "\x1b[2J"


def test_a_pid_file_says_who_runs_and_is_gone_afterwards(tmp_path: Path):
    file = tmp_path / "deep" / "d.pid"

    with PidFile(file) as held:
        assert running(file) == Running(os.getpid(), is_up=False)
        held.say_up()
        assert running(file) == Running(os.getpid(), is_up=True)
    assert running(file) is None
    assert not file.exists()


def test_a_second_daemon_on_the_same_pid_file_is_refused(tmp_path: Path):
    file = tmp_path / "d.pid"

    with PidFile(file), pytest.raises(UsageError, match=f"process {os.getpid()} holds"):
        PidFile(file).__enter__()


@pytest.mark.parametrize("content", ["", "1\nup\n", "4194304\n", "words"])
def test_a_stale_pid_file_is_known_whatever_it_says(tmp_path: Path, content: str):
    file = tmp_path / "d.pid"
    file.write_text(content)

    assert running(file) is None
    with PidFile(file):
        assert running(file) == Running(os.getpid(), is_up=False)


def logged(tmp_path: Path, level: str = "info", **log: str) -> list[str]:
    settings = Settings(log=LogSettings(**log))
    file = tmp_path / "d.log"
    with open_log(settings, level, file) as opened:
        write_event(opened, event("job.claimed", AT, job_ids=[1], worker=ESCAPE))
        write_event(opened, event("page.read", AT, attempt_id="a", product_id="p", page_id="g",
                                  host="h", candidates=1, dropped=0))  # fmt: skip
        write_event(opened, event("job.failed", AT, job_id=1, attempt=3, cause="x", message="y"))
    return file.read_text().splitlines()


@pytest.mark.parametrize(("form", "said"), [("plain", "until=2026-01-01T00:00:00.000Z"),
                                            ("json", f'"until": {AT}')])  # fmt: skip
def test_instants_in_a_log_are_times_for_people_and_numbers_for_machines(
    tmp_path: Path, form: str, said: str
):
    about = {"healing_id": 1, "host": "h", "diagnosis": "blocked"}
    with open_log(Settings(log=LogSettings(format=form)), "info", tmp_path / "d.log") as log:
        write_event(log, event("host.paused", AT, **about, until=AT))

    assert said in (tmp_path / "d.log").read_text()


def test_a_plain_log_line_is_one_harmless_line(tmp_path: Path):
    first, second = logged(tmp_path)

    assert first.startswith("2026-01-01T00:00:00.000Z info    job.claimed job_ids=[1] worker=")
    assert ESCAPE not in first
    assert " error   job.failed " in second


def test_a_json_log_can_be_read_by_machines(tmp_path: Path):
    first = json.loads(logged(tmp_path, format="json")[0])

    assert first == {"at": "2026-01-01T00:00:00.000Z", "level": "info", "event": "job.claimed",
                     "job_ids": [1], "worker": ESCAPE}  # fmt: skip


def test_a_log_shows_what_is_loud_enough(tmp_path: Path):
    assert len(logged(tmp_path, "error")) == 1
    (tmp_path / "d.log").unlink()
    assert len(logged(tmp_path, "debug")) == 3


def test_a_log_is_rotated(tmp_path: Path):
    settings = Settings(daemon=DaemonSettings(log_max_bytes=10_000, log_files=2))
    file = tmp_path / "d.log"
    with open_log(settings, "info", file) as opened:
        for number in range(1000):
            write_event(opened, event("job.finished", AT, job_ids=[number]))

    assert sorted(one.name for one in tmp_path.iterdir()) == ["d.log", "d.log.1", "d.log.2"]
    assert max(one.stat().st_size for one in tmp_path.iterdir()) <= 10_000


@pytest.mark.parametrize("count", [0, 1, 3, 5000, 20_000])
def test_the_last_lines_of_a_log_are_found_from_its_end(tmp_path: Path, count: int):
    lines = [f"line {number} " + "x" * (number % 50) for number in range(10_000)]
    file = tmp_path / "d.log"
    file.write_text("\n".join(lines) + "\n")

    assert last_lines(file, count) == (lines[-count:] if count else [])


def test_new_lines_are_followed_through_a_rotation(tmp_path: Path):
    file = tmp_path / "d.log"
    file.write_text("old\n")
    following = new_lines(file)
    found: list[str] = []
    waiting = threading.Event()

    def follow() -> None:
        waiting.set()
        found.extend(next(following) for _ in range(2))

    reader = threading.Thread(target=follow, daemon=True)
    reader.start()
    waiting.wait(10)
    file.rename(tmp_path / "d.log.1")
    file.write_text("one\ntwo\nthree\n")
    reader.join(10)

    assert found == ["one", "two"]


def batch(number: int) -> Batch:
    return Batch(number, (event("job.aged", AT, job_ids=[1]), event("job.aged", AT, job_ids=[2])))


def event_file(tmp_path: Path, **more: object) -> EventFile:
    given = DaemonSettings(event_log=str(tmp_path / "deep" / "events.jsonl"), **more)
    return EventFile(Settings(daemon=given))


def numbers(file: Path) -> list[str]:
    return [json.loads(line)["number"] for line in file.read_text().splitlines()]


def test_processes_that_share_an_event_log_take_turns(tmp_path: Path):
    first, second = event_file(tmp_path), event_file(tmp_path)

    assert first.name == second.name
    assert (first.is_ours(), second.is_ours(), first.is_ours()) == (True, False, True)
    first.write(batch(1))
    first.close()
    assert second.is_ours()
    second.write(batch(2))

    assert numbers(tmp_path / "deep" / "events.jsonl") == ["1.0", "1.1", "2.0", "2.1"]


def test_a_batch_for_which_there_is_no_room_leaves_no_half_line(tmp_path: Path):
    file = event_file(tmp_path)
    assert file.is_ours()
    file.write(batch(1))
    place = tmp_path / "deep" / "events.jsonl"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (place.stat().st_size + 50, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large|No space"):
            file.write(batch(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    file.write(batch(2))

    assert numbers(place) == ["1.0", "1.1", "2.0", "2.1"]


def test_an_event_log_begins_anew_when_it_is_large(tmp_path: Path):
    file = event_file(tmp_path, log_max_bytes=10_000)
    assert file.is_ours()
    for number in range(100):
        file.write(batch(number))

    logs = [one for one in (tmp_path / "deep").iterdir() if not one.name.endswith(".lock")]
    assert len(logs) > 1
    assert all(each.stat().st_size <= 10_000 for each in logs)
    assert sorted(one for each in logs for one in numbers(each)) == sorted(
        f"{number}.{place}" for number in range(100) for place in (0, 1)
    )
