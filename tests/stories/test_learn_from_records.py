"""A site without labels and without structured data is learned from what other sites say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.desk import Desk

CONTRACT = {
    "category": "lamp",
    "version": "1",
    "title": "Lamps",
    "fields": {
        "name": {"group": "all", "type": "text", "labels": {"en": ["name"]}},
        "flux": {"group": "all", "type": "number", "unit": "lm", "labels": {"en": ["flux"]}},
        "power": {"group": "all", "type": "number", "unit": "W", "labels": {"en": ["power"]}},
        "length": {"group": "all", "type": "number", "unit": "mm", "labels": {"en": ["length"]}},
        "maker": {"group": "all", "type": "text", "labels": {"en": ["maker"]}},
    },
}
MAKERS = ("Brightworks", "Lumen & Sons", "Nordlys", "Solveig", "Halogena")
WORDS = ("Ember", "Quill", "Harbour", "Fjord", "Willow", "Comet", "Lantern", "Drift", "Meadow")


@dataclass(frozen=True)
class Lamp:
    """One lamp; neighbours share their flux and power, so one is easily taken for the other."""

    number: int

    @property
    def facts(self) -> dict[str, str]:
        own, pair = random.Random(self.number), random.Random(1000 + self.number // 2)
        return {
            "name": f"{own.choice(WORDS)} {own.choice(WORDS)} {self.number}",
            "flux": f"{pair.randint(300, 2400)} lm",
            "power": f"{pair.randint(3, 60)} W",
            "length": f"{own.randint(90, 1400)} mm",
            "maker": own.choice(MAKERS),
        }

    @property
    def chance(self) -> random.Random:
        return random.Random(5000 + self.number)


def table(lamp: Lamp) -> str:
    rows = (f"<tr><th>{k.title()}</th><td>{v}</td></tr>" for k, v in lamp.facts.items())
    return f"<main><h1>{lamp.facts['name']}</h1><table>{''.join(rows)}</table></main>"


def listed(lamp: Lamp) -> str:
    rows = (f"<dt>{k.title()}:</dt><dd>{v}</dd>" for k, v in lamp.facts.items())
    return f"<div><h2>{lamp.facts['name']}</h2><dl>{''.join(rows)}</dl></div>"


def bare(lamp: Lamp) -> str:
    """No label, no markup; numbers of other things stand between the values."""
    it, chance = lamp.facts, lamp.chance
    return (
        f"<section><h1>{it['name']}</h1><p class=k1>{it['maker']}</p>"
        f"<div class=k2><span class=a>{it['length']}</span><span class=b>{it['flux']}</span></div>"
        f"<div class=k3><b>{chance.randint(100, 2400)} mm</b><i>{it['power']}</i></div>"
        f"<p>Parcel of {chance.randint(2, 40)} W sized goods, row {chance.randint(1, 99)}</p>"
        f"<p class=k4>{chance.randint(100, 999)} visitors</p></section>"
    )


SITES = {
    "one": (table, range(60)),
    "two": (listed, range(40, 100)),
    "three": (bare, range(80, 130)),
    "four": (bare, range(200, 232)),  # lamps that no other site has
}


def handler(site: str) -> type[Answering]:
    markup, numbers = SITES[site]

    class Handler(Answering):
        def get(self) -> None:
            number = self.path.rpartition("/")[2]
            if self.path == "/sitemap.xml":
                root = f"http://{self.headers['Host']}"
                self.answer(_sitemap(root, numbers).encode(), "text/xml")
            elif number.isdigit():
                words = f"<p>Everything about light, at length and in peace.</p>{'<hr>' * 5}"
                page = markup(Lamp(int(number)))
                head = "<html><head><title>Light</title></head>"
                self.answer(f"{head}<body>{words}{page}</body>".encode())
            else:
                self.answer(b"", status=404)

    return Handler


def _sitemap(root: str, numbers: range) -> str:
    places = "".join(f"<url><loc>{root}/lamp/{n}</loc></url>" for n in numbers)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'


@pytest.fixture
def hosts() -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        yield {site: f"localhost:{stack.enter_context(serving(handler(site)))}" for site in SITES}


@pytest.fixture
def desk(tmp_path: Path, hosts: dict[str, str]) -> Desk:
    sources = [{"host": h, "tier": "tier3_retailer", "scheme": "http"} for h in hosts.values()]
    settings: dict[str, Any] = {
        "database_url": "sqlite:///factory.db", "sources": sources, "contract_sources": False,
        "fetch": {"allow_loopback": list(hosts.values()), "host_delay_seconds": 0.0},
    }  # fmt: skip
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "lamp.yaml").write_text(yaml.safe_dump(CONTRACT))
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Desk(tmp_path)


def read_sites(desk: Desk, hosts: dict[str, str]) -> None:
    """Let the factory read the pages of the two sites that label their values."""
    for site in ("one", "two"):
        file = desk.folder / f"{site}.txt"
        file.write_text("\n".join(f"http://{hosts[site]}/lamp/{n}" for n in SITES[site][1]))
        desk.spec("queue", "pages", "--file", str(file), "--category", "lamp")
    desk.spec("worker", "--drain")


def said(desk: Desk, url: str) -> dict[str, str]:
    shown = desk.spec("extract", url, "--category", "lamp", "--json", check=False).json
    return {name: one["quote"] for name, one in shown["fields"].items()}


def left_out(desk: Desk, host: str) -> list[int]:
    """Lamps of the third site whose pages were not learned from."""
    listed = desk.spec("pages", "list", "--host", host, "--json").json
    stored = {int(page["url"].rpartition("/")[2]) for page in listed if "/lamp/" in page["url"]}
    return [number for number in SITES["three"][1] if number not in stored]


def test_what_other_sites_say_teaches_a_site_that_says_nothing_of_itself(desk, hosts):
    host = hosts["three"]
    read_sites(desk, hosts)
    assert not said(desk, f"http://{host}/lamp/{SITES['three'][1][-1]}")

    learned = desk.spec("learn", host, "--category", "lamp", "--samples", "20", "--json").json

    assert learned["status"] == "adopted"
    fields = learned["templates"][0]["fields"]
    assert {tuple(one["labels_from"]) for one in fields} == {("known records",)}
    tested = left_out(desk, host)[:12]
    assert len(tested) == 12
    for number in tested:
        assert said(desk, f"http://{host}/lamp/{number}") == Lamp(number).facts


def test_where_no_record_confirms_a_place_a_person_decides(desk, hosts):
    host = hosts["four"]
    read_sites(desk, hosts)

    learned = desk.spec("learn", host, "--category", "lamp", "--samples", "20", "--json").json

    assert learned["status"] == "queued_for_review"
    unsure = [one for one in learned["templates"][0]["fields"] if one["field"] != "maker"]
    assert len(unsure) == 4
    assert max(one["accuracy"] for one in unsure) <= 0.8
    desk.spec("templates", "approve", learned["template"])
    assert said(desk, f"http://{host}/lamp/231") == Lamp(231).facts
