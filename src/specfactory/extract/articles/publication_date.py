"""Publication date: proposed by structured data, the address and visible dates."""

import re
from collections.abc import Sequence

from msgspec import Struct, field

from specfactory.contract.values import date_spans, derive_date
from specfactory.errors import NotDerivable
from specfactory.extract.articles import date_words
from specfactory.extract.articles.byline import kind_of_page
from specfactory.extract.articles.headline import folded, headline_place
from specfactory.extract.articles.markup_words import MEANINGS, meanings
from specfactory.extract.learned import Features, propose_likeliest
from specfactory.extract.page import Proposal
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, reading, snippet

DAY_LENGTH = 10  # characters of a date with its day
_OFTEN = 4  # lines with the same day
_MANY_DAYS = 10  # a page with dates of this many days is a list
_SURE = frozenset(("item_published", "meta_published"))
_WEB_PAGE = frozenset(("web_page_published", "web_page_modified", "meta_modified"))
LEAST = 0.2  # less likely dates are not proposed
_MAX_LINE = 160
_OPENING = 60  # characters of a paragraph that may hold a dateline
_MAX_LOOKED_AT = 400
_NEAR = 600
_URL_DATE = re.compile(
    r"(?<=[/_=-])(?:19|20)\d\d([/_-]?)(?:0[1-9]|1[0-2])\1(?:[0-2]\d|3[01])(?!\d)"
)
_URL_DAY_FIRST = re.compile(
    r"(?<=[/_=-])(?:[0-2]\d|3[01])([.-])(?:0[1-9]|1[0-2])\1(?:19|20)\d\d(?!\d)"
)
_URL_MONTH = re.compile(r"(?<=[/_=-])((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])(?![/_-]?\d{3})")
_AROUND = {
    name: 1 << MEANINGS.index(name) for name in ("comment", "other", "side", "foot", "by", "ask")
}
_ASIDE = frozenset(("aside", "footer", "nav"))
# Publication dates in a page's embedded state, by their keys.
_KEY = re.compile(
    r"""(?:date_?|first_?)?publi(?:sh(?:ed)?|cation)_?(?:at|on|date|time|datetime)?\\?["']\s?:\s?"""
    r"""\\?["'](?=((?:19|20)\d\d-\d\d-\d\d))""",
    re.IGNORECASE,
)
_KEY_WORDS = ("publish", "Publish", "publication", "PUBLISH")
_MAX_KEYS = 40
_PATHS = {"datePublished": "published", "dateCreated": "created", "uploadDate": "created",
          "dateModified": "modified", "datePosted": "published"}  # fmt: skip


class DayGroup(Struct):
    """All places of a page with the same day."""

    day: str
    places: dict[str, Snippet] = field(default_factory=dict)
    seen: Features = field(default_factory=dict)
    lines: int = 0

    @property
    def shown(self) -> bool:
        """Visible on the page."""
        return "line" in self.seen or "time" in self.seen

    @property
    def sure(self) -> bool:
        """Declared as the day of publication by structured data."""
        return not self.seen.keys().isdisjoint(_SURE)

    @property
    def read(self) -> bool:
        """Visible near the headline."""
        return self.shown and len(self.day) >= DAY_LENGTH and bool(self.seen.get("near"))

    def is_clearly(self, name: str) -> bool:
        """Check for a feature in the clear, near the headline."""
        return bool(self.seen.get(name) and self.seen.get("clear"))


def find_published(views: PageViews) -> list[Proposal]:
    """Propose publication dates, likeliest first."""
    groups = date_groups(views)
    found = [(one.seen, (next(iter(one.places.values())),)) for one in groups]
    return propose_likeliest("published", found, LEAST)


def date_groups(views: PageViews) -> list[DayGroup]:
    """Collect all days on a page with their features."""
    gathered = _Gathered(views)
    gathered.add_items()
    gathered.add_addresses()
    gathered.add_keys()
    gathered.add_elements()
    gathered.add_lines()
    groups = list(gathered.groups.values())
    kind = kind_of_page(views)
    addresses = f"{views.page.url} {views.page.final_url} {views.canonical_url}"
    months = {f"{year}-{month}" for year, month in _URL_MONTH.findall(addresses)}
    for group in groups:
        group.seen["address_month"] = float(group.day[:7] in months)
        group.seen["address_other"] = float(bool(months)) - group.seen["address_month"]
        group.seen.update(kind)
    _compare(groups)
    return groups


