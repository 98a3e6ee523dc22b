"""Names as tokens: how a title, a slug or a product's name is cut up for comparison.

Digits and letters that are written together stay together (``G502X``), words run together in
camel case come apart (``ViperV3Pro``), and spellings of one thing get one form: ``V 3`` and
``Version 3`` are ``v3``, ``Mark II`` is ``mk2``, ``2nd Gen`` is ``gen2``, ``kabellos`` is
``wireless``, ``プロ`` is ``pro``.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from specfactory.identify.vocabulary import COLOURS, CONNECTIONS, FOREIGN
from specfactory.model import Frozen, replace

MAX_CHARS = 400
MAX_TOKENS = 80

GLUED, PLAIN, BRACKET, LIST, SEGMENT = "glued", "plain", "bracket", "list", "segment"

_CHUNK = re.compile(r"(?:\d+(?:[.,]\d+)+|[^\W_])+")
_CAMEL = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[A-Za-z]{3})|(?<=[a-z]{3})(?=[vV]\d)"
)
_MARKS = re.compile(r"[\u0300-\u036f'’`´®™©℠]")
_SIGNS = re.compile(r"[®™©℠]")  # before NFKC, which would write ™ as the letters TM
_INCHES = re.compile(r"(?<=\d)\s?(?:[\"″”]|′′)")
_PLUS = re.compile(r"(?<=[^\W_])\+(?=$|[\s|),:;\]/–—-])")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_VERSIONS = {
    "v": "v", "ver": "v", "vers": "v", "version": "v", "mk": "mk", "mark": "mk",
    "gen": "gen", "generation": "gen",
}  # fmt: skip
_ORDINALS = {"first": "1", "second": "2", "third": "3", "zweite": "2", "dritte": "3"}
_MARK_ROMAN = re.compile(r"(mk|mark)(ii|iii|iv)$")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)$")
_VERSION_ZERO = re.compile(r"(v\d+)[.,]0$")


class Token(Frozen):
    """One word of a name in its normal form, and what stands before it."""

    text: str
    gap: str  # GLUED, PLAIN, BRACKET, LIST or SEGMENT
    chunk: str = ""  # the run between two spaces it was written in
    place: int = 0  # number of that run


def plain(text: str) -> str:
    """Letters without accents and compatibility forms, case kept."""
    decomposed = unicodedata.normalize("NFKD", _SIGNS.sub("", text[:MAX_CHARS]))
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed).replace("ß", "ss"))


@lru_cache(maxsize=8192)
def tokenise(text: str) -> tuple[Token, ...]:
    """Cut a name into tokens in their normal form."""
    prepared = _PLUS.sub(" plus ", _INCHES.sub(" inch ", plain(text)))
    return tuple(_unified(list(_tokens(prepared))))[:MAX_TOKENS]


def squash(texts: Iterable[str]) -> str:
    """Tokens as one key; only where a digit would meet a digit they stay apart."""
    key = ""
    for text in texts:
        key += "·" + text if key and key[-1].isdigit() and text[:1].isdigit() else text
    return key


def key_of(text: str) -> str:
    """The key of a whole name: ``razer  Viper v 3`` and ``Razer ViperV3`` have one."""
    return squash(token.text for token in tokenise(text))


def slug_words(url: str) -> str:
    """The words of a URL's path, its parts as segments, ids and file endings left out."""
    path = unquote(urlsplit(url).path)
    parts = [re.sub(r"\.\w{2,5}$", "", part) for part in path.split("/") if part]
    words = [re.sub(r"[-_+.~]+", " ", part).strip() for part in parts]
    return " | ".join(word for word in words if word and not word.isdigit())


def _tokens(text: str) -> Iterator[Token]:
    end, place = 0, 0
    for found in _CHUNK.finditer(text):
        between = text[end : found.start()]
        if end and re.search(r"[\s/|,()\[\]]", between):
            place += 1
        gap = PLAIN
        if end and re.search(r"[|•·»›:;,]|[–—]|\s-+\s", between):
            gap = SEGMENT
        elif end and re.search(r"[()\[\]{}]", between):
            gap = BRACKET
        elif end and re.search(r"[/&+]", between):
            gap = LIST
        end = found.end()
        for piece in _pieces(found.group()):
            yield Token(piece, gap, place=place)
            gap = GLUED


def _pieces(chunk: str) -> Iterator[str]:
    if _EAST.search(chunk):
        yield from _eastern_pieces(chunk)
        return
    for piece in _CAMEL.split(chunk):
        word = piece.casefold()
        yield FOREIGN.get(word) or CONNECTIONS.get(word) or COLOURS.get(word) or word


def _eastern_pieces(chunk: str) -> Iterator[str]:
    at = 0
    while at < len(chunk):
        known = (chunk[at : at + n] for n in range(8, 1, -1))
        word = next((word for word in known if word in FOREIGN), "")
        if not word:
            latin = re.match(r"[A-Za-z0-9.,]+", chunk[at:])
            word = latin.group() if latin else chunk[at]
        at += len(word)
        if word[0].isascii():
            yield from _pieces(word)
        else:
            yield FOREIGN.get(word, word)


def _unified(tokens: list[Token]) -> Iterator[Token]:
    """Give numbered versions one spelling."""
    chunks: dict[int, str] = {}
    for token in tokens:
        chunks[token.place] = chunks.get(token.place, "") + token.text
    at = 0
    while at < len(tokens):
        token, following, taken = tokens[at], tokens[at + 1 : at + 2], 1
        text = _single(token)
        close = bool(following) and following[0].gap in (GLUED, PLAIN)
        follower = _single(following[0]) if close else ""
        number = _ORDINALS.get(text) or "".join(_ORDINAL.findall(text))
        if text in _VERSIONS and follower.isdigit() and len(follower) <= 2:
            text, taken = _VERSIONS[text] + follower, 2
        elif number and follower in ("gen", "generation"):
            text, taken = "gen" + number, 2
        yield replace(token, text=text, chunk=chunks[token.place])
        at += taken


def _single(token: Token) -> str:
    text = _ROMAN.get(token.text, token.text)
    if found := _MARK_ROMAN.match(text):
        return "mk" + _ROMAN[found[2]]
    if text.startswith("mark") and text[4:].isdigit():
        return "mk" + text[4:]
    return _VERSION_ZERO.sub(r"\1", text)
