"""Detects the charset of a page whose declared charset cannot be true. Pure.

Byte order mark, header and meta tag come first, and are believed wherever the bytes allow it
(``proof.decode``). Only where none of them can be true, the bytes are decoded in each charset of
the web, and the one that gives words of a language is taken: its letters, and for languages
without a Latin alphabet the frequent letters at their usual frequency.
"""

import contextlib
import re
from collections.abc import Iterator
from itertools import islice

from specfactory.model import Frozen
from specfactory.proof.text.characters import BEYOND, declared_charset, decode, is_binary, is_pdf

_LOOKED_AT = 200_000  # bytes
_MOST_WORDS = 800
_LONGEST_WORD = 300  # bytes; Thai has no spaces
_LEAST_LETTERS = 4
_MOST_LETTERS = 2_000
_SURE = 0.9
_USUAL = "cp1252"  # the default of browsers
_SHIFTED = b"\x1b$B"  # how ISO-2022-JP switches from ASCII to its own characters
_MOSTLY = 0.5
_HINT = 0.1  # bonus for the language that the page declares
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_LANGUAGE = re.compile(rb"""<html[^>]{0,300}?\slang\s*=\s*["']?([A-Za-z]{2,3})""", re.IGNORECASE)
_SYMBOLS = frozenset("–—‘’“”„…€£¥¢°²³½¼¾·•®©™×÷±µ§«»¡¿ºª¹№\xa0\xad")
_BETWEEN = re.compile(r"[^\W\d_][²³½¼¾±§¡¿ºª¹¦¬¶¨¸´][^\W\d_]")  # a symbol within a word
_OTHER = r"[^\x00-\x7f–—‘’“”„…°®©™«»·•×\xa0\xad]"
_MIXED = re.compile(rf"[a-zA-Z](?={_OTHER})|{_OTHER}(?=[a-zA-Z])")  # two alphabets in one word
# Two letters of UTF-8 read as one-byte letters: "Ã¼", "â€™", "Ð¿".
_MOJIBAKE = re.compile(
    "[\u00c2\u00c3\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac|\ufffd|[\u0080-\u009f]"
)
_TURNED = re.compile(r"[^\W\d_a-zA-Z]{2}")  # two letters, to check their case


class _Script(Frozen):
    """The writing of one or several languages in old charsets."""

    languages: str
    codecs: tuple[str, ...]
    letters: str  # beyond ASCII, in lower case
    usual: str = ""  # the most frequent of them, where all letters are beyond ASCII
    share: float = 0.0  # that the usual have in any text


_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_SCRIPTS = (
    _Script("en", ("cp1252",), "éèêëàâçûüîïôöäñáíóú"),
    _Script("fr", ("cp1252",), "éèêëàâçùûüîïôœæÿ"),
    _Script("de", ("cp1252",), "äöüß"),
    _Script("es ca gl", ("cp1252",), "áéíóúüñçàèòï"),
    _Script("it", ("cp1252",), "àèéìíòóùú"),
    _Script("pt", ("cp1252",), "áâãàçéêíóôõúü"),
    _Script("sv fi da no nb nn", ("cp1252",), "åäöæøé"),
    _Script("nl", ("cp1252",), "éèëïöüó"),
    _Script("is", ("cp1252",), "áéíóúýþæöð"),
    _Script("pl", ("cp1250", "iso8859-2"), "ąćęłńóśźż"),
    _Script("cs", ("cp1250", "iso8859-2"), "áčďéěíňóřšťúůýž"),
    _Script("sk", ("cp1250", "iso8859-2"), "áäčďéíĺľňóôŕšťúýž"),
    _Script("hu", ("cp1250", "iso8859-2"), "áéíóöőúüű"),
    _Script("hr sl sr bs", ("cp1250", "iso8859-2"), "čćđšž"),
    _Script("ro", ("cp1250", "iso8859-2"), "ăâîşţ"),
    _Script("tr", ("cp1254",), "çğıöşüâîûi̇"),
    _Script("lt lv", ("cp1257",), "āčēģīķļņšūžąęėįų"),
    _Script("ru bg sr mk be", ("cp1251", "koi8-r", "cp866", "iso8859-5"), _CYRILLIC,
            "оеаинтсрвл", 0.55),
    _Script("uk be", ("cp1251", "koi8-u", "iso8859-5"), _CYRILLIC + "іїєґ'", "оаинтівесрук", 0.55),
    _Script("el", ("cp1253", "iso8859-7"), "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",
            "αοιετνσρηκπ", 0.55),
    _Script("he iw yi", ("cp1255",), "אבגדהוזחטיכלמנסעפצקרשתךםןףץ", "יוהלאמרבנתש", 0.55),
    _Script("ar", ("cp1256", "iso8859-6"),
            "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآؤئءًٌٍَُِّْ،؟؛", "اليمونترب", 0.5),
    _Script("th", ("cp874",), "".join(map(chr, range(0x0E01, 0x0E5C))), "านรกอเงมย่้", 0.35),
)  # fmt: skip
_NARROW = tuple((codec, script) for script in _SCRIPTS for codec in script.codecs)
_WIDE = (("cp932", "ja"), ("euc_jp", "ja"), ("gb18030", "zh"), ("big5", "zh"), ("euc_kr", "ko"))
_WEB_NAMES = {"cp932": "shift_jis", "cp874": "windows-874"}


