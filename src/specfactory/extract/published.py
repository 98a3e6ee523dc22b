"""When a page was published: structured data, its address and the dates it shows propose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from specfactory.contract.dates import date_spans, derive_date
from specfactory.errors import NotDerivable
from specfactory.extract.body_words import MEANINGS, meanings
from specfactory.extract.found import Found
from specfactory.extract.headline import headline_span
from specfactory.extract.weighing import Seen, likelihoods
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, reading, snippet

LEAST = 0.25  # below this the page does not say when it was published
_MAX_LINE = 160
_OPENING = 60  # characters of a paragraph in which a dateline may stand
_MAX_LOOKED_AT = 400
_NEAR = 600
_DAY = 10  # characters of a date with its day
_URL_DATE = re.compile(
    r"(?<=[/_=-])(?:19|20)\d\d([/_-]?)(?:0[1-9]|1[0-2])\1(?:[0-2]\d|3[01])(?!\d)"
)
_DATE_HINT = re.compile(r"date|time|publi|posted|datum|fecha|data\b|pubdate|stamp", re.IGNORECASE)
_PUBLISHED = re.compile(
    r"publi(?:sh|é|cad|cat)|posted|veröffentlicht|erschienen|erstellt|eingestellt|geschrieben|"
    r"created|paru|publié|publicado|pubblicato|gepubliceerd|geplaatst|publicerad|publisert|"
    r"udgivet|opublikowano|dodano|опубликован|yayın|zveřejněno|megjelen|julkaistu|発行|发布|입력",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"updat|modif|aktualisiert|geändert|änderung|überarbeitet|stand\b|mis à jour|"
    r"actualiz|aggiornat|bijgewerkt|"
    r"uppdaterad|oppdatert|opdateret|aktualiz|обновлен|güncell|frissít|päivitetty|更新|수정",
    re.IGNORECASE,
)
_OTHERS_DAY = re.compile(
    r"event|termin|veranstalt|birth|geboren|copyright|©|deadline|kommentar|comment|reply|antwort|"
    r"accessed|abgerufen|joined|registr|beigetreten",
    re.IGNORECASE,
)
_AROUND = {name: 1 << MEANINGS.index(name) for name in ("comment", "other", "side", "foot", "by")}
_ASIDE = frozenset(("aside", "footer", "nav"))
# Keys under which the state of a page tells when it was published.
_KEY = re.compile(
    r"""(?:date_?|first_?)?publi(?:sh(?:ed)?|cation)_?(?:at|on|date|time|datetime)?\\?["']\s?:\s?"""
    r"""\\?["'](?=((?:19|20)\d\d-\d\d-\d\d))""",
    re.IGNORECASE,
)
_KEY_WORDS = ("publish", "Publish", "publication", "PUBLISH")
_MAX_KEYS = 40
_PATHS = {"datePublished": "published", "dateCreated": "created", "uploadDate": "created",
          "dateModified": "modified", "datePosted": "published"}  # fmt: skip
# When no weights are shipped.
_PRIOR = {"": -1.5, "item_published": 4.0, "meta_published": 3.5, "item_created": 2.0,
          "meta_created": 2.0, "address": 2.5, "time": 1.5, "line": 0.5, "near": 1.0,
          "says_published": 1.0, "says_changed": -1.5, "lost": -2.0, "other_day": -2.0,
          "item_modified": -0.5, "meta_modified": -0.5, "month_only": -2.0}  # fmt: skip


@dataclass(slots=True)
class _Group:
    """All places that give the same day."""

    day: str
    places: dict[str, Snippet] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)


def find_published(views: PageViews) -> list[Found]:
    """When the page may have been published, the likeliest first."""
    groups = date_groups(views)
    found = []
    chances = likelihoods("published", _PRIOR, [one.seen for one in groups])
    for group, sure in zip(groups, chances, strict=True):
        if sure >= LEAST:
            kind, place = next(iter(group.places.items()))
            found.append(Found((place,), sure, f"date by {kind}"))
    return sorted(found, key=lambda one: -one.likelihood)


