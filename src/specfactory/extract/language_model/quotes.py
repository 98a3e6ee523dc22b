"""Search for quoted words on a page: white space may differ, digits may not."""

from collections.abc import Iterable

from specfactory.contract.values import is_unit
from specfactory.extract.page import Span

_MOST_PLACES = 50
_SAME = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
     "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"}
)  # fmt: skip
_MARKS = frozenset(".,:'’٫٬")  # between digits they are part of the number
_MINUS = frozenset("-−–")
_MAX_UNIT = 15


class Squeezed:
    """Part of a text without white space, except between two digits."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        kept: list[str] = []
        self._whole, self._places = text, list[int]()
        gap = False
        for at in range(start, len(text) if end is None else end):
            char = text[at]
            # zero-width characters, soft hyphens and byte order marks are not read
            if char.isspace() or "\u200b" <= char <= "\u200f" or char in "\u00ad\u2060\ufeff":
                gap = gap or char.isspace()
                continue
            if gap and kept and kept[-1].isdigit() and char.isdigit():
                kept.append(" ")
                self._places.append(at)
            kept.append(char)
            self._places.append(at)
            gap = False
        self.text = "".join(kept).translate(_SAME)

    def find_all(self, words: str) -> list[Span]:
        """Find the words as spans of the whole text, without cutting a number or a word."""
        wanted = Squeezed(words).text
        found: list[Span] = []
        at = self.text.find(wanted) if wanted else -1
        while at >= 0 and len(found) < _MOST_PLACES:
            span = self._places[at], self._places[at + len(wanted) - 1] + 1
            if _stands_free(self._whole, *span):
                found.append(span)
            at = self.text.find(wanted, at + 1)
        return found


def find_quote(parts: Iterable[Squeezed], quote: str, near: int) -> Span | None:
    """Find a quote in the parts; of several places the nearest to an offset."""
    found = [span for part in parts for span in part.find_all(quote)]
    return min(found, key=lambda span: abs(span[0] - near), default=None)


def find_value(text: str, quote: Span, value: str) -> Span | None:
    """Find a value inside its quote, together with the unit that follows it."""
    found = Squeezed(text, *quote).find_all(value)
    if not found or not text[found[0][1] - 1].isdigit():
        return found[0] if found else None
    start, end = found[0]
    rest = text[end : min(quote[1], end + _MAX_UNIT + 1)]
    words = rest.split(maxsplit=1)
    unit = words[0].rstrip(".,;:)") if words and len(rest) - len(rest.lstrip()) <= 1 else ""
    if not unit or not is_unit(unit):
        return start, end
    return start, text.index(unit, end) + len(unit)


def _stands_free(text: str, start: int, end: int) -> bool:
    """Check that nothing is cut: ``4 g`` is neither in ``54 g`` nor in ``4 gallons``."""
    first, last = text[start], text[end - 1]
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    if _is_word(first) and _is_word(before):
        return False
    if _is_word(last) and _is_word(after):
        return False
    earlier, later = text[max(start - 2, 0) : max(start - 1, 0)], text[end + 1 : end + 2]
    if first.isdigit() and before in _MARKS and earlier.isdigit():
        return False
    if first.isdigit() and before in _MINUS and not earlier.isalnum():
        return False  # -54 is not 54
    return not (last.isdigit() and after in _MARKS and later.isdigit())


def _is_word(char: str) -> bool:
    return char.isdigit() or (char.isascii() and char.isalpha())
