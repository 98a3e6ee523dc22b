"""A source is learned by itself, watched, learned again after a relaunch, and rolled back."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

import specfactory.contract
from benchmarks.golden import free_ports
from specfactory.demo import build_world
from tests.stories.conftest import SEED, Workspace
from tests.stories.desk import Desk, on_a_terminal, read_until

SITE = "uncleteds"
FIELDS = ("product_name", "brand", "weight", "length", "width", "max_dpi", "polling_rate",
          "battery_life", "max_ips")  # fmt: skip
GOOD = """<html lang="en"><head><title>Mouse {n} | Shop</title></head><body><nav><a>Home</a>
<a>Mice</a></nav><main><h1>Mouse {n}</h1><table><tr><th>Weight</th><td>{weight} g</td></tr>
<tr><th>Length</th><td>{length} mm</td></tr></table><p>Buy it now</p></main><footer>Imprint</footer>
</body></html>"""
UNLABELLED = """<html lang="en"><head><title>Mouse {n}</title></head><body><nav><a>Home</a></nav>
<main><h1>Mouse {n}</h1><p class=badge>{weight} g</p><p>Buy it now</p></main><p>Imprint</p></body>
</html>"""
ODD = """<html lang="en"><head><title>Shop</title></head><body><nav><a>Home</a><a>Mice</a></nav>
<main><h1>Today</h1><div><p>Come in, number {n}.</p><ul><li>Tea</li><li>Cake</li></ul></div></main>
<footer>Imprint</footer></body></html>"""


@contextmanager
def web(port: int, folder: Path, *more: str) -> Iterator[None]:
    """A demo web of one's own, which may be relaunched."""
    command = [sys.executable, "-m", "specfactory.entry.cli", "demo", "web", "--port", str(port),
               "--seed", str(SEED), "--folder", str(folder), *more]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("in another terminal" in line for line in process.stdout), "demo web is not up"
        try:
            yield
        finally:
            process.terminate()


def small_contract() -> dict[str, Any]:
    """The mouse of few fields: as a user would write it, and quick to learn."""
    bundled = Path(specfactory.contract.__file__).parent / "bundled" / "mouse.yaml"
    contract = yaml.safe_load(bundled.read_text(encoding="utf-8"))
    fields = {name: dict(contract["fields"][name]) for name in FIELDS}
    for field in fields.values():
        field.pop("component", None)
    kept = {name: contract[name] for name in ("category", "version", "title", "identity")}
    return {**kept, "fields": fields}


def prepare(folder: Path, settings: dict[str, Any]) -> None:
    """A folder whose settings know one source, and a small contract."""
    sources = [one for one in settings["sources"] if one["host"].startswith(SITE)]
    for source in sources:
        source.pop("groups", None)
    own = {
        "fetch": settings["fetch"], "sources": sources, "contract_sources": False,
        "database_url": "sqlite:///factory.db", "plan": {"fresh_hours": 0},
        "daemon": {"start_interval_seconds": 0},
        "learn": {"trial_pages": 5, "samples": 12},
    }  # fmt: skip
    (folder / "contracts").mkdir()
    (folder / "contracts" / "mouse.yaml").write_text(yaml.safe_dump(small_contract()))
    (folder / "specfactory.yaml").write_text(yaml.safe_dump(own))


def write_products(folder: Path, port: int) -> None:
    products = build_world(SEED, port).products
    for name, some in (("first.csv", products[:13]), ("second.csv", products[13:21])):
        with (folder / name).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["brand", "model", "variant"])
            writer.writerows([p.brand, p.model, p.variant] for p in some)


def work(desk: Workspace, file: str) -> str:
    """Queue products and let a worker do all that there is; what it logged."""
    desk.spec("queue", "add-batch", "--file", file, "--category", "mouse", "--quiet")
    return desk.spec("worker", "--drain", "--with-learning").err


def statuses(desk: Workspace) -> dict[str, str]:
    listed = desk.spec("templates", "list", "--json").json
    return {one["template"]: one["status"] for one in listed}


def methods(desk: Workspace, product: str) -> set[str]:
    explained = desk.spec("explain", product, "weight", "--json").out
    return {name for name in ("template", "label_value_match") if f'"{name}"' in explained}


