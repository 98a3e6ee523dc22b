"""The language of a page, declared or guessed."""

import re
from collections import Counter

from specfactory.proof.structured.tags import SourceTag
from specfactory.proof.text import Outline
from specfactory.word_lists import read_lists

_CODE = re.compile(r"[a-zA-Z]{2,3}(?=$|[-_,;\s])")
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000
_LANGUAGES: dict[str, list[str]] = {}  # by common word
for _line in read_lists("proof/structured/data/common_words.txt")["languages"]:
    _language, *_words = _line.split()
    for _word in _words:
        _LANGUAGES.setdefault(_word, []).append(_language)


def declared_language(outline: Outline, tags: list[SourceTag], header: str) -> str:
    """The declared language: html lang, meta, og:locale, header; empty when none."""
    root = outline.elements[0] if outline.elements else None
    given = [root.get("lang") or root.get("xml:lang")] if root else []
    for tag in tags:
        if tag.name == "meta":
            names = (tag.value("http-equiv"), tag.value("property"))
            if any(name.lower() in ("content-language", "og:locale") for name in names):
                given.append(tag.value("content"))
    return next(filter(None, map(language_code, (*given, header))), "")


def language_code(given: str) -> str:
    """The language of a tag such as "de-AT"; empty when it is none."""
    found = _CODE.match(given.strip())
    return found[0].lower() if found else ""


def guess_language(text: str) -> str:
    """The language whose most common words occur most, when it is clear; else empty."""
    votes: Counter[str] = Counter()
    for word in _WORD.findall(text[:_SAMPLE].lower()):
        votes.update(_LANGUAGES.get(word, ()))
    (first, most), (_, second) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return first if most >= 5 and most > 1.3 * second else ""
