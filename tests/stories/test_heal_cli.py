"""A person looks at what was wrong with hosts, and takes a remedy back."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from specfactory.assembly import open_factory
from specfactory.heal.climbs import climb_event
from specfactory.model import Climb, HostCare, Outcome, Rung, Visit
from specfactory.orchestrate.healing.api import SelfHealing
from specfactory.settings import BrowserSettings, Settings
from specfactory.testing import ManualClock
from tests.stories.desk import Desk

HOST = "shop.example"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A factory that one host has refused, after it was well."""
    settings = {"database_url": "sqlite:///factory.db"}
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    desk = Desk(tmp_path)
    asyncio.run(_fail(desk))
    return desk


def factory(desk: Desk) -> Settings:
    return Settings(
        database_url=f"sqlite:///{desk.database}", browser=BrowserSettings(enabled=False)
    )


async def _fail(desk: Desk) -> None:
    clock = ManualClock()
    well = Visit(HOST, f"https://{HOST}/p", 0, Outcome.OK, "HTTP 200", 200)
    async with open_factory(factory(desk), clock=clock) as bench:
        healing = SelfHealing(bench)
        assert (await healing.get_stats())["total_healed"] == 0
        for _ in range(3):
            clock.advance(5)
            async with bench.database.transaction() as tx:
                await bench.visits.add(tx, replace(well, at=clock.now()))
        for number in range(8):
            clock.advance(5)
            about = {"url": f"https://{HOST}/{number}", "status": 403}
            handled = await healing.handle_failure(HOST, "HTTP 403", about)
            if number == 3:
                assert handled == {"diagnosed": None, "remediation": None, "success": False}
            if number == 4:
                assert handled == {
                    "diagnosed": "blocked", "remediation": "slow_down", "success": True,
                }  # fmt: skip


def test_the_history_shows_what_was_tried(desk: Desk) -> None:
    history = desk.spec("heal", "history", "--host", HOST, "--json").json

    assert [(e["diagnosis"], e["remediation"], e["status"]) for e in history] == [
        ("blocked", "ask", "asked"), ("blocked", "slow_down", "undone"),
    ]  # fmt: skip
    table = desk.spec("heal", "history").out
    assert "slow_down" in table
    assert HOST in table


def test_a_host_without_a_history_is_told_apart_from_a_factory_without_one(desk: Desk) -> None:
    assert desk.spec("heal", "history", "--host", "well.example").out == (
        "nothing was healed at well.example\n"
    )


def test_what_the_ladder_cured_is_listed_as_its_doing(desk: Desk) -> None:
    asyncio.run(_climb(desk))

    [cure] = desk.spec("heal", "history", "--host", "app.example", "--json").json
    told = desk.spec("heal", "explain", str(cure["id"])).out
    refused = desk.spec("heal", "undo", str(cure["id"]), check=False)

    assert "use_browser (ladder)" in desk.spec("heal", "history").out
    assert "way: http → browser" in told
    assert (refused.code, "changed nothing" in refused.err) == (2, True)


async def _climb(desk: Desk) -> None:
    climb = Climb(Rung.HTTP, Rung.BROWSER, 1_000, Outcome.JS_REQUIRED, "an empty root", 200)
    good = Visit("app.example", "https://app.example/", 3_000, Outcome.OK, "HTTP 200", 200)
    async with open_factory(factory(desk), clock=ManualClock()) as bench:
        cure = climb_event(climb, good, (), (), bench.settings.heal)
        assert cure is not None
        async with bench.database.transaction() as tx:
            await bench.healings.add(tx, cure)


def test_stats_say_who_ails(desk: Desk) -> None:
    stats = desk.spec("heal", "stats", "--json").json

    assert (stats["total_healed"], stats["success_rate"]) == (0, 0.0)
    assert stats["top_failures"][0]["failure"] == "blocked"
    assert [e["host"] for e in stats["ailing"]] == [HOST]
    assert "ailing now" in desk.spec("heal", "stats").out


def test_a_treatment_is_explained_by_the_visits_that_led_to_it(desk: Desk) -> None:
    told = desk.spec("heal", "explain", "1").out

    assert "shop.example: blocked" in told
    assert "the last 5 visits ended as blocked (HTTP 403)" in told
    assert "before that, 3 visits were well" in told
    assert "delay_seconds: 0.0 → 4.0" in told
    assert "in vain" in told
    assert re.search(r"treated now: .*paused_until \d{4}-\d\d-\d\dT", told)


def test_a_question_about_a_host_says_how_to_answer_it(desk: Desk) -> None:
    [question] = desk.spec("review", "list", "--json").json
    assert question["product_id"] == HOST

    refused = desk.spec("review", "accept", str(question["review"]), check=False)

    assert refused.code == 2
    assert "spec heal undo" in refused.err


def test_undoing_ends_the_pause_and_the_question(desk: Desk) -> None:
    done = desk.spec("heal", "undo", "2")

    assert "ask at shop.example was taken back" in done.out
    assert desk.spec("review", "list", "--json").json == []
    assert asyncio.run(_care(desk)) == HostCare()
    stats = desk.spec("heal", "stats", "--json").json
    assert [stats["top_failures"][0][end] for end in ("undone", "taken_back")] == [1, 1]
    assert stats["success_rate"] == 0.0
    assert "a person has taken it back" in desk.spec("heal", "explain", "2").out
    again = desk.spec("heal", "undo", "2", check=False)
    assert (again.code, "taken back before" in again.err) == (2, True)


async def _care(desk: Desk) -> HostCare:
    async with open_factory(factory(desk)) as bench:
        return await bench.policies.care(HOST)


def test_an_event_that_never_was_is_a_clear_mistake(desk: Desk) -> None:
    ended = desk.spec("heal", "explain", "99", check=False)

    assert ended.code == 2
    assert "99" in ended.err
