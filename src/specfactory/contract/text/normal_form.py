"""The normal form in which words are compared: Unicode forms, case, spaces and hyphens aside."""

import re
import unicodedata
from functools import lru_cache

MARKS = str.maketrans(dict.fromkeys("®™©℠\u200b\u200c\u200d\u2060\ufeff\u00ad", ""))
# Characters that are there but never read: controls, direction marks, those without width.
_UNREAD = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]+"
)
_BREAKS = re.compile("[\x0b\x0c\x1c\x1d\x1f\x85\u2028\u2029]+")
_SPACE = re.compile(r"[\s\-‐‑‒–—−_\u200a]+")
_DIGIT_LETTER = re.compile(r"(?<=\d)(?=[^\W\d_])")
_FOOTNOTE = re.compile(
    r"(?<=[^\s\d])(?<!\d[⁰¹²³⁴-⁹])(?<![⁰¹²³⁴-⁹])"
    r"(?:(?<![mntd])[⁰¹²³⁴-⁹]{1,2}|[⁰¹⁴-⁹]{1,2}|\s?[*†‡§]{1,3}|\s?\[\d{1,2}\])$"
)
_FOOTNOTE_ENDS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§]\n")
_TOKEN = re.compile(r"[^\s,;:()\[\]{}/|\"“”„«»!?•·&]+")


def normal(words: str) -> str:
    """Words as they are compared: ``2.4GHz`` and ``2.4 ghz`` are the same."""
    return _remembered(words) if len(words) <= 200 else _normal(words)


def _normal(words: str) -> str:
    plain = words.translate(MARKS)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain)
    spaced = _SPACE.sub(" ", plain.casefold().replace("’", "'"))
    return _DIGIT_LETTER.sub(" ", spaced).strip()


_remembered = lru_cache(maxsize=16384)(_normal)


def tokens(words: str) -> list[str]:
    """The normal form, word by word, without punctuation around the words."""
    return [token for part in _TOKEN.findall(normal(words)) if (token := part.strip(".'*"))]


def unmarked(words: str) -> str:
    """Words without the footnote marks at their end: ``yes¹``, ``Black*``, ``Steel [2]``.

    Raised digits behind a digit or a length stay: they may be cents or a power.
    """
    return _FOOTNOTE.sub("", words) if words[-1:] in _FOOTNOTE_ENDS else words


def readable(words: str) -> str:
    """Words without the characters that nobody reads; white space stays."""
    return words if words.isprintable() else _BREAKS.sub(" ", _UNREAD.sub("", words))


def clean(words: str) -> str:
    """Words without what nobody reads, white space collapsed."""
    return " ".join(readable(words).split())
