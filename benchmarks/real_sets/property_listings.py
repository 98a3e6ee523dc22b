"""Property listings by the bundled contract alone, held against what another project expects.

``f1`` over all values of the truth that stand on the page. A value stands there when its words
(numbers in any usual grouping; for ``for_sale`` the words of its kind of offer) occur in the
text a person reads or in the source; what does not (a default of the other project, a country
that is only meant) is left out, and an answer to it neither counts for nor against. Areas are
compared in square metres, addresses and names by their words, one inside the other.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.real_sets._pages import Judged, SetPage, half, read_set
from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.contract.text.normal_form import normal
from specfactory.extract import answer_page
from specfactory.model import Answer, Money
from specfactory.proof import PageViews, prove

_BAR = 0.80
_FIELDS = {  # the name in the truth -> the field of the contract
    "title": "title", "reference": "reference_id", "price_float": "price", "currency": "currency",
    "count_bedrooms": "bedrooms", "count_bathrooms": "bathrooms", "latitude": "latitude",
    "longitude": "longitude", "city": "city", "region": "region", "postal_code": "postal_code",
    "address_string": "street", "property_type": "property_type", "agent_name": "agent",
    "agent_company": "agent", "constructed_area": "living_area", "plot_area": "plot_area",
    "year_construction": "year_built", "tenure": "tenure", "count_parking": "parking",
    "main_image_url": "images", "description": "description",
}  # fmt: skip
_SQUARE_FEET = 0.09290304
_CLOSE = 0.01


@dataclass(frozen=True, slots=True)
class Scored:
    """One value of the truth that stands on its page; ``right`` is None where none was given."""

    page: SetPage
    name: str
    right: bool | None
    shown: object = None


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The figure, and that of each half."""
    compiled = compile_contract(find_contract("listing"))
    scored = [one for page in read_set(folder, given) for one in _scored(page, compiled)]
    made = Report("real property_listings")
    made.at_least("f1", _f1(scored), _BAR)
    for part in "ab":
        some = [one for one in scored if half(one.page.site) == part]
        if some:
            made.notes.append(f"half {part}: f1 {_f1(some):.3f} over {len(some)} values")
    fields = {one.name: [each for each in scored if each.name == one.name] for one in scored}
    made.notes.append(", ".join(f"{name} {_f1(some):.2f}" for name, some in fields.items()))
    if given.wrong:
        made.notes += [
            f"{one.page.site} {one.name}: {one.shown!r}, truth {one.page.fields[one.name]!r}"
            for one in scored
            if not one.right
        ]
    return made


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every answer to a value that stands on its page, for the calibration."""
    compiled = compile_contract(find_contract("listing"))
    found = []
    for page in read_set(folder, given):
        views = page.views
        answers = answer_page(views, compiled)
        for name, field in _FIELDS.items():
            answer = answers.get(field)
            if answer is None or not _stands(page, name, views):
                continue
            family = compiled.roles[field].family
            proven = prove(answer.candidate, compiled, views) is None
            right = _is_right(name, answer, page.fields)
            found.append(Judged("property_listings", page.site, page.id, field, family,
                                answer.likelihood, right, proven))  # fmt: skip
    return found


def _scored(page: SetPage, compiled: CompiledContract) -> list[Scored]:
    views = page.views
    answers = answer_page(views, compiled)
    found = []
    for name, field in _FIELDS.items():
        if not _stands(page, name, views):
            continue
        answer = answers.get(field)
        right = _is_right(name, answer, page.fields) if answer else None
        found.append(Scored(page, name, right, answer.candidate.value if answer else None))
    return found


def _stands(page: SetPage, name: str, views: PageViews) -> bool:
    """Whether a value of the truth stands on the page, and is not another one's second name."""
    value = page.fields.get(name)
    if value in (None, "", 0) or (name == "agent_company" and page.fields.get("agent_name")):
        return False
    if name == "currency":
        return page.fields.get("price_float") is not None
    if isinstance(value, int | float):
        return any(form in views.text or form in views.source for form in _forms(value))
    words = _plain(str(value))
    return words in _plain(views.text) or words in _plain(views.source)


def _forms(value: float) -> set[str]:
    if value != int(value):
        return {str(value)}
    grouped = f"{int(value):,}"
    return {str(int(value)), *(grouped.replace(",", mark) for mark in (",", ".", " ", "\xa0", "'"))}


def _plain(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def _is_right(name: str, answer: Answer, truth: Mapping[str, Any]) -> bool:
    wanted, value = truth[name], answer.candidate.value
    if isinstance(value, Money):
        return abs(value.amount - float(wanted)) < 0.01
    if name in ("constructed_area", "plot_area"):
        return _same_area(float(str(value)), float(wanted))
    if isinstance(wanted, int | float) and isinstance(value, int | float):
        return abs(value - wanted) <= 1e-4 * max(abs(wanted), 1)
    if isinstance(value, tuple):
        return str(wanted) in value
    if name == "property_type":
        return _same_type(str(value), str(wanted))
    mine, theirs = _plain(str(value)), _plain(str(wanted))
    return bool(mine) and (mine == theirs or mine in theirs or theirs in mine)


def _same_area(value: float, wanted: float) -> bool:
    """The truth says square metres or square feet, not always which."""
    return any(abs(value - wanted * unit) <= _CLOSE * value for unit in (1.0, _SQUARE_FEET))


def _same_type(value: str, wanted: str) -> bool:
    compiled = compile_contract(find_contract("listing"))
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", wanted)
    try:
        return normal(str(compiled.derive("property_type", spaced))) == normal(value)
    except Exception:
        return normal(value) == normal(spaced)


def _f1(scored: Sequence[Scored]) -> float:
    right = sum(one.right is True for one in scored)
    return 2 * right / max(sum(one.right is not None for one in scored) + len(scored), 1)
