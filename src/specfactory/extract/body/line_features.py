"""Features of every line of a page, by which content is separated from its surroundings."""

import math
import re
from collections import Counter
from itertools import chain

from specfactory.extract import articles
from specfactory.extract.body import surroundings
from specfactory.extract.body.lines import Line, read_lines
from specfactory.extract.body.surroundings import Around, Boxes
from specfactory.extract.page import heads_posts
from specfactory.model import ViewName
from specfactory.proof import PageViews, reading
from specfactory.word_lists import read_lists

_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")  # scripts without spaces between words
_ENDS = re.compile(r"[.!?…。！？։।]['\"”’»)\]]*$")
_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_CURRENCIES = "$€£¥₹"
_KINDS = (
    frozenset(("Product", "ProductGroup", "product")),
    frozenset(("Article", "NewsArticle", "BlogPosting", "TechArticle", "article")),
    frozenset(("DiscussionForumPosting", "QAPage", "Question")),
)
_COUNTED = ("article", "h2", "form", "time")
# Matched against lower case, because the re module has no literal prefix to search for under
# IGNORECASE.
_FRAME = re.compile("|".join(read_lists("extract/body/data/frame_phrases.txt")["frame"]))
_MAX_FRAME = 400
_PARAGRAPH_WORDS = 12
_SHORT_WORDS = 6
_FAR = 40
_MAX_GROUP = 3.0

NAMES: tuple[str, ...] = (
    "words", "chars_per_word", "commas", "ends", "upper", "digits", "common", "frame", "linked",
    "all_linked", "repeated", *surroundings.AROUND_NAMES, "place", "paragraph",
    *surroundings.BOX_NAMES, *surroundings.GROUP_NAMES, *surroundings.NEIGHBOUR_NAMES, "after_best",
    "before_headline", "lines_past_headline", "words_past_headline", "words_before",
    "title_share", "title_cover", "level", "lines_past_heading", "under_posts", "under_reviews",
    "place_in_main", "main_share", "before_main", "after_main", "in_item_body",
    "page_lines", "page_words", "page_linked", "page_paragraphs", "page_best_share",
    "page_short", "page_item_body", "article_asked", "page_prices",
    *(f"page_{name}" for name in articles.PAGE_SIGNS), *(f"page_{tag}" for tag in _COUNTED),
    "page_is_product", "page_is_article", "page_is_forum", "page_group",
)  # fmt: skip


class LineFeatures:
    """Lines of one page and a row of features for each."""

    def __init__(self, views: PageViews, article: bool = True) -> None:
        self.lines = read_lines(views.outline)
        self.texts = [views.text[line.start : line.end] for line in self.lines]
        self._views = views
        self._article = float(article)
        self.words = [words_of(text) for text in self.texts]
        self.sizes = [len(words) for words in self.words]
        paragraphs = [  # words of the lines that read like running text, 0 for the others
            size if size >= _PARAGRAPH_WORDS and line.linked < 0.4 * (line.end - line.start) else 0
            for line, size in zip(self.lines, self.sizes, strict=True)
        ]
        self._boxes = Boxes(self.lines, self.sizes, paragraphs)
        self.headline = self._headline_at() if self.lines else -1
        self.rows = self._rows() if self.lines else []

    def is_paragraph_of_best(self, at: int) -> bool:
        """Check whether a line is running text in or beside the box that has most of it."""
        return self._boxes.paragraphs[at] > 0 and 0 <= self._boxes.steps(self.lines[at].box) <= 1

    def _rows(self) -> list[list[float]]:
        boxes, size = self._boxes, max(self.lines[-1].end, 1)
        around, counted, headings = Around(size), Counter(self.texts), _Headings()
        place = _Place(self._views, boxes, self.headline)
        bodies: set[str] = set()  # runs of words of the body in the structured data
        for item in self._views.items:
            for named in item.properties:
                if named.path in ("articleBody", "text") and len(named.words) > 200:
                    bodies.update(runs_of(words_of(named.words[:200_000])))
        best_end = boxes.best.end if boxes.best is not None else math.inf
        rows: list[list[float]] = []
        for at, line in enumerate(self.lines):
            text, words = self.texts[at], self.words[at]
            row = _text_row(text, words, line, counted[text])
            row += around.row(line)
            row += (line.start / size, float(boxes.paragraphs[at] > 0))
            row += boxes.row(at)
            row += boxes.group(at)
            row += boxes.neighbours(at)
            row.append(float(line.start >= best_end))
            row += place.row(at, line, words)
            row += headings.row(line, text)
            row += place.in_main(line)
            if bodies:
                runs = runs_of(words)
                row.append(sum(run in bodies for run in runs) / len(runs))
            else:
                row.append(-1.0)
            rows.append(row)
        page = self._page_row(bool(bodies))
        for row in rows:
            row.extend(page)
        return rows

    def _headline_at(self) -> int:
        """Index of the line with the headline; -1 when no line shows it."""
        found = articles.find_headline(self._views)
        if not found:
            return -1
        first = found[0].values[0]
        if first.view is ViewName.TEXT:
            spans = enumerate(self.lines)
            return next((at for at, line in spans if line.end > first.start), -1)
        words = words_of(reading(first))
        return next((at for at, mine in enumerate(self.words) if mine == words), -1)

    def _page_row(self, has_body: bool) -> list[float]:
        """Features of the page as a whole: its size, and signs of shops, forums and articles."""
        total, boxes, views = self._boxes.words_total, self._boxes, self._views
        size = sum(line.end - line.start for line in self.lines) or 1
        groups = (boxes.group(at) for at in range(len(self.lines)))
        group = max(math.expm1(group[0]) * math.expm1(group[1]) for group in groups) / total
        counted = Counter(chain.from_iterable(self.words))
        prices = sum(views.text.count(sign) for sign in _CURRENCIES)
        signs = [sum(counted[word] for word in words) for words in articles.PAGE_SIGNS.values()]
        tags = [len(views.outline.tagged(tag)) for tag in _COUNTED]
        types = {item.type for item in views.items}
        return [
            math.log1p(len(self.lines)), math.log1p(total),
            sum(line.linked for line in self.lines) / size, sum(boxes.paragraphs) / total,
            boxes.best_share, sum(size for size in self.sizes if size < _SHORT_WORDS) / total,
            float(has_body), self._article,
            *(math.log1p(count) for count in (prices, *signs, *tags)),
            *(float(not types.isdisjoint(kind)) for kind in _KINDS), min(group, _MAX_GROUP),
        ]  # fmt: skip


