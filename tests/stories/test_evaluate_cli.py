"""``spec evaluate``: users measure the factory on pages of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.stories.desk import Desk

PAGE = """<html lang="en"><title>{name}</title><h1>{name}</h1>
<table><tr><th>Weight</th><td>{weight} g</td></tr><tr><th>Material</th><td>{material}</td></tr>
</table></html>"""


def _row(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "file": f"{name}.html", "fields": fields}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Three mugs: one as the truth says, one with another weight, one without material."""
    folder = tmp_path / "mugs"
    (folder / "pages").mkdir(parents=True)
    for name, weight, material in (("a", 310, "clay"), ("b", 250, "steel"), ("c", 90, "")):
        page = PAGE.format(name=name, weight=weight, material=material)
        (folder / "pages" / f"{name}.html").write_text(page)
    rows = [
        _row("a", weight="310 g", stuff=["Clay", "ceramics"]),
        _row("b", weight=[251], stuff="steel"),
        _row("c", weight=None, stuff=[]),
    ]
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return Desk(tmp_path)


def test_precision_recall_and_f1_stand_beside_each_field(desk: Desk) -> None:
    found = desk.spec(
        "evaluate", "mugs", "--category", "product", "--name", "stuff=material", "--json"
    ).json

    assert found["pages"] == 3
    assert found["fields"]["material"]["f1"] == 1.0
    assert found["fields"]["weight"] == {
        "on_pages": 2, "answered": 3, "right": 2, "precision": 0.6667, "recall": 1.0, "f1": 0.8,
    }  # fmt: skip
    assert found["proven"] == 5
    [wrong] = found["wrong"]
    assert (wrong["page"], wrong["truth"], wrong["answer"]) == ("c", [], "90")


def test_a_person_sees_tables_and_what_was_on_the_page(desk: Desk) -> None:
    ended = desk.spec("evaluate", "mugs", "--category", "product")

    assert "Reliability" in ended.out
    assert "calibration error" in ended.out
    assert "no threshold reaches 99%" in ended.out
    assert "no field of the contract: stuff" in ended.out
    assert "90 g" in ended.out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: (folder / "truth.jsonl").unlink(), "wanted truth.jsonl"),
        (lambda folder: (folder / "truth.jsonl").write_text("{"), "truth.jsonl:1: not JSON"),
        (lambda folder: (folder / "truth.jsonl").write_text("[]"), "wanted an object with fields"),
        (lambda folder: (folder / "pages" / "b.html").unlink(), "truth.jsonl:2: no page 'b.html'"),
        (
            lambda folder: (folder / "truth.jsonl").write_text(json.dumps(_row("a", x=1))),
            "the truth speaks of x",
        ),
        (
            lambda folder: (folder / "truth.jsonl").write_text(
                json.dumps({"file": "../../secret", "fields": {"weight": 1}})
            ),
            "no page '../../secret'",
        ),
    ],
)
def test_a_faulty_set_is_said_with_its_line(desk: Desk, change: Any, said: str) -> None:
    change(desk.folder / "mugs")

    ended = desk.spec("evaluate", "mugs", "--category", "product", check=False)

    assert ended.code == 2
    assert said in ended.err


def test_a_name_for_no_field_is_misuse(desk: Desk) -> None:
    ended = desk.spec(
        "evaluate", "mugs", "--category", "product", "--name", "stuff=materail", check=False
    )

    assert ended.code == 2
    assert "near: material" in ended.err


def test_a_name_that_the_truth_does_not_have_is_misuse(desk: Desk) -> None:
    ended = desk.spec(
        "evaluate", "mugs", "--category", "product", "--name", "stuf=material", check=False
    )

    assert ended.code == 2
    assert "--name 'stuf': the truth has no such name" in ended.err


def test_money_that_was_wrong_is_shown_in_words(desk: Desk) -> None:
    folder = desk.folder / "mugs"
    page = "<h1>Mug a</h1><p class=price>$12.50</p><button>Add to cart</button>"
    (folder / "pages" / "a.html").write_text(page)
    (folder / "truth.jsonl").write_text(json.dumps(_row("a", price="13.50 USD")))

    ended = desk.spec("evaluate", "mugs", "--category", "product")

    assert "12.5 USD" in ended.out
    assert "1 page; 1 of 1 answers proven" in ended.out
