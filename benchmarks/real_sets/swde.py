"""A template per site from a few labelled pages, held against the truth of 180 others.

F1 per site and attribute, averaged; separators at the ends, white space and case set aside.
``f1`` asks for one answer, which is right when it is among the values of the page;
``f1_set`` asks for all of them. An attribute that no test page of a site has is left out.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import lzma
import multiprocessing
import tarfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from benchmarks.report import Report
from specfactory.extract.template_index import folded
from specfactory.extract.template_nodes import PageTexts, read_texts
from specfactory.extract.templates import Applied
from specfactory.learn import Sample, learn_template

_SPEED_PAGES = 20
_LOW = 0.98
_SHOWN = 3  # wrong pages listed per site and attribute


@dataclass(slots=True)
class Tally:
    """Right answers, answers, and what was to be found."""

    right: int = 0
    given: int = 0
    asked: int = 0

    @property
    def f1(self) -> float | None:
        return 2 * self.right / (self.given + self.asked) if self.asked else None


@dataclass(slots=True)
class Found:
    """What was measured on one site."""

    site: str
    f1: dict[str, float]
    f1_set: dict[str, float]
    f1_one_seed: dict[str, float]
    learn_seconds: float
    parse_ms: float
    apply_ms: float
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PageTruth:
    """A page as captured and what stands on it."""

    name: str
    seed: bool
    body: bytes
    fields: Mapping[str, list[str]]


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """Measure all sites of a folder."""
    sites = [s for s in sorted(folder.iterdir()) if s.is_dir() and given.sites in s.name]
    sites = [s for s in sites if not given.half or half(s.name) == given.half]
    work = partial(measure_site, seeds=given.seeds, pages=given.pages)
    with multiprocessing.Pool(max(given.jobs, 1)) as pool:
        found = pool.map(work, sites, chunksize=1)
    return report(found, given)


def half(site: str) -> str:
    """The half of the sites a site belongs to, by its name alone."""
    return "ab"[hashlib.sha256(site.encode()).digest()[0] & 1]


def report(found: list[Found], given: argparse.Namespace) -> Report:
    """The figures over all sites, and over each half."""
    made = Report("real swde")
    made.at_least("f1", _mean(found, "f1"), 0.985)
    made.at_least("f1_set", _mean(found, "f1_set"), 0.975)
    made.at_least("f1_one_seed", _mean(found, "f1_one_seed"), 0.965)
    made.at_most("learn_seconds", max(site.learn_seconds for site in found), 10)
    ratio = sum(site.apply_ms for site in found) / sum(site.parse_ms for site in found)
    made.at_most("apply_to_parse", ratio, 2)
    for name in "ab":
        part = [site for site in found if half(site.site) == name]
        if part:
            figures = (f"{key} {_mean(part, key):.4f}" for key in ("f1", "f1_set", "f1_one_seed"))
            made.notes.append(f"half {name}: {len(part)} sites, " + ", ".join(figures))
    made.notes.append(f"{len(found)} sites, {given.seeds} seeds, {given.pages or 'all'} test pages")
    if given.wrong:
        made.notes += [line for site in found for line in site.wrong]
    return made


def measure_site(folder: Path, seeds: int, pages: int) -> Found:
    """Learn one site, with all labels asked for and with one, and test both."""
    every = list(_pages(folder))
    learning = [page for page in every if page.seed]
    tests = [page for page in every if not page.seed]
    tests = tests[:: max(1, len(tests) // pages)][:pages] if pages else tests
    texts = [read_texts(LexborHTMLParser(page.body)) for page in learning]
    began = time.process_time()
    applied = _learn(folder.name, learning, seeds)
    seconds = time.process_time() - began
    single = applied if seeds == 1 else _learn(folder.name, learning, 1, texts)
    names = list(learning[0].fields)
    ones, sets, firsts = ({name: Tally() for name in names} for _ in range(3))
    wrong: Counter[str] = Counter()
    found = Found(folder.name, {}, {}, {}, seconds, *_speed(applied, tests))
    for page in tests:
        tree = LexborHTMLParser(page.body)
        one, all_, first = applied.one(tree), applied.every(tree), single.one(tree)
        for name in names:
            truth = _values(page.fields[name])
            got = {folded(one[name].words)} if name in one else set()
            many = {folded(answer.words) for answer in all_.get(name, ())}
            _count_one(ones[name], got, truth)
            _count_one(firsts[name], {folded(first[name].words)} if name in first else set(), truth)
            _count_set(sets[name], many, truth)
            right = bool(got & truth) if truth else not got
            for what, fine, mine in (("one", right, got), ("set", many == truth, many)):
                wrong[what + name] += not fine
                if not fine and wrong[what + name] <= _SHOWN:
                    line = f"{what} {folder.name} {page.name} {name}: {_few(mine)}"
                    found.wrong.append(f"{line}, truth {_few(truth)}")
    found.f1, found.f1_set, found.f1_one_seed = map(_scores, (ones, sets, firsts))
    found.wrong.insert(0, _summary(found, applied))
    return found


def _summary(found: Found, applied: Applied) -> str:
    """One line on a site: what is low, how long it took, which fields have no quick way."""
    low = {
        key: {name: round(f1, 3) for name, f1 in getattr(found, key).items() if f1 < _LOW}
        for key in ("f1", "f1_set", "f1_one_seed")
    }
    slow = [field.field for field in applied.template.fields if not field.probes]
    return (
        f"{found.site} ({half(found.site)}): low {low}; learned in {found.learn_seconds:.1f} s, "
        f"applied in {found.apply_ms:.2f} ms (parsed in {found.parse_ms:.2f}), by vote {slow}"
    )


def _learn(
    site: str, pages: list[PageTruth], seeds: int, texts: list[PageTexts] | None = None
) -> Applied:
    texts = texts or [read_texts(LexborHTMLParser(page.body)) for page in pages]
    samples = [
        Sample(read, page.fields if at < seeds else {})
        for at, (page, read) in enumerate(zip(pages, texts, strict=True))
    ]
    return Applied(learn_template(site, samples))


def _speed(applied: Applied, pages: list[PageTruth]) -> tuple[float, float]:
    """Milliseconds to parse a page, and to apply the template to the parsed page.

    What this benchmark holds in memory (samples, all pages) is no part of applying.
    """
    gc.collect()
    gc.freeze()
    parse = apply = 0.0
    chosen = pages[:: max(1, len(pages) // _SPEED_PAGES)][:_SPEED_PAGES]
    for page in chosen:
        times: list[tuple[float, float]] = []
        for _ in range(3):
            began = time.process_time()
            tree = LexborHTMLParser(page.body)
            parsed = time.process_time()
            applied.one(tree)
            times.append((parsed - began, time.process_time() - parsed))
        parse += min(t[0] for t in times)
        apply += min(t[1] for t in times)
    return 1000 * parse / len(chosen), 1000 * apply / len(chosen)


def _pages(folder: Path) -> Iterator[PageTruth]:
    with tarfile.open(folder / "pages.tar.xz") as tar:
        bodies = {Path(m.name).stem: tar.extractfile(m).read() for m in tar if m.isfile()}  # type: ignore[union-attr]
    for row in _truth(folder):
        yield PageTruth(row["page"], row["role"] == "seed", bodies[row["page"]], row["fields"])


def _truth(folder: Path) -> Iterator[dict[str, Any]]:
    plain, packed = folder / "truth.jsonl", folder / "truth.jsonl.xz"
    body = plain.read_bytes() if plain.exists() else lzma.decompress(packed.read_bytes())
    return map(json.loads, body.splitlines())


def _values(values: list[str]) -> set[str]:
    """The values of a page as compared; a mere separator ("-") says that there is none."""
    return {folded(value) for value in values if any(map(str.isalnum, value))}


def _count_one(tally: Tally, got: set[str], truth: set[str]) -> None:
    tally.right += bool(got & truth)
    tally.given += bool(got)
    tally.asked += bool(truth)


def _count_set(tally: Tally, got: set[str], truth: set[str]) -> None:
    tally.right += len(got & truth)
    tally.given += len(got)
    tally.asked += len(truth)


def _scores(tallies: dict[str, Tally]) -> dict[str, float]:
    return {name: tally.f1 for name, tally in tallies.items() if tally.f1 is not None}


def _mean(found: list[Found], key: str) -> float:
    scores = [score for site in found for score in getattr(site, key).values()]
    return sum(scores) / len(scores) if scores else 0.0


def _few(values: set[str]) -> str:
    return str([value[:60] for value in sorted(values)[:4]])
