"""A password or key, wherever it was written, comes out nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.conftest import VIPER_FLAGS
from tests.stories.desk import Desk

MARK = "S3cr3tMarkerXyz"
PAGE = b"<html><title>Razer Viper V3 Pro</title><h1>Razer Viper V3 Pro</h1><p>Weight: 54 g</html>"


class Handler(Answering):
    def get(self) -> None:
        if self.path.startswith("/away"):
            self.answer(b"", status=500)
        else:
            self.answer(PAGE)


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with serving(Handler) as port:
        yield f"127.0.0.1:{port}"


def desk_with(folder: Path, settings: dict[str, Any]) -> Desk:
    (folder / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Desk(folder)


def leaks(folder: Path, *outputs: str) -> list[str]:
    """What shows the mark: output, or files that we wrote."""
    found = [text[max(text.find(MARK) - 200, 0) :][:300] for text in outputs if MARK in text]
    for file in folder.rglob("*"):
        own = file.is_file() and file.name not in ("specfactory.yaml", "proxies.txt")
        if own and MARK.encode() in file.read_bytes():
            found.append(str(file))
    return found


WRONG: list[tuple[str, Any]] = [
    ("database_url", f"oracle://ann:{MARK}@db.example/x"),
    ("database_url", f"ann:{MARK}@db.example/x"),
    ("database_url", [f"postgresql://ann:{MARK}@db.example/x"]),
    ("database_url", f"postgresql://ann:{MARK}@127.0.0.1:9/x?password={MARK}"),
    ("database_url", f"postgresql://ann:a/{MARK}@127.0.0.1:9/x"),
    ("state_url", f"redis://:{MARK}@127.0.0.1:9/0"),
    ("state_url", f"redis://127.0.0.1:9/0?password={MARK}"),
    ("state_url", f"ann:{MARK}@redis.example"),
    ("state_url", f"redis://ann:{MARK}@h:port/x"),
    ("state_url", {"url": MARK}),
    ("search.web_url", f"http://ann:{MARK}@127.0.0.1:9/?q={{query}}"),
    ("search.web_url", f"http://127.0.0.1:9/?api_key={MARK}"),
    ("search.web_url", f"ftp://127.0.0.1/?q={{query}}&token={MARK}"),
    ("model.endpoint", f"http://ann:{MARK}@127.0.0.1:9/v1"),
    ("model.endpoint", f"http://127.0.0.1:9/v1?api_key={MARK}"),
    ("model.endpoint", f"127.0.0.1:9/{MARK}"),
    ("model.api_key_env", f"sk-{MARK}"),
    ("model.api_key_env", MARK),
    ("proxy.urls", f"http://ann:{MARK}@127.0.0.1:9"),
    ("proxy.urls", [f"socks5://ann:{MARK}@127.0.0.1:9"]),
    ("proxy.urls", [f"ann:{MARK}@"]),
    ("proxy.urls", {"url": MARK}),
    ("proxy.list_url", f"http://ann:{MARK}@127.0.0.1:9/list"),
    ("proxy.list_url", f"http://127.0.0.1:9/list?token={MARK}"),
    ("proxy.check_url", f"gopher://{MARK}"),
    ("proxy.rotator_url", f"http://ann:{MARK}@"),
    ("proxy.rotator_command", f"mubeng 'unclosed {MARK}"),
    ("fetch.logins", [{"host": "shop.example", "cookies": {"session": f"{MARK}!"}}]),
    ("fetch.logins", f"[{{host: shop.example, headers: {{Authorization: Bearer {MARK}}}}}]"),
]


@pytest.mark.parametrize(("path", "value"), WRONG, ids=lambda value: str(value)[:40])
def test_no_setting_that_holds_a_secret_is_quoted(tmp_path, path, value):
    settings: dict[str, Any] = {"database_url": "sqlite:///factory.db", "model": {"name": "m"}}
    section, _, name = path.rpartition(".")
    settings = (
        settings | {section: settings.get(section, {}) | {name: value}}
        if section
        else (settings | {name: value})
    )
    desk = desk_with(tmp_path, settings)

    looked = desk.spec("doctor", "--json", check=False)
    listed = desk.spec("queue", "list", check=False)

    assert leaks(tmp_path, looked.out, looked.err, listed.out, listed.err) == []


@pytest.mark.parametrize("text", ["database_url: 'x{}\n", "a: [{}", "proxy: {{urls: '{}\x00'}}"])
def test_a_broken_settings_file_is_not_quoted(tmp_path, text):
    (tmp_path / "specfactory.yaml").write_text(text.format(MARK))

    ended = Desk(tmp_path).spec("doctor", check=False)

    assert leaks(tmp_path, ended.out, ended.err) == []


def test_what_works_with_a_secret_shows_it_nowhere(tmp_path, shop):
    (tmp_path / "proxies.txt").write_text(f"http://ann:{MARK}@127.0.0.1:9\nann:{MARK}@h:1:2\n")
    closed = "127.0.0.1:9"
    desk = desk_with(tmp_path, {
        "database_url": "sqlite:///factory.db", "contract_sources": False,
        "state_url": f"redis://ann:{MARK}@{closed}/0",
        "fetch": {"allow_loopback": [shop], "host_delay_seconds": 0.0, "respect_robots": False},
        "search": {"web_url": f"http://{closed}/?q={{query}}&api_key={MARK}"},
        "model": {"endpoint": f"http://{closed}/v1?api_key={MARK}", "name": "m", "tries": 1},
        "proxy": {"file": "proxies.txt", "check_seconds": 0.5, "minimum": 0,
                  "list_url": f"http://{closed}/list?token={MARK}", "live_folder": "live"},
        "browser": {"enabled": False}, "queue": {"max_attempts": 1},
        "daemon": {"event_log": "events.jsonl"}, "log": {"format": "json", "level": "debug"},
    })  # fmt: skip

    ended = [
        desk.spec(*arguments, check=False)
        for arguments in (
            ("doctor",),
            ("run", *VIPER_FLAGS, "--url", f"http://{shop}/viper"),
            ("proxies", "check"),
            ("proxies", "list", "--json"),
            ("worker", "--drain", "--kinds", "proxies"),
            ("monitor", "--once", "--json"),
            ("export", "--format", "jsonl"),
        )
    ]

    assert leaks(tmp_path, *(text for each in ended for text in (each.out, each.err))) == []


def test_addresses_of_pages_keep_no_password_and_tell_no_key(tmp_path, shop):
    desk = desk_with(tmp_path, {
        "database_url": "sqlite:///factory.db", "contract_sources": False,
        "fetch": {"allow_loopback": [shop], "host_delay_seconds": 0.0, "respect_robots": False},
        "browser": {"enabled": False}, "queue": {"max_attempts": 1},
        "daemon": {"event_log": "events.jsonl"}, "log": {"level": "debug"},
    })  # fmt: skip
    login = f"http://ann:{MARK}@{shop}/viper"
    refused = [
        desk.spec(*arguments, check=False)
        for arguments in (
            ("queue", "pages", login),
            ("run", *VIPER_FLAGS, "--url", login),
            ("extract", login),
        )
    ]
    assert leaks(tmp_path, *(text for each in refused for text in (each.out, each.err))) == []

    keyed = f"http://{shop}/away?id=7&token={MARK}&sig={MARK}"
    told = [
        desk.spec("queue", "pages", keyed, "--category", "mouse", check=False),
        desk.spec("worker", "--drain", "--kinds", "page", check=False),
    ]
    events = (tmp_path / "events.jsonl").read_text()

    assert "id=7&token=…&sig=…" in events  # the page is told, its keys are not
    assert leaks(Path("/nowhere"), events, *(each.err for each in told)) == []
    failed = desk.spec("deadletter", "list", "--json", check=False)
    assert MARK not in json.dumps([entry.get("message") for entry in failed.json])
