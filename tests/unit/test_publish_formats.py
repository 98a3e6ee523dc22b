"""Records as Parquet and as schema.org JSON-LD."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from specfactory.contract import find_contract
from specfactory.errors import StorageFull, UsageError
from specfactory.publish import export_csv, record_json
from specfactory.publish.linked_data import export_linked_data, linked_data
from specfactory.publish.parquet import export_parquet
from tests.sample import CONTRACT, sample_record


def document() -> dict[str, Any]:
    return record_json(sample_record(), CONTRACT)


def _as(category: str, **values: Any) -> tuple[dict[str, Any], Any]:
    """The sample record as one of another category, with these values."""
    fields = {name: {"value": value, "confidence": 0.9} for name, value in values.items()}
    return {**document(), "category": category, "fields": fields}, find_contract(category)


def _rows(file: Path) -> list[dict[str, Any]]:
    found = duckdb.sql(f"SELECT * FROM '{file}'")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def test_parquet_has_typed_columns_and_null_for_unknowns(tmp_path: Path) -> None:
    assert export_parquet([document()], [CONTRACT], tmp_path / "out.parquet") == 1
    [row] = _rows(tmp_path / "out.parquet")

    assert (row["weight"], row["weight_confidence"]) == (54.0, 0.9)
    assert row["encoder_brand"] is None
    assert row["model"] == "Viper V3 Pro"


def test_prices_lists_and_dimensions_keep_their_parts(tmp_path: Path) -> None:
    made, contract = _as(
        "product", price={"amount": 9.5, "currency": "EUR"}, dimensions=[1, 2.5, 3],
        images=["a.jpg", "b.jpg"], free_shipping=True, review_count=12,
    )  # fmt: skip
    export_parquet([made], [contract], tmp_path / "out.parquet")
    [row] = _rows(tmp_path / "out.parquet")

    assert row["price"] == {"amount": 9.5, "currency": "EUR"}
    assert row["dimensions"] == [1.0, 2.5, 3.0]
    assert row["images"] == ["a.jpg", "b.jpg"]
    assert (row["free_shipping"], row["review_count"]) == (True, 12)


def test_a_field_named_as_a_column_of_the_head_stands_apart(tmp_path: Path) -> None:
    made, contract = _as("product", brand="Aqua", model="K1")
    export_parquet([made], [contract], tmp_path / "out.parquet")
    out = io.StringIO()
    export_csv([made], out)

    assert _rows(tmp_path / "out.parquet")[0]["field_brand"] == "Aqua"
    assert "field_brand,brand_confidence" in out.getvalue()


def test_a_type_that_differs_between_contracts_becomes_text(tmp_path: Path) -> None:
    first, mouse = _as("mouse", weight=54)
    texts = {"weight": replace(mouse.fields["weight"], type="text", unit=None)}
    other = replace(mouse, fields=texts)
    export_parquet([first], [mouse, other], tmp_path / "out.parquet")

    assert _rows(tmp_path / "out.parquet")[0]["weight"] == "54"


def test_no_records_make_an_empty_file(tmp_path: Path) -> None:
    assert export_parquet([], [], tmp_path / "out.parquet") == 0
    assert _rows(tmp_path / "out.parquet") == []


def test_a_failed_export_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()

    with pytest.raises(StorageFull):
        export_parquet([document()], [CONTRACT], tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_without_duckdb_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)

    with pytest.raises(UsageError, match=r"specfactory\[parquet\]"):
        export_parquet([document()], [CONTRACT], tmp_path / "out.parquet")


def test_json_ld_speaks_schema_org() -> None:
    made, contract = _as(
        "product", price={"amount": 9.5, "currency": "EUR"}, availability="InStock", weight=310,
        rating=4.5, sku="K-1",
    )  # fmt: skip
    thing = linked_data(made, contract)

    assert thing["@type"] == "Product"
    assert thing["offers"] == {
        "@type": "Offer", "price": 9.5, "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
    }  # fmt: skip
    assert thing["weight"] == {"@type": "QuantitativeValue", "value": 310, "unitText": "g"}
    assert thing["aggregateRating"]["ratingValue"] == 4.5
    assert thing["sku"] == "K-1"


def test_recipes_are_recipes_with_iso_durations() -> None:
    made, contract = _as("recipe", prep_time=30, ingredients=["2 eggs", "salt"], author="Ada")
    thing = linked_data(made, contract)

    assert thing["@type"] == "Recipe"
    assert thing["prepTime"] == "PT30M"
    assert thing["recipeIngredient"] == ["2 eggs", "salt"]
    assert thing["author"] == {"@type": "Person", "name": "Ada"}


def test_what_schema_org_has_no_word_for_is_an_additional_property_and_unknowns_are_left_out() -> (
    None
):
    thing = linked_data(document(), CONTRACT)

    assert any(more["name"] == "sensor" for more in thing["additionalProperty"])
    assert "encoder_brand" not in json.dumps(thing)
    assert thing["subjectOf"]


def test_all_records_are_one_document() -> None:
    out = io.StringIO()

    assert export_linked_data([(document(), CONTRACT)] * 2, out) == 2
    written = json.loads(out.getvalue())
    assert written["@context"] == "https://schema.org"
    assert len(written["@graph"]) == 2
