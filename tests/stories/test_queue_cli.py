"""A person fills the queue, looks after it, and loses nothing, whatever the files are like.

Most commands run inside the test's own process: each process of its own costs a second.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from pathlib import Path

import pytest
import yaml

from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.model import JobError, JobKind, NewJob
from specfactory.store import Jobs, Runs
from tests.stories.conftest import Ended, Workspace
from tests.stories.desk import Desk, on_a_terminal, read_until

VIPER = "mouse-razer-viper-v3-pro"
NOW = 1_771_000_000_000


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A folder with an empty queue and a monitored brand."""
    settings = {"database_url": "sqlite:///factory.db", "queue": {"monitored_brands": ["Zowie"]}}
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Desk(tmp_path)


def add(desk: Desk, brand: str, model: str, *more: str) -> dict[str, object]:
    flags = ("--category", "mouse", "--brand", brand, "--model", model, *more)
    return desk.spec("queue", "add", *flags, "--json").json


def batch(desk: Workspace, content: str | bytes, *more: str) -> Ended:
    raw = content if isinstance(content, bytes) else content.encode()
    (desk.folder / "products.csv").write_bytes(raw)
    return desk.spec("queue", "add-batch", "--file", "products.csv", *more, check=False)


def events(desk: Desk) -> list[str]:
    with sqlite3.connect(desk.database) as db:
        rows = db.execute("SELECT events FROM outbox ORDER BY id").fetchall()
    return [event["name"] for (batch,) in rows for event in json.loads(batch)]


def dead_letter(desk: Desk, cause: str, run: dict[str, object] | None = None) -> None:
    """A job that failed for good, with its error."""
    asyncio.run(_dead_letter(desk, cause, run))


async def _dead_letter(desk: Desk, cause: str, run: dict[str, object] | None) -> None:
    db = SqliteDatabase(f"sqlite:///{desk.database}")
    await db.migrate()
    jobs = Jobs(db)
    async with db.transaction() as tx:
        run_id = (await Runs(db).join(tx, run, NOW))[0].id if run else None
        new = NewJob(JobKind.PRODUCT, f"mouse-{cause}", {"brand": "A", "model": cause},
                     "mouse", run_id=run_id)  # fmt: skip
        await jobs.add(tx, [new], NOW)
        (job,) = await jobs.claim(tx, "w1", 1, ["product"], 300, NOW)
        error = JobError(job.id, 1, NOW, "w1", "fetch", cause, f"{cause} at shop", "shop.example")
        await jobs.fail(tx, job.lease, error, NOW)
    await db.close()


async def _add_hologram(desk: Desk) -> None:
    db = SqliteDatabase(f"sqlite:///{desk.database}")
    await db.migrate()
    async with db.transaction() as tx:
        await Jobs(db).add(tx, [NewJob("hologram", "h1")], NOW)
    await db.close()


def test_a_product_is_added_once_however_it_is_spelled(desk: Desk) -> None:
    first = add(desk, "Razer", "Viper V3 Pro", "--tag", "flagship", "--budget-pages", "5",
                "--url", "https://example.com/viper")  # fmt: skip
    second = desk.spec("queue", "add", "--category", "mouse", "--brand", "razer ",
                       "--model", "  Viper v3 PRO")  # fmt: skip

    assert (first["added"], first["job"], first["key"]) == (True, "q_000001", VIPER)
    assert first["overrides"] == {"budget": {"max_pages": 5}}
    assert "q_000001" in second.out
    assert "nothing was added" in second.out
    shown = desk.spec("queue", "show", "viper v3", "--json").json
    assert shown["tags"] == ["flagship"]
    assert shown["payload"]["urls"] == ["https://example.com/viper"]
    assert [told["event"] for told in shown["history"]] == ["job.added"]


