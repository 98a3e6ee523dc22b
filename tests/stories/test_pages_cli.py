"""A user looks at stored pages, gives them to others, and takes in theirs."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace


@pytest.fixture
def emptied(made: Workspace, tmp_path: Path) -> Workspace:
    """A workspace with the Viper's record, whose pages are lost."""
    shutil.copy(made.settings, tmp_path)
    shutil.copy(made.database, tmp_path)
    with sqlite3.connect(tmp_path / made.database.name) as db:
        db.execute("DELETE FROM pages")
        db.execute("DELETE FROM bodies")
    return Workspace(tmp_path)


def test_the_evidence_travels_as_a_web_archive_and_proves_every_value_elsewhere(
    made, emptied, tmp_path
):
    archive = tmp_path / "evidence.warc.gz"
    written = made.spec("pages", "export", "--warc", str(archive), "--json").json

    assert emptied.spec("audit", "--all", "--json", check=False).code == 1
    taken = emptied.spec("pages", "import", str(archive), "--json").json
    audit = emptied.spec("audit", "--all", "--json").json
    assert taken["pages"] == written["pages"] > 5
    assert (taken["duplicates"], taken["skipped"]) == (0, {})
    assert audit["failures"] == []
    assert audit["proven"] >= 100


def test_only_what_is_asked_for_is_exported(made, tmp_path):
    host = made.spec("pages", "list", "--json").json[0]["host"]
    archive = tmp_path / "part.warc"
    made.spec("pages", "export", "--warc", str(archive), "--host", host, "--since", "1h")
    read = made.spec("pages", "export", "--warc", str(tmp_path / "p.warc"), "--product", VIPER)

    with archive.open("rb") as file:
        records = [record.rec_headers for record in ArchiveIterator(file)]
    addresses = [one.get_header("WARC-Target-URI") for one in records[1:]]
    assert addresses
    assert all(f"//{host}/" in address for address in addresses)
    assert "pages in " in read.out
    assert not list(tmp_path.glob(".p.warc.*"))


def test_a_page_of_others_can_be_read_and_shown(workspace, tmp_path):
    archive = tmp_path / "theirs.warc.gz"
    page = (
        b"<title>Viper</title><h1>Viper</h1><table><tr><th>Weight<td>54 g</table>" + b"<p>So" * 99
    )
    with archive.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        kind = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
        given = StatusAndHeaders("200 OK", kind, protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                "https://theirs.example/viper",
                "response",
                payload=io.BytesIO(gzip.compress(page)),
                http_headers=given,
            )
        )
    said = workspace.spec("pages", "import", str(archive), "--tier", "tier2_lab").out
    again = workspace.spec("pages", "import", str(archive)).out

    [stored] = workspace.spec("pages", "list", "--host", "theirs.example", "--json").json
    assert "1 page taken in" in said
    assert "0 pages taken in, 1 known already" in again
    assert (stored["outcome"], stored["tier"]) == ("ok", "tier2_lab")
    assert "54 g" in workspace.spec("pages", "show", stored["id"], "--body").out
    assert "https://theirs.example/viper" in workspace.spec("pages", "show", stored["id"]).out
    values = workspace.spec("extract", stored["id"], "--category", "mouse", "--json").json
    assert values["fields"]["weight"]["value"] == 54


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "no page is stored yet"),
        (("--host", "x.example"), "no stored page for --host x.example"),
    ],
)
def test_an_export_of_nothing_says_so_and_makes_no_file(workspace, tmp_path, given, said):
    place = tmp_path / "nothing.warc"

    ended = workspace.spec("pages", "export", "--warc", str(place), *given, check=False)

    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert not place.exists()


def test_pages_that_say_nearly_the_same_are_found(workspace, tmp_path):
    words = "".join(f"<p>Sentence {n} of a page that two addresses have.</p>" for n in range(60))
    archive = tmp_path / "a.warc"
    with archive.open("wb") as out:
        writer = WARCWriter(out, gzip=False)
        for name, extra in (("one", ""), ("two", "<p>And a word.</p>"), ("three", None)):
            body = words + extra if extra is not None else "<p>Another thing entirely.</p>" * 50
            given = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            url = f"https://theirs.example/{name}"
            payload = io.BytesIO(body.encode())
            writer.write_record(
                writer.create_warc_record(url, "response", payload=payload, http_headers=given)
            )
    workspace.spec("pages", "import", str(archive))

    [pair] = workspace.spec("pages", "duplicates", "--least", "0.7", "--json").json
    assert {pair["one"], pair["other"]} == {
        "https://theirs.example/one",
        "https://theirs.example/two",
    }


def test_a_second_run_reads_nothing_anew(workspace):
    workspace.spec("run", *VIPER_FLAGS)
    again = workspace.spec("run", *VIPER_FLAGS, "--refresh", "--json").json

    with sqlite3.connect(workspace.database) as db:
        rows = db.execute("SELECT outcome, timings_ms FROM visits ORDER BY id").fetchall()
        stored = db.execute("SELECT count(*) FROM pages WHERE outcome = 'ok'").fetchone()[0]
    fetched = again["ledger"]["actual"]["pages_fetched"]
    extracted = [outcome for outcome, timings in rows if "extract" in json.loads(timings or "{}")]
    assert fetched > 3
    assert [outcome for outcome, _ in rows].count("not_modified") >= 3
    assert len(extracted) == extracted.count("ok") == stored


def test_misuse_is_said_in_a_line(workspace, tmp_path):
    (tmp_path / "no.warc").write_text("hello")
    cases = {
        ("import", "no.warc"): (2, "no web archive"),
        ("import", "gone.warc"): (2, "gone.warc"),
        ("import", "no.warc", "--tier", "best"): (2, "tier1_manufacturer"),
        ("export", "--warc", "/no/such/folder/x.warc"): (2, "no folder"),
        ("export", "--warc", "."): (2, "is a folder"),
        ("show", "page-none"): (2, "page-none"),
        ("list", "--since", "someday"): (2, "'someday'"),
    }
    for words, (code, part) in cases.items():
        ended = workspace.spec("pages", *words, check=False)
        assert ended.code == code, (words, ended)
        assert part in ended.err
