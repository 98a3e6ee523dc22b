"""Products come in from words and files: what is good is added, what is wrong is told."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.errors import UsageError
from specfactory.model import NewJob
from specfactory.ports import Database
from specfactory.queue import (
    Intake,
    LineOutcome,
    LineReport,
    TableLine,
    WrongColumn,
    product_job,
    read_products,
    take_in,
)
from specfactory.store import Jobs

MICE = Intake("mouse", ("mouse", "monitor"))
RAZER = {"brand": "Razer", "model": "Viper V3 Pro", "variant": "Wireless"}


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    database = SqliteDatabase("sqlite:///:memory:")
    await database.migrate()
    yield database
    await database.close()


async def reports(db: Database, lines: Any, intake: Intake = MICE) -> list[LineReport]:
    return [report async for report in take_in(db, lines, intake, 1000)]


def job(**fields: Any) -> NewJob:
    return product_job({**RAZER, **fields}, MICE)


def lines_of(tmp_path: Path, content: str | bytes, name: str = "p.csv") -> list[TableLine]:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_products(file))


def models(lines: list[TableLine]) -> list[Any]:
    return [line.fields["model"] for line in lines if line.fields]


def test_a_product_becomes_a_job_under_its_id() -> None:
    made = job(tags="flagship; 2024", urls="https://a.example/x", gtin=4711, max_attempts="5")

    assert (made.kind, made.key) == ("product", "mouse-razer-viper-v3-pro-wireless")
    assert made.payload == {
        **RAZER, "urls": ["https://a.example/x"], "hard_ids": {"gtin": "4711"},
    }  # fmt: skip
    assert (made.category, made.priority, made.max_attempts) == ("mouse", 3, 5)
    assert made.tags == ("flagship", "2024")


def test_spelling_does_not_make_another_product() -> None:
    assert job(brand="razer ", model=" Viper  v3 PRO").key == job().key


def test_products_of_monitored_brands_come_in_at_priority_two() -> None:
    intake = Intake("mouse", monitored_brands=("RAZER",))

    made = product_job(RAZER, intake)

    assert (made.priority, made.priority_reason) == (2, "monitored_brand")
    assert product_job({**RAZER, "priority": "5"}, intake).priority == 5
    assert product_job({**RAZER, "brand": "Other"}, intake).priority == 3


@pytest.mark.parametrize(
    ("written", "instant"),
    [("2026-02-12", 1770854400000), ("2026-02-12T08:00:00Z", 1770883200000),
     ("2026-02-12T08:00:00+02:00", 1770876000000)],
)  # fmt: skip
def test_a_product_can_be_scheduled(written: str, instant: int) -> None:
    assert job(scheduled_for=written).due_at == instant


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("brand", ""), ("brand", "!!"), ("model", None), ("model", ["x"]), ("model", True),
        ("priority", "0"), ("priority", "6"), ("priority", "high"), ("priority", "9" * 5000),
        ("priority", "²"), ("scheduled_for", "soon"), ("scheduled_for", "9999-99-99"),
        ("category", "mose"), ("urls", "file:///etc/passwd"), ("urls", [1]), ("tags", {"a": 1}),
        ("overrides", "{"), ("overrides", "[1]"), ("max_attempts", "0"), ("model", "x" * 501),
        ("model", "R\udcfcbe"), ("brand", "a\x00b"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_its_column(column: str, value: Any) -> None:
    with pytest.raises(WrongColumn) as caught:
        job(**{column: value})
    assert caught.value.column == column
    assert "\n" not in str(caught.value)


def test_a_missing_category_is_told() -> None:
    with pytest.raises(WrongColumn, match="--category"):
        product_job(RAZER, Intake())


CSV = "Brand,Model,Variant\nRazer,Viper V3 Pro,Wireless\nZowie,EC2,\n"


@pytest.mark.parametrize(
    "content",
    [
        CSV.encode(), CSV.encode("utf-8-sig"), CSV.encode("utf-16"), CSV.encode("utf-16-le"),
        CSV.encode("utf-16-be"), CSV.replace(",", ";").encode(), CSV.replace(",", "\t").encode(),
        CSV.replace(",", "|").encode(), CSV.replace("\n", "\r\n").encode(),
        CSV.replace("\n", "\r").encode(), b"\n\n" + CSV.encode(),
        b"sep=;\n" + CSV.replace(",", ";").encode(), CSV.rstrip("\n").encode(),
    ],
)  # fmt: skip
def test_csv_is_read_in_every_usual_form(tmp_path: Path, content: bytes) -> None:
    lines = lines_of(tmp_path, content)

    assert [line.fields for line in lines] == [
        RAZER, {"brand": "Zowie", "model": "EC2", "variant": ""},
    ]  # fmt: skip


def test_lines_have_the_numbers_that_an_editor_shows(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "brand,model\n\na,1\n,,\nb,2\n")

    assert [line.number for line in lines] == [3, 5]


def test_quoted_cells_may_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, 'brand,model\na,"1, ""big""\nand wide"\nb,2\n')

    assert models(lines) == ['1, "big"\nand wide', "2"]
    assert [line.number for line in lines] == [2, 4]


def test_a_broken_quote_costs_only_its_own_line(tmp_path: Path) -> None:
    rows = "\n".join(f'b,"{n}"' for n in range(50))
    lines = lines_of(tmp_path, f'brand,model\n{rows}\na,"open\n{rows}\n')

    wrong = [line for line in lines if line.problem]
    assert [(line.number, "quote" in line.problem) for line in wrong] == [(52, True)]
    assert len(models(lines)) == 100


def test_too_many_cells_are_told_and_too_few_are_empty(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "brand,model,variant\na,1,x,y\nb,2\nc,3,,,\n")

    assert "4 cells" in lines[0].problem
    assert models(lines) == ["2", "3"]


def test_unknown_columns_are_noted_once(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "brand,model,colour,\na,1,red,\n")

    assert (lines[0].is_note, lines[0].column, lines[0].number) == (True, "colour", 1)
    assert lines[1].fields == {"brand": "a", "model": "1"}


def test_headings_are_known_by_other_names_too(tmp_path: Path) -> None:
    [line] = lines_of(tmp_path, "Manufacturer,Product Name,EAN\na,1,4\n")

    assert line.fields == {"brand": "a", "model": "1", "gtin": "4"}


@pytest.mark.parametrize(
    "content",
    ["", "\n\n", "name\nx\n", "brand;model;Brand\n", "[1", '{"a": 1}', '"x"', '{"products": 5}',
     "[" * 100_000, "\x00\x01\x02", '{"brand": "x"'],
)  # fmt: skip
def test_a_file_that_is_no_list_of_products_is_refused_in_one_line(
    tmp_path: Path, content: str
) -> None:
    with pytest.raises(UsageError) as caught:
        lines_of(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        list(read_products(tmp_path / "none.csv"))


@pytest.mark.parametrize(
    "content",
    [
        [RAZER], {"products": [RAZER]}, RAZER,
        {"entries": [{"product_id": "x", "queue_id": "q_1", "identity": RAZER}]},
    ],
)  # fmt: skip
def test_json_is_read_in_every_usual_form(tmp_path: Path, content: Any) -> None:
    lines = lines_of(tmp_path, json.dumps(content), "p.json")

    assert [line.fields for line in lines] == [RAZER]


def test_json_lines_survive_a_broken_one(tmp_path: Path) -> None:
    good = json.dumps(RAZER)

    lines = lines_of(tmp_path, f"{good}\n{{oops}}\n\n{good}\n", "p.jsonl")

    assert [(line.number, bool(line.problem)) for line in lines] == [
        (1, False), (2, True), (4, False),
    ]  # fmt: skip


@given(st.binary(max_size=300))
def test_garbage_is_read_or_refused_but_never_breaks(tmp_path_factory: Any, raw: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "garbage"
    for content in (raw, b"brand,model\n" + raw):
        file.write_bytes(content)
        with contextlib.suppress(UsageError):
            assert all(line.number > 0 for line in read_products(file))


def test_a_file_that_ends_in_half_a_character_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="column"):
        lines_of(tmp_path, b"\xff\xfea")


async def test_every_line_is_told_in_its_order(db: Database, tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "brand,model,hue\na,1,x\nA , 1,x\n,2,x\nb,3,x\n")

    told = await reports(db, lines)

    assert [(one.line, one.outcome, one.column) for one in told] == [
        (1, LineOutcome.NOTE, "hue"), (2, LineOutcome.ADDED, ""), (3, LineOutcome.DUPLICATE, ""),
        (4, LineOutcome.WRONG, "brand"), (5, LineOutcome.ADDED, ""),
    ]  # fmt: skip
    assert told[2].job_id == told[1].job_id
    assert told[2].reason == "q_000001 is about the same"


async def test_a_file_can_be_taken_in_again_without_harm(db: Database, tmp_path: Path) -> None:
    lines = lines_of(tmp_path, CSV)
    await reports(db, lines)

    again = await reports(db, lines)

    assert {one.outcome for one in again} == {LineOutcome.DUPLICATE}
    assert (await Jobs(db).stats()).total == 2


async def test_many_lines_with_a_broken_one_are_taken_in(db: Database, tmp_path: Path) -> None:
    rows = [f"Brand{n % 50},Model {n}" for n in range(12_000)]  # more than are taken at once
    rows[5_000] = 'Brand,"broken'

    told = await reports(db, lines_of(tmp_path, "brand,model\n" + "\n".join(rows)))

    assert Counter(one.outcome for one in told) == {
        LineOutcome.ADDED: 11_999, LineOutcome.WRONG: 1,
    }  # fmt: skip
    assert [one.line for one in told if one.outcome is LineOutcome.WRONG] == [5_002]
