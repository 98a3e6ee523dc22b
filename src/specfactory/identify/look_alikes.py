"""Names in letters that only look Latin: ``Рro`` with a Cyrillic letter, ``ᴘʀᴏ`` in small capitals.

A reader takes them for the Latin word. Honest names are left as they are: whole words of another
script beside a Latin model, prepositions, and what the product itself is called.
"""

import re
import unicodedata
from collections.abc import Collection

from specfactory.identify.vocabulary import SUFFIXES
from specfactory.word_lists import read_lists

_LISTS = read_lists("identify/data/look_alikes.txt")


def _letters(name: str) -> dict[str, str]:
    lines = (line.split() for line in _LISTS[name])
    return {char: latin for latin, others in lines for char in others}


_SEEN = _letters("letters")
_INSIDE = _letters("inside words")
_FORMS = _letters("forms")
_STROKES = _letters("strokes")
_ALL = {**_STROKES, **_INSIDE, **_FORMS, **_SEEN}
_WORD = re.compile(r"[^\W_]+")
# Letters in black squares and circles are signs, not letters; one alone may be a sign indeed.
_BOXED = re.compile("[\U0001f150-\U0001f169\U0001f170-\U0001f189]{2,}")
_ODD = ("<wide>", "<font>", "<circle>", "<square>")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f]")
_GREEK_SYMBOL = re.compile(r"[α-ω]\d+")  # α7 is a name


def as_seen(text: str, own: Collection[str]) -> str:
    """A name as a reader takes it, look-alike letters written in Latin.

    ``own`` are the words of the product's name.
    """
    if text.isascii():
        return text
    text = _BOXED.sub(lambda found: "".join(map(_unboxed, found[0])), text)
    foreign = any(map(_is_foreign, _WORD.findall(text)))
    return _WORD.sub(lambda found: _word_as_seen(found[0], own, foreign), text)


def _unboxed(sign: str) -> str:
    return chr(ord("A") + (ord(sign) - 0x1F150) % 32)


def _is_foreign(word: str) -> bool:
    """True for a word of another script that no Latin reader could take for one of his own."""
    plain = unicodedata.normalize("NFKD", word)
    strange = [c for c in plain if c.isalpha() and not c.isascii() and c not in _FORMS]
    return len(strange) == sum(map(str.isalpha, plain)) and any(c not in _SEEN for c in strange)


def _word_as_seen(word: str, own: Collection[str], foreign: bool) -> str:
    if word.isascii() or word.casefold() in own:
        return word
    seen = "".join(
        char if char.isascii() else _ALL.get(char, _ALL.get(char.lower(), char)) for char in word
    )
    if not seen.isascii():
        return word
    odd = {char for char in word if not char.isascii()}
    if odd <= _STROKES.keys():
        plain = seen.casefold()
        return seen if plain in SUFFIXES or plain in own else word
    if odd & _FORMS.keys() or re.search("[A-Za-z]", word):
        return seen
    if not odd <= _SEEN.keys() or _GREEK_SYMBOL.fullmatch(word):
        return word
    # a whole word in the other script: a number in it makes it a name, and so does standing alone
    has_digit = any(map(str.isdigit, word))
    alone = not foreign and not (len(word) == 1 and word.islower())
    return seen if has_digit or alone else word


def has_odd_forms(text: str) -> bool:
    """True if letters of other forms (full width, mathematical) stand among plain Latin ones.

    East Asian titles are written like that; without a word of those it is a disguise.
    """
    odd = any(unicodedata.decomposition(char).startswith(_ODD) for char in text if char > "\x7f")
    return odd and bool(re.search("[A-Za-z]", text)) and not _EAST.search(text)
