"""Records as Parquet and as Excel workbooks."""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from specfactory.contract import find_contract
from specfactory.control_characters import without_controls
from specfactory.errors import StorageFull, UsageError
from specfactory.model import Contract, Field, FieldType
from specfactory.publish import record_json
from specfactory.publish.exports import RECORD_HEAD, Format, excel, open_export, parquet
from tests.sample import CONTRACT, sample_record


def document() -> dict[str, Any]:
    return record_json(sample_record(), CONTRACT)


def export(form: str, documents: Iterable[tuple[dict[str, Any], Any]], out: Path) -> None:
    with open_export(Format(form), out, RECORD_HEAD) as add:
        for each in documents:
            add(*each)


def _as(category: str, **values: Any) -> tuple[dict[str, Any], Any]:
    """The sample record as one of another category, with these values."""
    fields = {name: {"value": value, "confidence": 0.9} for name, value in values.items()}
    return {**document(), "category": category, "fields": fields}, find_contract(category)


def _rows(file: Path) -> list[dict[str, Any]]:
    found = duckdb.sql(f"SELECT * FROM '{file}'")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def _sheet(file: Path, number: int = 1) -> list[dict[str, Any]]:
    """The rows of a sheet: texts, and numbers as numbers."""
    with zipfile.ZipFile(file) as book:
        root = etree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
    lines = []
    for row in root.iter("{*}row"):
        cells = {}
        for cell in row.iter("{*}c"):
            place = cell.get("r").rstrip("0123456789")
            text = "".join(cell.itertext())
            kind = cell.get("t", "n")
            is_text = kind not in ("b", "n")
            cells[place] = text if is_text else text == "1" if kind == "b" else float(text)
        assert not list(row.iter("{*}f")), "a formula"
        lines.append(cells)
    head, *rest = lines
    return [{name: line.get(place) for place, name in head.items()} for line in rest]


def test_parquet_has_typed_columns_with_units_and_null_for_unknowns(tmp_path: Path) -> None:
    export("parquet", [(document(), CONTRACT)], tmp_path / "out.parquet")
    [row] = _rows(tmp_path / "out.parquet")

    assert (row["weight_g"], row["weight_confidence"]) == (54.0, 0.9)
    assert (row["encoder_brand"], row["price_amount"], row["price_currency"]) == (None, None, None)
    assert row["model"] == "Viper V3 Pro"


def test_a_parquet_file_describes_its_columns(tmp_path: Path) -> None:
    out = tmp_path / "it's.parquet"
    export("parquet", [(document(), CONTRACT)], out)

    name = str(out).replace("'", "''")
    found = duckdb.sql(f"SELECT value FROM parquet_kv_metadata('{name}') WHERE key = 'columns'")
    described = {each["name"]: each for each in json.loads(found.fetchall()[0][0])}
    assert described["weight_g"] == {
        "name": "weight_g", "type": "number", "unit": "g", "meaning": "Weight.",
    }  # fmt: skip


def test_prices_lists_and_dimensions_keep_their_parts(tmp_path: Path) -> None:
    made = _as(
        "product", price={"amount": 9.5, "currency": "EUR"}, dimensions=[1, 2.5, 3],
        images=["a.jpg", "b.jpg"], free_shipping=True, review_count=12,
    )  # fmt: skip
    export("parquet", [made], tmp_path / "out.parquet")
    [row] = _rows(tmp_path / "out.parquet")

    assert (row["price_amount"], row["price_currency"]) == (9.5, "EUR")
    assert row["dimensions_mm"] == [1.0, 2.5, 3.0]
    assert row["images"] == ["a.jpg", "b.jpg"]
    assert (row["free_shipping"], row["review_count"]) == (True, 12)


def test_a_whole_number_too_large_for_numbers_is_text(tmp_path: Path) -> None:
    export("parquet", [_as("product", review_count=10**20)], tmp_path / "out.parquet")

    assert _rows(tmp_path / "out.parquet")[0]["review_count"] == str(10**20)


