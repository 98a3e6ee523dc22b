"""The queue as a file, its dead letters in groups, its runs summed up."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from specfactory.errors import UsageError
from specfactory.model import Job, JobError, JobStatus, Run, RunStatus
from specfactory.orchestrate.kinds.run import run_summary
from specfactory.queue import analyze, queue_json, read_queue
from specfactory.store import config_hash

ENTRY: dict[str, Any] = {
    "queue_id": "q_001",
    "product_id": "mouse-razer-viper-v3-pro-wireless",
    "category": "mouse",
    "identity": {"brand": "Razer", "model": "Viper V3 Pro", "variant": "Wireless"},
    "priority": 1,
    "priority_reason": "new_product",
    "status": "queued",
    "added_at": "2026-02-12T08:00:00Z",
    "added_by": "cli_import",
    "attempts": 0,
    "max_attempts": 3,
    "last_attempt_at": None,
    "last_error": None,
    "scheduled_for": None,
    "tags": ["flagship", "2024-release"],
    "overrides": {},
}
QUEUE = {"queue_version": "1.0.0", "updated_at": "2026-02-12T10:00:00Z", "entries": [ENTRY]}
NOW = 1770890400000


def read(**changes: Any) -> Job:
    jobs, wrong = read_queue(json.dumps({**QUEUE, "entries": [{**ENTRY, **changes}]}))
    assert wrong == []
    return jobs[0]


def error(cause: str, job_id: int = 1, message: str = "m", **more: Any) -> JobError:
    at = more.pop("at", 5)
    return JobError(job_id, 1, at, "w", more.pop("station", "fetch"), cause, message, **more)


def test_a_queue_file_is_read_and_written_as_it_was() -> None:
    job = replace(read(), id=1)

    written = queue_json([job], NOW)

    assert written["queue_version"] == "1.0.0"
    assert written["updated_at"] == "2026-02-12T10:00:00Z"
    [entry] = written["entries"]
    assert entry == {**ENTRY, "queue_id": "q_000001", "finished_at": None}


def test_what_only_we_know_survives_the_way() -> None:
    job = Job(
        7, "product", "mouse-razer-viper-v3-pro-wireless", JobStatus.FAILED, 2, NOW + 1, NOW + 99,
        {**ENTRY["identity"], "urls": ["https://a.example"]}, "mouse", "r", "api", 2, 4,
        tags=("x",), overrides={"max_pages": 3}, last_attempt_at=NOW + 5, last_error="e",
        finished_at=NOW + 6,
    )  # fmt: skip

    [back], wrong = read_queue(json.dumps(queue_json([job], NOW)))

    assert wrong == []
    assert replace(back, id=7) == job


def test_other_kinds_of_jobs_have_no_place_in_it() -> None:
    assert queue_json([replace(read(), kind="page")], NOW)["entries"] == []


def test_a_round_is_work_in_progress() -> None:
    assert read(status="round_3").status is JobStatus.IN_PROGRESS


def test_a_scheduled_product_is_due_then() -> None:
    assert read(scheduled_for="2026-02-13T00:00:00Z").due_at == 1770940800000


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"status": "lost"}, "status"), ({"identity": None}, "identity"),
        ({"identity": {"brand": "x"}}, "model"), ({"priority": 7}, "priority"),
        ({"added_at": None}, "added_at"), ({"added_at": 5}, "added_at"),
        ({"attempts": "many"}, "attempts"), ({"attempts": -1}, "attempts"),
        ({"last_attempt_at": "yesterday"}, "last_attempt_at"), ({"category": ""}, "category"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_told_and_the_others_are_read(
    changes: dict[str, Any], column: str
) -> None:
    entries = [{**ENTRY, **changes}, ENTRY, 5]

    jobs, wrong = read_queue(json.dumps({**QUEUE, "entries": entries}))

    assert len(jobs) == 1
    assert [(each.entry, each.column) for each in wrong] == [(1, column), (3, "")]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"entries": 1}', "[" * 100_000])
def test_a_file_that_is_no_queue_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_queue(text)


def test_dead_letters_are_grouped_the_largest_group_first() -> None:
    groups = analyze(
        [
            error("timeout", 1, host="a.example", at=9), error("blocked", 2, host="b.example"),
            error("timeout", 3, host="a.example"), error("timeout", 4, host="b.example"),
            error("timeout", 5, host="a.example", station="identify"),
        ]
    )  # fmt: skip

    assert [(g.cause, g.host, g.station, g.jobs) for g in groups] == [
        ("timeout", "a.example", "fetch", 2), ("blocked", "b.example", "fetch", 1),
        ("timeout", "a.example", "identify", 1), ("timeout", "b.example", "fetch", 1),
    ]  # fmt: skip
    assert (groups[0].first_at, groups[0].last_at) == (5, 9)


@pytest.mark.parametrize(
    ("cause", "permanent", "worth"),
    [("timeout", False, True), ("timeout", True, False), ("bad_format", False, False),
     ("captcha", False, False), ("lease_expired", False, True), ("something_new", False, True)],
)  # fmt: skip
def test_a_group_says_whether_it_is_worth_another_try(
    cause: str, permanent: bool, worth: bool
) -> None:
    [group] = analyze([error(cause, permanent=permanent)])

    assert group.worth_retrying is worth
    assert group.advice


def test_examples_differ_where_they_can() -> None:
    errors = [error("x", n, message) for n, message in enumerate(["a", "a", "b", "a", "c", "d"])]

    [group] = analyze(errors)

    assert [example.message for example in group.examples] == ["a", "b", "c"]
    [alike] = analyze(errors[:2])
    assert [example.job_id for example in alike.examples] == [0, 1]


def test_nothing_dead_gives_no_groups() -> None:
    assert analyze([]) == []


def test_the_hash_of_a_configuration_does_not_know_the_order_of_its_keys() -> None:
    one = {"site": "ä", "limits": {"pages": 5, "depth": 2}, "kinds": ["a", "b"]}
    same = {"kinds": ["a", "b"], "limits": {"depth": 2, "pages": 5}, "site": "ä"}

    assert config_hash(one) == config_hash(same)
    assert config_hash(one) != config_hash({**one, "kinds": ["b", "a"]})
    assert len(config_hash(one)) == 64


def test_a_run_is_summed_up() -> None:
    run = Run(3, "h", {}, RunStatus.POST_PROCESSING, NOW)
    progress = {JobStatus.COMPLETE: 9, JobStatus.FAILED: 1, JobStatus.QUEUED: 0}

    summary = run_summary(run, progress, {"timeout": 4}, NOW + 30_000)

    assert summary == {
        "run_id": 3, "config_hash": "h", "jobs": 10,
        "by_status": {"complete": 9, "failed": 1}, "errors": {"timeout": 4},
        "seconds": 30.0, "jobs_per_minute": 20.0,
    }  # fmt: skip