def date_groups(views: PageViews) -> list[_Group]:
    """Every day that a page gives, with what was seen of it."""
    gathered = _Gathered(views)
    gathered.add_items()
    gathered.add_addresses()
    gathered.add_keys()
    gathered.add_elements()
    gathered.add_lines()
    return gathered.finished()


class _Gathered:
    """The days of one page."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self._groups: dict[str, _Group] = {}
        self._headline = headline_span(views)

    def _add(self, kind: str, place: Snippet, **seen: float) -> bool:
        try:
            day = derive_date("date", reading(place), self._views.language)
        except NotDerivable:
            return False
        group = self._groups.setdefault(day, _Group(day))
        group.places.setdefault(kind, place)
        group.seen[kind] = 1.0
        for name, amount in seen.items():
            for name_of in (name, f"{kind}:{name}"):
                group.seen[name_of] = max(amount, group.seen.get(name_of, 0.0))
        return len(day) >= _DAY

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

    def add_addresses(self) -> None:
        """A day in the address that the page gives itself."""
        for item in self._views.items:
            for named in item.properties if item.syntax == "meta" or item.main else ():
                if named.path in ("url", "@id", "mainEntityOfPage", "mainEntityOfPage.@id"):
                    self._add_within("address", named.snippet)
        canonical = self._views.canonical_url
        if canonical and (at := self._views.source.find(canonical)) >= 0:
            end = at + len(canonical)
            whole = snippet(self._views, ViewName.SOURCE, at, end, Encoding.HTML)
            self._add_within("address", whole)

    def _add_within(self, kind: str, whole: Snippet) -> None:
        found = _URL_DATE.search(whole.quote)
        if found:
            start = whole.start + found.start()
            place = snippet(
                self._views, whole.view, start, whole.start + found.end(), Encoding.HTML
            )
            self._add(kind, place)

    def add_keys(self) -> None:
        """Days under a key such as "published_at" in the state that a page carries."""
        source, count = self._views.source, 0
        for word in _KEY_WORDS:
            at = source.find(word)
            while at >= 0 and count < _MAX_KEYS:
                count += 1
                found = _KEY.match(source, at)
                if found:
                    start, end = found.span(1)
                    place = snippet(self._views, ViewName.SOURCE, start, end, Encoding.HTML)
                    self._add("key", place)
                at = source.find(word, at + len(word))

    def add_elements(self) -> None:
        """Time elements: their datetime as the source has it, else the words they show."""
        count = 0
        for element in self._views.outline.elements:
            if element.tag == "time" and count < _MAX_LOOKED_AT:
                place = self._time(element)
                if place is not None:
                    count += 1
                    seen = self._place(element, element.start)
                    seen.update(_said(self._around(element)), first_time=float(count == 1))
                    seen.update(_hinted(element))
                    self._add("time", place, **seen)

    def _time(self, element: Element) -> Snippet | None:
        given = element.get("datetime")
        if len(given) >= _DAY:
            return self._attribute(given)
        words = self._views.text[max(element.start, 0) : element.end][:_MAX_LINE]
        for left, right in date_spans(words)[:1]:
            start = element.start
            return snippet(self._views, ViewName.TEXT, start + left, start + right)
        return None

    def _attribute(self, given: str) -> Snippet | None:
        source = self._views.source
        for quote in ('"', "'"):
            at = source.find(f"datetime={quote}{given}{quote}")
            if at >= 0:
                start = at + len("datetime=") + 1
                end = start + len(given)
                return snippet(self._views, ViewName.SOURCE, start, end, Encoding.HTML)
        return None

    def _around(self, element: Element) -> str:
        start = max(element.start, 0)
        return self._views.text[max(0, start - 40) : element.end + 1]

    def add_lines(self) -> None:
        """Dates that short lines show."""
        before, first, count = "", True, 0
        for start, line, element in _short_lines(self._views):
            for left, right in date_spans(line)[:3]:
                count += 1
                if count > _MAX_LOOKED_AT:
                    return
                place = snippet(self._views, ViewName.TEXT, start + left, start + right)
                seen = self._place(element, start + left)
                words = f"{before[-40:]} {line[max(0, left - 40) : left]}"
                seen.update(_said(words), line_rest=_rest(line, left, right), **_hinted(element))
                seen["first_line"] = float(first and not seen["lost"])
                seen["opens"] = float(len(line) == _OPENING)
                if self._add("line", place, **seen) and not seen["lost"]:
                    first = False
            before = line

    def _place(self, element: Element, start: int) -> Seen:
        seen: Seen = {}
        if self._headline is not None:
            past = start - self._headline[1]
            seen["near"] = float(-300 <= past <= _NEAR)
            seen["right_after"] = float(0 <= past <= 200)
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
            if at.attributes and at.tag not in ("body", "html"):
                around |= meanings(at.hints)
        for name, bit in _AROUND.items():
            if around & bit:
                seen[f"at_{name}"] = 1.0
        lost = bool(around & (_AROUND["comment"] | _AROUND["other"])) or "aside" in seen
        seen["clear"] = float(bool(seen.get("near")) and not lost)
        seen["lost"] = float(lost and not seen.get("near"))
        return seen

    def finished(self) -> list[_Group]:
        """The days with how they stand to each other."""
        groups = list(self._groups.values())
        days = sorted(group.day for group in groups if len(group.day) >= _DAY)
        sure = [group.day for group in groups if not group.seen.keys().isdisjoint(_SURE)]
        clear = any(group.seen.get("clear") for group in groups)
        said = any(group.seen.get("says_published") and group.seen["clear"] for group in groups)
        for group in groups:
            seen = group.seen
            shown = "line" in seen or "time" in seen
            seen["month_only"] = float(len(group.day) < _DAY)
            seen["latest"] = float(len(days) > 1 and group.day == days[-1])
            seen["earliest"] = float(len(days) > 1 and group.day == days[0])
            seen["alone"] = float(len(groups) == 1)
            seen["agreeing"] = float(len(group.places) - 1)
            seen["rivals"] = min(3.0, len(groups) - 1.0)
            seen["items_say_other"] = float(bool(sure) and group.day not in sure)
            seen["items_and_shown"] = float(group.day in sure and shown)
            seen["only_items"] = float(group.day in sure and not shown)
            seen["month_beside_day"] = float(bool(days) and len(group.day) < _DAY)
            seen["others_published"] = float(said and not seen.get("says_published"))
            seen["unclear"] = float(clear and not seen.get("clear"))
            seen["all_lost"] = float(shown and group.day not in sure and not _well(seen))
            if group.seen.keys().isdisjoint(_SURE):
                seen["only_modified"] = float("item_modified" in seen or "meta_modified" in seen)
        return groups


def _well(seen: Seen) -> bool:
    """Whether a day stands at a place where pages say when they were published."""
    return bool(seen.get("near") or seen.get("says_published") or seen.get("at_by"))


_SURE = frozenset(("item_published", "meta_published"))


def _said(words: str) -> Seen:
    """What the words before a date say of it."""
    return {
        "says_published": float(bool(_PUBLISHED.search(words))),
        "says_changed": float(bool(_CHANGED.search(words))),
        "other_day": float(bool(_OTHERS_DAY.search(words))),
    }


def _hinted(element: Element) -> Seen:
    """What the markup says of a date. Blogs mark any date "updated": it weighs for itself."""
    hints = f"{element.hints} {element.get('itemprop')}"
    return {
        "hinted": float(bool(_DATE_HINT.search(hints))),
        "hint_published": float("pubdate" in element.attributes or bool(_PUBLISHED.search(hints))),
        "hint_changed": float(bool(_CHANGED.search(hints))),
    }


def _rest(line: str, left: int, right: int) -> float:
    return min(1.0, (len(line) - (right - left)) / 80)


def _short_lines(views: PageViews) -> Iterator[tuple[int, str, Element]]:
    """Short lines with a figure in them, and the innermost element of each."""
    elements = [element for element in views.outline.elements if element.start >= 0]
    at, start, last = 0, 0, None
    for line in views.text.split("\n"):
        shown = line if len(line) <= _MAX_LINE else line[:_OPENING]
        if len(shown) >= 6 and any(map(str.isdigit, shown)):
            while at < len(elements) and elements[at].start <= start:
                last = elements[at]
                at += 1
            holder = last
            while holder is not None and holder.end <= start:
                holder = holder.parent
            if holder is not None:
                yield start, shown, holder
        start += len(line) + 1
