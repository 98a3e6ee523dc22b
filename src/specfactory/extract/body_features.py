"""What is seen of every line of a page, to tell its content from what stands around it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from specfactory.extract.body_lines import Line, read_lines
from specfactory.extract.body_words import COMMON, MEANINGS, frame_phrases, meanings
from specfactory.extract.headline import find_headline
from specfactory.extract.vocabulary import heads_other, heads_posts
from specfactory.model import ViewName
from specfactory.proof import Element, PageViews, reading

_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")  # scripts without spaces between words
_ENDS = re.compile(r"[.!?…。！？։।]['\"”’»)\]]*$")
_HOLDERS = ("p", "li", "h1", "h2", "h3", "h4", "h5", "div", "span", "td", "th", "dd", "dt", "pre",
            "blockquote", "figcaption", "a", "button", "label", "time", "strong", "em",
            "section", "article")  # fmt: skip
_AROUND = ("article", "main", "aside", "nav", "footer", "header", "form", "figure", "table", "ul",
           "ol", "blockquote", "section", "pre", "dl", "details", "h1", "h2", "h3",
           "select")  # fmt: skip
_TAG_BITS = {tag: 1 << at for at, tag in enumerate(_AROUND)}
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST = 0.75  # an element with more of the page's text than this frames it, and tells nothing
_PARAGRAPH_WORDS = 12
_FAR = 40

NAMES: tuple[str, ...] = (
    "words", "chars_per_word", "commas", "ends", "upper", "digits", "common", "frame", "linked",
    "all_linked", "starts_low", "question", "colon_end", "repeated",
    *(f"is_{tag}" for tag in _HOLDERS), *(f"in_{tag}" for tag in _AROUND),
    *(f"own_{name}" for name in MEANINGS), *(f"near_{name}" for name in MEANINGS),
    *(f"over_{name}" for name in MEANINGS),
    "hidden", "item_body", "depth", "place", "paragraph", "box_share", "box_lines", "box_linked",
    "outer_share", "outer_linked", "third_share", "third_linked", "in_best", "steps_to_best",
    "before_best", "after_best", "before_headline", "lines_past_headline", "is_headline",
    "heads_other", "heads_posts", "past_other", "past_posts", "same_kind", "same_kind_linked",
    "previous_words", "previous_linked", "previous_paragraph", "next_words", "next_linked",
    "next_paragraph", "second_next_paragraph", "around_paragraphs", "last_paragraph_far",
    "next_paragraph_far", "page_lines", "page_words", "page_linked", "page_paragraphs",
    "page_best_share", "page_item_body", "article_asked",
    "in_item_body",
)  # fmt: skip


class Seen:
    """The lines of one page and a row of features for each."""

    def __init__(self, views: PageViews, article: bool = True) -> None:
        self.lines = read_lines(views.outline)
        self.texts = [views.text[line.start : line.end] for line in self.lines]
        self._views = views
        self._article = float(article)
        self._words = [words_of(text) for text in self.texts]
        self._boxes = _Boxes(self.lines, self._paragraphs())
        self.rows = self._rows()

    def words(self, at: int) -> list[str]:
        """The words of a line, in small letters."""
        return self._words[at]

    def is_paragraph_of_best(self, at: int) -> bool:
        """Whether a line is running text where most of the page's running text stands."""
        return self._boxes.paragraphs[at] > 0 and self._boxes.is_near_best(self.lines[at].box)

    def _paragraphs(self) -> list[int]:
        """The size of every line that reads like a paragraph, 0 for the others."""
        return [
            len(words) if len(words) >= _PARAGRAPH_WORDS and line.linked < 0.4 * size else 0
            for line, words, size in zip(
                self.lines, self._words, (line.end - line.start for line in self.lines), strict=True
            )
        ]

    def _rows(self) -> list[list[float]]:
        lines, boxes = self.lines, self._boxes
        if not lines:
            return []
        size = max(lines[-1].end, 1)
        around = _Around(size)
        counted = Counter(self.texts)
        headline = self._headline_at()
        bodies = _item_words(self._views)
        page = self._page_row(bool(bodies))
        rows: list[list[float]] = []
        heading_other = heading_posts = 0.0
        for at, line in enumerate(lines):
            text, words = self.texts[at], self._words[at]
            is_heading = line.block.tag in _HEADINGS
            other = float(is_heading and heads_other(text))
            posts = float(is_heading and heads_posts(text))
            if is_heading:
                heading_other, heading_posts = other, posts
            row = _text_row(text, words, line, counted[text])
            row += around.row(line)
            row += [line.start / size, float(boxes.paragraphs[at] > 0)]
            row += boxes.row(at)
            row += [
                float(0 <= at < headline), float(max(-5, min(_FAR, at - headline))),
                float(at == headline), other, posts, heading_other, heading_posts,
            ]  # fmt: skip
            row += boxes.neighbours(at, self._words)
            row += page
            row.append(_share(words, bodies) if bodies else -1.0)
            rows.append(row)
        return rows

    def _headline_at(self) -> int:
        """The line with the page's headline; -1 when no line shows it."""
        found = find_headline(self._views)
        if not found:
            return -1
        first = found[0].values[0]
        if first.view is ViewName.TEXT:
            spans = enumerate(self.lines)
            return next((at for at, line in spans if line.end > first.start), -1)
        words = words_of(reading(first))
        return next((at for at, mine in enumerate(self._words) if mine == words), -1)

    def _page_row(self, has_body: bool) -> list[float]:
        words = sum(map(len, self._words))
        size = sum(line.end - line.start for line in self.lines) or 1
        linked = sum(line.linked for line in self.lines) / size
        paragraphs = sum(self._boxes.paragraphs)
        return [
            math.log1p(len(self.lines)), math.log1p(words), linked, paragraphs / max(words, 1),
            self._boxes.best_share, float(has_body), self._article,
        ]  # fmt: skip


