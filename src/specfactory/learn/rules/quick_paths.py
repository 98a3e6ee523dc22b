"""Quick ways to what the vote finds, proven against it on all samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from specfactory.extract.templates import (
    NEAR,
    Frame,
    PageTexts,
    Text,
    all_before,
    find_text,
    folded,
)
from specfactory.model import Probe

_MAX_TRIED = 240
_MAX_PAIRED = 30
_ALIKE = 3
_SHOWN = 3
_LEAST_SHARE = 0.7
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_MAX_LABEL = 60
_MAX_LABELS = 2
_MAX_CLIMB = 6


class Chosen(NamedTuple):
    """A sample, the text that the vote chose on it, and all values that are right there."""

    page: PageTexts
    text: Text | None
    right: frozenset[str | None]


def learn_probes(chosen: Sequence[Chosen]) -> tuple[Probe, ...]:
    """The probes that agree most often, and never on anything but what the vote says."""
    texts = [one.text for one in chosen if one.text is not None]
    if len(texts) < 2:
        return ()
    said = [one.right for one in chosen]
    labels = _labels(texts)
    tried: dict[Probe, _Tried] = {}
    trees = [one.page.tree for one in chosen if one.page.tree is not None]
    for text in _examples(chosen):
        for way, probe in _probes(text, labels):
            if probe not in tried and len(tried) < _MAX_TRIED:
                found = [_words(probe, tree) for tree in trees]
                tried[probe] = _Tried(probe, way, found, sum(map(_among, found, said)))
    best = sorted(tried.values(), key=lambda one: -one.right)
    least = _LEAST_SHARE * len(said)
    for size, pool in ((2, best[:_MAX_PAIRED]), (3, _unlike(best))):
        team = max(_teams(pool, size), key=lambda team: _worth(team, said), default=())
        if team and _worth(team, said) >= least:
            return tuple(one.probe for one in team)
    return ()


def _examples(chosen: Sequence[Chosen]) -> list[Text]:
    """Texts that stand in different places: those chosen, and copies of their words."""
    found: dict[str, Text] = {}
    for _, text, _ in chosen:
        if text is not None and len(found) < _SHOWN:
            found.setdefault(text.frame.steps, text)
    page, words = next((one.page, one.text.words) for one in chosen if one.text is not None)
    for other in page.texts:
        if other.words == words and len(found) < 2 * _SHOWN:
            found.setdefault(other.frame.steps, other)
    return list(found.values())


class _Tried(NamedTuple):
    probe: Probe
    way: str
    found: list[str | None]
    right: int


def _unlike(tried: Sequence[_Tried]) -> list[_Tried]:
    """The best probes, few of each conduct: such as always agree can object to nothing."""
    conducts: Counter[tuple[str | None, ...]] = Counter()
    kept: list[_Tried] = []
    for one in tried:
        conduct = tuple(one.found)
        conducts[conduct] += 1
        if conducts[conduct] <= _ALIKE and len(kept) < _MAX_PAIRED:
            kept.append(one)
    return kept


def _teams(tried: Sequence[_Tried], size: int) -> Iterator[tuple[_Tried, ...]]:
    """Probes that go different ways; the third may be the one that objects."""
    for team in combinations(tried, size):
        if len({one.way for one in team}) == size:
            yield team


def _worth(team: Sequence[_Tried], said: Sequence[frozenset[str | None]]) -> int:
    """The samples that probes settle together; nothing when they settle one wrongly."""
    optional = any(None in right for right in said)
    worth = 0
    for right, first, *others in zip(said, *(one.found for one in team), strict=True):
        if any(other != first for other in others):
            continue
        if first in right:
            worth += 1
        elif first or optional:
            return 0
    return worth


def _words(probe: Probe, tree: LexborHTMLParser) -> str | None:
    found = find_text(probe, tree)
    return folded(found[1]) if found is not None else None


def _among(found: str | None, right: frozenset[str | None]) -> bool:
    return found in right


def _labels(texts: Sequence[Text]) -> list[tuple[str, int]]:
    """Words before the value that are the same on most pages, and how far back they are."""
    before = [all_before(text.node) for text in texts]
    least = _LEAST_SHARE * len(texts)
    found = []
    for back in range(1, NEAR + 1):
        counts = Counter(words[back - 1] for words in before if len(words) >= back)
        found += [(words, back) for words, times in counts.most_common(1) if times >= least]
    anywhere = Counter(word for words in before for word in dict.fromkeys(words))
    often = [(words, 0) for words, times in anywhere.most_common(_MAX_LABELS) if times >= least]
    fit = [label for label in (*found[:_MAX_LABELS], *often) if len(label[0]) <= _MAX_LABEL]
    return list(dict.fromkeys(fit))


def _probes(text: Text, labels: Sequence[tuple[str, int]]) -> Iterator[tuple[str, Probe]]:
    """Selectors for a text with each label and with none; the plainest first."""
    frame = text.frame
    for before, back in (*labels, ("", 1)):
        for way, selector in _selectors(frame):
            yield f"{way}{before}{back}{frame.steps}", Probe(selector, text.place, before, back)


def _selectors(frame: Frame) -> Iterator[tuple[str, str]]:
    chain = list(_chain(frame))
    own = chain[0]
    if _step(own) != own.tag:
        yield "own", _step(own)
    for count in (2, 3, 4):
        yield "steps", " > ".join(map(_step, reversed(chain[:count])))
    for far, anchor in enumerate(_named(chain)):
        between = chain[: chain.index(anchor)][::-1]
        yield f"loose{far}", f"{_step(anchor)} {own.tag}"
        yield f"path{far}", " > ".join([_step(anchor), *(_step(at) for at in between)])
        yield f"places{far}", " > ".join([_step(anchor), *(_place(at) for at in between)])
    yield "full", " > ".join(_place(at) for at in reversed(chain))


def _chain(frame: Frame) -> Iterator[Frame]:
    at: Frame | None = frame
    while at is not None and at.tag != "html":
        yield at
        at = at.parent


def _named(chain: Sequence[Frame]) -> list[Frame]:
    return [at for at in chain[1:] if _step(at) != at.tag][:_MAX_CLIMB]


def _step(frame: Frame) -> str:
    """An element by its id or classes, as far as they can be written in a selector."""
    given = frame.node.attributes
    name = given.get("id") or ""
    if _NAME.fullmatch(name):
        return f"{frame.tag}#{name}"
    classes = (given.get("class") or "").split()
    return frame.tag + "".join(f".{c}" for c in classes[:3] if _NAME.fullmatch(c))


def _place(frame: Frame) -> str:
    if frame.tag == "body":
        return "body"
    return f"{frame.tag}:nth-of-type({frame.places.rsplit('/', 1)[-1][len(frame.tag) :]})"
