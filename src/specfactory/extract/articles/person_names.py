"""Names of people in bylines and other short texts."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from specfactory.extract.articles.byline_words import BY, PART_END, ends_with_by
from specfactory.word_lists import read_text, read_words

MAX_NAMES = 12
_MAX_NAME = 60
_MAX_WORDS = 6
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
    for mark in (*PART_END.finditer(text, start), None):
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


def is_given_name(word: str) -> bool:
    """Check a word against common given names, without accents; of "Eva-Maria", the first."""
    plain = unicodedata.normalize("NFKD", word.casefold().partition("-")[0])
    return "".join(one for one in plain if not unicodedata.combining(one)) in _given_names()


@cache
def _given_names() -> frozenset[str]:
    lines = read_text("extract/articles/data/given_names.txt").split("\n")
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


def names_a_company(words: str) -> bool:
    """Check for words of newsrooms, agencies and companies."""
    return not _COMPANY.isdisjoint(words.casefold().replace("-", " ").split())
