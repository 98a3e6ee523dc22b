"""Start tags in the source view that carry structured data, with the spans of their attributes."""

import html
import re
from collections.abc import Iterator

from specfactory.word_lists import word_set

MAX_TAGS = 300_000
Span = tuple[int, int]

# Between a tag's name and its end; quotes count only as the bounds of a value.
_INSIDE = r"""(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+"""
_OPEN = re.compile(rf"<!--|<([a-zA-Z][^\s/>]*+)({_INSIDE})>")
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?+""")
_KEPT = frozenset(("meta", "link", "script"))
_RAW = word_set("script style textarea title noscript template xmp iframe noembed noframes")
# Letter by letter: a pattern that ignores case is searched without its first characters.
_CLOSERS = {
    name: re.compile("</" + "".join(f"[{letter}{letter.upper()}]" for letter in name))
    for name in _RAW
}
# Words by which any tag may carry microdata or RDFa; some write itemProp.
_ITEM_MARKS = ("itemp", "items", "itemt", "itemP", "itemS", "itemT")
_ITEM_MARK = re.compile("item[pstPST]")
_SHORT = len("<b itemprop>") - 1  # no marked tag is shorter
_RDFA_MARKS = ("typeof=", "property=")  # a property is one only where something has a type
_MARKS = (*_ITEM_MARKS, *_RDFA_MARKS)
_STOPS = r"!--|[mM][eE][tT]|[lL][iI][nN]|[sS](?:[cC][rR]|[tT][yY])|[tT](?:[eE][xXmM]|[iI])"
_STOPS += r"|[nN][oO][sSeEfF]|[xX][mM]|[iI][fF][rR]"
_STOP = re.compile(rf"<(?=[!mMlLsStTnNxXiI])(?:{_STOPS})")  # most tags by their first letter
# A run of other tags and the text between them: skipped in one go.
_STRETCH = re.compile(rf"[^<]*+(?:<(?!{_STOPS})(?:(?![a-zA-Z])|{_INSIDE}>)[^<]*+)*+")


class SourceTag:
    """One start tag: its attributes' values as they stand in the source.

    Most tags are asked for one word, or nothing; so attributes are parsed on demand.
    """

    __slots__ = ("_attributes", "_small", "_tag", "content", "name")

    def __init__(self, tag: re.Match[str], content: Span) -> None:
        self.name = tag[1].lower()
        self._small = ""  # what stands behind its name, in small letters
        self.content = content  # what stands between a script's tags; empty for other tags
        self._tag = tag
        self._attributes: dict[str, Span] | None = None

    @property
    def attributes(self) -> dict[str, Span]:
        """Span of the value of each attribute."""
        if self._attributes is None:
            spans = self._attributes = {}
            tag = self._tag
            for found in _ATTRIBUTE.finditer(tag.string, tag.start(2), tag.end(2)):
                group = found.lastindex or 1
                span = found.span(group) if group > 1 else (found.end(), found.end())
                spans.setdefault(found[1].lower(), span)
        return self._attributes

    def mentions(self, word: str) -> bool:
        """True when a word occurs anywhere in the tag, in any case."""
        if not self._small:
            self._small = self._tag[2].lower()
        return word in self._small

    def value(self, name: str) -> str:
        """An attribute as read, empty when it is missing."""
        span = self.attributes.get(name)
        if not span:
            return ""
        words = self._tag.string[span[0] : span[1]]
        return html.unescape(words) if "&" in words else words


def source_tags(source: str, with_marked: bool = True) -> list[SourceTag]:
    """The meta, link and script tags and those that mark properties, in document order.

    What stands in comments and in raw text (a script that writes tags) is no tag.
    """
    found: list[SourceTag] = []
    at = 0
    words = _RDFA_MARKS if with_marked and _RDFA_MARKS[0] in source else ()
    while len(found) < MAX_TAGS:
        end = _stop(source, at)
        if with_marked and end - at > _SHORT:
            found += [SourceTag(tag, (tag.end(),) * 2) for tag in _marked(source, at, end, words)]
        tag = _OPEN.match(source, end)
        if tag is None:  # no further tag, or one that is never closed: it swallows the rest
            break
        at = start = tag.end()
        if tag[1] is None:  # a comment
            end = source.find("-->", start)
            at = end + 3 if end >= 0 else len(source)
            continue
        name = tag[1].lower()
        if name in _RAW:
            close = _CLOSERS[name].search(source, start)
            at = close.start() if close else len(source)
        if name in _KEPT or (tag[2] and any(mark in tag[2] for mark in _MARKS)):
            found.append(SourceTag(tag, (start, at)))
        if name in _RAW and (at > start or source.startswith("</", at)):
            at += len(name) + 2
    return found


def _stop(source: str, at: int) -> int:
    """Start of the next tag that matters, or of an unclosed one."""
    stop = _STOP.search(source, at)
    end = stop.start() if stop else len(source)
    opened = source.rfind("<", at, end)
    if opened < 0:
        return end
    inside = source.find(">", opened, end) < 0
    return _past(source, at, len(source)) if inside or _is_quoted(source, at, end) else end


def _is_quoted(source: str, at: int, end: int) -> bool:
    """True when the last value before a place is still open there."""
    for quote in ('"', "'"):
        last = source.rfind(quote, at, end)
        if last > at and source[last - 1] == "=":  # it opens a value, and nothing closes that
            return True
    return False


def _past(source: str, at: int, end: int) -> int:
    """End of a run: before a tag that matters or is unclosed, or at the end."""
    stretch = _STRETCH.match(source, at, end)
    return stretch.end() if stretch else at


def _marked(source: str, at: int, end: int, words: tuple[str, ...]) -> Iterator[re.Match[str]]:
    """The tags of a stretch that carry a mark, in order."""
    marks = [mark.start() for mark in _ITEM_MARK.finditer(source, at, end)]
    for word in words:
        place = source.find(word, at, end)
        while place >= 0:
            marks.append(place)
            place = source.find(word, place + len(word), end)
    for mark in sorted(marks):
        if mark < at:
            continue
        tag = _tag_around(source, at, mark)
        if tag is not None:
            yield tag
        if source[mark - 1] != "<":  # there the mark is the tag's name
            at = tag.end() if tag else mark


def _tag_around(source: str, at: int, mark: int) -> re.Match[str] | None:
    opened = source.rfind("<", at, mark)
    if opened >= 0 and not _is_quoted(source, at, opened):
        tag = _OPEN.match(source, opened)
        if tag is not None and tag.end() > mark:
            return tag
    opened = _past(source, at, mark)
    return _OPEN.match(source, opened) if opened < mark else None
