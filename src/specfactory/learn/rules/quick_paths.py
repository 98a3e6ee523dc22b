"""Quick paths learned for a field, accepted only where they match the vote on all samples."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.extract.templates import (
    NEAR,
    PageTexts,
    Text,
    TextFrame,
    all_before,
    folded,
    texts_at,
)
from specfactory.learn.pauses import pause
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
    """Sample, the text that the vote chose on it, and all values that are right there."""

    page: PageTexts
    text: Text | None
    right: frozenset[str | None]


def learn_probes(chosen: Sequence[Chosen]) -> tuple[Probe, ...]:
    """Find probes that agree with each other most often, and never against the vote."""
    texts = [one.text for one in chosen if one.text is not None]
    if len(texts) < 2:
        return ()
    rights = [one.right for one in chosen]
    labels = _labels(texts)
    tried: dict[Probe, _Tried] = {}
    trees = [_Searched(one.page.tree) for one in chosen if one.page.tree is not None]
    for text in _examples(chosen):
        steps = text.frame.steps
        probes = (
            (f"{path}{before}{back}{steps}", Probe(selector, text.place, before, back))
            for before, back in (*labels, ("", 1))
            for path, selector in _selectors(text.frame)
        )
        for path, probe in probes:
            if probe not in tried and len(tried) < _MAX_TRIED:
                pause()
                found = [tree.find(probe) for tree in trees]
                right = sum(words in right for words, right in zip(found, rights, strict=False))
                tried[probe] = _Tried(probe, path, found, right)
    best = sorted(tried.values(), key=lambda one: -one.right)
    # Probes that always agree cannot contradict each other: keep few of each behaviour.
    behaviours: Counter[tuple[str | None, ...]] = Counter()
    varied: list[_Tried] = []
    for one in best:
        behaviour = tuple(one.found)
        behaviours[behaviour] += 1
        if behaviours[behaviour] <= _ALIKE and len(varied) < _MAX_PAIRED:
            varied.append(one)
    for size, pool in ((2, best[:_MAX_PAIRED]), (3, varied)):
        teams = (t for t in combinations(pool, size) if len({one.path for one in t}) == size)
        team = max(teams, key=lambda team: _worth(team, rights), default=())
        if team and _worth(team, rights) >= _LEAST_SHARE * len(rights):
            return tuple(one.probe for one in team)
    return ()


class _Searched:
    """A tree that many probes search: each selector is looked up once."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        # words of each text that a selector leads to, and the words before it once needed
        self._texts: dict[tuple[str, int], list[tuple[LexborNode, str]]] = {}
        self._before: dict[tuple[str, int, int], list[str]] = {}

    def find(self, probe: Probe) -> str | None:
        """Folded words of the text that a probe leads to; as ``find_text`` at work."""
        place = probe.selector, probe.place
        if place not in self._texts:
            self._texts[place] = list(texts_at(self._tree, *place))
        for at, (node, words) in enumerate(self._texts[place]):
            if not probe.before:
                return folded(words)
            if (*place, at) not in self._before:
                self._before[*place, at] = all_before(node)
            before = self._before[*place, at]
            near = before[probe.back - 1 : probe.back] if probe.back else before
            if probe.before in near:
                return folded(words)
        return None


def _examples(chosen: Sequence[Chosen]) -> list[Text]:
    """Example texts in different places: chosen ones, and copies of their words."""
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
    path: str  # of the selector; a team needs different ones
    found: list[str | None]
    right: int


def _worth(team: Sequence[_Tried], rights: Sequence[frozenset[str | None]]) -> int:
    """Count the samples that probes settle together; 0 when they settle one wrongly."""
    optional = any(None in right for right in rights)
    worth = 0
    for right, first, *others in zip(rights, *(one.found for one in team), strict=True):
        if any(other != first for other in others):
            continue
        if first in right:
            worth += 1
        elif first or optional:
            return 0
    return worth


def _labels(texts: Sequence[Text]) -> list[tuple[str, int]]:
    """Words before the value that most pages share, and how far back they are."""
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


def _selectors(frame: TextFrame) -> Iterator[tuple[str, str]]:
    chain: list[TextFrame] = []
    at: TextFrame | None = frame
    while at is not None and at.tag != "html":
        chain.append(at)
        at = at.parent
    own = chain[0]
    if _step(own) != own.tag:
        yield "own", _step(own)
    for count in (2, 3, 4):
        yield "steps", " > ".join(map(_step, reversed(chain[:count])))
    anchors = [above for above in chain[1:] if _step(above) != above.tag][:_MAX_CLIMB]
    for far, anchor in enumerate(anchors):
        between = chain[: chain.index(anchor)][::-1]
        yield f"loose{far}", f"{_step(anchor)} {own.tag}"
        yield f"path{far}", " > ".join([_step(anchor), *(_step(at) for at in between)])
        yield f"places{far}", " > ".join([_step(anchor), *(_place(at) for at in between)])
    yield "full", " > ".join(_place(at) for at in reversed(chain))


def _step(frame: TextFrame) -> str:
    """Selector of an element by its id or classes, where they are plain names."""
    given = frame.node.attributes
    name = given.get("id") or ""
    if _NAME.fullmatch(name):
        return f"{frame.tag}#{name}"
    classes = (given.get("class") or "").split()
    return frame.tag + "".join(f".{c}" for c in classes[:3] if _NAME.fullmatch(c))


def _place(frame: TextFrame) -> str:
    if frame.tag == "body":
        return "body"
    return f"{frame.tag}:nth-of-type({frame.places.rsplit('/', 1)[-1][len(frame.tag) :]})"
