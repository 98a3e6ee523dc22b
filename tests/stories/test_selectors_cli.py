"""A user knows a shop, writes selectors for it, and wants a row for every page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.stories.conftest import Workspace

CONTRACT = """
category: gadget
title: Gadgets
fields:
  name: {type: text}
  weight: {type: number, unit: g, range: [1, 500], labels: {en: [Weight]}}
sources:
  - host: HOST
    tier: tier3_retailer
    scheme: http
    selectors: {name: NAME, weight: WEIGHT}
"""
PROSE = "<p>It is a pleasure to use every day. We like how it feels in the hand.</p>" * 8


class Shop(BaseHTTPRequestHandler):
    """Three gadgets; nothing else is there."""

    def do_GET(self) -> None:
        number = self.path.removeprefix("/p/")
        found = number in ("1", "2", "3")
        body = (
            f'<html lang="en"><h1 class="name">Gadget &amp; Co {number}</h1>'
            f'<dl><dt>Weight</dt><dd class="w">{number}0 g</dd></dl>{PROSE}'
        )
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode() if found else b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def urls() -> Iterator[list[str]]:
    """The pages of a shop."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield [f"http://127.0.0.1:{server.server_port}/p/{number}" for number in (1, 2, 3)]
        server.shutdown()


def _write_contract(workspace: Workspace, urls: list[str], name: str, weight: str) -> None:
    (workspace.folder / "contracts").mkdir()
    contract = CONTRACT.replace("HOST", f"'{urls[0].split('/')[2]}'")
    contract = contract.replace("NAME", name).replace("WEIGHT", weight)
    (workspace.folder / "contracts" / "gadget.yaml").write_text(contract)
    if urls[0].startswith("http://127."):
        workspace.change(fetch={"allow_loopback": [urls[0].split("/")[2]]})


def test_pages_are_queued_read_and_exported(workspace: Workspace, urls: list[str]) -> None:
    workspace.change(contract_sources=True)
    _write_contract(workspace, urls, name="h1.name", weight="dd.w")
    (workspace.folder / "urls.txt").write_text("# ours\n" + "\n".join(urls) + "\n\n")

    added = workspace.spec("queue", "pages", "--file", "urls.txt", "--category", "gadget", "--json")
    again = workspace.spec("queue", "pages", urls[0], "--category", "gadget")
    workspace.spec("worker", "--kinds", "page", "--workers", "8", "--drain")
    lines = workspace.spec("export", "--pages", "--category", "gadget").out.splitlines()
    rows = workspace.spec("export", "--pages", "--category", "gadget", "--format", "csv").out

    assert added.json == {"added": 3, "known": 0}
    assert "1 were queued already" in again.out
    found = {one["url"]: one["fields"] for one in map(json.loads, lines)}
    assert [found[url]["weight"]["value"] for url in urls] == [10, 20, 30]
    assert found[urls[0]]["name"] == {
        "value": "Gadget & Co 1",
        "confidence": 0.97,
        "quote": "Gadget & Co 1",
        "method": "css_selector",
        "spans": [{"view": "source", "view_version": 1, "start": 33, "end": 50}],
    }
    table = list(csv.DictReader(io.StringIO(rows)))
    assert [row["name"] for row in table] == [f"Gadget & Co {number}" for number in (1, 2, 3)]


def test_selectors_are_tried_on_one_page_as_a_worker_uses_them(
    workspace: Workspace, urls: list[str]
) -> None:
    workspace.change(contract_sources=True)
    _write_contract(workspace, urls, name="b.none", weight="dd.w")

    found = workspace.spec("extract", urls[0], "--category", "gadget", "--json").json
    told = workspace.spec("extract", urls[0], "--category", "gadget", "--explain").out
    workspace.change(contract_sources=False)
    without = workspace.spec("extract", urls[0], "--category", "gadget", "--json").json

    assert found["fields"]["weight"]["method"] == "css_selector"
    assert found["fields"]["weight"]["reasons"][0] == "the selector dd.w"
    assert "  weight: dd.w  selects '10 g'" in told
    assert "  name: b.none  selects nothing here" in told
    assert without["fields"]["weight"]["method"] != "css_selector"


def test_a_selector_is_tried_on_a_file_taken_from_the_host(workspace: Workspace) -> None:
    _write_contract(workspace, ["https://shop.example/p/1"], name="h2", weight="dd.w")
    workspace.change(contract_sources=True)
    page = "<h1>Gadget</h1><h2>Thing</h2><dl><dt>Weight<dd class=w>7000 g</dl>"
    (workspace.folder / "p.html").write_text(page)
    here = ("extract", "p.html", "--category", "gadget", "--json", "--url")

    found = workspace.spec(*here, "HTTPS://Shop.example:443/p/1").json
    elsewhere = workspace.spec(*here, "https://other.example/p/1").json

    assert found["fields"]["name"]["value"] == "Thing"
    assert "out_of_range" in found["missing"]["weight"]
    assert elsewhere["fields"].get("name", {}).get("value") != "Thing"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("queue", "pages"), "no page is named"),
        (("queue", "pages", "ftp://a.example/x"), "is no web address"),
        (("queue", "pages", "https://a.example/x", "--category", "mous"), "mous"),
        (("queue", "pages", "--file", "none.txt"), "cannot be read"),
        (("export", "--pages"), "--pages needs --category"),
        (("export", "--pages", "--category", "mouse", "--format", "jsonld"), "jsonl, csv"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    workspace: Workspace, arguments: tuple[str, ...], said: str
) -> None:
    ended = workspace.spec(*arguments, check=False)

    assert ended.code in (1, 2)
    assert said in ended.err


def test_a_bad_line_of_a_file_is_named_and_nothing_is_queued(workspace: Workspace) -> None:
    (workspace.folder / "urls.txt").write_text("# ours\nhttps://a.example/1\n\na.example/2\n")

    ended = workspace.spec("queue", "pages", "--file", "urls.txt", check=False)

    assert ended.code == 2
    assert "--file urls.txt, line 4: 'a.example/2' is no web address" in ended.err
    assert workspace.spec("queue", "list", "--json").json == []
