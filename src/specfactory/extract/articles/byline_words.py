"""Words that introduce, divide or end a byline, in many languages."""

import re

from specfactory.word_lists import read_patterns

_WORDS = read_patterns("extract/articles/data/byline_words.txt")
_BARE, _STRONG = f"{_WORDS['by']}|{_WORDS['by or name']}", _WORDS["written by"]
BY = re.compile(
    rf"(?:(?:^|(?<=[|·•,–—/:\d)]\s)|(?<=[|·•–—/]))(?:{_BARE}|text)|\b(?:{_STRONG}))"
    r"(?:\s*:\s*|\s+|$)",
    re.IGNORECASE,
)
_BY_AGAIN = re.compile(rf"(?:{_BARE})\s+(?=\w)", re.IGNORECASE)
_BY_BEFORE = re.compile(rf"(?:^|[\s|·•,–—/(]){{1}}(?:{_BARE}|{_STRONG})\s*:?\s*$", re.IGNORECASE)
_WRITER = re.compile(_WORDS["writer"], re.IGNORECASE)
_WIDE_BY = re.compile(_WORDS["wide by"])
PART_END = re.compile(
    rf"\s+(?:{_WORDS['and']})\s+|"
    rf"\s+(?:{_WORDS['on a date']})\s+(?=\w{{0,11}}[.,]?\s?\d)|"
    r"\s*[,;&/|·•+]\s*|\s+[–—-]\s+|\s*[\n\t(]\s*|\s{3,}|\s*//\s*"
)
AUTHOR_HINTS = tuple(_WORDS["author hints"].split("|"))
AUTHOR_PAGE = re.compile(
    rf"/(?:{_WORDS['author pages']})[/_-][^/?#]{{3,}}|[?&]author=", re.IGNORECASE
)
BEFORE_NAME = re.compile(rf"(?:{_WORDS['by']})\s", re.IGNORECASE)
"""At the start of the author property of structured data."""


def after_by(text: str) -> int | None:
    """Offset behind "By" and its equivalents; None without them."""
    found = BY.search(text) or _WIDE_BY.search(text)
    if found is None:
        return None
    again = _BY_AGAIN.match(text, found.end())  # "Text: by"
    return again.end() if again else found.end()


def is_author_word(text: str) -> bool:
    """Check whether the words before a name mean writing, not merely "by" or "from"."""
    return _WRITER.search(text) is not None


def ends_with_by(text: str) -> bool:
    """Check whether a text ends with "By" or an equivalent, so that a name should follow."""
    return _BY_BEFORE.search(text[-40:]) is not None
