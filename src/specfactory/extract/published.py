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
from specfactory.extract.weighing import Seen, shares, weights_of
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, reading, snippet

_LEAST = 0.2  # below this the page does not say when it was published
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
    r"updat|modif|aktualisiert|geändert|stand\b|mis à jour|actualiz|aggiornat|bijgewerkt|"
    r"uppdaterad|oppdatert|opdateret|aktualiz|обновлен|güncell|frissít|päivitetty|更新|수정",
    re.IGNORECASE,
)
_OTHERS_DAY = re.compile(
    r"event|termin|veranstalt|birth|geboren|copyright|©|deadline|kommentar|comment|reply|antwort|"
    r"accessed|abgerufen|joined|registr|beigetreten",
    re.IGNORECASE,
)
_APART = (1 << MEANINGS.index("comment")) | (1 << MEANINGS.index("other"))
_PATHS = {"datePublished": "published", "dateCreated": "created", "uploadDate": "created",
          "dateModified": "modified", "datePosted": "published"}  # fmt: skip
# When no weights are shipped.
_PRIOR = {"": -1.5, "item_published": 4.0, "meta_published": 3.5, "item_created": 2.0,
          "meta_created": 2.0, "address": 2.5, "time": 1.5, "line": 0.5, "near": 1.0,
          "says_published": 1.0, "says_changed": -1.5, "apart": -2.0, "other_day": -2.0,
          "item_modified": -0.5, "meta_modified": -0.5, "month_only": -2.0}  # fmt: skip


@dataclass(slots=True)
class _Group:
    """All places that give the same day."""

    day: str
    places: dict[str, Snippet] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)


def find_published(views: PageViews) -> list[Found]:
    """When the page may have been published, the likeliest first."""
    weights = weights_of("published", _PRIOR)
    groups = date_groups(views)
    found = []
    for group, sure in zip(groups, shares(weights, [one.seen for one in groups]), strict=True):
        if sure >= _LEAST:
            kind, place = next(iter(group.places.items()))
            found.append(Found((place,), sure, f"date by {kind}"))
    return sorted(found, key=lambda one: -one.likelihood)


def date_groups(views: PageViews) -> list[_Group]:
    """Every day that a page gives, with what was seen of it."""
    gathered = _Gathered(views)
    gathered.add_items()
    gathered.add_addresses()
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
        return True

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

    def add_elements(self) -> None:
        """The datetime of time elements, as the source has it."""
        count = 0
        for element in self._views.outline.elements:
            given = element.get("datetime") if element.tag == "time" else ""
            if len(given) >= _DAY and count < _MAX_LOOKED_AT:
                count += 1
                place = self._attribute(given)
                if place is not None:
                    seen = self._place(element, element.start)
                    seen.update(_said(self._around(element)), first_time=float(count == 1))
                    if element.get("pubdate") or "published" in element.get("itemprop").lower():
                        seen["says_published"] = 1.0
                    self._add("time", place, **seen)

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
        return self._views.text[max(0, start - 40) : element.end + 1] + " " + element.hints

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
                words = f"{before[-40:]} {line[max(0, left - 40) : left]} {element.hints}"
                seen.update(
                    _said(words), first_line=float(first), line_rest=_rest(line, left, right)
                )
                seen["opens"] = float(len(line) == _OPENING)
                seen["hinted"] = float(bool(_DATE_HINT.search(element.hints)))
                if self._add("line", place, **seen):
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
        for at in (element, *element.ancestors()):
            if at.tag in ("aside", "footer", "nav"):
                seen["aside"] = 1.0
            elif at.tag in ("article", "main"):
                seen[f"in_{at.tag}"] = 1.0
            if at.attributes and meanings(at.hints) & _APART:
                seen["apart"] = 1.0
        return seen

    def finished(self) -> list[_Group]:
        """The days with how they stand to each other."""
        groups = list(self._groups.values())
        days = sorted(group.day for group in groups if len(group.day) >= _DAY)
        sure = [group.day for group in groups if not group.seen.keys().isdisjoint(_SURE)]
        for group in groups:
            seen = group.seen
            seen["month_only"] = float(len(group.day) < _DAY)
            seen["latest"] = float(bool(days) and group.day == days[-1])
            seen["earliest"] = float(bool(days) and group.day == days[0])
            seen["agreeing"] = float(len(group.places) - 1)
            seen["rivals"] = min(3.0, len(groups) - 1.0)
            seen["items_say_other"] = float(bool(sure) and group.day not in sure)
            if group.seen.keys().isdisjoint(("item_published", "meta_published")):
                seen["only_modified"] = float("item_modified" in seen or "meta_modified" in seen)
        return groups


_SURE = frozenset(("item_published", "meta_published"))


def _said(words: str) -> Seen:
    """What the words before a date say of it."""
    return {
        "says_published": float(bool(_PUBLISHED.search(words))),
        "says_changed": float(bool(_CHANGED.search(words))),
        "other_day": float(bool(_OTHERS_DAY.search(words))),
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
