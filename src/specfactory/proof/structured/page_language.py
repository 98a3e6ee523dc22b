"""The language of a page, declared or guessed."""

from __future__ import annotations

import re
from collections import Counter

from specfactory.proof.structured.tags import SourceTag
from specfactory.proof.text import Outline

_CODE = re.compile(r"[a-zA-Z]{2,3}(?=$|[-_,;\s])")
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000
_COMMON = {
    "en": "the and of to in is with for that this are from your",
    "de": "der die das und mit ist für von den auf ein eine nicht sie werden",
    "fr": "le la les des et est pour avec une dans sur vous que du",
    "es": "el los las y con para una por del que en es su",
    "it": "il di che per con una della sono nel gli e è",
    "nl": "de het een van en met voor niet zijn op dat",
    "pt": "o os um uma com para não do da em é que",
    "pl": "i w z na do nie jest się oraz przez dla",
    "sv": "och att det som för med är av på den",
    "ru": "и в на с для не по из что это",
    "uk": "і в на з для не що це та від до",
    "da": "og at det som til er af på den ikke med",
    "no": "og å det som til er av på den ikke med",
    "fi": "ja on ei se että oli ovat mutta myös",
    "cs": "a je se na v že to jsou pro jako",
    "hu": "a az és hogy nem is egy meg van",
    "ro": "și de la în cu pe nu este care din",
    "tr": "ve bir bu için ile da de olarak çok",
    "id": "yang dan di dengan untuk dari ini itu pada",
}
_LANGUAGES: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        _LANGUAGES.setdefault(_word, []).append(_language)


def declared_language(outline: Outline, tags: list[SourceTag], source: str, header: str) -> str:
    """The declared language: html lang, meta, og:locale, header; empty when none."""
    root = outline.elements[0] if outline.elements else None
    given = [root.get("lang") or root.get("xml:lang")] if root else []
    for tag in tags:
        if tag.name == "meta":
            names = (tag.value("http-equiv", source), tag.value("property", source))
            if any(name.lower() in ("content-language", "og:locale") for name in names):
                given.append(tag.value("content", source))
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
