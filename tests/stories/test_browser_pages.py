"""A shop whose pages are made by scripts: read in the browser, and proven from what is stored."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace

NAME = "Razer Viper V3 Pro Wireless"
SHELL = (
    "<!doctype html><html lang=en><head><title>Shop</title><script src=/app.js defer></script>"
    "</head><body><div id=root></div><noscript>Please enable JavaScript.</noscript></body></html>"
)
RECORD = {
    "@context": "https://schema.org", "@type": "Product", "name": NAME,
    "brand": {"@type": "Brand", "name": "Razer"}, "weight": "54 g",
}  # fmt: skip
APP = """fetch('/api').then((r) => r.json()).then((product) => {
  document.title = product.name;
  const marks = document.createElement('script');
  marks.type = 'application/ld+json';
  marks.textContent = JSON.stringify(product);
  document.head.append(marks);
  document.getElementById('root').innerHTML = `<h1>${product.name}</h1>
    <table><tr><th>Weight<td>${product.weight}<tr><th>Polling rate<td>8000 Hz
    <tr><th>Length<td>127.1 mm<tr><th>Sensor<td>Focus Pro 35K</table>
    <p>${'A mouse for players, light and quick in the hand. '.repeat(20)}</p>`;
});"""
ANSWERS = {
    "/viper": ("text/html; charset=iso-8859-1", SHELL),
    "/app.js": ("text/javascript", APP),
    "/api": ("application/json", json.dumps(RECORD)),
}


class Handler(Answering):
    def get(self) -> None:
        kind, text = ANSWERS.get(self.path, ("text/plain", ""))
        self.answer(text.encode(), kind, 200 if self.path in ANSWERS else 404)


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def alone(tmp_path, shop) -> Workspace:
    settings = {
        "database_url": "sqlite:///factory.db",
        "contract_sources": False,
        "fetch": {"allow_loopback": [shop.removeprefix("http://")], "host_delay_seconds": 0.0},
        "browser": {"settle_seconds": 0.3},
    }
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Workspace(tmp_path)


def stored_page(workspace: Workspace) -> dict[str, object]:
    with sqlite3.connect(workspace.database) as raw:
        raw.row_factory = sqlite3.Row
        return dict(raw.execute("SELECT * FROM pages ORDER BY fetched_at DESC").fetchone())


def test_page_made_by_scripts_becomes_a_record_that_is_proven_from_the_stored_bytes(alone, shop):
    ended = alone.spec("run", *VIPER_FLAGS, "--url", f"{shop}/viper", check=False)
    page = stored_page(alone)
    shown = alone.spec("record", "show", VIPER, "--json").json
    audit = alone.spec("audit", VIPER, check=False)

    assert ended.code in (0, 1), ended
    assert (page["outcome"], page["rung"]) == ("ok", "browser")
    assert page["response_hash"] == hashlib.sha256(SHELL.encode()).hexdigest()
    assert "54" in json.dumps(shown)
    views = {part["view"] for part in _snippets(shown)}
    assert "dom" in views
    assert "source" not in views
    assert audit.code == 0, audit
    explained = alone.spec("explain", VIPER, "weight").out
    assert "54 g" in explained


def test_damaged_dom_is_noticed_by_the_audit(alone, shop):
    alone.spec("run", *VIPER_FLAGS, "--url", f"{shop}/viper", check=False)
    page = stored_page(alone)
    with sqlite3.connect(alone.database) as raw:
        (other,) = raw.execute(
            "SELECT body FROM bodies WHERE content_hash = ?", (page["response_hash"],)
        ).fetchone()
        raw.execute(
            "UPDATE bodies SET body = ? WHERE content_hash = ?", (other, page["content_hash"])
        )
    audit = alone.spec("audit", VIPER, check=False)

    assert audit.code == 1
    assert "hash" in audit.out + audit.err


def test_without_a_browser_it_is_said_what_is_needed(alone, shop):
    alone.change(browser={"enabled": False})
    ended = alone.spec("run", *VIPER_FLAGS, "--url", f"{shop}/viper", check=False)
    page = stored_page(alone)

    assert ended.code == 1
    assert (page["outcome"], page["rung"]) == ("js_required", "http")
    said = "a browser might help, but browser.enabled is off"
    assert said in str(page["outcome_evidence"])


@pytest.mark.parametrize("named", ["nowhere", "true", "script"])
def test_what_is_no_browser_is_found_by_doctor_and_named_where_a_page_needs_one(alone, shop, named):
    own = alone.folder / "own"
    if named == "script":
        own.write_text("#!/bin/sh\nexit 1\n")
        own.chmod(0o755)
    executable = "/bin/true" if named == "true" else str(own)
    alone.change(browser={"executable": executable})
    found = {f["check"]: f for f in alone.spec("doctor", "--json").json}["browser"]
    alone.spec("run", *VIPER_FLAGS, "--url", f"{shop}/viper", check=False)
    page = stored_page(alone)

    assert found["state"] == "warn"
    assert found["found"].startswith(f"browser.executable ({executable})")
    assert (page["outcome"], page["rung"]) == ("js_required", "http")
    said = f"it cannot be used: browser.executable ({executable})"
    assert said in str(page["outcome_evidence"])
    assert alone.spec("heal", "history", "--json").json == []


def _snippets(value: object) -> Iterator[dict[str, object]]:
    if isinstance(value, dict):
        if "view" in value:
            yield value
        for inner in value.values():
            yield from _snippets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _snippets(inner)
