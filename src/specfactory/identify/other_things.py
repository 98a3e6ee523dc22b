"""The model is named: but is it what the page is about, or what an accessory or a copy is for?"""

import re
from collections.abc import Iterable, Sequence

from specfactory.identify.names import GLUED, PLAIN, tokenise
from specfactory.identify.title import Alignment, Span, Title, other, unsure
from specfactory.identify.title_context import SKIPPED, WordKind
from specfactory.identify.vocabulary import ACCESSORIES, DOCUMENTS, OTHER_THINGS, WITH

_Phrase = tuple[str, ...]


def _by_word(lines: Iterable[str], at: int) -> dict[str, list[_Phrase]]:
    """Phrases by their first or last word."""
    found: dict[str, list[_Phrase]] = {}
    for line in lines:
        phrase = tuple(token.text for token in tokenise(line))
        found.setdefault(phrase[at], []).append(phrase)
    return found


_BEFORE = _by_word(OTHER_THINGS["before"], -1)
_AFTER = _by_word(OTHER_THINGS["after"], 0)
_LIKE_IT = _by_word(OTHER_THINGS["like it"], 0)
_BEHIND = SKIPPED - {WordKind.FOREIGN, WordKind.MEASURE}  # may stand between model and such a word
_TIMES = re.compile(r"(?:[2-9]|\d\d)x?")


def other_thing_check(title: Title, span: Span) -> Alignment | None:
    """An accessory, part or copy is another thing; several at once may be."""
    return _for_it(title, span) or _before_it(title, span) or _behind_it(title, span)


def _for_it(title: Title, span: Span) -> Alignment | None:
    """``Grip tape for X`` is no X; ``Specifications for X`` is."""
    before = range(span[0] - 1, -1, -1)
    place = next((at for at in before if title.kinds[at] is WordKind.FOR), None)
    if place is None or any(title.kinds[at] not in SKIPPED for at in range(place + 1, span[0])):
        return None
    thing = title.tokens[place - 1].text if place else "something"
    if thing in DOCUMENTS:
        return None
    return other(title, f"is about {thing!r} for the product", 0.85)


def _before_it(title: Title, span: Span) -> Alignment | None:
    words = [token.text for token in title.tokens[: span[0]]]
    for end in range(len(words), 0, -1):
        phrase = _standing(_BEFORE.get(words[end - 1], ()), words[:end], last=True)
        if phrase and not set(phrase) & set(title.frame.name.model):
            return other(title, f"says {' '.join(phrase)!r} before it", 0.85)
        if title.kinds[end - 1] not in SKIPPED and not words[end - 1].isdigit():
            break
    start = span[0] - 1 if span[0] and title.kinds[span[0] - 1] is WordKind.BRAND else span[0]
    times = words[:start]
    if times and _TIMES.fullmatch(times[0]) and times[1:] in ([], ["x"]) and "x" in "".join(times):
        return unsure(title, "is several at once", 0.55, firm=True)
    return None


def _behind_it(title: Title, span: Span) -> Alignment | None:
    """``X replacement battery`` is no X, but ``LC-E6 charger for X`` is the charger LC-E6."""
    at, words = span[1], [token.text for token in title.tokens]
    is_code = title.frame.name.numbered and not title.frame.has_kind  # may be a part's own
    behind = zip(words[at:], title.kinds[at:], strict=True)
    if is_code or any(k is WordKind.FOR and word not in _LIKE_IT for word, k in behind):
        return None
    while at < len(words) and title.tokens[at].gap in (PLAIN, GLUED):
        if phrase := _standing(_AFTER.get(words[at], ()), words[at:]):
            return other(title, f"goes on with {' '.join(phrase)!r}", 0.85)
        if words[at] in _LIKE_IT and WITH.isdisjoint(words[at + 1 : at + 2]):
            return other(title, f"is only {words[at]!r}", 0.85)
        if words[at] in ACCESSORIES and title.kinds[at] is WordKind.UNKNOWN:
            return unsure(title, f"may be a {words[at]!r} of it", 0.55, firm=True)
        if title.kinds[at] not in _BEHIND or words[at] in WITH:
            break
        at += 1
    return None


def _standing(
    phrases: Sequence[_Phrase], words: Sequence[str], *, last: bool = False
) -> _Phrase | None:
    """The phrase with which the words begin or, with ``last``, end."""
    for phrase in phrases:
        part = words[-len(phrase) :] if last else words[: len(phrase)]
        if tuple(part) == phrase:
            return phrase
    return None
