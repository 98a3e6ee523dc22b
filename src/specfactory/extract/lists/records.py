"""Records of a page: many things of one kind, each with its name, its link and its price."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from urllib.parse import urljoin

from msgspec import Struct, field

from specfactory.contract.text import clean
from specfactory.contract.values import AMOUNT, ANY_PRICE, amount_end, may_be_price, with_currency
from specfactory.extract.lists.layers import Layers, target
from specfactory.model import Frozen, Snippet, ViewName
from specfactory.proof import Element, PageViews, snippet

_LEAST = 2
_SAMPLE = 30  # records by which the columns of a list are judged
_MAX_INSIDE = 80  # elements of a record that are looked at
_MAX_NAME = 400
_MAX_NUMBERS = 20  # of a record, of which one may be its price
_MAX_RECORD = 6_000  # characters
_COMMON = 0.5  # share of the records that have a column
_LETTER = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\b(?:19|20)\d\d\b")
_NAME_HINTS = re.compile(r"title|name|heading|caption|subject", re.IGNORECASE)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CELLS = frozenset(("td", "th", "dd", "dt"))
_STRONG = frozenset(("b", "strong", "em", "th"))

Step = tuple[str, str, int]
Path = tuple[Step, ...]


class ListedRecord(Frozen):
    """One record of a list; every proof is a snippet of the page's text."""

    name: str
    url: str
    proof: Snippet  # of the name
    whole: Snippet  # the record as it stands on the page
    price: Snippet | None = None


class RecordList(Frozen):
    """Records of one list; ``weight`` compares the lists of a page."""

    records: tuple[ListedRecord, ...]
    weight: float


class _Column(Struct):
    """What stands at the same place of several records."""

    cells: dict[int, Element] = field(default_factory=dict)  # by the record's number


def find_records(views: PageViews) -> RecordList | None:
    """The main list of a page, None where nothing repeats."""
    best: RecordList | None = None
    for layer in Layers(views.outline).likeliest():
        if best is not None and layer.weight < best.weight:
            break  # no name is that good
        found = _name_column(views, layer.elements[:_SAMPLE])
        if found is None or (best is not None and layer.weight * found[0] <= best.weight):
            continue
        records = tuple(_records(views, layer.elements, found[1]))
        if len(records) >= _LEAST:
            best = RecordList(records, layer.weight * found[0])
    return best


def _name_column(views: PageViews, records: Sequence[Element]) -> tuple[float, Path] | None:
    """The column that holds the names, and how sure that is (0 to 1)."""
    columns: dict[Path, _Column] = defaultdict(_Column)
    for number, record in enumerate(records):
        for path, cell in _cells(record):
            columns[path].cells.setdefault(number, cell)
    best: tuple[float, Path] | None = None
    for path, column in columns.items():
        if len(column.cells) < _COMMON * len(records):
            continue
        score = _name_likelihood(views, column, len(records))
        if score > 0 and (best is None or score > best[0]):
            best = score, path
    return best


def _cells(record: Element) -> Iterator[tuple[Path, Element]]:
    """Elements of a record that have words of their own, with the way that leads to them."""
    waiting: list[tuple[Path, Element]] = [((), record)]
    left = _MAX_INSIDE
    while waiting and left:
        path, element = waiting.pop()
        left -= 1
        if element.tag in _CELLS or _has_own_words(element) or target(element):
            yield path, element
        counts: dict[str, int] = defaultdict(int)
        below = []
        for child in islice(element.children, _MAX_INSIDE):
            counts[child.tag] += 1
            if child.has_words and child.hidden == record.hidden:
                kind = child.get("class").split(" ", 1)[0]
                below.append(((*path, (child.tag, kind, counts[child.tag])), child))
        waiting.extend(reversed(below))


def _has_own_words(element: Element) -> bool:
    """True unless all words of an element stand in its children."""
    worded = sum(child.end - child.start + 1 for child in element.children if child.has_words)
    return element.end - element.start > worded + 1


