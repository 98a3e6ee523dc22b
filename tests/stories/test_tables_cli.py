"""What the factory knows leaves as tables that people can use, in pages and in any size."""

from __future__ import annotations

import asyncio
import csv
import gc
import io
import json
from pathlib import Path

import duckdb
import pytest
import yaml

from specfactory.assembly import open_factory
from specfactory.entry.cli import run_command
from specfactory.proof import Element
from specfactory.settings import load
from tests.many_records import fill, product_id
from tests.stories.desk import Desk

COUNT = 5


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A folder with five records, a question about each, and five pages that were read."""
    folder = tmp_path_factory.mktemp("tables")
    settings = {"database_url": f"sqlite:///{folder}/factory.db"}
    (folder / "specfactory.yaml").write_text(yaml.safe_dump(settings))

    asyncio.run(filled(folder, COUNT))
    return Desk(folder)


async def filled(folder: Path, count: int) -> None:
    async with open_factory(load(folder / "specfactory.yaml")) as factory:
        await fill(factory.database, count)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_table_comes_with_a_file_that_describes_its_columns(desk: Desk) -> None:
    ended = desk.spec("export", "--format", "csv", "--output", "mice.csv")

    table = rows((desk.folder / "mice.csv").read_text())
    described = {r["name"]: r for r in rows((desk.folder / "mice.columns.csv").read_text())}
    assert ended.err.splitlines() == ["5 records in mice.csv, columns in mice.columns.csv"]
    assert [row["weight_g"] for row in table] == ["54"] * COUNT
    assert list(described) == list(table[0])
    assert (described["weight_g"]["type"], described["weight_g"]["unit"]) == ("number", "g")
    assert {row["encoder_brand"] for row in table} == {""}


def test_the_columns_of_a_table_on_stdout_are_described_where_asked(desk: Desk) -> None:
    ended = desk.spec("export", "--format", "csv", "--columns", "about.csv")

    assert len(rows(ended.out)) == COUNT
    assert "weight_g" in (desk.folder / "about.csv").read_text()


def test_pages_leave_in_every_form_with_confidence_and_address(desk: Desk) -> None:
    pages = ("export", "--pages", "--category", "mouse", "--format")
    for form in ("parquet", "xlsx"):
        desk.spec(*pages, form, "--output", f"pages.{form}")
    table = rows(desk.spec(*pages, "csv").out)
    lines = [json.loads(line) for line in desk.spec(*pages, "jsonl").out.splitlines()]
    parquet = desk.folder / "pages.parquet"
    found = duckdb.sql(f"SELECT url, weight_g, weight_confidence, price_amount FROM '{parquet}'")

    weight = lines[0]["fields"]["weight"]
    assert [row["url"] for row in table] == [f"https://shop.example/{n}" for n in range(COUNT)]
    assert (table[0]["price_amount"], table[0]["price_currency"]) == ("159.99", "USD")
    assert (weight["value"], weight["unit"], lines[0]["url"]) == (54, "g", table[0]["url"])
    assert 0.5 < weight["confidence"] <= 1
    assert float(table[0]["weight_confidence"]) == weight["confidence"]
    assert lines[0]["fields"]["height"] == {
        "value": None, "unit": "mm", "unknown_reason": "not_on_page",
    }  # fmt: skip
    assert found.fetchall() == [(row["url"], 54, weight["confidence"], 159.99) for row in table]
    assert (desk.folder / "pages.xlsx").read_bytes().startswith(b"PK")
    assert "weight_g" in (desk.folder / "pages.columns.csv").read_text()


def test_the_seed_form_is_still_there(desk: Desk) -> None:
    first, *_ = map(json.loads, desk.spec("export", "--format", "seed").out.splitlines())
    shown = desk.spec("record", "show", product_id(0), "--json").json

    assert first == shown
    assert first["fields"]["encoder_brand"]["value"] == "unk"


@pytest.mark.parametrize(
    ("command", "name"), [(("record", "list"), "product_id"), (("review", "list"), "review")]
)
def test_lists_come_in_pages(desk: Desk, command: tuple[str, str], name: str) -> None:
    whole = desk.spec(*command, "--json").json
    shown = desk.spec(*command, "--limit", "2").out.splitlines()
    seen, after = [], "0"
    while page := desk.spec(*command, "--limit", "2", "--after", after, "--json").json:
        seen += page
        after = str(page[-1][name])

    assert len(whole) == COUNT
    assert seen == whole
    assert shown[-1] == f"and more; go on with --after {whole[1][name]}"
    assert len(shown) == 4
    assert len(desk.spec(*command, "--limit", str(COUNT)).out.splitlines()) == COUNT + 1


def test_the_audit_goes_part_by_part(desk: Desk) -> None:
    part = desk.spec("audit", "--all", "--limit", "2").out.splitlines()
    rest = desk.spec("audit", "--all", "--after", product_id(1), "--json").json
    whole = desk.spec("audit", "--all", "--json").json

    assert part[-1] == f"and more; go on with --after {product_id(1)}"
    assert (rest["records"], whole["records"]) == (3, COUNT)
    assert whole["failures"] == []
    assert rest["proven"] * COUNT == whole["proven"] * 3


@pytest.mark.parametrize(("what", "code"), [("--all", 0), ("--pages", 1)])  # its rows are made up
def test_an_audit_of_many_drops_their_pages_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, code: int
) -> None:
    monkeypatch.setattr("specfactory.entry.cli.records.audit.COLLECTED_TOGETHER", 10)
    monkeypatch.chdir(tmp_path)
    left = []
    for count in (9, 59):
        settings = {"database_url": f"sqlite:///{tmp_path}/{count}.db"}
        (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
        asyncio.run(filled(tmp_path, count))
        gc.collect()
        gc.disable()  # it would come by sooner or later
        try:
            assert run_command(["audit", what]) == code
            left.append(sum(isinstance(one, Element) for one in gc.get_objects()))
        finally:
            gc.enable()

    assert 0 < left[1] < 2 * left[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "--format", "xlsx"), "give --output FILE"),
        (("export", "--pages", "--category", "mouse", "--format", "seed"), "jsonl, csv, xlsx"),
        (("review", "list", "--after", "99999"), "99999"),
        (("audit", product_id(0), "--limit", "2"), "go with --all"),
        (("record", "list", "--category", "mous"), "mous"),
    ],
)
def test_what_cannot_be_done_is_said(desk: Desk, arguments: tuple[str, ...], said: str) -> None:
    ended = desk.spec(*arguments, check=False)

    assert ended.code in (1, 2)
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_full_pipe_gets_no_file_beside_it(desk: Desk, tmp_path: Path) -> None:
    ended = desk.spec("export", "--format", "csv", "--output", "/dev/null")

    assert ended.err.splitlines() == ["5 records in /dev/null"]
    assert not Path("/dev/null.columns.csv").exists()
