"""Values inside longer texts: the texts that hold them, and the delimiters that cut them out."""

from collections.abc import Sequence
from os.path import commonprefix

from specfactory.extract.templates import cut_span, folded
from specfactory.learn.samples import KnownSample
from specfactory.model import Cut

_MAX_DELIMITER = 12
_MAX_HOLDERS = 6
_MAX_HELD = 400


def with_holders(known: Sequence[KnownSample]) -> list[KnownSample]:
    """Replace values that are no text of their own by the shortest texts that hold them."""
    found = []
    for one in known:
        own = one.values & frozenset(one.index.folded)
        if own or not one.values:
            found.append(KnownSample(one.index, own or one.values))
            continue
        held = {
            words
            for words in one.index.folded
            if len(words) <= _MAX_HELD and any(_begins_at(words, v) >= 0 for v in one.values)
        }
        found.append(KnownSample(one.index, frozenset(sorted(held, key=len)[:_MAX_HOLDERS])))
    return found


def learn_cut(pairs: Sequence[tuple[str, frozenset[str]]]) -> Cut | None:
    """Find the cut that gives a known value out of every text; None when texts are the values."""
    if all(folded(words) in values for words, values in pairs):
        return None
    found: list[tuple[str, int, int]] = []
    for words, values in pairs:
        lower = words.lower()
        for value in sorted(values, key=len, reverse=True):
            at = _begins_at(lower, value)
            if at >= 0:
                found.append((words, at, at + len(value)))
                break
    lefts = [words[:start][::-1] for words, start, _ in found if start]
    rights = [words[end:] for words, _, end in found if end < len(words)]
    left = commonprefix(lefts)[:_MAX_DELIMITER][::-1]  # noqa: RUF071 - characters are wanted
    right = commonprefix(rights)[:_MAX_DELIMITER]  # noqa: RUF071
    cuts = [Cut(left, right)] if left or right else []
    lengths = {end - start for _, start, end in found}
    if len(lengths) == 1:
        cuts.append(Cut(left, "", lengths.pop()))
    for cut in cuts:
        if all(folded(words[slice(*cut_span(cut, words))]) in values for words, values in pairs):
            return cut
    return None


def _begins_at(words: str, value: str) -> int:
    """Offset of a value at the beginning of a word; -1 when there is none."""
    at = words.find(value)
    while at > 0 and words[at - 1].isalnum():
        at = words.find(value, at + 1)
    return at
