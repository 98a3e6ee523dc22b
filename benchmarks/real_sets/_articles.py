"""How articles are compared with their truth, and what a user would take instead.

- title: the same words, but for a fifth of them (a kicker, the site's name); ``exact`` is noted.
- author: the same people, in any order; "by", degrees and case set aside.
- date: the same day. A truth that is no date ("2022-29-11") is read with day and month swapped.
- body: runs of four words as in scrapinghub's article-extraction-benchmark: precision and
  recall of each page over the bag of runs, each averaged over the pages, then F1 of both.

No answer where the truth has none is right; an answer there is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean
from typing import Any

from benchmarks.real_sets._pages import Judged, SetPage, half
from benchmarks.report import Report
from specfactory.contract import CompiledContract
from specfactory.extract import answer_page
from specfactory.model import Answer
from specfactory.proof import prove

_WORD = re.compile(r"\w+")
_RUN = 4
_SAME_TITLE = 0.8
_PEOPLE = re.compile(r"\s*[,;/&|]\s*|\s+(?:und|and|et|y)\s+", re.IGNORECASE)
_BY = re.compile(r"^\s*(?:von|by|par|por)\s+", re.IGNORECASE)
_DEGREES = frozenset(("phd", "md", "dr", "prof"))
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")

Score = Callable[[Any, Any], float]


@dataclass(frozen=True, slots=True)
class Scored:
    """One value of one page, and how well it was met."""

    page: SetPage
    name: str
    score: float
    given: object


def words(text: object) -> list[str]:
    """The words of a text as they are compared."""
    return _WORD.findall(unicodedata.normalize("NFKC", str(text or "")).casefold())


def overlap(truth: Iterable[Any], given: Iterable[Any]) -> float:
    """F1 over two bags."""
    left, right = Counter(truth), Counter(given)
    common = sum((left & right).values())
    total = sum(left.values()) + sum(right.values())
    return 2 * common / total if total else 1.0


def title_score(truth: object, given: object) -> float:
    """1 for the same title."""
    return float(overlap(words(truth), words(given)) >= _SAME_TITLE)


def exact_title_score(truth: object, given: object) -> float:
    """1 for the very same words."""
    return float(words(truth) == words(given))


def people(given: object) -> frozenset[str]:
    """The people of a list or a line, as compared."""
    if not given:
        return frozenset()
    several = given if isinstance(given, (list, tuple)) else [given]
    names = (part for one in several for part in _PEOPLE.split(_BY.sub("", str(one))))
    folded = (" ".join(words(name)) for name in names)
    return frozenset(name for name in folded if name and name not in _DEGREES)


def author_score(truth: object, given: object) -> float:
    """1 for the same people."""
    return float(people(truth) == people(given))


def authors_score(truth: object, given: object) -> float:
    """How well the people agree."""
    return overlap(people(truth), people(given))


def day(given: object) -> str:
    """The day of a date; one that cannot be is read with day and month swapped."""
    found = _DATE.match(str(given or ""))
    if not found:
        return str(given or "")[:10]
    year, month, number = found.groups()
    return f"{year}-{number}-{month}" if int(month) > 12 else found[0]


def date_score(truth: object, given: object) -> float:
    """1 for the same day."""
    return float(day(truth) == day(given))


def run_scores(truth: str, given: str) -> tuple[float, float]:
    """Precision and recall over runs of four words."""
    left, right = _runs(truth), _runs(given)
    common = sum((left & right).values())
    precision = common / sum(right.values()) if right else float(not left)
    recall = common / sum(left.values()) if left else 1.0
    return precision, recall


def _runs(text: str) -> Counter[tuple[str, ...]]:
    told = _WORD.findall(text.lower())
    if not told:
        return Counter()
    return Counter(tuple(told[at : at + _RUN]) for at in range(max(1, len(told) - _RUN + 1)))


def f1_of_means(pairs: Sequence[tuple[float, float]]) -> float:
    """F1 of the mean precision and the mean recall."""
    if not pairs:
        return 0.0
    precision, recall = fmean(p for p, _ in pairs), fmean(r for _, r in pairs)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def answers_of(page: SetPage, compiled: CompiledContract) -> Mapping[str, Answer]:
    """What the factory answers on a page."""
    return answer_page(page.views, compiled)


def judged(
    name: str, page: SetPage, compiled: CompiledContract, answer: Answer, right: bool
) -> Judged:
    """An answer held against the truth, for the calibration."""
    family = compiled.roles[answer.field].family
    proven = prove(answer.candidate, compiled, page.views) is None
    return Judged(name, page.site, page.id, answer.field, family, answer.likelihood, right, proven)


def add_halves(report: Report, scored: Sequence[Scored], names: Iterable[str]) -> None:
    """A note for each half of the sites."""
    names = tuple(names)
    for part in "ab":
        figures = [
            f"{name} {fmean(scores):.4f}"
            for name in names
            if (scores := [s.score for s in scored if s.name == name and half(s.page.site) == part])
        ]
        if figures:
            report.notes.append(f"half {part}: " + ", ".join(figures))


def add_wrong(report: Report, scored: Iterable[Scored], truth: Callable[[Scored], object]) -> None:
    """A note for everything that is wrong."""
    for one in scored:
        if one.score < 1.0:
            told = str(truth(one))[:100]
            report.notes.append(f"{one.name} {one.page.id}: {str(one.given)[:100]}, truth {told}")


def peer_of(page: SetPage) -> Mapping[str, Any] | None:
    """What trafilatura finds on a page; None when it is not installed."""
    try:
        import trafilatura
    except ImportError:
        return None
    try:
        found = trafilatura.bare_extraction(page.body, url=page.url or None, with_metadata=True)
    except Exception:
        return {}
    if not found:
        return {}
    return found if isinstance(found, dict) else found.as_dict()


def unseen_note(name: str) -> str:
    """What the finders reach on sites that taught them nothing, as measured when they learned."""
    known = json.loads(
        (files("specfactory.extract.learned").joinpath("data") / "article_weights.json").read_text(
            "utf-8"
        )
    )
    figures = [
        f"{kind} {of[name]['both']:.4f} (a {of[name]['a']:.4f}, b {of[name]['b']:.4f})"
        for kind, of in known.get("unseen", {}).items()
        if name in of
    ]
    return "learned on one half of the sites, asked on the other: " + ", ".join(figures)


def peer_note(figures: Mapping[str, float] | None) -> str:
    """One line on what trafilatura reaches in the same run."""
    if figures is None:
        return "peer not installed: make peers"
    return "trafilatura: " + ", ".join(f"{name} {value:.4f}" for name, value in figures.items())


def wants_wrong(given: argparse.Namespace) -> bool:
    """Whether the wrong ones are to be listed."""
    return bool(getattr(given, "wrong", False))
