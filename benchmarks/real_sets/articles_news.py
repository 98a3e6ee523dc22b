"""News of many countries: title, authors, date and body; see ``_articles`` for the measures."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._articles import Scored
from benchmarks.real_sets._pages import Judged, SetPage, half, read_set
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract

_FIELDS = {
    "title": "title", "authors": "author", "publishing_date": "date_published", "body": "body",
}  # fmt: skip
_SCORES = {
    "title": articles.title_score,
    "authors": articles.authors_score,
    "publishing_date": articles.date_score,
}
_BARS = {"title": 0.95, "authors": 0.85, "date": 0.95}
_BODY_BAR = 0.90
_RIGHT_BODY = 0.9  # F1 from which a body is right as a whole, for the calibration
_NAMES = {"publishing_date": "date"}


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figures of the factory, those of each half, and trafilatura's."""
    pages = read_set(folder, given)
    compiled = compile_contract(find_contract("article"))
    ours = [(page, _values(page, compiled)) for page in pages]
    scored = [one for page, values in ours for one in _scores(page, values)]
    report = Report("real articles_news")
    for name, bar in _BARS.items():
        report.at_least(name, fmean(s.score for s in scored if s.name == name), bar)
    report.at_least("body", _body(ours), _BODY_BAR)
    articles.add_halves(report, scored, (*_BARS, "title_exact"))
    for part in "ab":
        some = [(page, values) for page, values in ours if half(page.site) == part]
        report.notes.append(f"half {part}: {len(some)} pages, body {_body(some):.4f}")
    report.notes.append(articles.unseen_note("articles_news"))
    report.notes.append(articles.peer_note(_peer(pages)))
    if articles.wants_wrong(given):
        wrong = (s for s in scored if s.name in _BARS)
        articles.add_wrong(report, wrong, _truth)
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
                right = _is_right(name, page.fields[name], answer.candidate.value)
                found.append(articles.judged("articles_news", page, compiled, answer, right))
    return found


def _is_right(name: str, truth: object, value: object) -> bool:
    if name == "body":
        pair = articles.run_scores(str(truth or ""), str(value))
        return articles.f1_of_means([pair]) >= _RIGHT_BODY
    return _SCORES[name](truth, value) == 1.0


def _values(page: SetPage, compiled: CompiledContract) -> dict[str, Any]:
    answers = articles.answers_of(page, compiled)
    return {n: answers[f].candidate.value if f in answers else None for n, f in _FIELDS.items()}


def _scores(page: SetPage, values: dict[str, Any]) -> list[Scored]:
    scored = [
        Scored(page, _NAMES.get(name, name), score(page.fields[name], values[name]), values[name])
        for name, score in _SCORES.items()
    ]
    exact = articles.exact_title_score(page.fields["title"], values["title"])
    return [*scored, Scored(page, "title_exact", exact, values["title"])]


def _body(found: list[tuple[SetPage, dict[str, Any]]]) -> float:
    return articles.f1_of_means(
        [articles.run_scores(page.fields["body"] or "", v["body"] or "") for page, v in found]
    )


def _truth(one: Scored) -> object:
    return one.page.fields["publishing_date" if one.name == "date" else one.name]


def _peer(pages: list[SetPage]) -> dict[str, float] | None:
    found = [(page, articles.peer_of(page)) for page in pages]
    if any(given is None for _, given in found):
        return None
    as_ours = [
        (page, {"title": g.get("title"), "authors": (g.get("author") or "").split(";"),
                "publishing_date": g.get("date"), "body": g.get("text")})
        for page, given in found for g in (given or {},)
    ]  # fmt: skip
    scored = [one for page, values in as_ours for one in _scores(page, values)]
    figures = {n: fmean(s.score for s in scored if s.name == n) for n in _BARS}
    return {**figures, "body": _body(as_ours)}
