"""Words and markup around a date: published, changed, or the date of something else."""

import re

from specfactory.extract.learned import Features
from specfactory.proof import Element
from specfactory.word_lists import read_patterns

_BEFORE = 40  # characters before a date that may describe it
_AFTER = 24
_WORDY = 8  # words beside a date from which a line is a sentence
_WORDS = read_patterns("extract/articles/data/date_words.txt")
_MARKUP, _PUBLISHED, _CHANGED, _OTHERS_DAY, _NOTICE = (
    re.compile(_WORDS[name], re.IGNORECASE)
    for name in ("markup", "published", "changed", "other day", "notice")
)
# "until 4 March", "ab dem 4. März": the end or the beginning of a period.
_BOUND = re.compile(
    r"(?:^|\W)(?:bis|until|till|through|ab|jusqu['’]au|fino|hasta|tot)"
    r"(?:\s+(?:zum|zu|the|dem|au|al|el|den))?\s*$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r"\s*(?:-|–|—|bis|until|to|au|al)\s*(?:zum\s*)?\d{1,2}[./\s]")
# "13:15 - 19:00 Uhr": an event, not a publication.
_HOURS = re.compile(
    r"\d{1,2}[:.]\d\d\s*(?:uhr|h|[ap]m)?\s*(?:-|–|—|bis|to|until)\s*\d{1,2}[:.]\d\d"
)
_CLOCK = re.compile(r"[^\w]{0,4}(?:um|at|à|kl\.?|a las|alle|T)?\s*\d{1,2}[:.h]\d\d(?!\d)")


def is_no_publication(before: str, after: str) -> bool:
    """Check whether a date belongs to an event, a notice or a deadline."""
    if _HOURS.search(after[:_AFTER].casefold()):
        return True
    return bool(_NOTICE.search(before)) and not _PUBLISHED.search(before)


def said_of_date(before: str, after: str) -> Features:
    """Features of the words before and after a date."""
    before, after = before[-_BEFORE - 1 :], after[:_AFTER].casefold()
    return {
        "says_published": float(bool(_PUBLISHED.search(before))),
        "says_changed": float(bool(_CHANGED.search(before))),
        "other_day": float(bool(_OTHERS_DAY.search(before))),
        "bound": float(bool(_BOUND.search(before) or _BOUND_AFTER.match(after))),
        "clock": float(bool(_CLOCK.match(after))),
    }


def hinted_of_date(element: Element) -> Features:
    """Features of the markup of a date; kept apart, for blogs mark any date as "updated"."""
    hints = f"{element.hints} {element.get('itemprop')}"
    return {
        "hinted": float(bool(_MARKUP.search(hints))),
        "hint_published": float("pubdate" in element.attributes or bool(_PUBLISHED.search(hints))),
        "hint_changed": float(bool(_CHANGED.search(hints))),
    }


def line_of_date(line: str, left: int, right: int) -> Features:
    """Features of the rest of the line of a date."""
    rest = line[:left] + line[right:]
    return {"line_rest": min(1.0, len(rest) / 80), "wordy": float(len(rest.split()) >= _WORDY)}
