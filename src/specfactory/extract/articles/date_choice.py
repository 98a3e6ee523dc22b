"""The days that a page gives, against each other: shown or hidden, first, last, said, alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from specfactory.extract.learned import Seen
from specfactory.model import Snippet

DAY_LENGTH = 10  # characters of a date with its day
_OFTEN = 4  # lines with the same day
_MANY_DAYS = 10  # on the lines of one page: it is a list of something
_SURE = frozenset(("item_published", "meta_published"))
_WEB_PAGE = frozenset(("web_page_published", "web_page_modified", "meta_modified"))


@dataclass(slots=True)
class DayGroup:
    """All places that give the same day."""

    day: str
    places: dict[str, Snippet] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)
    lines: int = 0  # that give it

    @property
    def shown(self) -> bool:
        """Whether a person reads it on the page."""
        return "line" in self.seen or "time" in self.seen

    @property
    def sure(self) -> bool:
        """Whether structured data calls it the day of publication."""
        return not self.seen.keys().isdisjoint(_SURE)

    def is_clearly(self, name: str) -> bool:
        """Whether something was seen of it at a clear place near the headline."""
        return bool(self.seen.get(name) and self.seen.get("clear"))


def compare_days(groups: Sequence[DayGroup]) -> None:
    """Write down how the days of a page stand to each other."""
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
    _compare_places(groups)


def _compare_places(groups: Sequence[DayGroup]) -> None:
    """What a person reads near the headline against what only structured data says."""
    any_sure = any(group.sure for group in groups)
    hidden = any_sure and not any(group.sure and group.shown for group in groups)
    clear = any(group.seen.get("clear") for group in groups)
    read = any(map(_is_read, groups))
    said = any(group.is_clearly("says_published") for group in groups)
    hinted = any(group.is_clearly("hint_published") for group in groups)
    for group in groups:
        seen, sure = group.seen, group.sure
        seen["items_say_other"] = float(any_sure and not sure)
        seen["items_and_shown"] = float(sure and group.shown)
        seen["only_items"] = float(sure and not group.shown)
        seen["shown_against_hidden"] = float(hidden and _is_read(group))
        seen["hidden_against_shown"] = float(hidden and read and sure)
        seen["others_published"] = float(said and not seen.get("says_published"))
        seen["others_hinted"] = float(hinted and not seen.get("hint_published"))
        seen["unclear"] = float(clear and not seen.get("clear"))
        seen["all_lost"] = float(group.shown and not sure and not _well(seen))


def _is_read(group: DayGroup) -> bool:
    """Whether a day is read near the headline."""
    return group.shown and len(group.day) >= DAY_LENGTH and bool(group.seen.get("near"))


def _well(seen: Seen) -> bool:
    """Whether a day stands at a place where pages say when they were published."""
    return bool(seen.get("near") or seen.get("says_published") or seen.get("at_by"))