class _Headings:
    """Headings above the current line; a heading closes those of its level and below."""

    def __init__(self) -> None:
        self._open: list[tuple[int, bool, bool]] = []
        self._since = 0
        self._under = (0.0, 0.0)

    def row(self, line: Line, text: str) -> tuple[float, ...]:
        level = _LEVELS.get(line.block.tag, 0)
        self._since += 1
        if level:
            while self._open and self._open[-1][0] >= level:
                self._open.pop()
            self._open.append((level, heads_posts(text), articles.heads_reviews(text)))
            posts = any(posts for _, posts, _ in self._open)
            self._under = float(posts), float(any(reviews for _, _, reviews in self._open))
            self._since = 0
        return float(level), math.log1p(self._since), *self._under


class _Place:
    """Features of a line's place: headline, title words and the main element."""

    def __init__(self, views: PageViews, boxes: Boxes, headline: int) -> None:
        self._boxes = boxes
        self._headline = headline
        self._title = frozenset(words_of(views.title)) | frozenset(words_of(views.h1))
        outline = views.outline
        named = (each for each in outline.marked("role") if each.get("role") == "main")
        some = [each for each in (*outline.tagged("main"), *named) if each.start >= 0]
        self._main = max(some, key=lambda each: each.end - each.start, default=None)
        share = boxes.words_in(self._main) / boxes.words_total if self._main is not None else 0.0
        self._main_share = share

    def row(self, at: int, line: Line, words: list[str]) -> tuple[float, ...]:
        before, headline = self._boxes.words_upto[at], self._headline
        past = -20.0
        if headline >= 0:
            distance = math.log1p(abs(before - self._boxes.words_upto[headline]))
            past = distance if at >= headline else -distance
        named = [word for word in words if word in self._title]
        return (
            float(0 <= at < headline), float(max(-5, min(_FAR, at - headline))), past,
            before / self._boxes.words_total, len(named) / max(1, len(words)),
            len(set(named)) / max(1, len(self._title)),
        )  # fmt: skip

    def in_main(self, line: Line) -> tuple[float, ...]:
        main = self._main
        if main is None:
            return -1.0, 0.0, 0.0, 0.0
        place = (line.start - main.start) / max(1, main.end - main.start)
        before, after = float(line.end <= main.start), float(line.start >= main.end)
        return place, self._main_share, before, after


def words_of(text: str) -> list[str]:
    """Words of a text in lower case; two characters make a word in scripts without spaces."""
    words = _WORD.findall(text.lower())
    if not words or not _WIDE.search(text):
        return words
    found: list[str] = []
    for word in words:
        if _WIDE.search(word):
            found += [word[at : at + 2] for at in range(0, len(word), 2)]
        else:
            found.append(word)
    return found


def _text_row(text: str, words: list[str], line: Line, repeated: int) -> list[float]:
    count = len(words) or 1
    size = len(text)
    head = text[:200]
    return [
        math.log1p(len(words)), size / count, text.count(",") / count,
        float(_ENDS.search(text[-12:]) is not None),
        sum(map(str.isupper, head)) / len(head), sum(map(str.isdigit, head)) / len(head),
        sum(map(articles.COMMON.__contains__, words)) / count,
        float(min(len(_FRAME.findall(text[:_MAX_FRAME].lower())), 3)), min(line.linked / size, 1.0),
        float(line.linked >= 0.95 * size), float(min(repeated, 5)),
    ]  # fmt: skip


def runs_of(words: list[str], length: int = 3) -> list[str]:
    """All runs of ``length`` words; the whole line when it is shorter."""
    return [" ".join(words[at : at + length]) for at in range(max(1, len(words) - length + 1))]
