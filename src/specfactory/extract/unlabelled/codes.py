"""Codes in a page's address that stand on the page too: shops number their products by them."""

import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from specfactory.model import Snippet, ViewName
from specfactory.proof import PageViews, snippet

_CODE = re.compile(r"[A-Za-z0-9]{4,40}")
_MIXED = re.compile(r"(?<!\d)\d{5,}(?!\d)")
_ENDING = re.compile(r"\.[a-z]{2,5}$")
_MAX_CODES = 8
_MIN_DIGITS = 3
_QUERY = re.compile(r"(?:^|&)([\w.-]{1,30})=([A-Za-z0-9_.-]{4,40})(?=&|$)")
_QUERY_NAMES = re.compile(
    r"(?:^|[_.-]|(?<=[a-z]))(?:id|sku|pid|item|product|article|art|offer|code|ref|uid|prod|no|"
    r"num|nr|number|asin|model|variant)(?:id|no|nr|num|number|code)?$",
    re.I,
)


class Code(NamedTuple):
    """A code of the address and where it stands on the page."""

    words: str
    place: str  # url_end, url_path or url_query
    quote: Snippet


def find_codes(views: PageViews) -> list[Code]:
    """The codes of the page's address, the last first, each with a place on the page."""
    found: dict[str, Code] = {}
    texts = ((ViewName.TEXT, views.text), (ViewName.SOURCE, views.source))
    for words, place in _codes_of_address(views):
        for view, text in texts if words not in found and len(found) < _MAX_CODES else ():
            at = text.find(words)
            # Where it stands as a word of its own: in the visible text, else in the source.
            while at >= 0 and (
                text[at - 1 : at].isalnum() or text[at + len(words) : at + len(words) + 1].isalnum()
            ):
                at = text.find(words, at + len(words))
            if at >= 0:
                found[words] = Code(words, place, snippet(views, view, at, at + len(words)))
                break
    return list(found.values())


def _codes_of_address(views: PageViews) -> list[tuple[str, str]]:
    codes: list[tuple[str, str]] = []
    address = views.page.final_url or views.page.url
    for url in dict.fromkeys((address, views.canonical_url)):
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        segments = [part for part in unquote(parts.path).rstrip("/").split("/") if part]
        for from_end, segment in enumerate(reversed(segments)):
            place = "url_end" if from_end == 0 else "url_path"
            # The code that closes or opens a segment is likelier the product's.
            found = list(_CODE.finditer(_ENDING.sub("", segment)))
            for at, match in enumerate(reversed(found)):
                token = match[0]
                if _is_code(token):
                    codes.append((token, place if at == 0 or match.start() == 0 else "url_path"))
                    if not token.isdigit():
                        codes += [(run, "url_path") for run in _MIXED.findall(token)]
        for name, value in _QUERY.findall(parts.query[:600]):
            if _QUERY_NAMES.search(name) and _is_code(value):
                codes.append((value, "url_query"))
    return codes


def _is_code(token: str) -> bool:
    digits = sum(character.isdigit() for character in token)
    return digits >= _MIN_DIGITS and 2 * digits >= len(token)
