"""A template per site from a few labelled pages, held against the truth of 180 others.

F1 per site and attribute, averaged; separators at the ends, white space and case set aside.
``f1`` asks for one answer, which is right when it is among the values of the page;
``f1_set`` asks for all of them. An attribute that no test page of a site has is left out.
``f1_no_labels`` knows no page of the site: only the names of the attributes, and the records of
the other sites of the same trade in the folder.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from selectolax.lexbor import LexborHTMLParser

from benchmarks.real_sets._pages import Judged, SetPage, half
from benchmarks.real_sets._swde_peer import PEER_PAGES, peer_scores
from benchmarks.real_sets._swde_sites import (
    PageTruth,
    Tally,
    contract_for,
    knowledge_for,
    labelled_pages,
    scores,
    site_pages,
    values_of,
)
from benchmarks.report import Report
from specfactory.contract import CompiledContract
from specfactory.extract.templates.apply import Applied, TemplateAnswer
from specfactory.extract.templates.rule_vote import folded
from specfactory.extract.templates.template_candidates import template_candidates
from specfactory.extract.templates.text_nodes import PageTexts, read_texts
from specfactory.learn import Sample, learn_template
from specfactory.learn.rules.trials import learn_and_try
from specfactory.learn.unlabelled.known_values import Knowledge
from specfactory.learn.unlabelled.layout_labels import label_layout
from specfactory.proof import prove

BARS: Final = {"f1": 0.985, "f1_set": 0.975, "f1_one_seed": 0.965, "f1_no_labels": 0.80}
T = TypeVar("T")
_PEER = "f1_autoscraper"
_SPEED_PAGES = 20
_LOW = 0.98
_SHOWN = 3  # wrong pages listed per site and attribute


@dataclass(slots=True)
class Found:
    """What was measured on one site; ``scores`` has F1 per figure and attribute."""

    site: str
    scores: dict[str, dict[str, float]]
    learn_seconds: float
    parse_ms: float
    apply_ms: float
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of one site: those to learn from, read, and those to test on."""

    folder: Path
    learning: list[PageTruth]
    texts: list[PageTexts]
    tests: list[PageTruth]

    @property
    def names(self) -> list[str]:
        return list(self.learning[0].fields)


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """Measure all sites of a folder."""
    work = partial(measure_site, seeds=given.seeds, pages=given.pages)
    return report(_over_sites(work, folder, given), given)


