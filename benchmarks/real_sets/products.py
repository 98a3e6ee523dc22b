"""Product pages of shops by the bundled contract, held against what a person says is on them.

F1 per field as in scrapinghub/product-extraction-benchmark: an answer on a page without the
value counts as wrong. ``brand`` and ``currency`` are taken on the pages that have a label: the
others were not labelled, and mostly have them. Prices are compared by amount, availability as
in or out of stock, currencies by what a sign may stand for, ids and brands by their words.

``…_left_out``: the ranking is learned again without the sites it is tested on, from the pages
of DIR's neighbours too (``benchmarks/train_ranking.py``); that needs numpy and scipy.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import train_ranking as ranking
from benchmarks.ranking_pages import ROLES, examples, is_right
from benchmarks.real_sets._pages import Judged, SetPage, half, read_set
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.extract import answer_page
from specfactory.model import Answer
from specfactory.proof import prove

_BARS = {"price": 0.96, "sku": 0.89, "availability": 0.96, "brand": 0.85, "currency": 0.95}
_LEFT_OUT = {"price": 0.93, "sku": 0.86, "availability": 0.95}
_LABELLED_ONLY = ("brand", "currency")
_ROLES = {field: role for role, field in ROLES.items()}
_FOLDS = 6


@dataclass(frozen=True, slots=True)
class Scored:
    """What was answered for one field of one page; ``right`` is None where nothing was."""

    page: SetPage
    field: str
    right: bool | None
    shown: object = None

    @property
    def asked(self) -> bool:
        return self.field in self.page.fields

    @property
    def counts(self) -> bool:
        return self.asked or self.field not in _LABELLED_ONLY


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figures, those of each half, those of sites left out, and the peer's."""
    pages = read_set(folder, given)
    scored = [one for page in pages for one in _scored(page, _ours(page))]
    made = Report("real products")
    for name, bar in _BARS.items():
        made.at_least(name, _f1(scored, name), bar)
    for part in "ab":
        some = [one for one in scored if half(one.page.site) == part]
        if some:
            made.notes.append(f"half {part}: {_line(some)}")
    every = [one for one in scored if one.asked or one.right is not None]
    made.notes.append(f"over all pages, labelled or not: {_line(every, labelled_only=False)}")
    _measure_left_out(made, folder, pages)
    _measure_peer(made, pages)
    made.notes.append(f"{len(pages)} pages of {len({page.site for page in pages})} sites")
    if given.wrong:
        made.notes += [_wrong(one) for one in scored if _is_wrong(one)]
    return made


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every answer to a field that the truth speaks of, for the calibration."""
    compiled = _contract()
    found = []
    for page in read_set(folder, given):
        views = page.views
        for field, answer in answer_page(views, compiled).items():
            if field in _ROLES and (field in page.fields or field not in _LABELLED_ONLY):
                family = compiled.roles[field].family
                proven = prove(answer.candidate, compiled, views) is None
                right = _is_right(field, answer, page)
                found.append(Judged("products", page.site, page.id, field, family,
                                    answer.likelihood, right, proven))  # fmt: skip
    return found


def _contract() -> CompiledContract:
    return compile_contract(find_contract("product"))


def _ours(page: SetPage) -> Mapping[str, Answer]:
    return answer_page(page.views, _CONTRACT)


_CONTRACT = _contract()


def _is_right(field: str, answer: Answer, page: SetPage) -> bool:
    return is_right(_ROLES[field], answer.candidate.value, page.fields.get(field, []))


def _scored(page: SetPage, answers: Mapping[str, Answer]) -> list[Scored]:
    return [
        Scored(page, field, _is_right(field, one, page), one.candidate.value)
        if (one := answers.get(field))
        else Scored(page, field, None)
        for field in _BARS
    ]


def _f1(scored: Sequence[Scored], field: str, labelled_only: bool = True) -> float:
    mine = [one for one in scored if one.field == field and (one.counts or not labelled_only)]
    right = sum(one.right is True for one in mine)
    given = sum(one.right is not None for one in mine)
    return 2 * right / max(given + sum(one.asked for one in mine), 1)


def _line(scored: Sequence[Scored], labelled_only: bool = True) -> str:
    return ", ".join(f"{name} {_f1(scored, name, labelled_only):.3f}" for name in _BARS)


def _is_wrong(one: Scored) -> bool:
    return one.counts and not one.right and (one.asked or one.right is False)


def _wrong(one: Scored) -> str:
    truth = one.page.fields.get(one.field)
    return f"{one.page.site} {one.page.id} {one.field}: {one.shown!r}, truth {truth}"


# --------------------------------------------------------------------------- sites left out
def _measure_left_out(made: Report, folder: Path, pages: Sequence[SetPage]) -> None:
    """F1 of every field where the ranking has never seen the site."""
    try:
        importlib.import_module("scipy")
    except ImportError:
        made.notes.append("sites left out need numpy and scipy: make peers")
        return
    found = examples(folder.parent, {folder.name: pages})
    for name, bar in _LEFT_OUT.items():
        judged = ranking.left_out(found, _ROLES[name], _FOLDS)
        made.at_least(f"{name}_left_out", ranking.f1(judged), bar)
        for part in "ab":
            some = [one for one in judged if half(one.site) == part]
            if some:
                made.notes.append(f"half {part}: {name}_left_out {ranking.f1(some):.3f}")


# ----------------------------------------------------------------------------------- a peer
def _measure_peer(made: Report, pages: Sequence[SetPage]) -> None:
    """What extruct and price-parser give, which a user would take instead."""
    try:
        extruct: Any = importlib.import_module("extruct")
        parser: Any = importlib.import_module("price_parser")
    except ImportError:
        made.notes.append("peer not installed: make peers")
        return
    scored = [one for page in pages for one in _peer_scores(page, extruct, parser)]
    made.notes.append(f"extruct and price-parser: {_line(scored)}")


def _peer_scores(page: SetPage, extruct: Any, parser: Any) -> list[Scored]:
    from benchmarks.real_sets._product_peer import peer_values

    values = peer_values(page.body, extruct, parser)
    return [
        Scored(page, field, is_right(_ROLES[field], value, page.fields.get(field, [])))
        if (value := values.get(field)) is not None
        else Scored(page, field, None)
        for field in _BARS
    ]