def test_a_monitored_brand_comes_in_at_priority_two_and_says_why(desk: Desk) -> None:
    added = add(desk, "ZOWIE", "EC2-CW")

    assert (added["priority"], added["priority_reason"]) == (2, "monitored_brand")
    assert add(desk, "Zowie", "EC1-CW", "--priority", "4")["priority"] == 4


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--category", "toaster", "--brand", "A", "--model", "B"), "toaster"),
        (("--category", "mouse", "--brand", " ", "--model", "B"), "--brand is missing"),
        (("--category", "mouse", "--brand", "A", "--model", "B", "--priority", "9"), "--priority"),
        (
            ("--category", "mouse", "--brand", "A", "--model", "B", "--at", "soon"),
            "--at is 'soon'; a date",
        ),
        (("--category", "mouse", "--brand", "A", "--model", "B", "--url", "ftp://x"), "ftp://x"),
    ],
)
def test_misuse_is_told_in_one_line(desk: Desk, flags: tuple[str, ...], words: str) -> None:
    ended = desk.spec("queue", "add", *flags, check=False)

    assert ended.code == 2
    assert words in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_every_good_line_is_added_and_every_other_one_is_explained(desk: Desk) -> None:
    content = (
        "brand;model;priority;colour\n"
        "Razer;Viper V3 Pro;;black\n"
        "razer;viper  v3 PRO;;\n"
        ";No brand;;\n"
        "Logitech;G Pro;9;\n"
        'Logitech;"G 502;;\n'
        "Zowie;EC2-CW;1;\n"
    )

    ended = batch(desk, content, "--category", "mouse", "--json")

    assert ended.code == 1
    told = [(e["line"], e["outcome"], e["column"]) for e in ended.json["lines"]]
    assert told == [
        (1, "note", "colour"),
        (2, "added", None),
        (3, "duplicate", None),
        (4, "wrong", "brand"),
        (5, "wrong", "priority"),
        (6, "wrong", None),
        (7, "added", None),
    ]
    assert ended.json["lines"][2]["job"] == ended.json["lines"][1]["job"] == "q_000001"
    again = batch(desk, content, "--category", "mouse")
    assert again.out.splitlines()[-1] == "0 added, 3 there already; 3 wrong"
    assert "line 5: wrong 'priority': is '9'; allowed: 1 to 5" in again.out


@pytest.mark.parametrize(
    "content",
    [
        "brand;model\nRazer;Viper V3 Pro\n".encode("utf-16"),
        "brand\tmodel\r\nRazer\tViper V3 Pro\r\n".encode("utf-16-le"),
        b'\xef\xbb\xbfBrand,Model\n"Razer","Viper V3 Pro"\n',
        b'[{"brand": "Razer", "model": "Viper V3 Pro"}]',
        b'{"brand": "Razer", "model": "Viper V3 Pro"}\n',
    ],
)
def test_files_of_every_usual_form_are_read(desk: Desk, content: bytes) -> None:
    ended = batch(desk, content, "--category", "mouse", "--json")

    assert ended.code == 0
    assert [line["product_id"] for line in ended.json["lines"]] == [VIPER]


@pytest.mark.parametrize(
    ("content", "words"), [("", "is empty"), ("name;colour\nx;y\n", "brand"), ("[1, 2", "no JSON")]
)
def test_a_file_that_is_none_is_told_in_one_line(desk: Desk, content: str, words: str) -> None:
    ended = batch(desk, content, "--category", "mouse")

    assert ended.code == 2
    assert words in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_a_hundred_thousand_lines_come_in_around_a_broken_one(desk: Desk) -> None:
    lines = [f"Brand{i % 50},Model {i}" for i in range(100_000)]
    lines[50_000] = 'Brand,"Model'

    alone = Workspace(desk.folder)  # in a process of its own

    ended = batch(alone, "brand,model\n" + "\n".join(lines), "--category", "mouse", "--quiet")

    assert ended.code == 1
    assert ended.out.splitlines()[-1] == "99999 added, 0 there already; 1 wrong"
    assert "line 50002: wrong" in ended.out
    assert desk.spec("queue", "stats", "--json").json["by_status"]["queued"] == 99_999
    again = batch(desk, "brand,model\n" + "\n".join(lines), "--category", "mouse", "--quiet")
    assert again.out.splitlines()[-1] == "0 added, 99999 there already; 1 wrong"


