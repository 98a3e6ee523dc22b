"""Comparison of the days on a page: shown or hidden, first, last, labelled, alone."""

from collections.abc import Sequence

from msgspec import Struct, field

from specfactory.extract.learned import Features
from specfactory.model import Snippet

DAY_LENGTH = 10  # characters of a date with its day
_OFTEN = 4  # lines with the same day
_MANY_DAYS = 10  # a page with dates of this many days is a list
_SURE = frozenset(("item_published", "meta_published"))
_WEB_PAGE = frozenset(("web_page_published", "web_page_modified", "meta_modified"))


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


def compare_days(groups: Sequence[DayGroup]) -> None:
    """Add features that compare the days of a page with each other."""
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
