"""Proposals become candidates in one way: derived, proven where asked, or dropped with a reason."""

from __future__ import annotations

from pathlib import Path

import specfactory.extract
from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.model import Method, ViewName
from specfactory.proof import prove, snippet
from tests.pages import page_views, small_contract

COMPILED = small_contract()
VIEWS = page_views("<html lang=en><h1>Razer Viper</h1><p>54 g</p><p>a lot of weight</p></html>")


def quoted(words):
    start = VIEWS.text.index(words)
    return snippet(VIEWS, ViewName.TEXT, start, start + len(words))


def test_a_proposal_becomes_a_proven_candidate_with_its_evidence():
    maker = CandidateMaker(VIEWS, COMPILED)

    assert maker.take("weight", Proposal((quoted("54 g"),), 0.8, subject="Viper"))

    (candidate,) = maker.candidates
    assert (candidate.value, candidate.likelihood, candidate.subject) == (54, 0.8, "Viper")
    assert prove(candidate, COMPILED, VIEWS) is None


def test_what_gives_no_value_is_dropped_with_its_reason_and_its_words():
    maker = CandidateMaker(VIEWS, COMPILED)

    assert not maker.take("weight", Proposal((quoted("a lot of weight"),)))

    (dropped,) = maker.dropped
    assert maker.candidates == []
    assert (dropped.field, dropped.quote) == ("weight", "a lot of weight")
    assert dropped.reason
    assert dropped.detail


def test_of_several_reasons_for_one_place_the_first_is_reported():
    maker = CandidateMaker(VIEWS, COMPILED)
    values = (quoted("54 g"),)
    maker.drop("weight", "other_region", "it is hidden", values)
    maker.drop("weight", "other_product", "its clause speaks of another", values)

    assert [one.reason for one in maker.dropped] == ["other_region"]


def test_a_guess_that_gives_no_value_is_not_reported():
    maker = CandidateMaker(VIEWS, COMPILED)

    assert maker.guess("weight", Proposal((quoted("a lot of weight"),))) is None
    assert maker.dropped == []


def test_words_and_reasons_of_what_is_dropped_are_cut():
    maker = CandidateMaker(VIEWS, COMPILED)
    maker.drop("weight", "not_read", "d" * 500, shown="w" * 500)

    assert (len(maker.dropped[0].detail), len(maker.dropped[0].quote)) == (200, 200)


def test_what_the_page_does_not_prove_is_dropped_where_proof_is_asked_for():
    maker = CandidateMaker(VIEWS, COMPILED)
    unlabelled = Proposal((quoted("54 g"),), method=Method.PATTERN)

    assert not maker.take("weight", unlabelled, unproven="not_proven")
    assert [one.reason for one in maker.dropped] == ["not_proven"]


def test_no_method_makes_candidates_on_its_own():
    room = Path(specfactory.extract.__file__).parent
    makers = [
        file.relative_to(room).as_posix()
        for file in sorted(room.rglob("*.py"))
        if " Candidate(" in file.read_text() or "(Candidate(" in file.read_text()
    ]

    assert makers == ["page/candidate_maker.py"]
