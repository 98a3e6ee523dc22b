"""Page state: objects in scripts that carry the name of the page's own thing.

State has no schema. An object counts only when it has the page's own heading as its name, and
only those of its keys that clearly say what they hold. The name is searched as it stands, so
that megabytes of state cost one search; only the objects around it are read.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import TypeAlias

from specfactory.contract.text import clean
from specfactory.proof.structured.drafts import ItemDraft, Markup
from specfactory.proof.structured.items import Property
from specfactory.proof.structured.tags import SourceTag, Span
from specfactory.proof.structured.tolerant_json import JsonNode, JsonObject, JsonScalar, skim_first
from specfactory.proof.text import reading
from specfactory.word_lists import first_words, read_lists, word_set

Skim: TypeAlias = "Callable[[int, int], tuple[JsonNode | None, int]]"

MAX_PLACES = 8  # occurrences of the name, in all scripts together
MAX_OBJECT = 60_000
MAX_BEFORE = 20_000
_MAX_LEVELS = 3
_MIN_NAME = 4
_NAMES = word_set(
    "name title productname producttitle displayname fullname productdisplayname itemname"
)
_TITLE_PARTS = re.compile(r"\s+[|–—•·:»-]\s+")
_MAX_KEY = 60
_KEY_BEFORE = re.compile(r"""([^\s"':,{}]+)["']?\s*:\s*$""")
_LETTERS = re.compile(r"[^a-z0-9]")
_NUMBER = re.compile(r"\d+(?:\.\d{1,2})?")
_PATHS = first_words(read_lists("proof/structured/data/properties.txt")["state"])


def state_items(page: Markup, h1: str, title: str) -> Iterator[ItemDraft]:
    """The objects of all scripts that carry the page's own name, each as an item."""
    scripts = [tag.content for tag in page.tags if _holds_state(tag)]
    if not scripts:
        return
    seen: set[Span] = set()
    skim = cache(partial(skim_first, page.source))  # two places may lie in one object
    # the page calls its thing by its heading, or by the longest part of its title
    for name in dict.fromkeys(map(clean, (h1, max(_TITLE_PARTS.split(title), key=len)))):
        if len(name) < _MIN_NAME:
            continue
        for at, script in _places(name, scripts, page.source):
            # is the key before it one for names? Asked before any object is read
            before = _KEY_BEFORE.search(page.source[max(0, at - _MAX_KEY) : at])
            if before is None or _key(before[1]) not in _NAMES:
                continue
            found = _object_around(at, script, name, page, skim)
            if found and found[1] not in seen:
                seen.add(found[1])
                draft = ItemDraft("Product", name, "state")
                draft.properties += _properties(found[0], page)
                if draft.properties:
                    yield draft
        if seen:
            return


def _holds_state(tag: SourceTag) -> bool:
    if tag.name != "script" or tag.content[1] - tag.content[0] < 20:
        return False
    if not tag.mentions("type"):
        return True
    kind = tag.value("type").lower()
    return "ld+json" not in kind and (not kind or "json" in kind or "javascript" in kind)


def _places(name: str, scripts: list[Span], source: str) -> Iterator[tuple[int, Span]]:
    """Positions of the name as a whole string, with the script around each."""
    written = {json.dumps(name, ensure_ascii=ascii_only) for ascii_only in (True, False)}
    if "'" not in name and "\\" not in name:
        written.add(f"'{name}'")
    left = MAX_PLACES
    for start, end in scripts:
        for words in written:
            at = source.find(words, start, end)
            while at >= 0 and left:
                yield at, (start, end)
                left -= 1
                at = source.find(words, at + 1, end)


def _object_around(
    at: int, script: Span, name: str, page: Markup, skim: Skim
) -> tuple[JsonObject, Span] | None:
    """The smallest object around a place that says more than the name."""
    opening = at
    for level in range(_MAX_LEVELS):
        opening = _enclosing(page.source, opening, script[0])
        if opening < 0:
            return None
        node, end = skim(opening, min(script[1], opening + MAX_OBJECT))
        if not isinstance(node, JsonObject):
            return None
        is_named = level > 0 or any(
            isinstance(value, JsonScalar)
            and _key(page.source[key.start : key.end]) in _NAMES
            and clean(reading(page.cut_json(value))) == name
            for key, value in node.members
        )
        if not is_named:
            return None
        if any(path not in (None, "brand.name") for path, _, _ in _near(node, page.source)):
            return node, (opening, end)
    return None


def _enclosing(source: str, at: int, start: int) -> int:
    """The brace that is open at a place; braces inside strings are assumed to be balanced."""
    window = max(start, at - MAX_BEFORE)
    opened, closed = source.rfind("{", window, at), source.rfind("}", window, at)
    depth = 0
    while opened >= 0:
        if closed > opened:
            depth += 1
            closed = source.rfind("}", window, closed)
        elif depth == 0:
            return opened
        else:
            depth -= 1
            opened = source.rfind("{", window, opened)
    return -1


def _near(
    node: JsonObject, source: str, above: str = ""
) -> Iterator[tuple[str | None, JsonScalar, JsonScalar]]:
    """Path, key and value of the members of an object and of the objects in it.

    Lists are about other things. The path is None where the key does not say what it holds.
    """
    for key, value in node.members:
        path = above + _key(source[key.start : key.end])
        if isinstance(value, JsonScalar):
            yield _PATHS.get(path), key, value
        elif isinstance(value, JsonObject) and not above:
            yield from _near(value, source, f"{path}.")


def _properties(node: JsonObject, page: Markup) -> Iterator[Property]:
    found = list(_near(node, page.source))
    currency = next((value for path, _, value in found if path == "offers.priceCurrency"), None)
    for path, key, value in found:
        if path is None or value.end <= value.start:
            continue
        snippet, priced = page.cut_json(value), path == "offers.price"
        if priced and not _is_shown(reading(snippet), page.outline.text):
            continue
        more = (page.cut_json(currency),) if priced and currency is not None else ()
        yield Property.read(path, snippet, page.cut_json(key), more)


def _is_shown(price: str, text: str) -> bool:
    """True when the page shows this price to people, too: state may hold cents, or no tax."""
    amount = _NUMBER.fullmatch(price.strip())
    if amount is None:
        return False
    whole, _, part = amount[0].partition(".")
    cents = part.ljust(2, "0") if part.strip("0") else "(?:00|-|–)"
    tail = rf"[.,\s]?{cents}" if part.strip("0") else rf"(?:[.,\s]{cents})?"
    grouped = whole if len(whole) < 4 else f"{whole[:-3]}[.,'\\s]?{whole[-3:]}"
    return re.search(rf"(?<![\d.,]){grouped}{tail}(?![.,]?\d)", text) is not None


@lru_cache(maxsize=4096)
def _key(written: str) -> str:
    return _LETTERS.sub("", written.casefold())
