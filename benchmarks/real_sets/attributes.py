"""Attribute values out of a product's title and description, text only.

For every fifth of the products the contract and the reader are made from the other four: the
attribute names, and the values and texts of other products. One answer per product and
attribute; it is right when it is one of the accepted spellings, case and white space set aside.
An answer where the text has no value is wrong. F1 over all products and attributes.
"""

from __future__ import annotations

import argparse
import html
import multiprocessing
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.attribute_reading.learning import TextExample, learn_reader
from benchmarks.attribute_reading.reader import attribute_candidates
from benchmarks.attribute_reading.spans import fold
from benchmarks.real_sets._pages import Judged, half, truth_rows
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract
from specfactory.contract.drafts.from_examples import (
    contract_from_examples,
    field_name,
    field_names,
)
from specfactory.extract.answers.library import page_of
from specfactory.model import Candidate
from specfactory.proof import PageViews, prove, reading

FOLDS = 5
_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Answered:
    """What was answered for one attribute of one product, and what is true."""

    product: str
    kind: str
    attribute: str
    family: str
    said: str
    likelihood: float
    truth: tuple[str, ...]
    proven: bool

    @property
    def right(self) -> bool:
        return bool(self.said) and fold(self.said) in {fold(value) for value in self.truth}


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """F1 over all folds, and over each half of the products."""
    began = time.process_time()
    answered = answers(folder, given)
    made = Report("real attributes")
    made.at_least("f1", _f1(answered), 0.80)
    said = [one for one in answered if one.said]
    made.at_least("proven_share", sum(one.proven for one in said) / max(len(said), 1), 1.0)
    for name in "ab":
        part = [one for one in answered if half(one.product) == name]
        made.notes.append(f"half {name}: f1 {_f1(part):.4f}")
    for kind in dict.fromkeys(one.kind for one in answered):
        mine = [one for one in answered if one.kind == kind]
        made.notes.append(f"{kind}: f1 {_f1(mine):.4f} over {len(mine)} fields of products")
    right = sum(one.right for one in said)
    asked = sum(bool(one.truth) for one in answered)
    made.notes.append(f"precision {right / max(len(said), 1):.4f}, recall {right / asked:.4f}")
    made.notes.append(f"{FOLDS} folds by product; {time.process_time() - began:.0f} s here")
    if given.wrong:
        made.notes += list(_wrong(answered))[:_SHOWN]
    return made


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every answer that was given, held against the truth."""
    return [
        Judged(
            "attributes", one.product, one.product, one.attribute, one.family, one.likelihood,
            one.right, one.proven,
        )
        for one in answers(folder, given)
        if one.said
    ]  # fmt: skip


def answers(folder: Path, given: argparse.Namespace) -> list[Answered]:
    """Every attribute of every product, answered from the other folds."""
    rows = list(truth_rows(folder))
    if given.pages:
        rows = rows[:: max(1, len(rows) // given.pages)][: given.pages]
    folds = range(FOLDS)
    with multiprocessing.Pool(max(given.jobs, 1)) as pool:
        found = pool.map(partial(_fold, rows), folds, chunksize=1)
    every = [one for part in found for one in part]
    return [one for one in every if not given.half or half(one.product) == given.half]


def _fold(rows: list[dict[str, Any]], fold_at: int) -> list[Answered]:
    """The products of one fold, read with what the others teach; a cluster is never parted."""
    clusters = {cluster: at for at, cluster in enumerate(sorted({_cluster(row) for row in rows}))}
    tests = [row for row in rows if clusters[_cluster(row)] % FOLDS == fold_at]
    others = [row for row in rows if clusters[_cluster(row)] % FOLDS != fold_at]
    names = _names(rows)
    reader = learn_reader([_example(row, names) for row in others])
    contracts = {kind: compile_contract(_contract(kind, others)) for kind in names}
    found: list[Answered] = []
    for row in tests:
        views = _views(row)
        compiled = contracts[row["category"]]
        got = {c.field: c for c in attribute_candidates(views, compiled, reader)}
        found += _answered(row, names, got, compiled, views)
    return found


def _names(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """For every kind of product its attributes, and the fields that they become."""
    attributes: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        attributes[row["category"]] |= dict.fromkeys(row["fields"])
    return {kind: field_names(names) for kind, names in attributes.items()}


def _example(row: dict[str, Any], names: dict[str, dict[str, str]]) -> TextExample:
    fields = names[row["category"]]
    values = {fields[name]: values for name, values in row["fields"].items()}
    return TextExample(_parts(row), values, field_name(row["category"]))


def _contract(kind: str, rows: Iterable[dict[str, Any]]) -> Any:
    examples: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["category"] == kind:
            for name, values in row["fields"].items():
                examples[name] += values
    return contract_from_examples(kind, examples)


def _cluster(row: dict[str, Any]) -> str:
    return str(row["cluster"])


def _parts(row: dict[str, Any]) -> tuple[str, str]:
    return row["title"], row["description"] or ""


def _views(row: dict[str, Any]) -> PageViews:
    title, description = map(html.escape, _parts(row))
    body = f"<html lang=en><body><h1>{title}</h1><p>{description}</p></body></html>"
    return PageViews(page_of(body), body.encode())


def _answered(
    row: dict[str, Any],
    names: dict[str, dict[str, str]],
    got: dict[str, Candidate],
    compiled: CompiledContract,
    views: PageViews,
) -> Iterable[Answered]:
    kind = row["category"]
    for attribute, values in row["fields"].items():
        field = names[kind][attribute]
        role = compiled.roles.get(field)
        family = role.family if role else ""
        candidate = got.get(field)
        said = reading(candidate.evidence.values[0]) if candidate else ""
        likelihood = (candidate.likelihood or 0.0) if candidate else 0.0
        proven = candidate is not None and prove(candidate, compiled, views) is None
        yield Answered(
            str(row["id"]), kind, attribute, family, said, likelihood, tuple(values), proven
        )


def _f1(answered: Iterable[Answered]) -> float:
    counts = Counter[str]()
    for one in answered:
        counts.update(right=one.right, given=bool(one.said), asked=bool(one.truth))
    return 2 * counts["right"] / max(counts["given"] + counts["asked"], 1)


def _wrong(answered: Iterable[Answered]) -> Iterable[str]:
    for one in answered:
        if not one.right and (one.said or one.truth):
            line = f"{one.product} {one.attribute}: {one.said!r} ({one.likelihood:.2f})"
            yield f"{line}, truth {list(one.truth)[:4]}"
