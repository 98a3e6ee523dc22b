"""Pages with their main content, line by line: what the body's trees learn from."""

from __future__ import annotations

import argparse
import hashlib
import pickle
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._pages import SetPage, half, read_set
from specfactory.extract.body.line_choice import chosen_lines, doubted, doubts
from specfactory.extract.body.line_features import LineFeatures, words_of
from specfactory.extract.body.main_text import peer_shares, weighed
from specfactory.extract.body.second_pass import LineGroups, line_groups

SETS = {"articles_body": "articleBody", "articles_news": "body", "page_types": "main_content"}
_WORD = re.compile(r"\w+")
_RUN = 4
_ANY = "page_types"  # the set of pages of every kind; the others are articles


@dataclass(slots=True)
class Sample:
    """One page: a row of features per line, which lines are content, and the whole truth."""

    set: str
    site: str
    kind: str
    texts: list[str]
    rows: Any
    truth: Any
    words: list[int]
    shape: LineGroups
    doubts: list[bool]
    peer: list[float]
    told: str

    @property
    def is_article(self) -> bool:
        """Whether an article's body is asked for, not what a page is there for."""
        return self.set != _ANY


def read_samples(folder: Path, some: str, kept: Path | None = None) -> list[Sample]:
    """The pages of all sets, of both halves of the sites or of one; from a file once made."""
    if kept is not None and kept.is_file():
        found: list[Sample] = pickle.loads(kept.read_bytes())
    else:
        found = [sample for name in SETS for sample in _read_set(folder / name, name)]
        if kept is not None:
            kept.write_bytes(pickle.dumps(found))
    return [sample for sample in found if not some or half(sample.site) == some]


def _read_set(folder: Path, name: str) -> list[Sample]:
    options = argparse.Namespace(sites="", half="", pages=0)
    return [_sample(page, name) for page in read_set(folder, options)]


def _sample(page: SetPage, name: str) -> Sample:
    views = page.views
    seen = LineFeatures(views, article=name != _ANY)
    told = page.fields[SETS[name]] or ""
    shares = peer_shares(views, seen) if seen.lines else []
    rows, truth = np.array(seen.rows, np.float32), np.array(labels(seen.texts, told)) >= 0.5
    kind = str(page.row.get("page_type", "article"))
    return Sample(
        name, page.site, kind, seen.texts, rows, truth, seen.sizes, line_groups(seen),
        doubts(views.outline, seen, name != _ANY), shares, told,
    )  # fmt: skip


def fold_of(sample: Sample, folds: int, turn: int = 1) -> int:
    """The fold of a page, by the name of its site alone; two are the halves of the other sets."""
    if folds == 2:
        return "ab".index(half(sample.site))
    return hashlib.sha256(sample.site.encode()).digest()[turn] % folds


Fit = Callable[[list[Sample]], Callable[[Sample], Any]]


def left_out(samples: list[Sample], folds: int, fit: Fit) -> list[str]:
    """The figures on sites that taught nothing: with the peer's say, and without."""
    likely: dict[int, Any] = {}
    for fold in range(folds):
        ask = fit([sample for sample in samples if fold_of(sample, folds) != fold])
        for sample in samples:
            if sample.words and fold_of(sample, folds) == fold:
                likely[id(sample)] = ask(sample)
    lines = []
    for peer, said in ((True, ""), (False, ", without trafilatura")):
        scores = [_scores(sample, likely.get(id(sample)), peer) for sample in samples]
        lines.append(f"{folds} folds{said}: {_figures(samples, scores)}")
    return lines


def _scores(sample: Sample, own: Any, peer: bool) -> tuple[float, float]:
    """Precision and recall of a body, or F1 twice for pages of any kind."""
    given = ""
    if own is not None:
        shares = sample.peer if peer else [-1.0] * len(sample.words)
        likely = weighed([float(p) for p in own], shares, sample.words, sample.is_article)
        likely = doubted(likely, sample.doubts)
        words, boxes = [words_of(text) for text in sample.texts], sample.shape.keys[0]
        lines = chosen_lines(likely, words, boxes, sample.is_article)
        given = " ".join(sample.texts[at] for at in lines)
    if sample.is_article:
        return articles.run_scores(sample.told, given)
    score = articles.overlap(_WORD.findall(sample.told.lower()), _WORD.findall(given.lower()))
    return score, score


def _figures(samples: Sequence[Sample], scores: Sequence[tuple[float, float]]) -> str:
    scored = list(zip(samples, scores, strict=True))
    parts = []
    for name in SETS:
        some = [pair for sample, pair in scored if sample.set == name]
        value = fmean(p for p, _ in some) if name == _ANY else articles.f1_of_means(some)
        parts.append(f"{name} {value:.4f}")
    for kind in sorted({sample.kind for sample in samples if not sample.is_article}):
        of_kind = [p for s, (p, _) in scored if s.kind == kind and not s.is_article]
        parts.append(f"{kind} {fmean(of_kind):.3f}")
    return ", ".join(parts)


def labels(texts: list[str], truth: str) -> list[float]:
    """How much of each line stands in the truth; short lines must stand at their place in it."""
    told = _WORD.findall(truth.lower())
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(told) - _RUN + 1):
        places.setdefault(tuple(told[at : at + _RUN]), []).append(at)
    lines = [_WORD.findall(text.lower()) for text in texts]
    shares = [_share(line, places) for line in lines]
    spans = [
        _span(line, places) if share >= 0.5 else None
        for line, share in zip(lines, shares, strict=True)
    ]
    after = len(told)
    following = [0] * len(lines)
    for at in reversed(range(len(lines))):
        following[at] = after
        after = spans[at][0] if spans[at] else after  # type: ignore[index]
    before = 0
    for at, line in enumerate(lines):
        if (span := spans[at]) is not None:
            before = span[1]
        elif line and len(line) < 3 * _RUN and _between(line, told, before, following[at]):
            shares[at] = 1.0
    return shares


def _share(line: list[str], places: dict[tuple[str, ...], list[int]]) -> float:
    if len(line) <= _RUN:
        return 0.0
    runs = [tuple(line[at : at + _RUN]) for at in range(len(line) - _RUN + 1)]
    return sum(run in places for run in runs) / len(runs)


def _span(line: list[str], places: dict[tuple[str, ...], list[int]]) -> tuple[int, int]:
    runs = [tuple(line[at : at + _RUN]) for at in range(len(line) - _RUN + 1)]
    hits = [run for run in runs if run in places]
    return places[hits[0]][0], places[hits[-1]][-1] + _RUN


def _between(line: list[str], told: list[str], start: int, end: int) -> bool:
    low, high = sorted((max(0, start - 2), min(len(told), end + 2)))
    parts = [(low, high)] if high - low <= 400 else [(low, low + 60), (high - 60, high)]
    size = len(line)
    return any(
        told[at : at + size] == line
        for left, right in parts
        for at in range(left, right - size + 1)
    )