def judge(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every single answer, with the share of the vote as its likelihood."""
    work = partial(judge_site, seeds=given.seeds, pages=given.pages)
    return [one for several in _over_sites(work, folder, given) for one in several]


def _over_sites(work: Callable[[Path], T], folder: Path, given: argparse.Namespace) -> list[T]:
    sites = [s for s in sorted(folder.iterdir()) if s.is_dir() and given.sites in s.name]
    sites = [s for s in sites if not given.half or half(s.name) == given.half]
    with multiprocessing.Pool(max(given.jobs, 1)) as pool:
        return pool.map(work, sites, chunksize=1)


def report(found: list[Found], given: argparse.Namespace) -> Report:
    """The figures over all sites, and over each half."""
    made = Report("real swde")
    for key, bar in BARS.items():
        made.at_least(key, _mean(found, key), bar)
    made.at_most("learn_seconds", max(site.learn_seconds for site in found), 10)
    ratio = sum(site.apply_ms for site in found) / sum(site.parse_ms for site in found)
    made.at_most("apply_to_parse", ratio, 2)
    for name in "ab":
        part = [site for site in found if half(site.site) == name]
        if part:
            figures = (f"{key} {_mean(part, key):.4f}" for key in BARS)
            made.notes.append(f"half {name}: {len(part)} sites, " + ", ".join(figures))
    made.notes.append(_peer_line(found, given))
    made.notes.append(f"{len(found)} sites, {given.seeds} seeds, {given.pages or 'all'} test pages")
    if given.wrong:
        made.notes += [line for site in found for line in site.wrong]
    return made


def _peer_line(found: list[Found], given: argparse.Namespace) -> str:
    if not any(_PEER in site.scores for site in found):
        return "autoscraper: peer not installed: make peers"
    pages = min(PEER_PAGES, given.pages or PEER_PAGES)
    return f"{_PEER} {_mean(found, _PEER):.4f}, same labels, {pages} test pages per site"


def measure_site(folder: Path, seeds: int, pages: int) -> Found:
    """Learn one site in all ways and test them on the same pages."""
    site = read_site(folder, pages)
    applied, seconds = _timed(partial(learn_labelled, site, seeds))
    single = applied if seeds == 1 else learn_labelled(site, 1)
    compiled = contract_for(site.names)
    knowing = partial(learn_unlabelled, site, compiled, knowledge_for(folder, compiled))
    unlabelled, unlabelled_seconds = _timed(knowing)
    speed = _speed(applied, site.tests)
    found = Found(folder.name, {}, max(seconds, unlabelled_seconds), *speed)
    tallies = {key: {name: Tally() for name in site.names} for key in BARS}
    wrong = _Wrong(found)
    for page in site.tests:
        tree = LexborHTMLParser(page.body)
        one, every = applied.one(tree), applied.every(tree)
        first, blind = single.one(tree), unlabelled.one(tree)
        for name in site.names:
            truth = values_of(page.fields[name])
            many = {folded(answer.words) for answer in every.get(name, ())}
            for key, answers in (("f1", one), ("f1_one_seed", first), ("f1_no_labels", blind)):
                got = _words(answers, name)
                tallies[key][name].count_one(got, truth)
                wrong.note(key, page, name, got, truth, bool(got & truth) or got == truth)
            tallies["f1_set"][name].count_set(many, truth)
            wrong.note("f1_set", page, name, many, truth, many == truth)
    found.scores = {key: scores(each) for key, each in tallies.items()}
    peer = peer_scores(site.learning[:seeds], site.tests)
    if peer is not None:
        found.scores[_PEER] = peer
    found.wrong.insert(0, _summary(found, applied))
    return found


def read_site(folder: Path, pages: int) -> Site:
    """The pages of a site, of its test pages as many as are asked for."""
    every = list(site_pages(folder))
    tests = [page for page in every if not page.seed]
    tests = tests[:: max(1, len(tests) // pages)][:pages] if pages else tests
    learning = [page for page in every if page.seed]
    return Site(folder, learning, [read_texts(LexborHTMLParser(p.body)) for p in learning], tests)


def learn_labelled(site: Site, seeds: int) -> Applied:
    """From the truth of the first pages and the others without."""
    samples = [
        Sample(read, page.fields if at < seeds else {})
        for at, (page, read) in enumerate(zip(site.learning, site.texts, strict=True))
    ]
    return Applied(learn_template(site.folder.name, samples))


def learn_unlabelled(site: Site, compiled: CompiledContract, knowledge: Knowledge) -> Applied:
    """From the pages and records of other sites alone, as ``spec learn`` does.

    An unsure field is answered too, for F1 asks all.
    """
    pages = labelled_pages(site.learning, compiled)
    taught = label_layout(pages, knowledge, compiled, least=0.0, least_beside=0.0)
    samples = [page.sample for page in taught.pages]
    template, _ = learn_and_try(site.folder.name, samples, single=site.names)
    return Applied(template)


def judge_site(folder: Path, seeds: int, pages: int) -> list[Judged]:
    """The answers of one site, each proven by what the page says."""
    site = read_site(folder, pages)
    applied = learn_labelled(site, seeds)
    compiled = contract_for(site.names)
    return [one for page in site.tests for one in _judged(page, folder.name, applied, compiled)]


def _judged(
    page: PageTruth, site: str, applied: Applied, compiled: CompiledContract
) -> list[Judged]:
    views = SetPage(page.name, site, "", page.body, page.fields, {}).views
    found = []
    for name, answer in applied.one(views.tree).items():
        candidates, _ = template_candidates([answer], views, compiled)
        right = folded(answer.words) in values_of(page.fields[name])
        proven = bool(candidates) and prove(candidates[0], compiled, views) is None
        family = compiled.roles[name].family
        if candidates:
            found.append(Judged("swde", site, page.name, name, family, answer.share, right, proven))
    return found


class _Wrong:
    """The first wrong answers of a site, of each kind and attribute."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._times: Counter[str] = Counter()

    def note(
        self, key: str, page: PageTruth, name: str, got: set[str], truth: set[str], fine: bool
    ) -> None:
        self._times[key + name] += not fine
        if not fine and self._times[key + name] <= _SHOWN:
            line = f"{key} {self._found.site} {page.name} {name}: {_few(got)}"
            self._found.wrong.append(f"{line}, truth {_few(truth)}")


def _summary(found: Found, applied: Applied) -> str:
    """One line on a site: what is low, how long it took, which fields have no quick way."""
    low = {
        key: {name: round(f1, 3) for name, f1 in each.items() if f1 < _LOW}
        for key, each in found.scores.items()
    }
    slow = [field.field for field in applied.template.fields if not field.probes]
    return (
        f"{found.site} ({half(found.site)}): low {low}; learned in {found.learn_seconds:.1f} s, "
        f"applied in {found.apply_ms:.2f} ms (parsed in {found.parse_ms:.2f}), by vote {slow}"
    )


def _timed(work: Callable[[], Applied]) -> tuple[Applied, float]:
    began = time.process_time()
    return work(), time.process_time() - began


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


def _words(answers: Mapping[str, TemplateAnswer], name: str) -> set[str]:
    return {folded(answers[name].words)} if name in answers else set()


def _mean(found: list[Found], key: str) -> float:
    each = [score for site in found for score in site.scores.get(key, {}).values()]
    return sum(each) / len(each) if each else 0.0


def _few(values: set[str]) -> str:
    return str([value[:60] for value in sorted(values)[:4]])
