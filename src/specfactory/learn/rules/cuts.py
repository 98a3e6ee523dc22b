"""Values inside a text: which texts hold them, and by which signs they are cut out."""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.extract.templates import PageIndex, cut_span, folded
from specfactory.learn.samples import Known
from specfactory.model import Cut

_MAX_SIGN = 12
_MAX_HOLDERS = 6
_MAX_HELD = 400


def with_holders(known: Sequence[Known]) -> list[Known]:
    """Where a value is no text of its own, the texts that hold it stand for it."""
    return [Known(one.index, _own_or_held(one)) for one in known]


def learn_cut(pairs: Sequence[tuple[str, frozenset[str]]]) -> Cut | None:
    """The cut that gives a known value out of every text; None when texts are the values."""
    if all(folded(words) in values for words, values in pairs):
        return None
    spans = [_place(words, values) for words, values in pairs]
    found = [(words, *span) for (words, _), span in zip(pairs, spans, strict=True) if span]
    for cut in _cuts(found):
        if all(_fits(cut, words, values) for words, values in pairs):
            return cut
    return None


def _own_or_held(one: Known) -> frozenset[str]:
    own = one.values & frozenset(one.index.folded)
    if own or not one.values:
        return own or one.values
    return _holders(one.index, one.values)


def _holders(page: PageIndex, values: frozenset[str]) -> frozenset[str]:
    held = {
        words
        for words in page.folded
        if len(words) <= _MAX_HELD and any(_begins_at(words, value) >= 0 for value in values)
    }
    return frozenset(sorted(held, key=len)[:_MAX_HOLDERS])


def _begins_at(words: str, value: str) -> int:
    """Where a value begins in a text, at the beginning of a word; -1 when it does not."""
    at = words.find(value)
    while at > 0 and words[at - 1].isalnum():
        at = words.find(value, at + 1)
    return at


def _place(words: str, values: frozenset[str]) -> tuple[int, int] | None:
    lower = words.lower()
    for value in sorted(values, key=len, reverse=True):
        at = _begins_at(lower, value)
        if at >= 0:
            return at, at + len(value)
    return None


def _cuts(found: Sequence[tuple[str, int, int]]) -> list[Cut]:
    lefts = [words[:start] for words, start, _ in found if start]
    rights = [words[end:] for words, _, end in found if end < len(words)]
    left = _shared_start([words[::-1] for words in lefts])[::-1]
    right = _shared_start(rights)
    lengths = {end - start for _, start, end in found}
    cuts = [Cut(left, right)] if left or right else []
    if len(lengths) == 1:
        cuts.append(Cut(left, "", lengths.pop()))
    return cuts


def _shared_start(several: Sequence[str]) -> str:
    """The characters that all begin with."""
    count = 0
    for signs in zip(*several, strict=False):
        if len(set(signs)) > 1 or count == _MAX_SIGN:
            break
        count += 1
    return several[0][:count] if several else ""


def _fits(cut: Cut, words: str, values: frozenset[str]) -> bool:
    start, end = cut_span(cut, words)
    return folded(words[start:end]) in values