def test_a_source_is_learned_by_itself_relearned_after_a_relaunch_and_rolled_back(
    tmp_path: Path,
) -> None:
    port, demo = free_ports(24), tmp_path / "demo"
    desk = Desk(tmp_path / "user")
    desk.folder.mkdir()
    write_products(desk.folder, port)

    with web(port, demo):
        prepare(desk.folder, yaml.safe_load((demo / "specfactory.yaml").read_text()))
        learned = work(desk, "first.csv")

        assert "template.adopted" in learned
        assert statuses(desk) == {"t1": "adopted"}
        # Read again by t1, which says the same: the record stays as it is.
        again = desk.spec("explain", _product(desk, "first.csv", 2), "weight").out
        assert "the page was read again (template)" in again, again
        assert "learn" in {job["kind"] for job in desk.spec("queue", "list", "--json").json}

        work(desk, "second.csv")
        product = _product(desk, "second.csv", 3)
        assert "template" in methods(desk, product)
        shown = desk.spec("templates", "show", "t1", "--json").json
        assert {one["field"]: one["pages"] for one in shown["at_work"]}["weight"] >= 5

    with web(port, demo, "--relaunch", SITE):
        drifted = work(desk, "first.csv")
        assert "template.drifted" in drifted
        assert "template.adopted" in drifted  # no trial: the old one fits no page any more
        assert statuses(desk) == {"t1": "adopted", "t2": "adopted"}

        work(desk, "second.csv")

        host = f"{SITE}.localhost:"
        host += str(next(s.port for s in build_world(SEED, port).sites if s.name == SITE))
        back = desk.spec("templates", "rollback", host, "--reason", "wanted the old one", "--json")
        assert back.json["taken"]["status"] == "rejected"
        assert statuses(desk) == {"t1": "adopted", "t2": "rejected"}

        _persons_contradict_each_other(desk, host)

    assert desk.spec("audit", "--all").code == 0


def _persons_contradict_each_other(desk: Workspace, host: str) -> None:
    explained = desk.spec("explain", _product(desk, "second.csv", 3), "weight", "--json").out
    page = re.findall(r"page-[0-9a-f]+", explained)[0]
    length = re.findall(r"[\d.]+ inches", desk.spec(
        "explain", _product(desk, "second.csv", 3), "length", "--json").out)[0]  # fmt: skip
    wrong = desk.spec("templates", "label", page, "length", "5.1 parsecs", check=False)
    assert (wrong.code, "nearest: " in wrong.err) == (2, True)
    kept = desk.spec("templates", "label", page, "length", length, "--by", "ann").out
    assert f"length on {page} is {length}, says ann" in kept
    desk.spec("templates", "label", page, "length", "--absent", "--by", "bob")

    result = desk.spec("learn", host, "--json").json

    (conflict,) = result["conflicts"]
    assert conflict["said"] == {"ann": [length], "bob": []}
    assert result["status"] == "queued_for_review"


def _product(desk: Workspace, file: str, at: int) -> str:
    rows = list(csv.DictReader((desk.folder / file).open()))
    return " ".join(rows[at].values())


@pytest.fixture
def shop(tmp_path: Path) -> Desk:
    """A folder with pages of a shop, a small contract, and nobody to ask on the network."""
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "mouse.yaml").write_text(yaml.safe_dump(small_contract()))
    own = {"database_url": "sqlite:///factory.db", "contract_sources": False}
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(own))
    for name in ("good", "odd"):
        (tmp_path / name).mkdir()
    for n in range(20):
        page = GOOD.format(n=n, weight=50 + n, length=110 + n)
        (tmp_path / "good" / f"{n}.html").write_text(page)
        (tmp_path / "odd" / f"{n}.html").write_text(ODD.format(n=n) if n else page)
    return Desk(tmp_path)


LEARN = ("learn", "shop.example", "--category", "mouse", "--from-pages")


def test_files_teach_a_template_whose_fields_are_shown_with_quotes(shop: Desk) -> None:
    result = shop.spec(*LEARN, "good", "--json").json

    assert (result["status"], result["template"], result["pages"]) == ("adopted", "t1", 20)
    weight = next(f for f in result["templates"][0]["fields"] if f["field"] == "weight")
    assert (weight["accuracy"], weight["fill_rate"]) == (1.0, 1.0)
    assert weight["quotes"] == ["50 g", "51 g"]
    assert "lower bound" in shop.spec("templates", "show", "t1").out