def _name_likelihood(views: PageViews, column: _Column, count: int) -> float:
    """How name-like a column is: distinct words, few digits, a heading, a link, early."""
    cells = list(column.cells.values())
    words = [clean(views.outline.words(cell))[:_MAX_NAME] for cell in cells]
    distinct = len(set(words)) / count
    size = sum(map(len, words)) / len(words)
    letters = sum(len(_LETTER.findall(one)) for one in words) / max(1, sum(map(len, words)))
    if size < 3 or letters < 0.05:
        return 0.0
    if sum(bool(_DATE.search(one)) and len(one) < 24 for one in words) > len(words) / 2:
        return 0.0
    score = distinct * min(1.0, letters / 0.6)
    if sum(map(len, map(_WORDS.findall, words))) < 1.5 * len(words):
        score *= 0.5
    score *= min(1.0, 0.4 + size / 25) * (1.0 if size < 150 else 0.6)
    first = cells[0]
    above = [first, *islice(first.ancestors(), 3)]
    if any(one.tag in _HEADINGS for one in above[:2]):
        score *= 1.6
    elif first.tag in _STRONG:
        score *= 1.2
    if target(first) or any(target(one) for one in above[:3]):
        score *= 1.4
    if _NAME_HINTS.search(" ".join(one.hints for one in above[:2])):
        score *= 1.4
    return score / 2.5


def _records(views: PageViews, elements: Sequence[Element], path: Path) -> Iterator[ListedRecord]:
    base = views.page.final_url or views.page.url
    hrefs = Counter(href for element in elements for href in {*_hrefs(element)})
    for element in elements:
        if element.end - element.start > _MAX_RECORD:
            continue
        cells = dict(_cells(element))
        named = cells.get(path)
        link = _link(element, named, hrefs)
        if named is None or link is None:
            continue
        name = clean(views.outline.words(named))[:_MAX_NAME]
        if not name:
            continue
        yield ListedRecord(
            name,
            _absolute(base, target(link)),
            snippet(views, ViewName.TEXT, named.start, named.end),
            snippet(views, ViewName.TEXT, element.start, element.end),
            _price(views, element),
        )


def _link(record: Element, named: Element | None, hrefs: Counter[str]) -> Element | None:
    """The link of a record: the one around or in its name, else the first that is its own."""
    around = (at for at in (named, *named.ancestors()) if at) if named is not None else ()
    inside = named.descendants() if named is not None else ()
    links = [
        *takewhile(lambda at: at is not record.parent, around),
        *(at for at in islice(inside, _MAX_INSIDE) if _is_most(at, named)),
        record,
        *islice(record.descendants(), _MAX_INSIDE),
    ]
    links = [at for at in links if target(at)]
    return min(links, key=lambda at: hrefs[target(at)], default=None)


def _is_most(link: Element, named: Element | None) -> bool:
    """True when a link is the name, not a remark beside it."""
    return named is not None and (link.end - link.start) * 2 > named.end - named.start


def _hrefs(record: Element) -> Iterator[str]:
    inside = (record, *islice(record.descendants(), _MAX_INSIDE))
    return (target(at) for at in inside if target(at))


def _price(views: PageViews, record: Element) -> Snippet | None:
    """The first amount of money in a record that is not struck through."""
    text = views.text
    if ANY_PRICE.search(text, record.start, record.end) is None:
        return None
    for number in islice(AMOUNT.finditer(text, record.start, record.end), _MAX_NUMBERS):
        start, end = number.start(), amount_end(text, number.end())
        money = with_currency(text, start, end) if may_be_price(text, start, end) else None
        if money is None or money.sign is None or money.span[1] > record.end:
            continue
        holder = views.outline.holder(*money.span)
        if holder is None or not holder.struck:
            return snippet(views, ViewName.TEXT, *money.span)
    return None


def _absolute(base_url: str, href: str) -> str:
    try:
        return urljoin(base_url, href.strip())
    except ValueError:
        return ""
