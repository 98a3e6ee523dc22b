"""The main content of pages of every kind: F1 over words per page, averaged."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from statistics import fmean

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._pages import SetPage, half, read_set
from benchmarks.report import Report
from specfactory.extract.body.main_text import content_lines

_BAR = 0.84
_WORD = re.compile(r"\w+")


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figure of the factory, by kind of page, without trafilatura, and trafilatura's own."""
    pages = read_set(folder, given)
    ours = [(page, _score(page, _content(page, peer=True))) for page in pages]
    report = Report("real page_types")
    report.at_least("content_f1", fmean(score for _, score in ours), _BAR)
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
        low = sorted(ours, key=lambda one: one[1])[:30]
        report.notes += [f"{page.id} {page.row['page_type']}: {score:.3f}" for page, score in low]
    return report


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