def test_jobs_are_paused_resumed_skipped_and_every_step_is_told(desk: Desk) -> None:
    add(desk, "Razer", "Viper V3 Pro")

    assert desk.spec("queue", "pause", "viper v3", "--json").json["status"] == "paused"
    assert desk.spec("queue", "resume", "1", "--json").json["status"] == "queued"
    urgent = desk.spec("queue", "prioritize", "q_000001", "--priority", "1", "--reason", "launch")
    assert urgent.out.strip() == f"q_000001 {VIPER}: priority 1"
    skipped = desk.spec("queue", "skip", "--product-id", VIPER)
    assert skipped.out.strip() == f"q_000001 {VIPER}: queued → skipped"
    assert desk.spec("queue", "retry", VIPER, "--json").json["priority_reason"] == "launch"
    assert events(desk) == [
        "job.added", "job.paused", "job.resumed", "job.prioritized", "job.skipped", "job.requeued",
    ]  # fmt: skip


def test_an_impossible_step_is_refused_with_what_is_possible(desk: Desk) -> None:
    add(desk, "Razer", "Viper V3 Pro")

    ended = desk.spec("queue", "resume", "1", check=False)

    assert ended.code == 2
    assert "a job that is queued cannot resume; possible: claim, pause, skip" in ended.err
    assert desk.spec("queue", "show", "nobody", check=False).code == 2
    assert desk.spec("queue", "pause", check=False).code == 2


def test_words_that_name_several_jobs_are_refused_and_whole_words_win(desk: Desk) -> None:
    add(desk, "Razer", "Viper")
    add(desk, "Razer", "Viper V2")

    ended = desk.spec("queue", "pause", "viper", check=False)

    assert ended.code == 2
    assert "q_000001" in ended.err
    assert "q_000002" in ended.err
    assert desk.spec("queue", "pause", "viper v2", "--json").json["job"] == "q_000002"


def test_lists_are_cut_to_what_is_asked_for(desk: Desk) -> None:
    add(desk, "Razer", "Viper", "--tag", "new")
    add(desk, "Razer", "Basilisk", "--at", "2099-01-01")

    assert [j["job"] for j in desk.spec("queue", "list", "--tag", "new", "--json").json] == [
        "q_000001"
    ]
    shown = desk.spec("queue", "list", "--status", "queued", "--category", "mouse", "--limit", "1")
    assert "and more; the first 1 are shown" in shown.out
    assert "queued for 2099-01-01T00:00:00Z" in desk.spec("queue", "list").out
    assert desk.spec("queue", "list", "--status", "sleeping", check=False).code == 2
    assert desk.spec("queue", "list", "--run", "7", "--json").json == []


