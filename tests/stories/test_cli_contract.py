"""A user wants to know which categories there are, and to write one of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stories.conftest import Workspace
from tests.stories.desk import Desk

KEYBOARD = """\
category: keyboard
version: "1.0.0"
title: Computer keyboard
fields:
  weight:
    group: body
    type: number
    unit: g
    level: required
    labels: {en: [Weight, Net weight]}
    range: [200, 3000]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Workspace:
    (tmp_path / "contracts").mkdir()
    return Workspace(tmp_path)


def write(folder: Workspace, text: str, name: str = "keyboard") -> str:
    file = folder.folder / "contracts" / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return f"contracts/{name}.yaml"


def test_the_bundled_categories_are_listed_with_their_fields(folder: Workspace) -> None:
    listed = {row["category"]: row for row in folder.spec("contract", "list", "--json").json}

    assert {"mouse", "monitor", "product", "recipe", "article", "listing"} <= set(listed)
    assert listed["mouse"]["fields"] >= 140
    assert all(row["problem"] is None for row in listed.values())
    assert "mouse" in folder.spec("contract", "list").out


def test_a_category_is_shown_with_units_limits_sources_and_checks(folder: Workspace) -> None:
    shown = folder.spec("contract", "show", "mouse", "--json").json

    assert shown["fields"]["weight"]["unit"] == "g"
    assert shown["fields"]["weight"]["low"] < 54 < shown["fields"]["weight"]["high"]
    assert shown["checks"]
    assert "weight" in folder.spec("contract", "show", "mouse", "--group", "weight").out


def test_one_file_makes_a_new_category(folder: Workspace) -> None:
    file = write(folder, KEYBOARD)

    assert folder.spec("contract", "check", file).out == f"{file}: sound\n"
    row = next(
        r for r in folder.spec("contract", "list", "--json").json if r["category"] == "keyboard"
    )
    assert (row["fields"], row["from"]) == (1, file)


def test_an_own_contract_wins_over_the_bundled_one(folder: Workspace) -> None:
    write(folder, KEYBOARD.replace("category: keyboard", "category: mouse"), "mouse")

    assert list(folder.spec("contract", "show", "mouse", "--json").json["fields"]) == ["weight"]


@pytest.mark.parametrize(
    ("mistake", "line", "words"),
    [
        (("type: number", "type: numbr"), 7, "integer"),
        (("level: required", "level: must"), 9, "optional"),
        (("range: [200, 3000]", "range: [3000, 200]"), 11, "range"),
        (("    labels:", "    lables:"), 10, "lables"),
    ],
)
def test_check_names_file_line_field_and_what_is_allowed(
    folder: Workspace, mistake: tuple[str, str], line: int, words: str
) -> None:
    file = write(folder, KEYBOARD.replace(*mistake))

    checked = folder.spec("contract", "check", file, check=False)

    assert checked.code == 1
    assert checked.out.startswith(f"{file}:{line}: fields.weight")
    assert words in checked.out


def test_check_names_every_problem_at_once(folder: Workspace) -> None:
    text = KEYBOARD.replace("range: [200", "range: [9000").replace("level: required", "level: must")

    problems = folder.spec("contract", "check", write(folder, text), "--json", check=False).json

    assert [problem["line"] for problem in problems] == [9, 11]


@pytest.mark.parametrize(
    "content",
    [b"", b"a: [", b"\xff\xfe\x00", b"- 1\n- 2\n", b"category: x\n", b"&a [*a]", b"\x00\x01\x02"],
)
def test_a_file_that_is_no_contract_gets_clear_lines(folder: Workspace, content: bytes) -> None:
    (folder.folder / "bad.yaml").write_bytes(content)

    checked = folder.spec("contract", "check", "bad.yaml", check=False)

    assert checked.code == 1
    assert all(line.startswith("bad.yaml:") for line in checked.out.splitlines())


def test_a_malformed_contract_is_listed_and_hinders_no_other(folder: Workspace) -> None:
    write(folder, KEYBOARD.replace("type: number", "type: numbr"))

    assert "malformed: contracts/keyboard.yaml:7" in folder.spec("contract", "list").out
    shown = folder.spec("contract", "show", "keyboard", check=False)
    assert shown.code == 2
    assert shown.err.startswith("spec: contracts/keyboard.yaml:7: fields.weight")
    assert len(shown.err.splitlines()) == 1


def test_an_unknown_category_names_the_known_ones(folder: Workspace) -> None:
    ended = folder.spec("contract", "show", "mouze", check=False)

    assert ended.code == 2
    assert ended.err.startswith("spec: unknown category 'mouze'; known: article, ")
    assert len(ended.err.splitlines()) == 1


def test_the_schema_knows_every_key_of_the_bundled_contracts(folder: Workspace) -> None:
    import jsonschema_rs
    import yaml

    schema = folder.spec("contract", "schema").json
    bundled = Path(__file__).parents[2] / "src" / "specfactory" / "contract" / "bundled"
    validator = jsonschema_rs.validator_for(schema)

    for file in bundled.glob("*.yaml"):
        validator.validate(yaml.safe_load(file.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema_rs.ValidationError):
        validator.validate(yaml.safe_load(KEYBOARD.replace("labels:", "lables:")))


def test_a_draft_of_sample_pages_is_a_contract_that_works(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for number in (1, 2, 3):
        (tmp_path / f"{number}.html").write_text(
            f"<title>K{number}</title><table><tr><th>Power<td>2{number}00 W</table>"
        )

    written = desk.spec("contract", "draft", ".", "--category", "kettle",
                        "--output", "contracts/kettle.yaml")  # fmt: skip

    assert "fields in contracts/kettle.yaml" in written.err
    desk.spec("contract", "check", "contracts/kettle.yaml")
    assert "2200 W" in desk.spec("extract", "2.html", "--category", "kettle").out
    again = desk.spec("contract", "draft", ".", "--output", "contracts/kettle.yaml", check=False)
    assert again.code == 2
    assert "exists already" in again.err
    drafted = desk.spec("contract", "draft", "1.html", "2.html", "3.html", "--json").json
    assert drafted["fields"]["power"]["examples"] == ["2100 W", "2200 W", "2300 W"]
    assert desk.spec("contract", "draft", "none.html", check=False).code == 2


def test_the_label_that_a_page_uses_is_added_on_request(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    page = "<h1>Anvil</h1><table><tr><th>Material used here<td>iron</table>"
    (tmp_path / "anvil.html").write_text(page)
    asked = desk.spec("extract", "anvil.html", "--category", "product").out
    assert "add the label? spec contract label product material 'Material used here'" in asked

    shown = desk.spec("contract", "label", "product", "material", "Material used here").out

    assert "Material used here" in shown
    assert "added to contracts/product.yaml, copied from the bundled contract" in shown
    again = desk.spec("extract", "anvil.html", "--category", "product", "--json").json
    assert again["fields"]["material"]["value"] == "iron"

    undone = desk.spec("contract", "label", "product", "material", "Material used here", "--remove")
    assert "removed from contracts/product.yaml" in undone.out
    again = desk.spec("extract", "anvil.html", "--category", "product", "--json").json
    assert "material" not in again["fields"]