def test_a_file_with_its_address_is_read_by_the_templates_of_that_address(shop: Desk) -> None:
    pages = {n: UNLABELLED.format(n=n, weight=50 + n) for n in range(13)}
    for n, page in pages.items():
        (shop.folder / "good" / f"{n}.html").write_text(page)
    truth = [{"page": str(n), "fields": {"weight": f"{50 + n} g"}} for n in range(12)]
    (shop.folder / "good" / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    extract = ("extract", "good/12.html", "--category", "mouse", "--field", "weight", "--json")
    at_first = shop.spec(*extract, "--url", "https://shop.example/12").json

    made_by_reading = (shop.folder / "factory.db").exists()
    shop.spec(*LEARN, "good")
    shop.spec("templates", "approve", "t1")

    assert (at_first["fields"], made_by_reading) == ({}, False)
    assert shop.spec(*extract).json["fields"] == {}  # nobody says where it is from
    found = shop.spec(*extract, "--url", "https://shop.example/12").json["fields"]["weight"]
    assert (found["value"], found["method"]) == (62, "template")


def test_samples_that_are_all_the_same_page_teach_nothing_and_it_says_so(shop: Desk) -> None:
    ended = shop.spec(*LEARN, "odd", check=False)

    assert ended.code == 1
    assert "nothing was learned of shop.example" in ended.err
    assert "18: says the same as another page" in ended.err
    assert shop.spec("templates", "list").out == "no templates yet; see: spec learn\n"


def test_a_second_template_is_tried_first_and_can_be_approved_compared_and_rolled_back(
    shop: Desk,
) -> None:
    shop.spec(*LEARN, "good")
    shop.spec(*LEARN, "good")

    assert statuses(shop) == {"t2": "trial", "t1": "adopted"}
    shop.spec("templates", "approve", "t2", "--by", "ann")
    approved = shop.spec("templates", "show", "t2", "--json").json
    assert (approved["status"], approved["reviewed_by"], approved["replaces"]) == (
        "adopted", "ann", "t1"
    )  # fmt: skip
    assert statuses(shop)["t1"] == "retired"
    compared = shop.spec("templates", "diff", "t1", "t2", "--json").json
    assert {row["field"] for row in compared["fields"]} >= {"weight", "length"}

    back = shop.spec("templates", "rollback", "shop.example").out
    assert back == "t2 is at work no more; t1 is at work again\n"
    assert statuses(shop) == {"t2": "rejected", "t1": "adopted"}


def test_a_rejected_template_makes_the_next_one_a_question(shop: Desk) -> None:
    shop.spec(*LEARN, "good")
    told = ("--field", "weight", "--reason", "the package's weight", "--by", "ann")
    shop.spec("templates", "reject", "t1", *told)

    again = shop.spec(*LEARN, "good", "--json").json

    assert again["status"] == "queued_for_review"
    fields = {one["field"] for one in again["templates"][0]["fields"] if not one["left_out"]}
    assert "weight" not in fields  # until a person says where it stands
    (waiting,) = shop.spec("templates", "list", "--pending", "--json").json
    assert waiting["reason"] == "t1 was rejected by ann: weight: the package's weight"
    (question,) = shop.spec("review", "list", "--json").json
    assert (question["kind"], question["field"]) == ("template", "t2")
    refused = shop.spec("review", "accept", str(question["review"]), check=False)
    assert "spec templates approve t2" in refused.err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("templates", "show", "t9"), 2, "no template 't9'"),
        (("templates", "approve", "nine"), 2, "no template 'nine'"),
        (("templates", "rollback", "shop.example"), 2, "nothing to roll back"),
        (("templates", "label", "page-1", "weight"), 2, "give VALUE"),
        (("templates", "label", "page-1", "weight", "5 g"), 2, "no page 'page-1'"),
        (("learn", "shop.example"), 2, "say what is on its pages with --category"),
        (("learn", "shop.example", "--category", "moose"), 2, "unknown category"),
        ((*LEARN, "nowhere"), 2, "no folder"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    shop: Desk, arguments: tuple[str, ...], code: int, words: str
) -> None:
    ended = shop.spec(*arguments, check=False)

    assert ended.code == code
    assert words in ended.err
    assert ended.err.count("\n") == 1


def test_learning_shows_what_it_does_on_a_terminal(shop: Desk) -> None:
    with on_a_terminal(shop, [*LEARN, "good"], columns=100) as (terminal, _):
        shown = read_until(terminal, "weight")

    assert "learning shop.example" in shown
    assert "t1: shop.example mouse" in shown
