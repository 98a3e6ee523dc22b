"""A guard before the parser: cuts markup that is nested or adorned beyond any page's needs.

Parsing n nested blocks takes quadratic time (100,000 take 15 s), and so does whatever walks up
from a node; n attributes of one tag do, too. Browsers stop at a depth of 512; so do we. So do n
options of a list of which one is chosen, but not of one that allows several: many are made so.
"""

import re
from collections import deque
from functools import cache

from specfactory.word_lists import word_set

MAX_DEPTH = 512
LITTLE_MARKUP = 2_500  # tags: a small page with fewer takes milliseconds, whatever it contains
FEW_TAGS = 10_000  # fewer cannot take long, however they nest
MAX_ATTRIBUTES = 512  # of one tag
FEW_CHARACTERS = 64_000  # fewer cannot take long, whatever they contain
FEW_OPTIONS = 200  # fewer cannot take long
MAX_OWN_TAGS = 20_000  # characters of all html and body tags, whose attributes become one tag's
# A comment, or a tag with its attributes, whose values may hold markup of their own.
_TAG = re.compile(r"""<!--|<(/?)([a-zA-Z][a-zA-Z0-9-]{0,40})((?:[^<>"']|"[^"]*"|'[^']*')*)""")
_FLAT = word_set(
    "area base br col embed hr img input link meta param source track wbr "  # void
    "p li dt dd option optgroup tr td th tbody thead tfoot colgroup html head body"
)
_RAW = word_set("script style textarea title xmp iframe noembed noframes")  # hold no tags
_FOREIGN = word_set("svg math")  # there, <path/> closes itself
# As browsers read it: any name, then perhaps a value, with anything between its quotes.
_ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
_ADORNED = re.compile(rf"<[a-zA-Z](?:{_ATTRIBUTE}){{{MAX_ATTRIBUTES}}}")
# Letter by letter: a pattern that ignores case is searched without its first character.
_RAW_NAMES = "|".join("".join(f"[{c}{c.upper()}]" for c in name) for name in sorted(_RAW))
_OPENING = re.compile(rf"<(?=[!iInNsStTxX])(?:!--|({_RAW_NAMES})(?=[\s/>]))")
_OWN_TAG = re.compile(rf"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])(?=[\s/])(?:{_ATTRIBUTE})*+")
_SELECT = re.compile(r"<[sS][eE][lL][eE][cC][tT](?=[\s/>])")
_LATEST = deque[tuple[bytes, bool]](maxlen=4)
_SMALL = 300_000  # bytes: larger bodies are not kept in memory for this


def has_little_markup(body: bytes) -> bool:
    """True for a body with few tags; known of the latest ones, because several ask for it."""
    for known, answer in tuple(_LATEST):
        if known is body:
            return answer
    answer = body.count(b"<") <= LITTLE_MARKUP
    if len(body) <= _SMALL:
        _LATEST.appendleft((body, answer))
    return answer


def cut_excess(source: str) -> str:
    """The part of the source that can be parsed in linear time."""
    return allow_several(cut_at_own_tags(cut_at_attributes(cut_at_depth(source))))


def cut_at_depth(source: str) -> str:
    """Return the source up to where its tags nest deeper than MAX_DEPTH."""
    if source.count("<") <= FEW_TAGS:
        return source
    at, depth, foreign = 0, 0, 0
    while (tag := _TAG.search(source, at)) is not None:
        at, name = tag.end(), (tag[2] or "").lower()
        if not name or (name in _RAW and not tag[1]):
            at = _end_of(name, source, at)
        elif name not in _FLAT and not (foreign and tag[3].endswith("/")):
            step = -1 if tag[1] else 1
            depth = max(depth + step, 0)
            foreign = max(foreign + step, 0) if name in _FOREIGN else foreign
            if depth > MAX_DEPTH:
                return source[: tag.start()]
    return source


def cut_at_attributes(source: str) -> str:
    """Return the source up to a tag with more than MAX_ATTRIBUTES."""
    at = 0 if len(source) > FEW_CHARACTERS else len(source)
    while (tag := _ADORNED.search(source, at)) is not None:
        place = tag.start()
        # inside a comment or a script it may be mere arithmetic: go on behind that
        while (raw := _OPENING.search(source, at, place)) is not None:
            at = _end_of((raw[1] or "").lower(), source, raw.end())
        if at <= place:
            return source[:place]
    return source


def cut_at_own_tags(source: str) -> str:
    """Return the source up to where the page's own tags have too many attributes."""
    if len(source) <= FEW_CHARACTERS:
        return source
    at = adorned = 0
    for tag in _OWN_TAG.finditer(source):
        if tag.start() < at:
            continue
        adorned += len(tag[0])
        if adorned <= MAX_OWN_TAGS:
            continue
        # as above: what stands in a script does not count
        while (raw := _OPENING.search(source, at, tag.start())) is not None:
            inside, at = raw.end(), _end_of((raw[1] or "").lower(), source, raw.end())
            found = _OWN_TAG.finditer(source, inside, min(at, tag.end()))
            adorned -= sum(len(harmless[0]) for harmless in found)
        if adorned > MAX_OWN_TAGS:
            return source[: tag.start()]
    return source


def allow_several(source: str) -> str:
    """Let lists allow several choices where there may be many options; no word changes."""
    if source.count("<o") + source.count("<O") <= FEW_OPTIONS:
        return source
    return _SELECT.sub(r"\g<0> multiple", source)


def _end_of(name: str, source: str, at: int) -> int:
    """End of a comment or a script; an unclosed one takes all the rest."""
    found = _closing(name).search(source, at)
    return found.end() if found else len(source)


@cache
def _closing(name: str) -> re.Pattern[str]:
    return re.compile(f"</{name}" if name else "--!?>", re.IGNORECASE)
