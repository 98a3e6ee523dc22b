"""Exports are whole, safe and readable."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import StorageFull
from specfactory.model import Contract, Field, FieldType
from specfactory.publish import record_json
from specfactory.publish.exports import (
    RECORD_HEAD,
    Format,
    open_export,
    published_only,
    safe_cell,
    with_unit,
)
from specfactory.publish.exports.csv_file import RISKY
from specfactory.publish.exports.table_spool import cell_text
from tests.sample import CONTRACT, sample_record


def document() -> dict[str, Any]:
    return record_json(sample_record(), CONTRACT)


def export(
    form: str, documents: Iterable[Any], out: Any = None, columns: Path | None = None
) -> str:
    """Export documents, each alone or with its contract; what was written as text."""
    target = io.StringIO() if out is None else out
    with open_export(Format(form), target, RECORD_HEAD, columns) as add:
        for each in documents:
            add(*(each if isinstance(each, tuple) else (each, CONTRACT)))
    return target.getvalue() if isinstance(target, io.StringIO) else ""


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_jsonl_has_one_record_a_line_with_units_and_null_for_unknowns() -> None:
    [first, second] = export("jsonl", [document(), document()]).splitlines()

    fields = json.loads(first)["fields"]
    assert first == second
    assert list(fields["weight"])[:3] == ["value", "unit", "confidence"]
    assert (fields["weight"]["value"], fields["weight"]["unit"]) == (54, "g")
    assert "unit" not in fields["sensor"]
    assert fields["encoder_brand"]["value"] is None
    assert fields["encoder_brand"]["unknown_reason"] == "not_publicly_disclosed"


def test_the_seed_format_has_records_as_they_are_published() -> None:
    lines = export("seed", [document(), document()]).splitlines()

    assert [json.loads(line) for line in lines] == [document()] * 2
    assert document()["fields"]["encoder_brand"]["value"] == "unk"


def test_a_line_end_inside_a_value_does_not_end_the_line() -> None:
    odd = document()
    odd["fields"]["sensor"]["value"] = "a\u2028b\u2029c\x85d\ne"

    [line] = export("seed", [odd]).splitlines()

    assert json.loads(line) == odd


def test_csv_names_the_unit_in_the_column_and_leaves_unknowns_empty() -> None:
    [row] = rows(export("csv", [document()]))

    assert list(row)[:3] == ["product_id", "category", "brand"]
    assert (row["weight_g"], row["weight_confidence"]) == ("54", "0.9")
    assert row["click_latency_ms"] == "0.2"
    assert (row["encoder_brand"], row["encoder_brand_confidence"]) == ("", "")
    assert (row["price_amount"], row["price_currency"]) == ("", "")
    assert (row["model"], row["coverage"]) == ("Viper V3 Pro", "0.5")
    assert "unk" not in row.values()


def test_money_is_an_amount_and_a_currency() -> None:
    paid = document()
    paid["fields"]["price"] = {"value": {"amount": 159.99, "currency": "USD"}, "confidence": 0.8}

    [row] = rows(export("csv", [paid]))

    assert (row["price_amount"], row["price_currency"]) == ("159.99", "USD")
    assert row["price_confidence"] == "0.8"


def test_columns_are_gathered_from_all_records() -> None:
    first, second = rows(export("csv", [published_only(document()), document()]))

    assert (first["price_amount"], second["price_amount"]) == ("", "")
    assert "price_amount" not in rows(export("csv", [published_only(document())]))[0]


def _made_of(*fields: Field, **values: Any) -> tuple[dict[str, Any], Contract]:
    known = {name: {"value": value, "confidence": 0.5} for name, value in values.items()}
    contract = Contract("mouse", "1", "Mouse", {field.name: field for field in fields})
    return {**document(), "fields": known}, contract


def test_a_field_in_two_units_has_two_columns_and_one_confidence() -> None:
    light = _made_of(Field("weight", FieldType.NUMBER, unit="g"), weight=54)
    heavy = _made_of(Field("weight", FieldType.NUMBER, unit="kg"), weight=7)

    first, second = rows(export("csv", [light, heavy]))

    assert list(first)[-3:] == ["weight_g", "weight_kg", "weight_confidence"]
    assert (first["weight_g"], first["weight_kg"]) == ("54", "")
    assert (second["weight_g"], second["weight_kg"]) == ("", "7")


def test_no_two_columns_have_the_same_name() -> None:
    made = _made_of(
        Field("weight", FieldType.NUMBER, unit="g"), Field("weight_g", FieldType.TEXT),
        Field("Weight_G", FieldType.TEXT), Field("brand", FieldType.TEXT),
        Field("avg", FieldType.TEXT), weight=1, weight_g="a", Weight_G="b", brand="c", avg="d",
    )  # fmt: skip

    [row] = rows(export("csv", [made]))

    assert len({name.casefold() for name in row}) == len(row)
    assert (row["weight_g"], row["field_weight_g"]) == ("1", "a")
    assert (row["brand"], row["field_brand"]) == ("Razer", "c")


@pytest.mark.parametrize(
    ("name", "unit", "column"),
    [
        ("weight", "g", "weight_g"),
        ("brightness", "cd/m²", "brightness_cd_per_m2"),
        ("humidity", "%", "humidity_percent"),
        ("temperature", "°C", "temperature_degC"),
        ("clicks", "million clicks", "clicks_million_clicks"),
        ("weight_g", "g", "weight_g"),
        ("sensor", "", "sensor"),
    ],
)
def test_a_unit_becomes_part_of_a_name_that_any_tool_takes(
    name: str, unit: str, column: str
) -> None:
    assert with_unit(name, unit) == column


def test_a_file_describes_the_columns(tmp_path: Path) -> None:
    export("csv", [document()], tmp_path / "mice.csv", tmp_path / "mice.columns.csv")

    described = rows((tmp_path / "mice.columns.csv").read_text())
    [written] = rows((tmp_path / "mice.csv").read_text())
    by_name = {line["name"]: line for line in described}
    assert list(by_name) == list(written)
    assert by_name["weight_g"] == {
        "name": "weight_g", "type": "number", "unit": "g", "meaning": "Weight.",
    }  # fmt: skip
    assert by_name["price_amount"]["type"] == "number"
    assert all(line["meaning"] for line in described)


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet"])
def test_half_a_character_of_a_page_stops_no_export(tmp_path: Path, form: str) -> None:
    odd = document()
    odd["fields"]["sensor"]["value"] = "a\ud800\x01\u2028b"

    export(form, [odd, document()], tmp_path / "out")

    assert (tmp_path / "out").stat().st_size > 0
    if form == "csv":
        first, second = rows((tmp_path / "out").read_text(encoding="utf-8"))
        assert (first["sensor"], second["sensor"]) == ("a?\nb", "Focus Pro 35K")


def test_only_published_leaves_the_unknown_fields_out() -> None:
    assert list(published_only(document())["fields"]) == ["weight", "sensor", "click_latency"]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", " x"),
        ("\rx", "'\nx"),
        ("\t=1+1", " '=1+1"),
        ("a;=1+1", "a;'=1+1"),
        ("a;  @SUM(A1);b", "a;  '@SUM(A1);b"),
        ("a\t=1+1", "a =1+1"),
        ("a\n=1+1", "a\n'=1+1"),
        ("a|-1+1", "a|'-1+1"),
        ('a;"=1+1"', 'a;"\'=1+1"'),
        ("low; -5", "low; '-5"),
        (["a", "=b"], "a; '=b"),
        ("red\x1b[31m \x9b2J\x00\u202egnp", "red[31m 2Jgnp"),
        ("-5", "-5"),
        (-5.25, "-5.25"),
        (-1e-7, "-1e-07"),
        ("+49", "+49"),
        ("-5 g", "'-5 g"),
        (["=a", "b"], "'=a; b"),
        ([127.1, 63.9], "127.1 x 63.9"),
        ({"amount": 159.99, "currency": "USD"}, "159.99 USD"),
        ({"amount": -1, "currency": "=EUR"}, "'-1 =EUR"),
        (True, "true"),
        (None, ""),
        ([], ""),
    ],
)
def test_no_cell_is_a_formula(value: object, cell: str) -> None:
    assert safe_cell(value) == cell


@given(st.text())
def test_what_starts_like_a_formula_is_a_number_or_marked(text: str) -> None:
    cell = safe_cell(text)

    if cell.startswith(RISKY):
        float(cell)
    assert cell.replace("'", "") == cell_text(text).replace("'", "")


@given(
    st.lists(st.text("=+-@＝;|\t\r\n\",' 1aé\x1b"), min_size=1, max_size=4),
    st.sampled_from(",;|\t"),
)
def test_no_split_of_a_csv_line_gives_a_formula(cells: list[str], separator: str) -> None:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(map(safe_cell, ["x", *cells]))

    for line in csv.reader(io.StringIO(written.getvalue()), delimiter=separator):
        for part in line:
            bare = part.strip(' "')
            if bare.startswith(tuple("=+-@＝＋－＠")):
                float(bare)


@pytest.mark.parametrize("form", ["jsonl", "csv", "jsonld", "seed"])
def test_no_file_carries_control_characters(tmp_path: Path, form: str) -> None:
    hostile = "".join(map(chr, range(32))) + "\x7f\x9b31m\u202e\u2066\u2028x"
    out = tmp_path / "records"
    made = document()
    made["fields"]["sensor"]["value"] = hostile
    made["identity"]["model"] = hostile

    export(form, [made], out)

    text = out.read_text(encoding="utf-8")
    assert [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl")] == []
    if form == "seed":
        assert json.loads(text) == made


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "records.jsonl"

    export("seed", [document()], out)

    assert json.loads(out.read_text(encoding="utf-8")) == document()
    assert [p.name for p in out.parent.iterdir()] == ["records.jsonl"]


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet", "jsonld", "seed"])
@pytest.mark.parametrize("problem", [KeyboardInterrupt, RuntimeError])
def test_an_interruption_leaves_the_old_file_as_it_was(
    tmp_path: Path, problem: type[BaseException], form: str
) -> None:
    out = tmp_path / "records.jsonl"
    out.write_text("old")

    def interrupted() -> Iterator[dict[str, Any]]:
        yield document()
        raise problem

    with pytest.raises(problem):
        export(form, interrupted(), out)
    assert out.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["records.jsonl"]


def test_a_full_disk_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    out.write_text("old")
    script = """
