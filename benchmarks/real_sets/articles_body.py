"""The body of articles: F1 over runs of four words; see ``_articles`` for the measure."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._pages import Judged, SetPage, half, read_set
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.extract.body.main_text import content_lines

_BAR = 0.965
_RIGHT = 0.9  # F1 from which a body is right as a whole, for the calibration

Pair = tuple[float, float]


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figure of the factory, with and without trafilatura, and trafilatura's own."""
    pages = read_set(folder, given)
    compiled = compile_contract(find_contract("article"))
    ours = [(page, _score(page, _answer(page, compiled))) for page in pages]
    report = Report("real articles_body")
    report.at_least("f1", articles.f1_of_means([pair for _, pair in ours]), _BAR)
    for part in "ab":
        some = [pair for page, pair in ours if half(page.site) == part]
        report.notes.append(f"half {part}: {len(some)} pages, f1 {articles.f1_of_means(some):.4f}")
    alone = articles.f1_of_means([_score(page, _alone(page)) for page in pages])
    report.notes.append(f"without trafilatura: f1 {alone:.4f}")
    report.notes.append(articles.peer_note(_peer(pages)))
    if articles.wants_wrong(given):
        low = sorted(ours, key=lambda one: articles.f1_of_means([one[1]]))[:20]
        report.notes += [f"{p.id} {p.site}: precision {a:.3f}, recall {b:.3f}" for p, (a, b) in low]
    return report


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every body that was given, right or wrong."""
    compiled = compile_contract(find_contract("article"))
    found = []
    for page in read_set(folder, given):
        answer = articles.answers_of(page, compiled).get("body")
        if answer is not None:
            pair = _score(page, str(answer.candidate.value))
            right = articles.f1_of_means([pair]) >= _RIGHT
            found.append(articles.judged("articles_body", page, compiled, answer, right))
    return found


def _score(page: SetPage, given: str) -> Pair:
    return articles.run_scores(page.fields["articleBody"] or "", given)


def _answer(page: SetPage, compiled: CompiledContract) -> str:
    answer = articles.answers_of(page, compiled).get("body")
    return str(answer.candidate.value) if answer is not None else ""


def _alone(page: SetPage) -> str:
    views = page.views
    return " ".join(views.text[a:b] for a, b in content_lines(views, article=True, peer=False)[0])


def _peer(pages: list[SetPage]) -> dict[str, float] | None:
    found = [(page, articles.peer_of(page)) for page in pages]
    if any(given is None for _, given in found):
        return None
    scores = [_score(page, (given or {}).get("text") or "") for page, given in found]
    return {"f1": articles.f1_of_means(scores)}
