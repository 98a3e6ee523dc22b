"""Where a value ends: at a call to look or buy, and before the parcel's own sizes."""

import re
from collections.abc import Callable

from specfactory.extract.page import Layout, Span
from specfactory.word_lists import read_patterns

_CALL = read_patterns("extract/labelled/data/calls.txt")["calls"]
_OPENS = re.compile(rf"[\s\[(<>«»›→▸|•·–—-]*(?:{_CALL})", re.IGNORECASE)
# Inside a text a call begins with a capital letter, or behind a mark that sets it apart.
_INSIDE = re.compile(
    rf"(?:(?<=[\[(>»›→▸|•])\s?|(?<=\s[–—-]\s)|(?<=\s)(?=[^\W\d_a-zäöüéèàçñßа-яё])|(?<=\n))"
    rf"(?i:{_CALL})"
)
_ARROWS = ("»", "›", "→", "▸", ">>", "...", "…")
_MARKS = " \t\n\r\u00a0[(<>«»›→▸|•·–—-"
_LONGEST = 300  # characters: longer texts are prose, where "click here" is said, too
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_CLAUSE_START = re.compile(r"[(\[;\n|]|,(?!\d)|\s[-–—/]\s")
_CLAUSE_END = re.compile(r"[;\n|]|,(?!\d)|\s[-–—/]\s")
_KEPT = re.compile(r"[^\0]+")


def without_call(layout: Layout, span: Span) -> Span | None:
    """A value without the link texts and calls at its end; None when it is nothing but a call."""
    start, end = span
    if end - start > _LONGEST:
        return span
    text = layout.text
    if _OPENS.match(text, start, end):
        return None
    found = _INSIDE.search(text, start, end)
    stop = found.start() if found else end
    for link in layout.links_within(span):
        words = text[link[0] : link[1]].strip()
        is_call = _OPENS.match(words) is not None or words.endswith(_ARROWS)
        if start < link[0] < stop and is_call:
            stop = link[0]
    if stop == end:
        return span
    stop = start + len(text[start:stop].rstrip(_MARKS))
    return (start, stop) if start < stop else None


def without_parcel(text: str, span: Span, is_parcels: Callable[[str], bool]) -> list[Span]:
    """The parts of a value that do not speak of its parcel; the whole value where none does.

    A word such as "gross" belongs to the number behind it in its clause ("gross: 900 g"), else to
    the one before ("2 lb (shipping)").
    """
    words = text[span[0] : span[1]]
    if not is_parcels(words):
        return [span]
    kept = words
    for word in _WORD.finditer(words):
        if not is_parcels(word[0]):
            continue
        behind = _CLAUSE_END.search(words, word.end())
        end = behind.start() if behind else len(words)
        start = word.start()
        if not any(map(str.isdigit, words[start:end])):
            before = [mark.end() for mark in _CLAUSE_START.finditer(words, 0, start)]
            numbered = (at for at in reversed([0, *before]) if _DIGIT.search(words, at, start))
            start = next(numbered, 0)
        kept = kept[:start] + "\0" * (end - start) + kept[end:]
    parts = (part.span() for part in _KEPT.finditer(kept) if _DIGIT.search(part[0]))
    return [(span[0] + start, span[0] + end) for start, end in parts]