class _Gathered:
    """Proposals of one page, grouped by day."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self.groups: dict[str, DayGroup] = {}
        self._headline_words, self._headline = headline_place(views)

    def _add(self, kind: str, place: Snippet, **seen: float) -> bool:
        try:
            day = derive_date("date", reading(place), self._views.language)
        except NotDerivable:
            return False
        group = self.groups.setdefault(day, DayGroup(day))
        group.places.setdefault(kind, place)
        group.seen[kind] = 1.0
        group.lines += kind == "line"
        for name, amount in seen.items():
            group.seen[name] = max(amount, group.seen.get(name, 0.0))
        return len(day) >= DAY_LENGTH

    def add_items(self) -> None:
        for item in self._views.items:
            if item.syntax == "meta":
                source = "meta"
            elif item.main:
                source = "item"
            elif item.is_subject or item.type in ("WebPage", "VideoObject", "ItemPage"):
                source = "web_page" if item.type.endswith("Page") else "other_item"
            else:
                continue
            for named in item.properties:
                if named.path in _PATHS:
                    self._add(f"{source}_{_PATHS[named.path]}", named.snippet)
                elif named.path == "description" and source == "meta":
                    whole = named.snippet  # "News of 14 January 2020"
                    for left, right in date_spans(whole.quote)[:1]:
                        said = date_words.said_of_date(whole.quote[:left], whole.quote[right:])
                        start, end = whole.start + left, whole.start + right
                        place = snippet(self._views, whole.view, start, end, whole.encoding)
                        self._add("described", place, **said)

    def add_addresses(self) -> None:
        """Add days in the addresses that the page declares for itself."""
        addresses = [
            named.snippet
            for item in self._views.items
            for named in (item.properties if item.syntax == "meta" or item.main else ())
            if named.path in ("url", "@id", "mainEntityOfPage", "mainEntityOfPage.@id")
        ]
        canonical = self._views.canonical_url
        if canonical and (at := self._views.source.find(canonical)) >= 0:
            end = at + len(canonical)
            addresses.append(snippet(self._views, ViewName.SOURCE, at, end, Encoding.HTML))
        for whole in addresses:
            found = _URL_DATE.search(whole.quote) or _URL_DAY_FIRST.search(whole.quote)
            if found:
                start, end = whole.start + found.start(), whole.start + found.end()
                self._add("address", snippet(self._views, whole.view, start, end, Encoding.HTML))

    def add_keys(self) -> None:
        """Add days under keys like "published_at" in the page's embedded state."""
        source, count = self._views.source, 0
        taken = {named.snippet.start for item in self._views.items for named in item.properties}
        for word in _KEY_WORDS:
            at = source.find(word)
            while at >= 0 and count < _MAX_KEYS:
                count += 1
                found = _KEY.match(source, at)
                if found and found.start(1) not in taken:
                    start, end = found.span(1)
                    place = snippet(self._views, ViewName.SOURCE, start, end, Encoding.HTML)
                    self._add("key", place)
                at = source.find(word, at + len(word))

    def add_elements(self) -> None:
        """Add time elements: their datetime attribute, else the words they show."""
        count, text = 0, self._views.text
        for element in self._views.outline.tagged("time"):
            place = self._time(element) if count < _MAX_LOOKED_AT else None
            if place is None:
                continue
            count += 1
            seen = self._place(element, element.start)
            start, end = max(element.start, 0), max(element.end, 0)
            seen |= date_words.said_of_date(text[max(0, start - 40) : end], text[end : end + 40])
            seen |= date_words.hinted_of_date(element)
            self._add("time", place, **seen, first_time=float(count == 1))

    def _time(self, element: Element) -> Snippet | None:
        given, source = element.get("datetime"), self._views.source
        if len(given) >= DAY_LENGTH:
            for quote in ('"', "'"):
                at = source.find(f"datetime={quote}{given}{quote}")
                if at >= 0:
                    start = at + len("datetime=") + 1
                    end = start + len(given)
                    return snippet(self._views, ViewName.SOURCE, start, end, Encoding.HTML)
            return None
        words = self._views.text[max(element.start, 0) : element.end][:_MAX_LINE]
        for left, right in date_spans(words)[:1]:
            start = element.start
            return snippet(self._views, ViewName.TEXT, start + left, start + right)
        return None

    def add_lines(self) -> None:
        before, first, count, at = "", True, 0, 0
        for whole in self._views.text.split("\n"):
            start, at = at, at + len(whole) + 1
            line = whole if len(whole) <= _MAX_LINE else whole[:_OPENING]
            if len(line) < 6 or not any(map(str.isdigit, line)):
                continue
            element = self._views.outline.holder(start, start + 1)
            if element is None:
                continue
            for left, right in date_spans(line)[:3]:
                count += 1
                if count > _MAX_LOOKED_AT:
                    return
                if date_words.is_no_publication(line[:left], line[right:]):
                    continue
                place = snippet(self._views, ViewName.TEXT, start + left, start + right)
                seen = self._place(element, start + left)
                seen |= date_words.said_of_date(f"{before[-40:]} {line[:left]}", line[right:])
                seen |= date_words.line_of_date(line, left, right)
                seen |= date_words.hinted_of_date(element)
                seen["beside_title"] = float(self._names_page(line) or self._names_page(before))
                seen["first_line"] = float(first and not seen["lost"])
                seen["opens"] = float(len(line) == _OPENING)
                if self._add("line", place, **seen) and not seen["lost"]:
                    first = False
            before = line

    def _names_page(self, line: str) -> bool:
        """Check whether a line repeats the headline, as lists of recent pages do."""
        words = self._headline_words
        return words.count(" ") >= 2 and words in folded(line)

    def _place(self, element: Element, start: int) -> Features:
        seen: Features = {}
        if self._headline is not None:
            past = start - self._headline[1]
            seen["near"] = float(-300 <= past <= _NEAR)
            seen["right_after"] = float(0 <= past <= 200)
            seen["at_once"] = float(0 <= past <= 60)
            seen["before_headline"] = float(past < -300)
            seen["far_below"] = float(past > 3000)
        else:
            seen["no_headline"] = 1.0
        around = 0
        for at in (element, *element.ancestors()):
            if at.tag in _ASIDE:
                seen["aside"] = 1.0
            elif at.tag in ("article", "main"):
                seen[f"in_{at.tag}"] = 1.0
            elif at.tag in ("figure", "figcaption"):
                seen["in_figure"] = 1.0
            if at.attributes and at.tag not in ("body", "html"):
                around |= meanings(at.hints)
        for name, bit in _AROUND.items():
            if around & bit:
                seen[f"at_{name}"] = 1.0
        lost = bool(around & (_AROUND["comment"] | _AROUND["other"])) or "aside" in seen
        seen["clear"] = float(bool(seen.get("near")) and not lost)
        seen["lost"] = float(lost and not seen.get("near"))
        return seen


