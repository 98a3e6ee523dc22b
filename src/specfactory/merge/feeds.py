"""Recognise one text behind several hosts: a feed, a mirror, a copy with a few words changed.

A page keeps two kinds of fingerprints: of passages of its running text about the product, and of
the words around its values (a sample of runs of words, the smallest hashes of them). The first
are exact and long; of the second most must agree, so that it does not matter what a copy puts
around them, and two shops that list the same facts in their own words and order stay apart.
"""

import hashlib
import re
import zlib
from collections.abc import Collection, Iterable, Iterator

from specfactory.contract.text import normal
from specfactory.model import Candidate, Frozen

SHARED_PASSAGES = 6  # 36 words that two people do not write alike
_WORDS = 6
_MOST = 200  # passages of one page
_SENTENCE = re.compile(r"(?<=[.!?])\s+")

# Of 222 pairs of pages of shops about one camera the nearest have 0.44 in common (one feed is
# behind them); a copy in which every tenth word is changed still has 0.74 of its original.
SAME_SURROUNDINGS = 0.5
_SHARED_RUNS = 12  # fewer are no sign, unless the pages have no other
_RUN = 4
_BESIDE, _REACH = 8, 100  # words, and characters in which they are looked for
_LONGEST = 600  # characters of one value
_SAMPLE = 200
_WORD = re.compile(r"[^\W_]+")


class PageText(Frozen):
    """Fingerprints of what a page writes about the product."""

    passages: Collection[str] = ()
    around: Collection[int] = ()


def passages(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Fingerprints of the passages of a page's paragraphs that mention one of the names.

    Terms of delivery and other text that belongs to the shop mention no product.
    """
    wanted = [f" {name} " for name in map(normal, names) if name]
    found: dict[str, None] = {}
    for block in re.split(r"[\n\t]", text):
        if len(block) < 72:  # a dozen words: no sentence
            continue
        if any(name in f" {normal(block)} " for name in wanted):
            found.update(dict.fromkeys(_fingerprints(block)))
            if len(found) >= _MOST:
                break
    return tuple(found)[:_MOST]


def _fingerprints(block: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(block):
        words = normal(sentence).split()
        for start in range(0, len(words) - _WORDS + 1, _WORDS):
            passage = " ".join(words[start : start + _WORDS])
            yield hashlib.blake2b(passage.encode(), digest_size=6).hexdigest()


def around_values(text: str, candidates: Iterable[Candidate]) -> tuple[int, ...]:
    """A sample of the runs of words around the values that stand in a text, the smallest first.

    A page whose values stand elsewhere (in its structured data) is sampled from its beginning.
    """
    spans = set[tuple[int, int]]()
    for candidate in candidates:
        evidence = candidate.evidence
        here = [s for s in (*evidence.values, evidence.label)
                if s is not None and text.startswith(s.quote, s.start)]  # fmt: skip
        if here:
            spans.add((min(s.start for s in here), max(s.end for s in here)))
    runs = set[int]()
    for start, ends in spans:
        end = min(ends, start + _LONGEST)
        before = _WORD.findall(text[max(0, start - _REACH) : start].casefold())[-_BESIDE:]
        after = _WORD.findall(text[end : end + _REACH].casefold())[:_BESIDE]
        runs.update(_runs([*before, *_WORD.findall(text[start:end].casefold()), *after]))
    if len(runs) < _SHARED_RUNS:
        runs.update(_runs(_WORD.findall(text[: _REACH * _SAMPLE].casefold())))
    return tuple(sorted(runs)[:_SAMPLE])


def _runs(words: list[str]) -> Iterator[int]:
    for at in range(max(1, len(words) - _RUN + 1)):
        yield zlib.crc32(" ".join(words[at : at + _RUN]).encode())


def alike(one: PageText, other: PageText) -> str:
    """In which way two pages are one text; empty if they are not."""
    if len(set(one.passages) & set(other.passages)) >= SHARED_PASSAGES:
        return "both show the text of one feed"
    own, theirs = set(one.around), set(other.around)
    if own and own == theirs:
        return "the same page"
    # A sample says nothing of hashes above its largest.
    last = min((max(some) for some in (own, theirs) if len(some) >= _SAMPLE), default=1 << 32)
    own, theirs = ({run for run in some if run <= last} for some in (own, theirs))
    shared = len(own & theirs)
    share = shared / max(1, min(len(own), len(theirs)))
    if shared < _SHARED_RUNS or share < SAME_SURROUNDINGS:
        return ""
    return f"nearly the same page: {share:.0%} of the words around its values"
