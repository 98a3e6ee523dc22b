"""A user wants one product's record, with a citation for every value."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace


def pages_stored(workspace: Workspace) -> int:
    with sqlite3.connect(workspace.database) as db:
        return db.execute("SELECT count(*) FROM pages").fetchone()[0]


def pages_stored_twice(workspace: Workspace) -> list[str]:
    with sqlite3.connect(workspace.database) as db:
        rows = db.execute(
            "SELECT url FROM pages WHERE outcome = 'ok' GROUP BY url HAVING count(*) > 1"
        )
        return [url for (url,) in rows]


def test_one_command_makes_a_record_whose_every_value_is_cited(workspace):
    made = workspace.spec("run", *VIPER_FLAGS, "--json").json

    record = made["record"]
    assert record["product_id"] == VIPER
    assert record["run_id"] == made["ledger"]["run_id"]
    assert record["metrics"]["filled_fields"] >= 100
    for name, field in record["fields"].items():
        if field["value"] == "unk":
            assert field["unknown_reason"], name
            assert field["attempt_trace"]["rounds_attempted"] >= 1, name
        else:
            assert field["provenance"]["quote"], name
            assert field["provenance"]["url"].startswith("http://"), name


def test_the_audit_proves_every_value_from_the_stored_pages(made):
    audit = made.spec("audit", "--all", "--json").json

    assert audit["failures"] == []
    assert audit["proven"] >= 100


def test_a_dry_run_shows_the_plan_and_fetches_nothing(workspace):
    plan = workspace.spec("run", *VIPER_FLAGS, "--dry-run", "--json").json

    assert [r["round"] for r in plan["rounds"]][:2] == [0, 1]
    first = plan["rounds"][0]["sources"]
    assert len(first) == 1
    assert first[0]["tier"] == "tier1_manufacturer"
    assert first[0]["expected_fields"] > 0
    assert first[0]["why"]
    assert plan["expected_pages"] >= 2
    assert pages_stored(workspace) == 0


def test_a_second_run_fetches_nothing_that_is_fresh(made):
    again = made.spec("run", *VIPER_FLAGS, "--json").json

    assert again["ledger"]["actual"]["pages_fetched"] == 0
    assert not again["changed"]


def test_a_refreshed_run_asks_conditionally_and_finds_nothing_new(workspace):
    first = workspace.spec("run", *VIPER_FLAGS, "--json").json

    again = workspace.spec("run", *VIPER_FLAGS, "--refresh", "--json").json
    assert again["ledger"]["actual"]["pages_fetched"] > 0
    assert pages_stored_twice(workspace) == []
    for name, field in first["record"]["fields"].items():
        if field["value"] != "unk" and field["agreement"] != "source_dependent":
            assert again["record"]["fields"][name]["value"] == field["value"], name


def test_a_spent_page_budget_ends_the_attempt_with_what_it_has(workspace):
    made = workspace.spec("run", *VIPER_FLAGS, "--max-pages", "2", "--json").json

    assert made["ledger"]["actual"]["pages_fetched"] == 2
    assert made["ledger"]["budget_utilization"]["pages"] == 1.0
    reasons = {f.get("unknown_reason") for f in made["record"]["fields"].values()}
    assert "budget_exhausted" in reasons
    assert made["record"]["metrics"]["filled_fields"] > 20


def test_a_page_that_the_user_knows_is_used(demo_web, workspace):
    known = workspace.spec("run", *VIPER_FLAGS, "--json").json["record"]
    url = known["fields"]["weight"]["provenance"]["url"]
    (workspace.folder / "factory.db").unlink()
    workspace.change(sources=[])

    made = workspace.spec("run", *VIPER_FLAGS, "--url", url, "--max-pages", "1", "--json").json
    assert made["record"]["fields"]["weight"]["value"] == known["fields"]["weight"]["value"]
    assert made["ledger"]["actual"]["pages_fetched"] == 1


def test_a_page_that_the_user_knows_is_read_even_when_enough_is_filled(demo_web, workspace):
    url = f"http://index.localhost:{demo_web.first_port}/"
    workspace.spec("run", *VIPER_FLAGS)

    plan = workspace.spec("run", *VIPER_FLAGS, "--url", url, "--dry-run", "--json").json
    assert plan["rounds"][0]["sources"][0]["url"] == url
    workspace.spec("run", *VIPER_FLAGS, "--url", url)
    with sqlite3.connect(workspace.database) as db:
        stored = [known for (known,) in db.execute("SELECT url FROM pages")]
    assert url in stored


def test_a_dry_run_of_what_is_fresh_plans_nothing(made):
    plan = made.spec("run", *VIPER_FLAGS, "--dry-run", "--json").json

    assert (plan["rounds"], plan["expected_pages"]) == ([], 0)


def test_one_field_is_shown_with_its_quote(made):
    shown = made.spec("record", "show", VIPER, "--field", "weight", "--json").json

    assert shown["value"] > 20
    assert str(shown["value"]) in shown["provenance"]["quote"].replace(",", ".")


def test_a_product_is_found_by_its_words(made):
    assert "weight" in made.spec("record", "show", "viper v3 pro wireless").out


def test_explain_shows_candidates_dropped_ones_and_the_confidence(made):
    told = made.spec("explain", VIPER, "weight", "--json").json

    assert len(told["candidates"]) >= 2
    assert told["reasons"]
    assert "dropped" in told


def test_the_export_is_one_line_per_record(made):
    lines = made.spec("export", "--format", "jsonl").out.splitlines()

    assert len(lines) == 1
    assert VIPER in lines[0]


def test_the_history_names_the_first_version(made):
    versions = made.spec("record", "history", VIPER, "--json").json

    assert versions["versions"][0]["version"] == 1


@pytest.mark.parametrize(
    "command", [("queue", "stats"), ("record", "show", VIPER), ("review", "list")]
)
def test_a_command_that_only_reads_loads_nothing_that_fetches(made, command):
    code = (
        "import sys; from specfactory.entry.cli import run_command\n"
        f"code = run_command({list(command)!r})\n"
        "print(*sorted({m.partition('.')[0] for m in sys.modules}), file=sys.stderr)\n"
        "sys.exit(code)"
    )

    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=made.folder, capture_output=True, text=True, check=True
    )

    loaded = set(ended.stderr.split())
    assert "sqlite3" in loaded
    assert not loaded & {"aiohttp", "playwright", "selectolax", "lxml", "pydantic", "pint"}