class _Around:
    """What the elements around a line are and mean; elements are asked once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: dict[int, tuple[int, int, int, bool, int]] = {}

    def row(self, line: Line) -> list[float]:
        own, near, over, item, depth = self._of(line.block)
        holder = line.holder
        tag, tags = line.block.tag if holder.tag == "span" else holder.tag, self._tags(line.block)
        mine = meanings(holder.hints) | own
        row = [float(tag == known) for known in _HOLDERS]
        row += [float(bool(tags >> at & 1)) for at in range(len(_AROUND))]
        for bits in (mine, near, over):
            row += [float(bool(bits >> at & 1)) for at in range(len(MEANINGS))]
        row += [float(line.block.hidden), float(item), float(depth)]
        return row

    def _of(self, element: Element) -> tuple[int, int, int, bool, int]:
        """Meanings of the element, of its three nearest, of all around it; articleBody; depth."""
        known = self._known.get(element.index)
        if known is not None:
            return known
        parent = element.parent
        own = self._own(element)
        near = 0
        at = parent
        for _ in range(2):
            if at is not None:
                near |= self._own(at)
                at = at.parent
        if parent is None:
            made = (own, near, own, False, 0)
        else:
            outer = self._of_parent(parent)
            item = outer[3] or "articleBody" in element.get("itemprop")
            made = (own, near, outer[2] | own, item, outer[4] + 1)
        self._known[element.index] = made
        return made

    def _of_parent(self, parent: Element) -> tuple[int, int, int, bool, int]:
        """As above without recursion: the outermost unknown element is asked first."""
        waiting = [parent]
        while waiting[-1].parent is not None and waiting[-1].parent.index not in self._known:
            waiting.append(waiting[-1].parent)
        for element in reversed(waiting):
            found = self._of(element)
        return found

    def _own(self, element: Element) -> int:
        if element.end - element.start > _MOST * self._size:
            return 0
        hints = element.hints
        return meanings(hints) if hints else 0

    def _tags(self, element: Element) -> int:
        bits = _TAG_BITS.get(element.tag, 0)
        for outer in element.ancestors():
            bits |= _TAG_BITS.get(outer.tag, 0)
        return bits


class _Boxes:
    """How much running text stands in the boxes around a line, and where most of it stands."""

    def __init__(self, lines: Sequence[Line], paragraphs: list[int]) -> None:
        self._lines = lines
        self.paragraphs = paragraphs
        self._text: Counter[int] = Counter()
        self._size: Counter[int] = Counter()
        self._linked: Counter[int] = Counter()
        self._count: Counter[int] = Counter()
        self._kinds: Counter[tuple[int, str, str]] = Counter()
        self._kinds_linked: Counter[tuple[int, str, str]] = Counter()
        for line, words in zip(lines, paragraphs, strict=True):
            self._add(line, words)
        self.total = sum(paragraphs) or 1
        self._choose()

    def _add(self, line: Line, words: int) -> None:
        size = line.end - line.start
        box: Element | None = line.box
        for _ in range(3):
            if box is not None:
                self._text[box.index] += words
                self._size[box.index] += size
                self._linked[box.index] += line.linked
                self._count[box.index] += 1
                box = box.parent
        kind = _kind(line)
        self._kinds[kind] += 1
        self._kinds_linked[kind] += line.linked > 0.5 * size

    def _choose(self) -> None:
        """The box that directly holds most running text."""
        direct: Counter[int] = Counter()
        boxes: dict[int, Element] = {}
        for line, words in zip(self._lines, self.paragraphs, strict=True):
            direct[line.box.index] += words
            boxes[line.box.index] = line.box
        best = max(direct, key=lambda index: direct[index], default=None)
        self._best = boxes[best] if best is not None and direct[best] else None
        self.best_share = direct[best] / self.total if best is not None else 0.0
        self._path = {}
        if self._best is not None:
            chain = (self._best, *self._best.ancestors())
            self._path = {element.index: at for at, element in enumerate(chain)}

    def row(self, at: int) -> list[float]:
        line = self._lines[at]
        row: list[float] = []
        box: Element | None = line.box
        for level in range(3):
            index = box.index if box is not None else -1
            row.append(self._text[index] / self.total)
            if level == 0:
                row.append(math.log1p(self._count[index]))
            row.append(self._linked[index] / (self._size[index] or 1))
            box = box.parent if box is not None else None
        steps = self._steps(line.box)
        best = self._best
        row += [
            float(steps == 0), float(steps),
            float(best is not None and line.end <= best.start),
            float(best is not None and line.start >= best.end),
        ]  # fmt: skip
        return row

    def is_near_best(self, box: Element) -> bool:
        """Whether a box is the best one or stands right beside it."""
        return 0 <= self._steps(box) <= 1

    def _steps(self, box: Element) -> int:
        """How far up from the best box the line's own box meets it; -1 without a best one."""
        at: Element | None = box
        while at is not None:
            if at.index in self._path:
                return self._path[at.index]
            at = at.parent
        return -1

    def neighbours(self, at: int, words: list[list[str]]) -> list[float]:
        kind = _kind(self._lines[at])
        same = self._kinds[kind]
        row = [math.log1p(same), self._kinds_linked[kind] / same]
        for step in (-1, 1):
            other = at + step
            if 0 <= other < len(self._lines):
                line = self._lines[other]
                share = line.linked / (line.end - line.start)
                row += [math.log1p(len(words[other])), share, float(self.paragraphs[other] > 0)]
            else:
                row += [-1.0, -1.0, -1.0]
        paragraphs = self.paragraphs
        row.append(float(at + 2 < len(paragraphs) and paragraphs[at + 2] > 0))
        row.append(float(sum(size > 0 for size in paragraphs[max(0, at - 4) : at + 5])))
        row.append(float(self._far(range(at - 1, max(-1, at - 1 - _FAR), -1))))
        row.append(float(self._far(range(at + 1, min(len(paragraphs), at + 1 + _FAR)))))
        return row

    def _far(self, places: range) -> int:
        for count, at in enumerate(places):
            if self.paragraphs[at]:
                return count
        return _FAR


