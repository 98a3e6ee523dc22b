"""The PDF view, version 1: text line by line, columns of a line separated by a tab.

Characters are put in lines by their position on the page, so that the cells of a printed table
come out as ``Weight<tab>54 g`` whatever order the file draws them in. Pages are separated by a
form feed.
"""

import ctypes
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

MAX_PAGES = 40
MAX_CHARS = 400_000
MAX_PAGE_CHARS = 40_000
_MAX_PROBLEM = 200
_WORD_GAP = 0.1  # of the height of the line: a space
_COLUMN_GAP = 1.0  # a column of its own
_ONE_AT_A_TIME = threading.Lock()  # pages are read in threads; the library is not thread-safe


class _Glyph(NamedTuple):
    left: float
    right: float
    bottom: float
    top: float
    character: str


class _Line(NamedTuple):
    text: str
    lefts: tuple[float, ...]


class PdfText(NamedTuple):
    """The text of a PDF, and for every line the left edges of its cells."""

    text: str = ""
    lefts: tuple[tuple[float, ...], ...] = ()


def read_pdf(body: bytes) -> PdfText:
    """The text of a PDF; empty when it cannot be read."""
    try:
        with _ONE_AT_A_TIME:
            pages = list(_pages(body))
    except Exception:  # a broken PDF may fail anywhere inside the library
        return PdfText()
    while pages and not pages[0]:
        del pages[0]
    text = "\f".join("\n".join(line.text for line in page) for page in pages).strip("\n\f")
    # A page without a line stands as an empty one between its separators.
    lefts = tuple(line.lefts for page in pages for line in page or [_Line("", ())])
    return PdfText(text, lefts)


def why_empty(body: bytes) -> str:
    """Say why a PDF gave no text."""
    import pypdfium2

    try:
        with _ONE_AT_A_TIME:
            pypdfium2.PdfDocument(body).close()
    except Exception as problem:
        return f"the PDF cannot be read: {str(problem).rstrip('.')[:_MAX_PROBLEM]}"
    return "the PDF has no text: its pages may be pictures"


def _pages(body: bytes) -> Iterator[list[_Line]]:
    import pypdfium2

    document = pypdfium2.PdfDocument(body)
    try:
        written = 0
        for number in range(min(len(document), MAX_PAGES)):
            if written > MAX_CHARS:
                return
            page = document[number]
            lines = list(_lines(_glyphs(page)))
            page.close()
            written += sum(len(line.text) + 1 for line in lines)
            yield lines
    finally:
        document.close()


def _glyphs(page: Any) -> list[_Glyph]:
    """Every printed character with its cell: as wide as its advance, as high as its font."""
    from pypdfium2 import raw

    text = page.get_textpage()
    box = raw.FS_RECTF()
    pointer = ctypes.byref(box)
    glyphs = []
    for at in range(min(text.count_chars(), MAX_PAGE_CHARS)):
        character = chr(raw.FPDFText_GetUnicode(text, at))
        if character.isspace() or not character.isprintable():
            continue
        if raw.FPDFText_GetLooseCharBox(text, at, pointer):
            glyphs.append(_Glyph(box.left, box.right, box.bottom, box.top, character))
    text.close()
    return glyphs


def _lines(glyphs: list[_Glyph]) -> Iterator[_Line]:
    """Group glyphs into lines: their middles lie within one another's height."""
    line: list[_Glyph] = []
    floor = ceiling = 0.0
    for glyph in sorted(glyphs, key=lambda each: -(each.bottom + each.top)):
        middle = (glyph.bottom + glyph.top) / 2
        if line and not floor <= middle <= ceiling:
            yield _joined(line)
            line = []
        if not line:
            floor, ceiling = glyph.bottom, glyph.top
        floor, ceiling = min(floor, glyph.bottom), max(ceiling, glyph.top)
        line.append(glyph)
    if line:
        yield _joined(line)


def _joined(line: list[_Glyph]) -> _Line:
    line.sort(key=lambda glyph: glyph.left)
    height = max(glyph.top - glyph.bottom for glyph in line)
    parts, lefts = [line[0].character], [line[0].left]
    for before, glyph in pairwise(line):
        gap = (glyph.left - before.right) / height if height else 0.0
        if gap > _COLUMN_GAP:
            parts.append("\t")
            lefts.append(glyph.left)
        elif gap > _WORD_GAP:
            parts.append(" ")
        parts.append(glyph.character)
    return _Line("".join(parts), tuple(lefts))
