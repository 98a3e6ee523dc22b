"""Exports are whole, safe and readable."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import StorageFull
from specfactory.publish import export_csv, export_jsonl, published_only, record_json
from specfactory.publish.jsonl_and_csv import RISKY, safe_cell
from tests.sample import CONTRACT, sample_record


def document() -> dict[str, Any]:
    return record_json(sample_record(), CONTRACT)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_jsonl_has_one_record_a_line() -> None:
    out = io.StringIO()

    assert export_jsonl([document(), document()], out) == 2
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [document()] * 2


def test_a_line_end_inside_a_value_does_not_end_the_line() -> None:
    odd = document()
    odd["fields"]["sensor"]["value"] = "a\u2028b\u2029c\x85d\ne"
    out = io.StringIO()
    export_jsonl([odd], out)

    [line] = out.getvalue().splitlines()
    assert json.loads(line) == odd


def test_csv_has_one_row_a_product_and_two_columns_a_field() -> None:
    out = io.StringIO()

    assert export_csv([document()], out) == 1
    [row] = rows(out.getvalue())
    assert list(row)[:3] == ["product_id", "category", "brand"]
    assert (row["weight"], row["weight_confidence"]) == ("54", "0.9")
    assert (row["encoder_brand"], row["encoder_brand_confidence"]) == ("unk", "")
    assert (row["model"], row["coverage"]) == ("Viper V3 Pro", "0.5")


def test_csv_columns_can_be_given_or_are_gathered_from_all_records() -> None:
    fewer = published_only(document())
    gathered, given_out = io.StringIO(), io.StringIO()

    export_csv(iter([fewer, document()]), gathered)
    export_csv(iter([fewer]), given_out, fields=("price", "weight"))

    first, second = rows(gathered.getvalue())
    assert (first["price"], second["price"]) == ("", "unk")
    assert list(rows(given_out.getvalue())[0])[-4:] == [
        "price", "price_confidence", "weight", "weight_confidence",
    ]  # fmt: skip


def test_only_published_leaves_the_unknown_fields_out() -> None:
    assert list(published_only(document())["fields"]) == ["weight", "sensor", "click_latency"]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
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
    assert cell.removeprefix("'") == text.removeprefix("'")


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "records.jsonl"

    export_jsonl([document()], out)

    assert json.loads(out.read_text(encoding="utf-8")) == document()
    assert [p.name for p in out.parent.iterdir()] == ["records.jsonl"]


@pytest.mark.parametrize("problem", [KeyboardInterrupt, RuntimeError])
def test_an_interruption_leaves_the_old_file_as_it_was(
    tmp_path: Path, problem: type[BaseException]
) -> None:
    out = tmp_path / "records.jsonl"
    out.write_text("old")

    def interrupted() -> Iterator[dict[str, Any]]:
        yield document()
        raise problem

    with pytest.raises(problem):
        export_jsonl(interrupted(), out)
    assert out.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["records.jsonl"]


def test_a_full_disk_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    out.write_text("old")
    script = """
import resource, sys
from pathlib import Path
from specfactory.errors import StorageFull
from specfactory.publish.jsonl_and_csv import export_jsonl
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    export_jsonl(({"x": "y" * 9_000} for _ in range(9)), Path(sys.argv[1]))
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

    export_jsonl([document()], pipe)

    assert json.loads(os.read(reader, 1_000_000)) == document()
    assert pipe.is_fifo()
    os.close(reader)


def test_a_full_standard_output_is_named() -> None:
    script = """
import sys
from specfactory.errors import StorageFull
from specfactory.publish.jsonl_and_csv import export_jsonl
try:
    export_jsonl([{"x": 1}], sys.stdout)
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
        export_csv([document()], tmp_path / "file" / "records.csv")
