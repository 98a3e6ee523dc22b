"""Variants of one model are never mixed: they are told apart, or a person is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.desk import Desk

CONTRACT = {
    "category": "gadget",
    "version": "1",
    "title": "Gadgets",
    "fields": {
        "weight": {"group": "all", "type": "number", "unit": "g", "labels": {"en": ["weight"]}},
        "colour": {"group": "all", "type": "text", "labels": {"en": ["colour"]}},
    },
}
PAGES = {
    "x": ("Acme X", 100),
    "halo-x": ("Acme Halo X", 200),
    "x-64": ("Acme X 64 GB", 101),
    "x-128": ("Acme X - 128 GB", 102),
    "x-pro": ("Acme X Pro", 300),
    "x-second": ("Acme X (2nd generation)", 400),
    "x-bundle": ("Acme X bundle", 500),
    "x-renewed": ("Refurbished Acme X", 600),
    "x-used": ("Acme X", 700),
    "x-wired": ("Acme X100 Wired", 800),
    "x-wireless": ("Acme X100 Wireless", 900),
}
USED = """<script type="application/ld+json">{"@type": "Product", "name": "Acme X", "offers":
{"@type": "Offer", "itemCondition": "https://schema.org/UsedCondition"}}</script>"""


class Handler(Answering):
    def get(self) -> None:
        name, weight = PAGES.get(self.path.strip("/"), ("", 0))
        body = (
            f"<html lang=en><head><title>{name} | Shop</title>{USED * (weight == 700)}</head><body>"
            f"<h1>{name}</h1><p>{'A thing that people like to have. ' * 20}</p><table><tr>"
            f"<th>Weight</th><td>{weight} g</td></tr></table></body></html>"
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
    (tmp_path / "contracts" / "gadget.yaml").write_text(yaml.safe_dump(CONTRACT))
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Desk(tmp_path)


def run(desk: Desk, host: str, *pages: str, model: str = "X", variant: str = "") -> Any:
    """Make the record of a product from these pages; its weight, None while it is unknown."""
    urls = [word for page in pages for word in ("--url", f"{host}/{page}")]
    given = ("--category", "gadget", "--brand", "Acme", "--model", model, *urls)
    named = ("--variant", variant) if variant else ()
    desk.spec("run", *given, *named, check=False)
    return weight(desk, " ".join(filter(None, ("Acme", model, variant))))


def weight(desk: Desk, product: str) -> Any:
    shown = desk.spec("record", "show", product, "--json", check=False)
    return shown.json["fields"]["weight"]["value"] if shown.code == 0 else None


def questions(desk: Desk) -> list[str]:
    return [one["reason"] for one in desk.spec("review", "list", "--json").json]


def test_a_longer_name_is_put_to_a_person(desk, host):
    assert run(desk, host, "halo-x") is None
    assert "'halo' before it, which may be part of a name" in questions(desk)[0]

    desk.spec("review", "accept", "Acme X", "--reason", "X is its short name")
    assert weight(desk, "Acme X") == 200
    assert run(desk, host, "halo-x") == 200


@pytest.mark.parametrize("page", ["x-bundle", "x-renewed", "x-used"])
def test_what_is_sold_otherwise_than_it_was_made_is_put_to_a_person(desk, host, page):
    assert run(desk, host, page) is None
    assert len(questions(desk)) == 1


@pytest.mark.parametrize("page", ["x-pro", "x-second"])
def test_another_model_is_told_apart(desk, host, page):
    assert run(desk, host, page) is None
    assert questions(desk) == []


def test_pages_of_two_variants_are_not_mixed_and_a_person_is_asked(desk, host):
    assert run(desk, host, "x-64", "x-128") is None

    (asked,) = desk.spec("review", "list", "--json").json
    assert asked["proposed"] == [
        {"variant": "128 GB", "urls": [f"{host}/x-128"]},
        {"variant": "64 GB", "urls": [f"{host}/x-64"]},
    ]
    assert f"{host}/x-64" in asked["reason"]
    assert f"{host}/x-128" in desk.spec("review", "show", str(asked["review"])).out


def test_pages_that_name_no_variant_stay_beside_those_that_are_told_apart(desk, host):
    assert run(desk, host, "x-64", "x-128", "x") == 100
    assert len(questions(desk)) == 1


def test_a_named_variant_takes_its_own_pages_only(desk, host):
    assert run(desk, host, "x-64", "x-128", variant="128 GB") == 102
    assert questions(desk) == []


def test_one_variant_alone_is_the_product(desk, host):
    assert run(desk, host, "x-64") == 101
    assert questions(desk) == []


def test_a_persons_word_lets_variants_be_one_product(desk, host):
    run(desk, host, "x-64", "x-128", "x")

    desk.spec("review", "accept", "Acme X", "--reason", "they weigh the same")
    run(desk, host, "x-64", "x-128", "x")

    explained = desk.spec("explain", "Acme X", "weight", "--json").out
    assert all(f"{grams} g" in explained for grams in (100, 101, 102))


def test_wired_and_wireless_are_found_and_a_person_chooses(desk, host):
    given = ("--category", "gadget", "--brand", "Acme", "--model", "X100")
    urls = ("--url", f"{host}/x-wired", "--url", f"{host}/x-wireless")
    made = desk.spec("run", *given, *urls, "--json", check=False)

    assert (made.code, made.json["status"], made.json["record"]) == (1, "awaiting_review", None)
    assert made.json["variants"] == [
        {"variant": "wired", "urls": [f"{host}/x-wired"]},
        {"variant": "wireless", "urls": [f"{host}/x-wireless"]},
    ]
    assert desk.spec("record", "list", "--json").json == []

    wrong = ("--value", "Bluetooth", "--reason", "guess")
    assert desk.spec("review", "override", "Acme X100", *wrong, check=False).code == 2
    desk.spec("review", "override", "Acme X100", "--value", "Wireless", "--reason", "its box")
    assert weight(desk, "Acme X100") == 900
    assert questions(desk) == []
    assert desk.spec("run", *given, *urls).code == 0
    assert weight(desk, "Acme X100") == 900


def test_a_product_without_variant_is_the_only_variant_that_exists(desk, host):
    assert run(desk, host, "x-wireless", model="X100", variant="Wireless") == 900

    assert run(desk, host, "x-wireless", model="X100") == 900
    assert questions(desk) == []


def test_known_variants_are_asked_about_where_no_page_is_about_the_product_alone(desk, host):
    run(desk, host, "x-64", variant="64 GB")
    run(desk, host, "x-128", variant="128 GB")

    assert run(desk, host, "x-64", "x-128") is None
    (asked,) = desk.spec("review", "list", "--json").json
    assert [one["variant"] for one in asked["proposed"]] == ["128 GB", "64 GB"]


def test_an_accepted_identity_ends_the_job_that_waited_for_it(desk, host):
    given = ("--category", "gadget", "--brand", "Acme", "--model", "X")
    desk.spec("queue", "add", *given, "--url", f"{host}/halo-x")
    desk.spec("worker", "--drain")
    assert desk.spec("queue", "show", "q_000001", "--json").json["status"] == "awaiting_review"

    desk.spec("review", "accept", "Acme X", "--reason", "X is its short name")

    assert desk.spec("queue", "show", "q_000001", "--json").json["status"] == "complete"
    assert weight(desk, "Acme X") == 200
