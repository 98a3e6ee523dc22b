"""Recognise one feed behind several hosts: the same running text, word for word."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from specfactory.contract.text import normal

SHARED_PASSAGES = 3  # 36 words that two people do not write alike
_WORDS = 12
_MOST = 200  # passages of one page
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def passages(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Fingerprints of the passages of a page's paragraphs that mention one of the names.

    Terms of delivery and other text that belongs to the shop mention no product.
    """
    wanted = [f" {name} " for name in map(normal, names) if name]
    found: dict[str, None] = {}
    for block in re.split(r"[\n\t]", text):
        if len(block) < 6 * _WORDS:
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


def same_feed(texts: Mapping[str, Collection[str]]) -> dict[tuple[str, str], int]:
    """Pairs of hosts, in order, that show the same text; with the number of shared passages."""
    found = {}
    for pair in combinations(sorted(texts), 2):
        shared = len(set(texts[pair[0]]) & set(texts[pair[1]]))
        if shared >= SHARED_PASSAGES:
            found[pair] = shared
    return found
