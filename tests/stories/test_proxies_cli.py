"""An operator names proxies, sees how they are doing, and waits for none in vain."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.proxy_server import ProxyServer, running_in_thread
from tests.stories.conftest import Workspace
from tests.stories.desk import Desk


@pytest.fixture
def servers() -> Iterator[tuple[ProxyServer, ...]]:
    with running_in_thread(ProxyServer("ann", "hidden"), ProxyServer()) as started:
        yield started


@pytest.fixture
def desk(tmp_path: Path, servers: tuple[ProxyServer, ...]) -> Desk:
    """A folder whose settings name two proxies that work and one that does not."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dead = f"127.0.0.1:{taken.getsockname()[1]}"
    lines = [f"{servers[0].url} datacenter", f"{servers[1].url} residential", dead]
    (tmp_path / "proxies.txt").write_text("\n".join(lines))
    settings = {
        "database_url": "sqlite:///factory.db",
        "proxy": {"file": "proxies.txt", "live_folder": "live", "minimum": 2},
    }
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Desk(tmp_path)


def test_proxies_are_listed_checked_rested_and_forgotten(desk: Desk, servers) -> None:
    place = servers[0].place
    before = desk.spec("proxies", "list", "--json").json
    checked = desk.spec("proxies", "check", "--json").json

    assert [entry["state"] for entry in before] == ["unchecked"] * 3
    assert [entry["state"] for entry in checked] == ["works", "works", "rests"]
    assert [entry["tier"] for entry in checked] == ["datacenter", "residential", ""]
    assert "no connection" in checked[2]["note"]
    assert "rests until" in desk.spec("proxies", "rest", place).out
    assert desk.spec("proxies", "list", "--json").json[0]["state"] == "rests"
    desk.spec("proxies", "forget", place)
    table = desk.spec("proxies", "list")
    assert "unchecked" in table.out
    assert "hidden" not in table.out + json.dumps(checked)


def test_a_refresh_writes_the_live_files(desk: Desk, servers) -> None:
    done = desk.spec("proxies", "refresh")
    live = json.loads((desk.folder / "live/live_proxies.json").read_text())
    lines = (desk.folder / "live/live_proxies.txt").read_text().splitlines()

    assert done.out.startswith("2 of 3 proxies work")
    assert sorted(lines) == sorted(server.url for server in servers)
    assert {entry["tier"] for entry in live} == {"datacenter", "residential"}


def test_too_few_proxies_are_told_and_nothing_is_begun(desk: Desk) -> None:
    given = ("--set", "proxy.minimum=3", "--set", "proxy.wait_seconds=0")
    asked = desk.spec(*given, "proxies", "check", check=False)
    run = desk.spec(
        *given, "run", "--category", "mouse", "--brand", "Razer", "--model", "Viper", check=False
    )

    assert (asked.code, run.code) == (1, 1)
    assert "2 of 3 proxies work" in run.err
    assert "proxy.minimum" in run.err


def test_lines_of_no_use_are_counted_and_never_quoted(desk: Desk) -> None:
    (desk.folder / "proxies.txt").write_text("nonsense hidden here\nsocks5://ann:hidden@b:1\n")

    told = desk.spec("proxies", "list").out

    assert "2 entries are no proxies that can be used" in told
    assert "hidden" not in told


def test_a_refresh_that_leaves_no_proxy_fails(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dead = f"127.0.0.1:{taken.getsockname()[1]}"
    (desk.folder / "proxies.txt").write_text(f"http://ann:hidden@{dead}\n")
    none = desk.spec("--set", "proxy.minimum=0", "proxies", "refresh", check=False)
    (desk.folder / "proxies.txt").write_text("nothing here to be used\n")
    empty = desk.spec("proxies", "refresh", check=False)

    assert (none.code, none.out[:21]) == (1, "0 of 1 proxies work (")
    assert "no proxy works" in none.err
    assert (empty.code, "no proxy works" in empty.err) == (1, True)
    assert "hidden" not in none.out + none.err


def test_unknown_places_and_no_proxies_are_misuse(desk: Desk) -> None:
    unknown = desk.spec("proxies", "rest", "1.2.3.4:5", check=False)
    (desk.folder / "specfactory.yaml").write_text("database_url: sqlite:///factory.db\n")
    none = desk.spec("proxies", "check", check=False)

    assert (unknown.code, none.code) == (2, 2)
    assert "1.2.3.4:5" in unknown.err
    assert "proxy.urls" in none.err
    assert desk.spec("proxies", "list", "--json").json == []


def test_a_worker_waits_for_proxies_and_refreshes_them(desk: Desk) -> None:
    workspace = Workspace(desk.folder)
    ended = workspace.spec("worker", "--drain")

    assert "refreshing them" in ended.err
    states = [entry["state"] for entry in desk.spec("proxies", "list", "--json").json]
    assert states == ["works", "works", "rests"]