def web_name(codec: str) -> str:
    """A charset as browsers name it."""
    return _WEB_NAMES.get(codec, codec.replace("_", "-"))


def written_in(body: bytes, content_type: str = "", charset: str = "") -> str:
    """The charset of a page, where what it declares cannot be true; "" where it can.

    The answer is kept with the page, so that its views are the same at any later time.
    """
    if _SHIFTED in body[:_LOOKED_AT]:
        return "iso2022_jp"
    with contextlib.suppress(UnicodeDecodeError):
        body.decode("utf-8")  # true for most pages: nothing more needs to be known
        return ""
    if is_pdf(body) or is_binary(body) or declared_charset(body, content_type, charset):
        return ""
    head = body[:_LOOKED_AT]
    found = _LANGUAGE.search(head[:4096])
    language = found.group(1).decode("ascii").lower() if found else ""
    score, _, best = max(_judged(head, language))
    return best if score >= _SURE else _USUAL


def garbled_share(body: bytes, charset: str = "") -> float:
    """Estimate the share of characters that were decoded wrongly."""
    head = body[:_LOOKED_AT]
    if body.isascii() or (charset in ("", "utf-8") and _is_utf8(head)):
        return 0.0
    text = decode(head, "", charset)
    return len(_MOJIBAKE.findall(text)) / len(text) if text else 0.0


def misread_charset(body: bytes, charset: str = "") -> str:
    """The charset in which a garbled page makes sense; "" when none is sure."""
    head = body[:_LOOKED_AT]
    return "utf-8" if charset != "utf-8" and not head.isascii() and _is_utf8(head) else ""


def _is_utf8(body: bytes) -> bool:
    """True if it is flawless, but for a last character that was cut."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as flaw:
        return flaw.start >= len(body) - 3
    return True


def _judged(head: bytes, language: str) -> Iterator[tuple[float, int, str]]:
    """Score each charset; of equals the more usual one comes first."""
    telling = (word[:_LONGEST_WORD] for word in _WORD.findall(head) if not word.isascii())
    words = b" ".join(islice(telling, _MOST_WORDS))
    for rank, (codec, script) in enumerate(_NARROW):
        score = _narrow(words.decode(codec, "replace"), script)
        yield score + _HINT * (language in script.languages.split()), -rank, codec
    for rank, (codec, spoken) in enumerate(_WIDE):
        score = _wide(head.decode(codec, "replace"), spoken)
        yield score + _HINT * (language == spoken), rank, codec


def _narrow(text: str, script: _Script) -> float:
    """Share of letters that the language has, weighted by their usual frequency."""
    lower = text.lower()
    letters = [c for c in lower if c > "\x7f" and c not in _SYMBOLS]
    if len(letters) < _LEAST_LETTERS and script.usual:
        return 0.0
    count = max(len(letters), 1)
    missing = sum(c not in script.letters for c in letters)
    # letters of another charset look like capitals within words
    turned: int = sum(pair[0].islower() and pair[1].isupper() for pair in _TURNED.findall(text))
    score = 1.0 - (missing + len(_BETWEEN.findall(text)) + turned) / count
    if script.usual:
        usual = sum(c in script.usual for c in letters) / count
        score = (score - len(_MIXED.findall(text)) / count) * min(1.0, usual / script.share)
        if sum(map(str.isupper, text)) > _MOSTLY * count:
            score -= _HINT  # small letters of another alphabet look like capitals of this one
    return score


def _wide(text: str, language: str) -> float:
    """Share of characters that texts of the language consist of."""
    given = [c for c in "".join(BEYOND.findall(text))[:_MOST_LETTERS] if c not in _SYMBOLS]
    count = len(given)
    if count < _LEAST_LETTERS:
        return 0.0
    marks = sum("\u3000" <= c <= "\u3020" or "\uff01" <= c <= "\uff5e" for c in given)
    if language == "ko":
        return (marks + sum("\uac00" <= c <= "\ud7a3" for c in given)) / count
    if language == "ja":
        kana = sum("\u3041" <= c <= "\u30fe" for c in given)
        han = sum("\u4e00" <= c <= "\u9fa5" for c in given)
        return (kana + han + marks) / count * min(1.0, kana / count / 0.2)
    # Chinese: characters of daily use come first in the old tables, and spread over all of them
    usual = spread = 0
    for character in given:
        simple = character.encode("gb2312", "ignore")
        classic = character.encode("big5", "ignore")
        usual += b"\xb0" <= simple[:1] <= b"\xd7" or b"\xa4" <= classic[:1] <= b"\xc6"
        spread += b"\xc9" <= simple[:1] <= b"\xd7" or not simple
    return (usual + marks) / count * min(1.0, spread / count / 0.1)
