"""Names of people in bylines and other short texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from specfactory.extract.articles.given_names import is_given_name
from specfactory.word_lists import read_words

MAX_NAMES = 12
_MAX_NAME = 60
_MAX_WORDS = 6
# "By", "Written by", "A column by" … in many languages. A bare "von" or "di" counts only at the
# start of a line, after a date or after a bar: elsewhere it is part of a sentence or a name.
_BARE = r"by|vo[nm]|par|por|da|di|door|a[vf]|od|przez|oleh"
_STRONG = (
    r"(?:written|posted|reported|story|text|words|article|published|created|edited|submitted|"
    r"contributed|reviewed)\s+by|(?:text|artikel|beitrag|erstellt|geschrieben|verfasst|"
    r"veröffentlicht|eingestellt|gepostet|gespeichert|kolumne|gastbeitrag|kommentar|bericht|"
    r"analyse)\s+vo[nm]|autor(?:in|en|innen|a|es|i|em)?|authors?|auteurs?|aut(?:h)?ore|yazar|"
    r"redakteur(?:in)?|(?:écrit|rédigé|publié|propos recueillis) par|"
    r"(?:escrito|publicado|texto) por|(?:scritto|pubblicato) da|(?:a cura|articolo|testo) di|"
    r"(?:geschreven|tekst) door|"
    r"(?:skrevet|skriven|publicerad|tekst) a[vf]|napisał|napisała|tekst|kirjoittanut|teksti|"
    r"автор|текст|írta|szerző|scris de|συντάκτης|penulis|tác giả"
)
BY = re.compile(
    rf"(?:(?:^|(?<=[|·•,–—/:\d)]\s)|(?<=[|·•–—/]))(?:{_BARE}|text)|\b(?:{_STRONG}))"
    r"(?:\s*:\s*|\s+|$)",
    re.IGNORECASE,
)
_BY_AGAIN = re.compile(rf"(?:{_BARE})\s+(?=\w)", re.IGNORECASE)
_BY_BEFORE = re.compile(rf"(?:^|[\s|·•,–—/(]){{1}}(?:{_BARE}|{_STRONG})\s*:?\s*$", re.IGNORECASE)
_WRITER = re.compile(
    r"aut(?:h?or|eur)|автор|writ|posted|reported|geschrieben|verfasst|erstellt|eingestellt|text|"
    r"artikel von|beitrag von|kolumne|écrit|rédigé|escrito|scritto|a cura|geschreven|skrevet|"
    r"skriven|szerző|yazar|penulis|作者|记者|编辑|기자",
    re.IGNORECASE,
)
_WIDE_BY = re.compile(
    r"(?:作者|记者|文|責任編集|责任编辑|编辑|著者|글|기자)\s*[:：/]\s*|^(?:作者|记者)\s*"
)
_PART = re.compile(
    r"\s+(?:and|und|et|y|e|ed|en|och|og|i|oraz|и|ve|és|with|mit|avec|con|com)\s+|"
    r"\s+(?:am|on|le|il|el|op|den|um|at)\s+(?=\w{0,11}[.,]?\s?\d)|"
    r"\s*[,;&/|·•+]\s*|\s+[–—-]\s+|\s*[\n\t(]\s*|\s{3,}|\s*//\s*"
)
_STOP = re.compile(r"\d|https?:|www\.|@\w|\.(?:com|de|org|net)\b")
_LETTER = re.compile(r"[^\W\d_]")
_WORDS = read_words("extract/articles/data/name_words.txt")
_PARTICLES = _WORDS["particles"]
_DEGREES = _WORDS["degrees"]
_ROLES = _WORDS["roles"]  # titles before or after a name
_NO_NAMES = _WORDS["no names"]
_COMPANY = _WORDS["company"]


def names_in(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Find the names in a byline; the first part that is no name ends the list."""
    found = 0
    for part in parts_of(text, start):
        left, right = part
        parts = text[left:right].split()
        if len(parts) > 2 and parts[0].casefold() in _ROLES:
            left = text.index(parts[1], left + len(parts[0]))
        if len(parts) > 2 and parts[-1].casefold() in _ROLES:
            right = left + len(text[left:right].removesuffix(parts[-1]).rstrip())
        words = text[left:right]
        if found and words.casefold() in _DEGREES:
            continue
        if not is_name(words):
            if found or _LETTER.search(words):
                return
            continue
        yield left, right
        found += 1
        if found >= MAX_NAMES:
            return


def parts_of(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Split a text at commas, bars and words like "and"."""
    at = start
    for mark in (*_PART.finditer(text, start), None):
        end = mark.start() if mark else len(text)
        piece = text[at:end]
        kept = piece.strip(" \u00a0.:*\"'“”\n\t⁰¹²³⁴⁵⁶⁷⁸⁹")
        if kept:
            left = at + piece.index(kept)
            yield left, left + len(kept)
        at = mark.end() if mark else end


def is_name(words: str) -> bool:
    """Check the form of a name: of a person, a nickname or an agency."""
    if not 2 <= len(words) <= _MAX_NAME or _STOP.search(words):
        return False
    parts = words.split()
    if len(parts) > _MAX_WORDS or words.casefold() in _NO_NAMES or parts[0].casefold() in _NO_NAMES:
        return False
    if BY.search(words) or ends_with_by(words):
        return False
    small = [part for part in parts if part[:1].islower() and part.casefold() not in _PARTICLES]
    return not small or len(parts) == 1


def looks_like_a_person(words: str) -> bool:
    """Check for two to four capitalised words, none of them typical of companies."""
    parts = words.split()
    if not 2 <= len(parts) <= 4 or names_a_company(words):
        return False
    return all(part[:1].isupper() or part.casefold() in _PARTICLES for part in parts)


def begins_with_a_given_name(words: str) -> bool:
    """Check the first word against known given names, degrees left out."""
    parts = [part for part in words.split() if part.casefold() not in _DEGREES]
    return bool(parts) and is_given_name(parts[0])


def names_a_company(words: str) -> bool:
    """Check for words of newsrooms, agencies and companies."""
    return not _COMPANY.isdisjoint(words.casefold().replace("-", " ").split())


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
