"""Tell the page that was asked for from one of the proxy's own. Pure: bytes in."""

import re

_MOST_BYTES = 200_000  # that are looked at
_WORD = re.compile(r"[^\W\d_]{3,}")  # without figures: many a check page tells one's address
_TAGS = "html head body title meta link script style div span center strong"
_REST = "href src class charset utf content name text http https www com"
_MARKUP = frozenset(f"{_TAGS} {_REST}".split())
_SHARED = 0.3  # of the page's words: it may be in another language, or have advertisements added
_FEW = 5  # words that a page which says only figures may gain


def is_same_page(direct: bytes, proxied: bytes) -> bool:
    """True if what came through a proxy may be the page that comes without it."""
    wanted, given = _words(direct), _words(proxied)
    if not wanted:
        return len(given) <= _FEW
    return len(wanted & given) >= _SHARED * len(wanted)


def _words(page: bytes) -> set[str]:
    text = page[:_MOST_BYTES].decode("utf-8", "replace").lower()
    return set(_WORD.findall(text)) - _MARKUP
