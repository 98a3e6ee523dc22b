"""Files with crawled or private content are their owner's alone, and follow no links."""

import fcntl
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from specfactory.adapters.sqlite import SqliteDatabase
from specfactory.entry.cli.setup.doctor import look_at_modes
from specfactory.entry.daemon_logs import EventFile, open_log
from specfactory.entry.daemon_pid import PidFile
from specfactory.model import Event
from specfactory.orchestrate.bench.proxy_sources import write_live
from specfactory.private_files import is_reachable_by_others, make_file, make_folder, replacing
from specfactory.publish.exports import opened
from specfactory.settings import DaemonSettings, Settings
from specfactory.store import Batch


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def modes(folder: Path) -> dict[str, str]:
    return {str(each.relative_to(folder)): mode(each) for each in folder.rglob("*")}


def test_folders_and_files_are_made_for_their_owner(tmp_path):
    make_file(tmp_path / "a" / "b" / "file")

    assert modes(tmp_path) == {"a": "0o700", "a/b": "0o700", "a/b/file": "0o600"}


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    (tmp_path / "shared").mkdir()
    make_folder(tmp_path / "shared" / "own")

    assert modes(tmp_path) == {"shared": "0o755", "shared/own": "0o700"}


def test_making_a_file_that_is_there_keeps_the_locks_on_it(tmp_path: Path) -> None:
    file = tmp_path / "factory.db"
    make_file(file)
    with file.open("r+b") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)

        make_file(file)

        lock = "fcntl.lockf(open(sys.argv[1], 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        script = [sys.executable, "-c", f"import fcntl, sys; {lock}", str(file)]
        said = subprocess.run(script, capture_output=True, text=True)
    assert "BlockingIOError" in said.stderr


async def test_a_database_and_its_log_are_private(tmp_path):
    database = SqliteDatabase(f"sqlite:///{tmp_path}/data/factory.db")
    await database.migrate()
    found = modes(tmp_path)
    await database.close()

    assert found.pop("data") == "0o700"
    assert {"data/factory.db", "data/factory.db-wal"} <= set(found)
    assert set(found.values()) == {"0o600"}


def test_logs_events_and_live_proxies_are_private_also_after_rotation(tmp_path):
    logs = tmp_path / "logs"
    settings = Settings(
        daemon=DaemonSettings(
            event_log=str(logs / "events.jsonl"), log_max_bytes=10_000, log_files=2
        )
    )
    events = EventFile(settings)
    assert events.is_ours()
    for number in range(3):
        events.write(Batch(number, (Event("run.started", 0, {"words": "x" * 8_000}),)))
    events.close()
    with open_log(settings, "info", logs / "daemon.log") as log:
        for _ in range(3):
            log.info("words", words="x" * 8_000)
    with PidFile(logs / "daemon.pid"):
        write_live(str(tmp_path / "live"), [])
        found = modes(tmp_path)

    assert {"logs/events.jsonl.1", "logs/daemon.log.1", "live/live_proxies.txt"} <= set(found)
    files = {name: each for name, each in found.items() if "/" in name}
    assert set(files.values()) == {"0o600"}, files
    assert (found["logs"], found["live"]) == ("0o700", "0o700")
    logging.shutdown()


def test_an_export_follows_the_umask_and_keeps_the_mode_of_what_it_replaces(tmp_path):
    out = tmp_path / "mice.csv"
    with opened(out) as file:
        file.write("new")
    first = mode(out)
    out.chmod(0o640)
    with opened(out) as file:
        file.write("again")

    assert (first, mode(out)) == ("0o644", "0o640")


def test_a_temporary_file_cannot_be_foreseen_or_led_elsewhere(tmp_path):
    victim, out = tmp_path / "victim", tmp_path / "out.txt"
    victim.write_text("mine")
    names = set()
    for _ in range(3):
        with replacing(out) as part:
            names.add(part.name)
            assert (mode(part), part.is_symlink()) == ("0o600", False)
            part.write_text("new")
    # where an attacker would have put a link for the name of old, it is not followed
    (tmp_path / f".{out.name}.{os.getpid()}.part").symlink_to(victim)
    with opened(out) as file:
        file.write("newer")

    assert len(names) == 3
    assert (victim.read_text(), out.read_text()) == ("mine", "newer")


def test_doctor_names_files_that_others_can_read(tmp_path, monkeypatch):
    monkeypatch.setattr("specfactory.private_files._above", lambda file: [tmp_path])
    tmp_path.chmod(0o755)
    loose = tmp_path / "factory.db"
    loose.write_text("")
    settings = Settings(
        database_url=f"sqlite:///{loose}",
        daemon=DaemonSettings(log_file=str(tmp_path / "daemon.log"), event_log=""),
    )

    assert is_reachable_by_others(loose)
    found = look_at_modes(settings)
    assert (found.state, str(loose) in found.found) == ("warn", True)
    loose.chmod(0o600)
    assert look_at_modes(settings).state == "ok"
    loose.chmod(0o644)
    tmp_path.chmod(0o700)  # nobody comes so far
    assert look_at_modes(settings).state == "ok"


def test_a_file_of_nobody_is_no_trouble(tmp_path):
    assert not is_reachable_by_others(tmp_path / "missing")
