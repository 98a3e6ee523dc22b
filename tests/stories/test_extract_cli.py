"""``spec extract`` and ``spec export``: one page in, records out, with proofs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.stories.conftest import VIPER, Workspace
from tests.stories.desk import Desk

MUG = """<html lang="en"><title>Mug</title><h1>Mug</h1>
<table><tr><th>Weight</th><td>310 g</td></tr><tr><th>Height</th><td>tall</td></tr></table>
<script type="application/ld+json">{"@type": "Product", "name": "Mug",
"offers": {"price": "12.50", "priceCurrency": "EUR"}}</script></html>"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "mug.html").write_text(MUG)
    return Desk(tmp_path)


def test_a_file_is_read_without_any_set_up(desk: Desk) -> None:
    ended = desk.spec("extract", "mug.html", "--category", "product")

    assert "12.5 EUR" in ended.out
    assert "310 g" in ended.out
    assert "not said: " in ended.out
    assert list(desk.folder.iterdir()) == [desk.folder / "mug.html"]


def test_explain_shows_the_candidates_and_what_was_dropped(desk: Desk) -> None:
    ended = desk.spec("extract", "mug.html", "--field", "weight", "--field", "height", "--explain")

    assert "* 310 g  by spec_table_match: '310 g'" in ended.out
    assert "chosen with likelihood" in ended.out
    assert "tall" in ended.out


def test_json_gives_the_spans_of_every_quote(desk: Desk) -> None:
    found = desk.spec("extract", "mug.html", "--field", "price", "--json").json

    assert found["fields"]["price"]["value"] == {"amount": 12.5, "currency": "EUR"}
    spans = found["fields"]["price"]["spans"]
    assert "".join(MUG[span["start"] : span["end"]] for span in spans) == "12.50EUR"


def test_a_page_of_the_web_is_fetched_politely_and_kept(made: Workspace) -> None:
    account = made.spec("explain", VIPER, "weight", "--json").json
    url = account["candidates"][0]["url"]

    found = made.spec("extract", url, "--category", "mouse", "--json").json

    assert found["page"] == url
    assert found["fields"]
    assert all(answer["quote"] for answer in found["fields"].values())


def test_a_broken_pdf_is_told_from_a_page_that_says_nothing(desk: Desk) -> None:
    (desk.folder / "sheet.pdf").write_bytes(b"%PDF-1.4 garbage")

    ended = desk.spec("extract", "sheet.pdf", "--category", "product", check=False)

    assert ended.code == 1
    assert ended.err.startswith("spec: sheet.pdf: the PDF cannot be read: ")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.html", "--field", "price"), "no page 'nowhere.html'"),
        (("mug.html", "--category", "spoon"), "spoon"),
        (("mug.html", "--category", "product", "--field", "wieght"), "near: weight"),
        (("ftp://example.com/x", "--field", "price"), "is no web address"),
    ],
)
def test_misuse_is_said_in_one_line(desk: Desk, arguments: tuple[str, ...], said: str) -> None:
    ended = desk.spec("extract", *arguments, check=False)

    assert ended.code == 2
    assert said in ended.err
    assert ended.err.count("\n") == 1


def test_without_a_wish_everything_is_shown(desk: Desk) -> None:
    assert {"price", "weight"} <= set(desk.spec("extract", "mug.html", "--json").json["fields"])


def test_many_pages_are_read_and_those_that_cannot_be_are_named(desk: Desk) -> None:
    jug = "<h1>Jug</h1><table><tr><th>Weight<td>700 g</table>"
    (desk.folder / "jug.html").write_text(jug)

    both = desk.spec("extract", "mug.html", "jug.html", "--field", "weight", "--json").json
    mixed = desk.spec("extract", "mug.html", "none.html", "--field", "weight", check=False)

    assert [one["fields"]["weight"]["value"] for one in both] == [310, 700]
    assert mixed.code == 1
    assert "310" in mixed.out
    assert "none.html" in mixed.err


def test_an_address_behind_the_gate_is_refused(desk: Desk) -> None:
    ended = desk.spec("extract", "http://127.0.0.1:9/", "--field", "price", check=False)

    assert ended.code == 1
    assert "refused" in ended.err


def test_hostile_bytes_are_no_page_and_no_crash(desk: Desk) -> None:
    (desk.folder / "noise.html").write_bytes(bytes(range(256)) * 99)

    ended = desk.spec("extract", "noise.html", "--category", "product", "--json")

    assert json.loads(ended.out)["fields"] == {}


def test_records_leave_as_parquet_and_as_schema_org(made: Workspace) -> None:
    written = made.spec("export", "--format", "parquet", "--output", "mice.parquet")
    linked = made.spec("export", "--format", "jsonld", "--only-published").json

    assert written.err.splitlines() == ["1 record in mice.parquet, columns in mice.columns.csv"]
    assert (made.folder / "mice.parquet").read_bytes().startswith(b"PAR1")
    assert linked["@graph"][0]["model"] == "Viper V3 Pro"


def test_parquet_does_not_go_to_the_terminal(desk: Desk) -> None:
    ended = desk.spec("export", "--format", "parquet", check=False)

    assert ended.code == 2
    assert "give --output FILE" in ended.err
