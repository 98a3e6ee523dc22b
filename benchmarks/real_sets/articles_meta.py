"""Title, author and date of blog posts and news; see ``_articles`` for how they are compared."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._articles import Scored
from benchmarks.real_sets._pages import Judged, SetPage, read_set
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract

_FIELDS = {"title": "title", "author": "author", "date": "date_published"}
_SCORES = {
    "title": articles.title_score,
    "author": articles.author_score,
    "date": articles.date_score,
}
_BARS = {"title": 0.85, "author": 0.75, "date": 0.90}


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figures of the factory, those of each half, and trafilatura's."""
    pages = read_set(folder, given)
    compiled = compile_contract(find_contract("article"))
    scored = [one for page in pages for one in _scores(page, compiled)]
    report = Report("real articles_meta")
    for name, bar in _BARS.items():
        report.at_least(name, fmean(s.score for s in scored if s.name == name), bar)
    exact = [s for s in scored if s.name == "title_exact"]
    report.notes.append(f"title, the very same words: {fmean(s.score for s in exact):.4f}")
    articles.add_halves(report, scored, (*_BARS, "title_exact"))
    report.notes.append(articles.unseen_note("articles_meta"))
    report.notes.append(articles.peer_note(_peer(pages)))
    if articles.wants_wrong(given):
        wrong = (s for s in scored if s.name in _BARS)
        articles.add_wrong(report, wrong, lambda one: one.page.fields[one.name])
    return report


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every answer that was given, right or wrong."""
    compiled = compile_contract(find_contract("article"))
    found = []
    for page in read_set(folder, given):
        answers = articles.answers_of(page, compiled)
        for name, field in _FIELDS.items():
            if field in answers:
                answer = answers[field]
                right = _SCORES[name](page.fields[name], answer.candidate.value) == 1.0
                found.append(articles.judged("articles_meta", page, compiled, answer, right))
    return found


def _scores(page: SetPage, compiled: CompiledContract) -> list[Scored]:
    answers = articles.answers_of(page, compiled)
    values = {
        name: answers[field].candidate.value if field in answers else None
        for name, field in _FIELDS.items()
    }
    scored = [
        Scored(page, name, score(page.fields[name], values[name]), values[name])
        for name, score in _SCORES.items()
    ]
    exact = articles.exact_title_score(page.fields["title"], values["title"])
    return [*scored, Scored(page, "title_exact", exact, values["title"])]


def _peer(pages: list[SetPage]) -> dict[str, float] | None:
    found = [(page, articles.peer_of(page)) for page in pages]
    if any(given is None for _, given in found):
        return None
    return {
        name: fmean(score(page.fields[name], (given or {}).get(name)) for page, given in found)
        for name, score in _SCORES.items()
    }
