"""Words and markup around a date: published, changed, or the date of something else."""

import re

from specfactory.extract.learned import Features
from specfactory.proof import Element

_BEFORE = 40  # characters before a date that may describe it
_AFTER = 24
_WORDY = 8  # words beside a date from which a line is a sentence
_DATE_HINT = re.compile(
    r"date|time|publi|posted|submitted|datum|fecha|data\b|pubdate|stamp", re.IGNORECASE
)
_PUBLISHED = re.compile(
    r"publi(?:sh|é|cad|cat)|posted|submitted|veröffentlicht|erschienen|erstellt|eingestellt|"
    r"geschrieben|gespeichert|gepostet|verfasst|(?:artikel|beitrag|meldung|bericht|news) vom|"
    r"created|paru|publié|publicado|pubblicato|notizia del|gepubliceerd|geplaatst|publicerad|"
    r"publisert|udgivet|opublikowano|dodano|опубликован|yayın|zveřejněno|megjelen|julkaistu|"
    r"発行|发布|입력",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"updat|modif|aktualisiert|geändert|änderung|überarbeitet|bearbeitet|edited|stand\b|"
    r"mis à jour|actualiz|aggiornat|bijgewerkt|"
    r"uppdaterad|oppdatert|opdateret|aktualiz|обновлен|güncell|frissít|päivitetty|更新|수정",
    re.IGNORECASE,
)
_OTHERS_DAY = re.compile(
    r"event|termin|veranstalt|birth|geboren|kommentar|comment|reply|antwort|"
    r"accessed|abgerufen|retrieved|joined|registr|beigetreten|gültig|valid",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"cookie|datenschutz|privacy|anmeldeschluss|einsendeschluss|deadline|copyright|©", re.IGNORECASE
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
        "hinted": float(bool(_DATE_HINT.search(hints))),
        "hint_published": float("pubdate" in element.attributes or bool(_PUBLISHED.search(hints))),
        "hint_changed": float(bool(_CHANGED.search(hints))),
    }


def line_of_date(line: str, left: int, right: int) -> Features:
    """Features of the rest of the line of a date."""
    rest = line[:left] + line[right:]
    return {"line_rest": min(1.0, len(rest) / 80), "wordy": float(len(rest.split()) >= _WORDY)}
