"""Pages of every kind: their type, and their main content (F1 over words per page, averaged).

Pages of sites that the types were learned from are judged by weights that never saw the site.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from statistics import fmean

from benchmarks.page_type_folds import weights_without
from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._pages import SetPage, half, read_set
from benchmarks.report import Report
from specfactory.extract.body.main_text import content_lines
from specfactory.extract.lists import find_records
from specfactory.extract.page.page_features import page_features
from specfactory.extract.page.page_types import PageType, page_type

_BAR = 0.84
_TYPE_BAR = 0.90
_SURE = 0.8
_WORD = re.compile(r"\w+")


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figure of the factory, by kind of page, without trafilatura, and trafilatura's own."""
    pages = read_set(folder, given)
    ours = [(page, _score(page, _content(page, peer=True))) for page in pages]
    report = Report("real page_types")
    report.at_least("content_f1", fmean(score for _, score in ours), _BAR)
    typed = [(page, _type(page)) for page in pages]
    report.at_least("accuracy", fmean(_is_typed(*one) for one in typed), _TYPE_BAR)
    report.notes += _type_notes(typed)
    for part in "ab":
        some = [score for page, score in ours if half(page.site) == part]
        if some:
            report.notes.append(f"half {part}: {len(some)} pages, content_f1 {fmean(some):.4f}")
    kinds = sorted({str(page.row["page_type"]) for page in pages})
    by_kind = ((k, fmean(s for page, s in ours if page.row["page_type"] == k)) for k in kinds)
    report.notes.append(", ".join(f"{kind} {score:.3f}" for kind, score in by_kind))
    alone = fmean(_score(page, _content(page, peer=False)) for page in pages)
    report.notes.append(f"without trafilatura: content_f1 {alone:.4f}")
    report.notes.append(articles.peer_note(_peer(pages)))
    if articles.wants_wrong(given):
        report.notes += [
            f"{page.id} is {page.row['page_type']}: {found.type} {found.likelihood:.2f}, "
            f"{'; '.join(found.reasons)}"
            for page, found in typed
            if not _is_typed(page, found)
        ]
        low = sorted(ours, key=lambda one: one[1])[:30]
        report.notes += [f"{page.id} {page.row['page_type']}: {score:.3f}" for page, score in low]
    return report


def _type(page: SetPage) -> PageType:
    views = page.views
    listed, weights = find_records(views), weights_without(page.site)
    if weights is None:
        return page_type(views, listed)
    return weights.judge(page_features(views, listed))


def _is_typed(page: SetPage, found: PageType) -> bool:
    return found.type == page.row["page_type"]


def _type_notes(typed: list[tuple[SetPage, PageType]]) -> list[str]:
    """Recall by type, sites never seen, and whether the likelihoods mean what they say."""
    by_type: dict[str, list[bool]] = {}
    for page, found in typed:
        by_type.setdefault(str(page.row["page_type"]), []).append(_is_typed(page, found))
    new = [_is_typed(*one) for one in typed if weights_without(one[0].site) is None]
    sure = [_is_typed(*one) for one in typed if one[1].likelihood >= _SURE]
    return [
        "types found: " + ", ".join(f"{name} {fmean(by_type[name]):.3f}" for name in by_type),
        f"mean likelihood of a type {fmean(found.likelihood for _, found in typed):.3f}; "
        f"{len(sure)} pages at {_SURE} or more, of which right {fmean(sure or [0]):.3f}; "
        f"{len(new)} pages of sites that were not learned from",
    ]


def _content(page: SetPage, peer: bool) -> str:
    views = page.views
    return " ".join(views.text[start:end] for start, end in content_lines(views, peer=peer)[0])


def _score(page: SetPage, given: str) -> float:
    truth = page.fields["main_content"] or ""
    return articles.overlap(_WORD.findall(truth.lower()), _WORD.findall(given.lower()))


def _peer(pages: list[SetPage]) -> dict[str, float] | None:
    found = [(page, articles.peer_of(page)) for page in pages]
    if any(given is None for _, given in found):
        return None
    return {"content_f1": fmean(_score(p, (given or {}).get("text") or "") for p, given in found)}