def test_a_type_that_differs_between_contracts_becomes_text(tmp_path: Path) -> None:
    first, mouse = _as("mouse", side_buttons=5)
    texts = {"side_buttons": replace(mouse.fields["side_buttons"], type="text", unit=None)}
    second = {**first, "fields": {"side_buttons": {"value": "five", "confidence": 0.9}}}
    export("parquet", [(first, mouse), (second, replace(mouse, fields=texts))],
           tmp_path / "out.parquet")  # fmt: skip

    assert [row["side_buttons"] for row in _rows(tmp_path / "out.parquet")] == ["5", "five"]


def test_no_records_make_an_empty_file(tmp_path: Path) -> None:
    export("parquet", [], tmp_path / "out.parquet")
    export("xlsx", [], tmp_path / "out.xlsx")

    assert _rows(tmp_path / "out.parquet") == []
    assert _sheet(tmp_path / "out.xlsx") == []


def test_excel_has_numbers_texts_and_a_sheet_that_describes_the_columns(tmp_path: Path) -> None:
    made, contract = _as(
        "product", name="=1+1", price={"amount": 9.5, "currency": "EUR"}, dimensions=[1, 2.5, 3],
        free_shipping=True, description="x" * 40_000, brand="https://shop.example/",
    )  # fmt: skip
    export("xlsx", [(made, contract), (document(), CONTRACT)], tmp_path / "out.xlsx")

    first, second = _sheet(tmp_path / "out.xlsx")
    described = {line["name"]: line for line in _sheet(tmp_path / "out.xlsx", 2)}
    assert (first["price_amount"], first["price_currency"]) == (9.5, "EUR")
    assert (first["name"], first["field_brand"]) == ("=1+1", "https://shop.example/")
    assert (first["dimensions_mm"], first["free_shipping"]) == ("1 x 2.5 x 3", True)
    assert len(first["description"]) == 32_767
    assert (second["weight_g"], second["price_amount"], second["encoder_brand"]) == (
        54, None, None,
    )  # fmt: skip
    assert described["weight_g"]["unit"] == "g"


def test_more_rows_than_a_sheet_holds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excel, "MOST_ROWS", 3)

    with pytest.raises(UsageError, match="an Excel sheet holds 2 rows"):
        export("xlsx", [(document(), CONTRACT)] * 3, tmp_path / "out.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["parquet", "xlsx"])
def test_a_failed_export_leaves_the_old_file(tmp_path: Path, form: str) -> None:
    (tmp_path / "folder").mkdir()

    with pytest.raises(StorageFull):
        export(form, [(document(), CONTRACT)], tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_without_its_package_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)

    with pytest.raises(UsageError, match=r"pip install 'specfactory\[excel\]'"):
        export("xlsx", [(document(), CONTRACT)], tmp_path / "out")


TEXTS = st.text(st.characters(exclude_categories=["Cs"])).map(without_controls)
CELLS = {
    FieldType.NUMBER: st.floats(allow_nan=False) | st.integers(-(2**50), 2**50),
    FieldType.INTEGER: st.integers(-(2**63) + 1, 2**63 - 1),
    FieldType.BOOLEAN: st.booleans(),
    FieldType.TEXT: TEXTS,
    FieldType.LIST: st.lists(TEXTS, max_size=4),
    FieldType.DIMENSIONS: st.lists(st.floats(allow_nan=False), max_size=4),
}


@given(data=st.data(), count=st.integers(0, 30), at_once=st.integers(1, 9))
def test_every_table_comes_back_from_parquet_as_it_was(
    data: st.DataObject, count: int, at_once: int
) -> None:
    contract = Contract("x", "1", "X", {kind.value: Field(kind.value, kind) for kind in CELLS})
    row = st.fixed_dictionaries({kind.value: st.none() | cells for kind, cells in CELLS.items()})
    given_rows = data.draw(st.lists(row, min_size=count, max_size=count))

    with tempfile.TemporaryDirectory() as folder, patch.object(parquet, "ROWS_AT_ONCE", at_once):
        with open_export(Format.PARQUET, Path(folder) / "out.parquet") as add:
            for values in given_rows:
                add({"fields": {name: {"value": v} for name, v in values.items()}}, contract)
        found = _rows(Path(folder) / "out.parquet") if given_rows else []

    assert [{name: line[name] for name in contract.fields} for line in found] == given_rows
