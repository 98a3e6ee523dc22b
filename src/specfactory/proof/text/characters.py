"""Stored bytes → the source view: decodes a body by the charset it is written in."""

import codecs
import contextlib
import re
from collections.abc import Iterator
from functools import lru_cache

MAX_BYTES = 12_000_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKS = tuple(bom for bom, _ in _BOMS)
# Charsets that a page may declare; Python also knows codecs that are none (hex, rot13, utf-7).
_WEB_CODECS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp125[0-8]|cp866|cp874|cp932|cp949|koi8-[ru]|iso8859-\d+|tis-620"
    r"|gb2312|gbk|gb18030|big5|big5hkscs|shift_jis|euc_jp|euc_kr|iso2022_jp|mac-roman"
)
_SUPERSETS = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_META = re.compile(
    rb"""<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{2,40})""", re.IGNORECASE
)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,99}?encoding\s*=\s*["']([\w.:-]{2,40})""")
_HEADER = re.compile(r"""charset\s*+=\s*+["']?\s*+([\w.:-]{2,40})""", re.IGNORECASE)
_MAX_DAMAGE = 0.001
_WIDE_SHARE = 8  # in UTF-16 with markup at least one byte in eight is zero
_FEW = 10  # one in ten characters beyond ASCII may be broken
BEYOND = re.compile(r"[^\x00-\x7f]+")  # ASCII


def decode(body: bytes, content_type: str = "", charset: str = "") -> str:
    """Decode a stored body: BOM, then header, then meta, then UTF-8, then cp1252."""
    return decode_checked(body, content_type, charset)[0]


def decode_checked(body: bytes, content_type: str = "", charset: str = "") -> tuple[str, bool]:
    """The decoded body, and True if the body is flawless UTF-8."""
    whole, body = len(body) <= MAX_BYTES, body[:MAX_BYTES]
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(codec, "replace"), False
    if wide := unmarked_utf16(body):
        return body.decode(wide, "replace"), False
    for codec in _declared(body, content_type, charset):
        if codec == "utf-8":
            with contextlib.suppress(UnicodeDecodeError):
                return body.decode("utf-8"), whole
        text = _decode_nearly(body, codec)
        if text is not None:
            return text, False
    return body.decode("cp1252", "replace"), False


def declared_charset(body: bytes, content_type: str = "", charset: str = "") -> str:
    """The charset of a body, if declared and possible, or true UTF-8; "" for none."""
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return codec
    if wide := unmarked_utf16(body):
        return wide
    body = body[:MAX_BYTES]
    for codec in _declared(body, content_type, charset):
        text = _decode_nearly(body, codec)
        if text is None:
            continue
        damaged = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
        if damaged <= 0 or damaged * _FEW < sum(map(len, BEYOND.findall(text))):
            return codec
    return ""


def is_pdf(body: bytes, media_type: str = "") -> bool:
    """True for a PDF, whatever its header says."""
    head = body[:1024]
    return b"%PDF-" in head or (media_type == "application/pdf" and b"<" not in head.lstrip()[:1])


def is_binary(body: bytes) -> bool:
    """True for a body without text: an image, an archive, a program."""
    head = body[:2048]
    if body.startswith(_MARKS) or head.count(0) <= len(head) // 50:
        return False
    return not unmarked_utf16(body)


def unmarked_utf16(body: bytes) -> str:
    """UTF-16 without a byte order mark: every other byte of its markup is zero; "" for none."""
    head = body[:2048]
    if b"\0" not in head:
        return ""
    first, second = head[::2].count(0), head[1::2].count(0)
    fewer, more = sorted((first, second))
    if more <= len(head) // _WIDE_SHARE or fewer * _FEW > more:
        return ""
    codec, opening = ("utf-16-le", b"<\0") if second == more else ("utf-16-be", b"\0<")
    return codec if opening in head else ""


def _declared(body: bytes, content_type: str, charset: str) -> Iterator[str]:
    header = _HEADER.search(content_type)
    if codec := _web_codec(charset or (header.group(1) if header else "")):
        yield codec
    head = body[:4096]
    meta = _META.search(head) or _XML.match(head)
    if meta and (codec := _web_codec(meta.group(1).decode("ascii"))):
        yield codec
    yield "utf-8"


@lru_cache(maxsize=256)  # a few names serve the whole web
def _web_codec(name: str) -> str | None:
    try:
        codec = codecs.lookup(name.strip()).name if name.strip() else ""
    except (LookupError, ValueError):
        return None
    codec = _SUPERSETS.get(codec, codec)
    return codec if _WEB_CODECS.fullmatch(codec) else None


def _decode_nearly(body: bytes, codec: str) -> str | None:
    """Decode, tolerating a few broken characters; None when the charset is plainly another."""
    text = body.decode(codec, "replace")
    damaged = text.count("�")
    allowed = len(text) * _MAX_DAMAGE if len(text) > 1000 else 0
    if codec == "cp1252" or damaged <= allowed:
        return text
    return text if damaged <= body.count(b"\xef\xbf\xbd") else None
