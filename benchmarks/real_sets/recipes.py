"""Recipes by the bundled contract alone, held against what another library's tests expect.

How values are compared: HTML entities, white space, case, punctuation and the way fractions
are written (``½``, ``1/2``) are set aside; what is left are words and numbers in their order.

- ``title``: the same words. ``author``: the same words, the order and a leading "by" aside.
- ``ingredients``: per page the F1 over items, each item of one side matching an equal one of
  the other at most once. ``instructions``: per page the F1 over words, steps joined.
- ``times``: the share of all total, prep and cook times that are right, in minutes.
- ``ratings``: the share of right values, to two decimals.

A page counts where the truth has a value; no answer counts as wrong. ``…_no_markup`` are the
pages on which no Recipe stands in JSON-LD, microdata or RDFa.
"""

from __future__ import annotations

import argparse
import html
import importlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks.real_sets._pages import Judged, SetPage, half, read_set
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.extract import answer_page
from specfactory.model import Answer
from specfactory.proof import PageViews, prove

_TIMES = ("total_time", "prep_time", "cook_time")
_FIELDS = {  # the name in the truth -> the field of the contract
    "title": "title", "author": "author", "ingredients": "ingredients",
    "instructions_list": "instructions", "ratings": "rating", **{name: name for name in _TIMES},
}  # fmt: skip
_BARS = {
    "title": 0.98, "author": 0.93, "ingredients": 0.93, "instructions": 0.96, "times": 0.96,
    "ratings": 0.98, "ingredients_no_markup": 0.70, "instructions_no_markup": 0.70,
}  # fmt: skip
_FIGURES = {"instructions_list": "instructions", **dict.fromkeys(_TIMES, "times")}
_RIGHT = 0.9  # from which overlap on a list is right as a whole, for the calibration
_MARKUP = re.compile(
    rb"""["']@type["']\s*:\s*(?:\[[^\]]*)?["'](?:https?:[\\/]+schema\.org[\\/]+)?Recipe["']"""
    rb"""|itemtype\s*=\s*["']?[^"'>]*(?:schema|data-vocabulary)\.org/Recipe"""
    rb"""|typeof\s*=\s*["']?[^"'>]*\bRecipe""",
    re.IGNORECASE,
)
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W_぀-ヿ㐀-鿿가-힯]+")  # no spaces there: sign by sign
_FRACTION = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞↉])")

Values = Mapping[str, object]  # by the name in the truth


