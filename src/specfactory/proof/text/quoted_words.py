"""Quotes cut out of a view, and the words behind them."""

import html
import json
import re
from collections.abc import Mapping

from specfactory.contract.text import readable
from specfactory.model import Encoding, Snippet, ViewName

VIEW_VERSIONS: Mapping[ViewName, int] = dict.fromkeys(ViewName, 1)
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|([bfnrt"\\/\'])|([\s\S]))')
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def cut_quote(
    page_id: str, view: ViewName, text: str, span: tuple[int, int], encoding: Encoding
) -> Snippet:
    """Cut a snippet out of the text of a view."""
    start, end = span
    version = VIEW_VERSIONS[view]
    return Snippet(page_id, view, version, start, end, text[start:end], encoding)


def reading(snippet: Snippet) -> str:
    """The words behind a quote: decoded, without the characters that nobody reads."""
    return readable(decoded(snippet))


def decoded(snippet: Snippet) -> str:
    """The characters behind a quote: JSON escapes and entities decoded."""
    words = snippet.quote
    if snippet.encoding is Encoding.PLAIN:
        return words
    if snippet.encoding is Encoding.JSON and "\\" in words:
        try:
            words = str(json.loads(f'"{words}"', strict=False))
        except ValueError:
            words = _ESCAPE.sub(_unescape, words)
        # lone surrogates cannot be stored or printed
        words = words.encode("utf-8", "replace").decode("utf-8")
    return html.unescape(words) if "&" in words else words


def _unescape(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    return _SHORT.get(found[2], found[2]) if found[2] else found[0]