def test_an_exported_queue_comes_back_elsewhere_as_it_was(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    add(desk, "Razer", "Viper V3 Pro", "--tag", "flagship", "--at", "2099-01-01T08:00",
        "--budget-pages", "3")  # fmt: skip
    add(desk, "Zowie", "EC2-CW")
    desk.spec("queue", "pause", "ec2")
    desk.spec("queue", "export", "--output", "product_queue.json")
    other = Desk(tmp_path_factory.mktemp("other"))
    other.settings.write_text(desk.settings.read_text())
    file = desk.folder / "product_queue.json"

    counts = other.spec("queue", "import", str(file), "--json").json

    assert counts == {"imported": 2, "duplicate": 0, "wrong": []}
    exported = json.loads(file.read_text())
    entry = exported["entries"][0]
    assert exported["queue_version"] == "1.0.0"
    assert list(entry)[:16] == [
        "queue_id", "product_id", "category", "identity", "priority", "priority_reason", "status",
        "added_at", "added_by", "attempts", "max_attempts", "last_attempt_at", "last_error",
        "scheduled_for", "tags", "overrides",
    ]  # fmt: skip
    assert entry["identity"] == {"brand": "Razer", "model": "Viper V3 Pro", "variant": ""}
    assert json.loads(other.spec("queue", "export").out)["entries"] == exported["entries"]
    assert other.spec("queue", "import", str(file), "--json").json["duplicate"] == 2


def test_wrong_entries_of_an_import_cost_no_other(desk: Desk) -> None:
    good = {
        "queue_id": "q_001", "product_id": "x", "category": "mouse",
        "identity": {"brand": "Razer", "model": "Viper V3 Pro", "variant": "Wireless"},
        "priority": 1, "status": "round_2", "added_at": "2026-02-12T08:00:00Z",
    }  # fmt: skip
    wrong = {**good, "identity": {"brand": "A", "model": "B"}, "status": "lost"}
    (desk.folder / "q.json").write_text(json.dumps({"entries": [wrong, good, 7]}))

    ended = desk.spec("queue", "import", "q.json", "--json", check=False)

    assert ended.code == 1
    assert ended.json["imported"] == 1
    assert [(w["entry"], w["column"]) for w in ended.json["wrong"]] == [(1, "status"), (3, None)]
    (job,) = desk.spec("queue", "list", "--json").json
    assert (job["status"], job["added_at"]) == ("queued", "2026-02-12T08:00:00Z")


def test_clearing_asks_first_and_keeps_the_counts(desk: Desk) -> None:
    dead_letter(desk, "timeout")

    refused = desk.spec("queue", "clear", "--status", "failed", check=False)

    assert refused.code == 2
    assert "--yes" in refused.err
    assert desk.spec("queue", "stats", "--json").json["by_status"]["failed"] == 1
    cleared = desk.spec("queue", "clear", "--status", "failed", "--yes", "--json")
    assert cleared.json == {"status": "failed", "cleared": 1}
    stats = desk.spec("queue", "stats", "--json").json
    assert (stats["by_status"]["failed"], stats["no_longer_kept"]) == (0, {"failed": 1})
    assert desk.spec("queue", "clear", "--status", "in_progress", "--yes", check=False).code == 2


@pytest.mark.parametrize(("answer", "code", "left"), [(b"n\n", 1, 1), (b"y\n", 0, 0)])
def test_a_person_is_asked_before_jobs_are_deleted(
    desk: Desk, answer: bytes, code: int, left: int
) -> None:
    add(desk, "Razer", "Viper")

    with on_a_terminal(desk, ("queue", "clear", "--status", "queued")) as (terminal, process):
        read_until(terminal, "delete 1 queued jobs for good? [y/N]")
        os.write(terminal, answer)

        assert process.wait(60) == code
    assert desk.spec("queue", "stats", "--json").json["total"] == left


def test_dead_letters_are_explained_and_tried_again(desk: Desk) -> None:
    dead_letter(desk, "timeout")
    dead_letter(desk, "bad_format")

    groups = desk.spec("deadletter", "analyze", "--json").json
    assert [(g["cause"], g["host"], g["station"], g["worth_retrying"]) for g in groups] == [
        ("bad_format", "shop.example", "fetch", False),
        ("timeout", "shop.example", "fetch", True),
    ]
    assert "1 of 2 are worth another try" in desk.spec("deadletter", "analyze").out
    listed = desk.spec("deadletter", "list", "--details").out
    assert "timeout at shop" in listed
    (latest, _) = desk.spec("deadletter", "list", "--json").json
    assert (latest["cause"], latest["station"]) == ("bad_format", "fetch")

    counts = desk.spec("deadletter", "retry", "--worthwhile", "--json").json
    assert (counts["retried"], counts["left"]) == (1, 1)
    assert desk.spec("deadletter", "retry", "2", "--json").json["status"] == "queued"
    again = desk.spec("deadletter", "retry", "2", check=False)
    assert again.code == 2
    assert "q_000002 is no dead letter, it is queued" in again.err
    shown = desk.spec("queue", "show", "2", "--json").json
    assert [error["cause"] for error in shown["errors"]] == ["bad_format"]


def test_the_dead_letters_of_a_run_open_it_again(desk: Desk) -> None:
    dead_letter(desk, "timeout", run={"site": "shop"})
    dead_letter(desk, "dns_failure")

    counts = desk.spec("deadletter", "retry-run", "1", "--json").json

    assert counts == {"run": 1, "retried": 1, "left": 0, "refused": []}
    monitored = desk.spec("monitor", "--run", "1", "--json").json
    assert (monitored["run"]["status"], monitored["depth"]["due"]) == ("open", 1)
    assert desk.spec("deadletter", "retry-run", "9", check=False).code == 2


def test_old_dead_letters_are_purged_when_that_is_said(desk: Desk) -> None:
    dead_letter(desk, "timeout")

    kept = desk.spec("deadletter", "purge", "--older-than", "99999d", "--yes", "--json")

    assert kept.json == {"purged": 0}
    assert desk.spec("deadletter", "purge", "--older-than", "1d", check=False).code == 2
    gone = desk.spec("deadletter", "purge", "--older-than", "0d", "--yes", "--json")
    assert gone.json == {"purged": 1}
    assert desk.spec("deadletter", "purge", "--older-than", "soon", check=False).code == 2


def test_a_job_of_an_unknown_kind_is_kept_and_reported(desk: Desk) -> None:
    asyncio.run(_add_hologram(desk))

    stats = desk.spec("queue", "stats")

    assert "1 of kind 'hologram' wait" in stats.out
    assert desk.spec("queue", "list", "--kind", "hologram", "--json").json[0]["status"] == "queued"
    alerts = desk.spec("monitor", "--alerts", "--json", check=False)
    assert [alert["name"] for alert in alerts.json] == ["unknown_kind"]
    assert alerts.code == 1


def test_a_locked_database_is_told_and_nothing_is_half_done(desk: Desk) -> None:
    add(desk, "Razer", "Viper")
    with sqlite3.connect(desk.database, isolation_level=None) as db:
        db.execute("BEGIN IMMEDIATE")

        ended = desk.spec("queue", "add", "--category", "mouse", "--brand", "A", "--model", "B",
                          check=False)  # fmt: skip
        db.execute("ROLLBACK")

    assert ended.code == 1
    assert "try again" in ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert desk.spec("queue", "stats", "--json").json["total"] == 1


def test_a_damaged_database_is_told_and_left_alone(desk: Desk) -> None:
    desk.database.write_bytes(b"this is no database" * 1000)

    ended = desk.spec("queue", "stats", check=False)

    assert ended.code == 1
    assert len(ended.err.strip().splitlines()) == 1
    assert desk.database.read_bytes() == b"this is no database" * 1000


def test_a_database_of_a_newer_version_is_left_alone(desk: Desk) -> None:
    add(desk, "Razer", "Viper")
    with sqlite3.connect(desk.database) as db:
        db.execute("INSERT INTO schema_version VALUES (999, 'later')")
    before = desk.database.read_bytes()

    ended = batch(desk, "brand,model\nA,B\n", "--category", "mouse")

    assert ended.code == 1
    assert "schema 999" in ended.err
    assert "update Spec Factory, nothing was changed" in ended.err
    assert desk.database.read_bytes() == before


def test_a_worker_that_stops_at_the_end_says_what_is_left_for_later(desk: Desk) -> None:
    add(desk, "Razer", "Viper V3 Pro", "--at", "2999-01-01T08:00")

    said = desk.spec("worker", "--drain", "--worker-id", "w").out

    assert said.splitlines() == [
        "w: 0 done, 0 failed, 0 taken over by others",
        "1 job left for later, the next due at 2999-01-01T08:00:00Z",
    ]
