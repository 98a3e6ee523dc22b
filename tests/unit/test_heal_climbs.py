"""What the ladder cured by itself is told, once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.heal.climbs import ONCE_MS, climb_event, is_by_ladder
from specfactory.model import Climb, HealingEvent, HealingStatus, Outcome, Rung, Visit
from specfactory.settings import HealSettings

NOW = 10_000_000
GOOD = Visit("a.example", "https://a.example/p", NOW + 2_000, Outcome.OK, "HTTP 200", 200)
SHELL = Climb(Rung.HTTP, Rung.BROWSER, NOW, Outcome.JS_REQUIRED, "an empty root", 200)
SETTINGS = HealSettings()


def cure(
    climb: Climb = SHELL, events: tuple[HealingEvent, ...] = (), visits: tuple[Visit, ...] = ()
) -> HealingEvent | None:
    return climb_event(climb, GOOD, events, visits, SETTINGS)


def told() -> HealingEvent:
    made = cure()
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("outcome", "reached", "diagnosis", "remedy"),
    [
        (Outcome.JS_REQUIRED, Rung.BROWSER, "content_block", "use_browser"),
        (Outcome.CAPTCHA, Rung.HTTP_PROXY, "soft_block", "use_proxy"),
        (Outcome.BLOCKED, Rung.BROWSER_PROXY, "blocked", "use_browser"),
        (Outcome.GEO_BLOCKED, Rung.HTTP_PROXY, "geo_blocked", "use_proxy"),
        (Outcome.RATE_LIMITED, Rung.HTTP_PROXY, "rate_limited", "use_proxy"),
    ],
)
def test_a_climb_is_a_cure_by_the_ladder(
    outcome: Outcome, reached: Rung, diagnosis: str, remedy: str
) -> None:
    made = cure(replace(SHELL, outcome=outcome, reached=reached))

    assert made is not None
    assert (made.diagnosis, made.remediation) == (diagnosis, remedy)
    assert (made.status, made.success) == (HealingStatus.HELPED, True)
    assert (made.created_at, made.checked_at) == (NOW, NOW + 2_000)
    assert is_by_ladder(made)
    assert made.reasons[1] == f"the ladder went up from http to {reached}, and the page came"


def test_what_says_nothing_of_the_host_is_no_cure() -> None:
    assert cure(replace(SHELL, outcome=Outcome.NOT_FOUND)) is None


def test_a_refusal_through_a_proxy_may_be_the_proxys() -> None:
    through_it = replace(SHELL, began=Rung.HTTP_PROXY, reached=Rung.BROWSER_PROXY)

    assert cure(replace(through_it, outcome=Outcome.BLOCKED, status=403)) is None
    assert cure(through_it) is not None  # no proxy makes a page want scripts


def test_the_same_is_told_once() -> None:
    later = replace(SHELL, at=NOW + 2 * ONCE_MS)
    since = replace(GOOD, rung=Rung.HTTP, at=NOW + ONCE_MS)

    assert cure(later, (told(),)) is None  # it has been so all the time
    assert cure(later, (told(),), (since,)) is not None  # the cheap way had worked again
    assert cure(replace(later, at=NOW + 5), (told(),), (since,)) is None  # not twice a day
    assert cure(replace(later, reached=Rung.BROWSER_PROXY), (told(),)) is not None
