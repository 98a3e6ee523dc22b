"""Staged pages through the real line: nothing staged is published, nothing good is lost."""

from __future__ import annotations

import pytest

from benchmarks import hostile_hidden, hostile_votes
from benchmarks.hostile_staged import (
    MAKER,
    SHOPS,
    Staged,
    moved,
    page_of,
    run_case,
    run_cases,
    table_of,
)

CASES = (*hostile_hidden.CASES, *hostile_votes.CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_is_staged_is_not_published_and_what_is_good_still_is(case: Staged) -> None:
    outcome = await run_case(case)

    assert outcome.fooled == {}
    assert outcome.missing == {}


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_a_case_tells_what_was_published_that_must_not_be_and_what_was_not() -> None:
    good = page_of("Acme Nova 5", table_of(weight="54 g", polling_rate="1000 Hz"))
    pages = {f"https://{MAKER}/n": good, f"https://{SHOPS[0]}/n": moved(f"https://{MAKER}/n")}

    (told,) = run_cases(
        [Staged("sample", "", pages, {"weight": [54], "polling_rate": []}, {"height": 40})]
    )

    assert told.fooled == {"weight": 54, "polling_rate": 1000}
    assert told.missing == {"height": 40}
