"""Players, places and books: things that their contract names by fields of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.desk import Desk

PLAYER = {
    "category": "player",
    "version": "1",
    "title": "Players",
    "identity": {"names": ["name", "team"], "neutral_words": ["stats", "profile", "player"]},
    "fields": {
        "name": {"type": "text", "structured": ["name"], "labels": {"en": ["name"]}},
        "team": {"type": "text", "labels": {"en": ["team"]}},
        "height": {"type": "number", "unit": "cm", "labels": {"en": ["height"]}},
    },
}
PAGES = {"kobe": ("Kobe Bryant", 198), "joe": ("Joe Bryant", 206)}


class Handler(Answering):
    def get(self) -> None:
        name, height = PAGES.get(self.path.strip("/"), ("", 0))
        body = (
            f"<html lang=en><head><title>{name} Stats | Courtside</title></head><body>"
            f"<h1>{name}</h1><p>{'He has played for years and was seen by many. ' * 20}</p>"
            f"<table><tr><th>Name</th><td>{name}</td></tr><tr><th>Team</th><td>Lakers</td></tr>"
            f"<tr><th>Height</th><td>{height} cm</td></tr></table></body></html>"
        ).encode()
        self.answer(body, status=200 if name else 404)


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with serving(Handler) as port:
        yield f"http://localhost:{port}"


@pytest.fixture
def desk(tmp_path: Path, host: str) -> Desk:
    settings: dict[str, Any] = {
        "database_url": "sqlite:///factory.db", "contract_sources": False,
        "fetch": {"allow_loopback": [host.removeprefix("http://")], "host_delay_seconds": 0.0},
    }  # fmt: skip
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "player.yaml").write_text(yaml.safe_dump(PLAYER))
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Desk(tmp_path)


def test_a_player_is_run_reviewed_and_exported_by_name(desk, host):
    made = desk.spec(
        "run", "--category", "player", "--name", "name=Kobe Bryant", "--url", f"{host}/kobe",
        "--json",
    )  # fmt: skip

    record = made.json["record"]
    assert (record["product_id"], record["identity"]["brand"]) == ("player-kobe-bryant", "")
    assert record["fields"]["height"]["value"] == 198
    flags = ("--value", "199", "--reason", "measured him")
    desk.spec("review", "override", "kobe bryant", "height", *flags)
    assert "199" in desk.spec("export", "--format", "csv").out
    assert '"Kobe Bryant"' in desk.spec("export", "--format", "jsonld").out
    assert desk.spec("audit", "--all").code == 0


def test_players_come_from_a_table_with_the_columns_of_their_contract(desk, host):
    table = f"name,team,url\nKobe Bryant,Lakers,{host}/kobe\nJoe Bryant,,{host}/joe\n"
    (desk.folder / "players.csv").write_text(table)

    desk.spec("queue", "add-batch", "--file", "players.csv", "--category", "player")
    desk.spec("worker", "--drain")

    heights = {
        name: desk.spec("record", "show", name, "--json").json["fields"]["height"]["value"]
        for name in ("kobe bryant", "joe bryant")
    }
    assert heights == {"kobe bryant": 198, "joe bryant": 206}
    (desk.folder / "queue.json").write_text(desk.spec("queue", "export").out)
    assert desk.spec("queue", "import", "queue.json").code == 0


def test_a_player_without_name_is_not_queued(desk):
    refused = desk.spec("queue", "add", "--category", "player", "--name", "team=X", check=False)

    assert refused.code == 2
    assert "--name name=WORDS is missing" in refused.err


def test_one_player_is_queued_by_name(desk):
    given = ("--category", "player", "--name", "name=Kobe Bryant", "--name", "team=Lakers")

    assert "player-lakers-kobe-bryant" in desk.spec("queue", "add", *given).out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--category", "player", "--name", "team=Lakers"), "needs a name"),
        (("--category", "player", "--name", "Kobe"), "FIELD=WORDS is wanted"),
        (("--category", "player", "--name", "club=Lakers"), "named by name, team, not by club"),
        (("--category", "mouse", "--model", "Viper"), "needs a brand"),
    ],
)
def test_what_names_nothing_is_refused(desk, given, said):
    refused = desk.spec("run", *given, "--dry-run", check=False)

    assert refused.code == 2
    assert said in refused.err