import resource, sys
from pathlib import Path
from specfactory.errors import StorageFull
from specfactory.publish.exports import Format, open_export
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    with open_export(Format.SEED, Path(sys.argv[1])) as add:
        for _ in range(9):
            add({"x": "y" * 9_000}, None)
except StorageFull as problem:
    print(problem)
"""

    done = subprocess.run(
        [sys.executable, "-c", script, str(out)], capture_output=True, text=True, check=False
    )

    assert done.stdout == (
        f"cannot write to {out}: File too large; what was written before is intact\n"
    )
    assert out.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["records.jsonl"]


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "records.jsonl"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)

    export("seed", [document()], pipe)

    assert json.loads(os.read(reader, 1_000_000)) == document()
    assert pipe.is_fifo()
    os.close(reader)


def test_a_full_standard_output_is_named() -> None:
    script = """
import sys
from specfactory.errors import StorageFull
from specfactory.publish.exports import Format, open_export
try:
    with open_export(Format.SEED, sys.stdout) as add:
        add({"x": 1}, None)
except StorageFull as problem:
    print(problem, file=sys.stderr)
    import os
    os._exit(3)
"""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, text=True,
            check=False,
        )  # fmt: skip

    assert done.returncode == 3
    assert done.stderr.startswith("cannot write to <stdout>: No space left")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageFull, match="records"):
        export("csv", [document()], tmp_path / "file" / "records.csv")