def _compare(groups: Sequence[DayGroup]) -> None:
    days = sorted(group.day for group in groups if len(group.day) >= DAY_LENGTH)
    on_lines = sum(group.lines > 0 for group in groups)
    for group in groups:
        seen = group.seen
        seen["often"] = float(group.lines >= _OFTEN)
        seen["days_of_page"] = min(1.0, on_lines / _MANY_DAYS)
        seen["month_only"] = float(len(group.day) < DAY_LENGTH)
        seen["month_beside_day"] = float(bool(days) and len(group.day) < DAY_LENGTH)
        seen["latest"] = float(len(days) > 1 and group.day == days[-1])
        seen["earliest"] = float(len(days) > 1 and group.day == days[0])
        seen["alone"] = float(len(groups) == 1)
        seen["agreeing"] = float(len(group.places) - 1)
        seen["rivals"] = min(3.0, len(groups) - 1.0)
        seen["only_web_page"] = float(_WEB_PAGE.issuperset(group.places))
        if not group.sure:
            seen["only_modified"] = float("item_modified" in seen or "meta_modified" in seen)
    any_sure = any(group.sure for group in groups)
    hidden = any_sure and not any(group.sure and group.shown for group in groups)
    clear = any(group.seen.get("clear") for group in groups)
    read = any(group.read for group in groups)
    said = any(group.is_clearly("says_published") for group in groups)
    hinted = any(group.is_clearly("hint_published") for group in groups)
    for group in groups:
        seen, sure = group.seen, group.sure
        seen["items_say_other"] = float(any_sure and not sure)
        seen["items_and_shown"] = float(sure and group.shown)
        seen["only_items"] = float(sure and not group.shown)
        seen["shown_against_hidden"] = float(hidden and group.read)
        seen["hidden_against_shown"] = float(hidden and read and sure)
        seen["others_published"] = float(said and not seen.get("says_published"))
        seen["others_hinted"] = float(hinted and not seen.get("hint_published"))
        seen["unclear"] = float(clear and not seen.get("clear"))
        usual_place = seen.get("near") or seen.get("says_published") or seen.get("at_by")
        seen["all_lost"] = float(group.shown and not sure and not usual_place)
