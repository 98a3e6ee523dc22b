"""Good pages cost no look into the history of their host; suspicious ones do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from specfactory.model import HealingEvent, HealingStatus, Outcome, Visit
from specfactory.orchestrate.bench.host_alarm import HostAlarm
from specfactory.settings import HealSettings
from specfactory.store import Healings

HEAL = HealSettings()
WELL = Visit("a.example", "https://a.example/p", 0, Outcome.OK, "HTTP 200", 200)


class Open:
    """Healing events that are open, and how often they were asked for."""

    def __init__(self, *hosts: str) -> None:
        self.hosts, self.looks = hosts, 0

    async def open(self) -> list[HealingEvent]:
        self.looks += 1
        return [
            HealingEvent(1, host, "blocked", "blocked", "pause", HealingStatus.TRIED, 0)
            for host in self.hosts
        ]


def ward(known: Open) -> HostAlarm:
    return HostAlarm(cast(Healings, known))


async def test_good_pages_of_a_healthy_host_are_passed_by() -> None:
    known = Open("b.example")
    watching = ward(known)

    looks = [await watching.is_raised_by(WELL, HEAL, n / 100) for n in range(100)]

    assert not any(looks)
    assert known.looks == 1  # every two seconds


async def test_every_page_of_a_treated_host_is_looked_at() -> None:
    assert await ward(Open("a.example")).is_raised_by(WELL, HEAL, 0.0)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": Outcome.TIMEOUT},
        {"landed": "b.example"},
        {"garbled": 0.5},
        {"timings_ms": {"ttfb": 11_000.0}},
    ],
)
async def test_a_suspicious_visit_is_looked_at(change: dict[str, Any]) -> None:
    assert await ward(Open()).is_raised_by(replace(WELL, **change), HEAL, 0.0)


async def test_confidence_is_held_against_the_usual() -> None:
    watching = ward(Open())
    sure = replace(WELL, confidence=0.8)

    assert await watching.is_raised_by(sure, HEAL, 0.0)  # nothing is known of the host yet
    assert not await watching.is_raised_by(replace(WELL, confidence=0.7), HEAL, 0.0)
    assert await watching.is_raised_by(replace(WELL, confidence=0.4), HEAL, 0.0)
