"""Runs in the terminal: what was asked for together, cancelled and taken up again."""

from __future__ import annotations

import sqlite3

import pytest
import yaml

from tests.stories.conftest import DemoWeb, Workspace
from tests.stories.desk import Desk

PAGES = 3


@pytest.fixture
def desk(workspace: Workspace, demo_web: DemoWeb) -> Desk:
    """A desk with the file of a run: some pages of one shop, and their category."""
    host = next(
        source["host"] for source in demo_web.settings()["sources"]
        if source["host"].startswith("gearbarn")
    )  # fmt: skip
    truth = demo_web.truth["products"].values()
    urls = [f"http://{host}/{n}" for n, _ in zip(range(PAGES), truth, strict=False)]
    plan = {"name": "spring", "category": "mouse", "urls": urls}
    (workspace.folder / "run.yaml").write_text(yaml.safe_dump(plan))
    workspace.change(browser={"enabled": False}, fetch={"host_delay_seconds": 0.0})
    return Desk(workspace.folder)


def test_a_run_is_listed_shown_cancelled_and_taken_up_again(desk: Desk) -> None:
    assert "no runs" in desk.spec("runs", "list").out
    desk.spec("coordinator", "--config", "run.yaml", "--no-wait")

    listed = desk.spec("runs", "list", "--json").json
    assert [(one["run"], one["status"], one["jobs"]) for one in listed] == [
        (1, "open", {"queued": PAGES})
    ]
    shown = desk.spec("runs", "show", "1").out
    assert "run 1: spring" in shown
    assert f"{PAGES} queued" in shown
    assert f"urls: {PAGES}" in shown

    said = desk.spec("runs", "cancel", "1", "--yes").out
    assert "cancelled, 3 jobs are skipped" in said
    assert desk.spec("runs", "list", "--status", "cancelled", "--json").json[0]["run"] == 1
    again = desk.spec("runs", "cancel", "1", "--yes", check=False)
    assert (again.code, "nothing to cancel" in again.err) == (2, True)

    assert "3 jobs are queued again" in desk.spec("runs", "resume", "1").out
    refused = desk.spec("runs", "resume", "1", check=False)
    assert (refused.code, "deadletter retry-run 1" in refused.err) == (2, True)
    assert desk.spec("queue", "stats", "--json").json["by_status"]["queued"] == PAGES


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("runs", "show", "9"), "no run '9'"),
        (("runs", "resume", "9"), "no run '9'"),
        (("runs", "cancel", "9", "--yes"), "no run '9'"),
        (("runs", "list", "--status", "odd"), "allowed: open"),
        (("audit", "--pages", "--category", "mouze"), "unknown category 'mouze'"),
    ],
)
def test_what_cannot_be_done_is_said(desk: Desk, arguments: tuple[str, ...], words: str) -> None:
    ended = desk.spec(*arguments, check=False)

    assert ended.code == 2
    assert words in ended.err


def test_pages_of_a_run_with_a_category_are_read_into_rows(
    desk: Desk, workspace: Workspace, demo_web: DemoWeb
) -> None:
    product = next(iter(demo_web.truth["products"].values()))
    sources = demo_web.settings()["sources"]
    host = next(one["host"] for one in sources if one["host"].startswith("mousemetrics"))
    url = f"http://{host}/mouse/{product['name'].lower().replace(' ', '-')}"
    plan = {"category": "mouse", "urls": [url]}
    (workspace.folder / "run.yaml").write_text(yaml.safe_dump(plan))

    desk.spec("coordinator", "--config", "run.yaml", "--no-wait")
    desk.spec("worker", "--kinds", "page,run", "--drain")

    rows = desk.spec("export", "--pages", "--category", "mouse", "--format", "jsonl").out
    assert url in rows
    audited = desk.spec("audit", "--pages", "--json").json
    assert (audited["pages"], audited["failures"]) == (1, [])
    assert audited["proven"] > 5
    assert desk.spec("runs", "show", "1", "--json").json["status"] == "complete"

    (workspace.folder / "run.yaml").write_text(yaml.safe_dump({**plan, "category": "mous"}))
    ended = desk.spec("coordinator", "--config", "run.yaml", "--no-wait", check=False)
    assert (ended.code, "no category 'mous'" in ended.err) == (2, True)


def test_a_changed_page_is_found_by_the_audit_of_rows(desk: Desk, demo_web: DemoWeb) -> None:
    product = next(iter(demo_web.truth["products"].values()))
    sources = demo_web.settings()["sources"]
    host = next(one["host"] for one in sources if one["host"].startswith("mousemetrics"))
    url = f"http://{host}/mouse/{product['name'].lower().replace(' ', '-')}"
    desk.spec("queue", "pages", url, "--category", "mouse")
    desk.spec("worker", "--kinds", "page", "--drain")
    desk.spec("audit", "--pages")

    with sqlite3.connect(desk.folder / "factory.db") as db:
        db.execute("UPDATE bodies SET body = X'00'")

    ended = desk.spec("audit", "--pages", "--category", "mouse", "--json", check=False)
    assert ended.code == 1
    assert {one["url"] for one in ended.json["failures"]} == {url}
    assert "not proven" in desk.spec("audit", "--pages", check=False).out