@dataclass(frozen=True, slots=True)
class Scored:
    """One value of the truth, and how well it was met."""

    page: SetPage
    name: str
    score: float
    given: object
    marked: bool  # the page has recipe markup

    @property
    def figure(self) -> str:
        return _FIGURES.get(self.name, self.name)


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figures of the factory, those of each half, and the peer's."""
    pages = read_set(folder, given)
    compiled = compile_contract(find_contract("recipe"))
    scored = [one for page in pages for one in _scores(page, _ours(page, compiled))]
    report = Report("real recipes")
    figures = _figures(scored)
    for name, bar in _BARS.items():
        if name in figures:
            report.at_least(name, figures[name], bar)
    for name in "ab":
        part = [one for one in scored if half(one.page.site) == name]
        report.notes += [f"half {name}: {_line(part)}"] if part else []
    report.notes.append(_peer(pages))
    if given.wrong:
        report.notes += [_wrong(one) for one in scored if one.score < _RIGHT]
    return report


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every answer with its likelihood, right or not; a list is right from an F1 of 0.9."""
    compiled = compile_contract(find_contract("recipe"))
    return [one for page in read_set(folder, given) for one in _judged(page, compiled)]


def _judged(page: SetPage, compiled: CompiledContract) -> Iterator[Judged]:
    views = page.views
    answers = answer_page(views, compiled)
    values = {name: answers[field].candidate.value for name, field in _named(answers)}
    for one in _scores(page, values):
        if one.name in values:
            answer = answers[_FIELDS[one.name]]
            yield _judgement(one, answer, compiled, views)


def _named(answers: Mapping[str, Answer]) -> Iterator[tuple[str, str]]:
    return ((name, field) for name, field in _FIELDS.items() if field in answers)


def _judgement(one: Scored, answer: Answer, compiled: CompiledContract, views: PageViews) -> Judged:
    family = compiled.roles[answer.field].family
    proven = prove(answer.candidate, compiled, views) is None
    right = one.score >= _RIGHT
    return Judged(
        "recipes", one.page.site, one.page.id, answer.field, family, answer.likelihood,
        right, proven,
    )  # fmt: skip


def _ours(page: SetPage, compiled: CompiledContract) -> Values:
    answers = answer_page(page.views, compiled)
    return {name: answers[field].candidate.value for name, field in _named(answers)}


def _scores(page: SetPage, values: Values) -> Iterator[Scored]:
    marked = bool(_MARKUP.search(page.body))
    for name in _FIELDS:
        truth, got = page.fields.get(name), values.get(name)
        if truth not in (None, "", []):
            score = 0.0 if got in (None, "", ()) else _score(name, truth, got)
            yield Scored(page, name, score, got, marked)


def _score(name: str, truth: object, got: object) -> float:
    if name == "ingredients":
        return _overlap(_items(truth), _items(got))
    if name == "instructions_list":
        return _overlap(_words(_joined(truth)), _words(_joined(got)))
    if name == "author":
        return float(_person(str(truth)) == _person(str(got)))
    if name == "title":
        return float(_words(str(truth)) == _words(str(got)))
    return float(_number(truth) == _number(got))


def _items(value: object) -> list[str]:
    items = value if isinstance(value, list | tuple) else str(value).splitlines()
    return ["".join(words) for item in items if (words := _words(str(item)))]


def _joined(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _words(text: str) -> list[str]:
    """Words and numbers in their order, as compared."""
    plain = _FRACTION.sub(" ", html.unescape(html.unescape(text)))
    return _WORD.findall(unicodedata.normalize("NFKC", plain).casefold())


def _person(name: str) -> list[str]:
    words = _words(name)
    return sorted(words[1:] if words[:1] == ["by"] else words)


def _number(value: object) -> float | None:
    try:
        return round(float(str(value)), 2)
    except ValueError:
        return None


def _overlap(truth: Sequence[str], got: Sequence[str]) -> float:
    """F1 of two bags."""
    common = (Counter(truth) & Counter(got)).total()
    return 2 * common / (len(truth) + len(got)) if common else 0.0


def _figures(scored: list[Scored]) -> dict[str, float]:
    by_figure: dict[str, list[float]] = {}
    for one in scored:
        by_figure.setdefault(one.figure, []).append(one.score)
        if not one.marked:
            by_figure.setdefault(f"{one.figure}_no_markup", []).append(one.score)
    return {name: fmean(by_figure[name]) for name in _BARS if name in by_figure}


def _line(scored: list[Scored]) -> str:
    pages = {one.page.id for one in scored}
    bare = {one.page.id for one in scored if not one.marked}
    figures = ", ".join(f"{name} {value:.4f}" for name, value in _figures(scored).items())
    return f"{len(pages)} pages ({len(bare)} without markup), {figures}"


def _wrong(one: Scored) -> str:
    truth = str(one.page.fields[one.name])[:300]
    mark = "" if one.marked else ", no markup"
    return f"{one.page.id} {one.name} {one.score:.2f}{mark}: {str(one.given)[:300]}; truth {truth}"


def _peer(pages: list[SetPage]) -> str:
    """The schema.org reader of recipe-scrapers over the same pages, compared the same way."""
    try:
        reader = importlib.import_module("recipe_scrapers._schemaorg").SchemaOrg
    except ImportError:
        return "recipe-scrapers: peer not installed: make peers"
    scored = [one for page in pages for one in _scores(page, _peer_values(page, reader))]
    return f"recipe-scrapers' schema.org reader: {_line(scored)}"


def _peer_values(page: SetPage, reader: type) -> Values:
    values: dict[str, object] = {}
    try:
        read = reader(page.body.decode("utf-8", "replace"))
    except Exception:  # whatever the peer stumbles over, it has no answer there
        return values
    for name in _FIELDS:
        try:
            values[name] = getattr(read, name.removesuffix("_list"))()
        except Exception:
            values[name] = None
    return values
