"""Lines that hold labels and their values: where each of them begins and ends."""

import re
from collections.abc import Callable, Iterable, Iterator

from specfactory.extract.page import Span

IsLabel = Callable[[str], bool]

MAX_LABEL = 90
SEPARATORS = ":：-–—=|"
_SEPARATOR = re.compile(r"\s*[:：]\s*|\s+[-–—=|]\s+|\t+|\s*\.{3,}\s*|\s*…+\s*")
_COLON = re.compile(r"[:：]")
_WORD_START = re.compile(r"(?<![^\s,;/|•·(])[^\W\d_]")
_MAX_LABEL_WORDS = 5
_BLANKS = " \t\n\r\u00a0\u200a"
_ENDS = f"{_BLANKS},;/|•·–—-"


def split_line(text: str, start: int, end: int, is_label: IsLabel) -> tuple[Span, Span] | None:
    """The label and the value of a line, when what stands before a separator is a label."""
    for count, mark in enumerate(_SEPARATOR.finditer(text, start, min(end, start + MAX_LABEL))):
        if count == 3:
            break
        label = text[start : mark.start()].strip()
        if mark.end() < end and 1 < len(label) <= MAX_LABEL and is_label(label):
            left = start + len(text[start:end]) - len(text[start:end].lstrip())
            return (left, mark.start()), (mark.end(), end)
    return None


def behind_first_label(text: str, start: int, end: int) -> Span:
    """The rest of a line behind its first colon: what stands before may be all one label."""
    colon = _COLON.search(text, start, end)
    return (colon.end(), end) if colon else (end, end)


def inner_labels(text: str, value: Span, is_label: IsLabel) -> Iterator[Span]:
    """Labels of the contract before a colon inside a value."""
    start, end = value
    for colon in _COLON.finditer(text, start, end):
        words = [mark.start() for mark in _WORD_START.finditer(text, start + 1, colon.start())]
        for at in words[-_MAX_LABEL_WORDS:]:
            label = text[at : colon.start()].strip()
            if label[:1].islower() or not is_label(label):
                continue
            before = text[start:at].rstrip()
            # "Canon Screen Size: 3 in": where the label begins is open.
            last = before.rpartition(" ")[2]
            if before and (len(before.split()) == 1 or not last[:1].isupper()):
                yield at, colon.start()
            break
        start = colon.end()


def several_pairs(
    text: str, label: Span | None, value: Span, inner: Iterable[Span]
) -> Iterator[tuple[Span, Span]]:
    """A pair, and the further pairs of its line: each inner label ends the value before."""
    start, end = value
    for following in inner:
        stop = start + len(text[start : following[0]].rstrip(_ENDS))
        if stop <= start and label is not None:  # two labels in a row are no pairs
            continue
        if label is not None:
            yield label, (start, stop)
        label = following
        behind = text[following[1] : end]
        start = end - len(behind.lstrip(_BLANKS + SEPARATORS))
    if label is not None and start < end:
        yield label, (start, end)