def _kind(line: Line) -> tuple[int, str, str]:
    box = line.box
    return (box.parent.index if box.parent else -1), line.block.tag, box.get("class")


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    words = _WORD.findall(text.lower())
    if words and _WIDE.search(text):
        return [part for word in words for part in _pieces(word)]
    return words


def _pieces(word: str) -> list[str]:
    """Two characters count as one word where words are not set apart."""
    return [word[at : at + 2] for at in range(0, len(word), 2)] if _WIDE.search(word) else [word]


def _text_row(text: str, words: list[str], line: Line, repeated: int) -> list[float]:
    count = len(words) or 1
    size = len(text)
    return [
        math.log1p(len(words)), size / count, text.count(",") / count,
        float(bool(_ENDS.search(text[-12:]))),
        sum(map(str.isupper, text[:200])) / min(size, 200),
        sum(map(str.isdigit, text[:200])) / min(size, 200),
        sum(word in COMMON for word in words) / count,
        float(min(frame_phrases(text), 3)), min(line.linked / size, 1.0),
        float(line.linked >= 0.95 * size), float(text[:1].islower()), float("?" in text),
        float(text.endswith(":")), float(min(repeated, 5)),
    ]  # fmt: skip


def _item_words(views: PageViews) -> frozenset[str]:
    """Runs of three words of what structured data gives as the body."""
    runs: set[str] = set()
    for item in views.items:
        for named in item.properties:
            if named.path in ("articleBody", "text") and len(named.words) > 200:
                runs.update(runs_of(words_of(named.words[:200_000])))
    return frozenset(runs)


def runs_of(words: list[str], length: int = 3) -> list[str]:
    """Every run of so many words."""
    return [" ".join(words[at : at + length]) for at in range(max(1, len(words) - length + 1))]


def _share(words: list[str], bodies: frozenset[str]) -> float:
    runs = runs_of(words)
    return sum(run in bodies for run in runs) / len(runs)
