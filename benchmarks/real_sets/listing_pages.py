"""Many records on one page: F1 of their names and of their links, pooled over records.

A link is right by its last path segment and its query, a name by a token-set similarity of
0.85. Each record counts once; records whose truth has no link are left out of the links.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from benchmarks.real_sets._pages import SetPage, half, read_set
from benchmarks.report import Report
from specfactory.extract.lists import find_records

_BAR = 0.90
_ALIKE = 0.85
_WORD = re.compile(r"\w+")


class Tally(NamedTuple):
    """Counts of one page, or of many."""

    right: int = 0
    given: int = 0
    asked: int = 0

    def __add__(self, other: tuple[int, ...]) -> Tally:  # type: ignore[override]
        return Tally(*(mine + more for mine, more in zip(self, other, strict=True)))

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.given + self.asked, 1)


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """Both figures, by half of the sites and averaged over sites too."""
    judged = [(page, _judge(page)) for page in read_set(folder, given)]
    report = Report("real listing_pages")
    for at, name in enumerate(("f1_name", "f1_link")):
        report.at_least(name, _pooled([tallies[at] for _, tallies in judged]).f1, _BAR)
        sites: dict[str, Tally] = defaultdict(Tally)
        for page, tallies in judged:
            sites[page.site] += tallies[at]
        halves = {part: _pooled([sites[s] for s in sites if half(s) == part]).f1 for part in "ab"}
        mean = sum(tally.f1 for tally in sites.values()) / max(len(sites), 1)
        report.notes.append(
            f"{name}: half a {halves['a']:.4f}, half b {halves['b']:.4f}, "
            f"mean over {len(sites)} sites {mean:.4f}"
        )
    if given.wrong:
        report.notes += [
            f"{page.id} {page.site}: names {tuple(names)}, links {tuple(links)}"
            for page, (names, links) in judged
            if min(names.f1, links.f1) < _BAR
        ]
    return report


def _pooled(tallies: Sequence[Tally]) -> Tally:
    return sum(tallies, Tally())


def _judge(page: SetPage) -> tuple[Tally, Tally]:
    found = find_records(page.views)
    records = found.records if found is not None else ()
    truth: Sequence[dict[str, Any]] = page.row["records"]
    names = [str(row["case_names"]) for row in truth if row.get("case_names")]
    links = [str(row["download_urls"]) for row in truth if row.get("download_urls")]
    return (
        Tally(_matched([one.name for one in records], names, alike), len(records), len(names)),
        Tally(_matched([one.url for one in records], links, _same_end), len(records), len(links)),
    )


def _matched(given: Sequence[str], wanted: Sequence[str], same: Callable[[str, str], bool]) -> int:
    """How many of the wanted ones were given, each answer used once; in their order if it can."""
    left = list(given)
    right = 0
    for one in wanted:
        for at, answer in enumerate(left):
            if same(answer, one):
                del left[at]
                right += 1
                break
    return right


def alike(one: str, other: str) -> bool:
    """True when the words of two names are nearly the same, or those of one among the other's."""
    mine, yours = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    both = " ".join(sorted(mine & yours))
    wholes = [f"{both} {' '.join(sorted(rest))}".strip() for rest in (mine - yours, yours - mine)]
    if not both:
        return False
    return both in wholes or any(_ratio(*pair) >= _ALIKE for pair in _pairs(both, *wholes))


def _pairs(both: str, one: str, other: str) -> Iterator[tuple[str, str]]:
    yield from ((both, one), (both, other), (one, other))


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _same_end(one: str, other: str) -> bool:
    return _end(one) == _end(other)


def _end(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return unquote(parts.path).rstrip("/").rpartition("/")[2], unquote(parts.query)
