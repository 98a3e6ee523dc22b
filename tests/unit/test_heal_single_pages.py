"""A host with a few broken pages is not ill, however often they are tried."""

from __future__ import annotations

from specfactory.heal.diagnoses import diagnose
from specfactory.heal.signs_of_visits import own_failures
from specfactory.model import Cause, HostCare, Outcome, Sign, Visit
from specfactory.settings import HealSettings

WELL, FAILS = Sign.WELL, Sign.SERVER


def troubles(*visits: tuple[str, Sign]) -> list[int]:
    """Given the oldest first: the places of failures that are the page's own."""
    newest_first = list(reversed(visits))
    return sorted(len(visits) - 1 - place for place in own_failures(newest_first))


def test_a_page_that_failed_among_good_ones_fails_for_itself_from_then_on():
    visits = [("a", WELL), ("x", FAILS), ("b", WELL), ("x", FAILS), ("x", FAILS)]

    assert troubles(*visits) == [3, 4]


def test_pages_that_fail_together_say_something_about_the_host():
    assert troubles(("a", WELL), ("x", FAILS), ("y", FAILS), ("x", FAILS), ("y", FAILS)) == []


def test_a_page_that_was_well_meanwhile_counts_again():
    visits = [("a", WELL), ("x", FAILS), ("b", WELL), ("x", WELL), ("x", FAILS), ("x", FAILS)]

    assert troubles(*visits) == []


def test_what_no_page_can_show_alone_is_never_a_pages_own():
    visits = [("a", WELL), ("x", Sign.RATE), ("b", WELL), ("x", Sign.RATE)]

    assert troubles(*visits) == []


def visit(url: str, at: int, *, good: bool) -> Visit:
    if good:
        return Visit("shop", url, at, Outcome.OK)
    return Visit("shop", url, at, Outcome.MAINTENANCE, "HTTP 503", 503, cause=Cause.STATUS_ONLY)


def test_a_few_broken_pages_tried_last_make_no_diagnosis_and_many_new_ones_do():
    pages = [f"/{n}" for n in range(30)]
    broken = set(pages[2::4])
    first = [visit(url, at, good=url not in broken) for at, url in enumerate(pages)]
    again = [visit(url, 100 + at, good=False) for at, url in enumerate(sorted(broken))]
    others = [visit(f"/new{n}", 200 + n, good=False) for n in range(5)]

    def found(visits: list[Visit]) -> str | None:
        diagnosis = diagnose(list(reversed(visits)), HostCare(), HealSettings())
        return diagnosis and diagnosis.name

    assert found(first + again) is None
    assert found(first + again + others) == "server_errors"
