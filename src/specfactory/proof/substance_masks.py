"""Numbers that change while the page says the same: visitor counters, clocks.

Only the digits are masked, and only where the words around them say what they count: "17 people
are looking at this" is a counter, "17 people" may be a capacity.
"""

import re

_PEOPLE = (
    "people|persons?|customers?|shoppers?|users?|visitors?|viewers?|others?|personen|kunden"
    "|besucher|leute|personnes?|clients?|visiteurs?|personas?|clientes?|visitantes?|persone"
    "|clienti|visitatori|mensen|klanten|pessoas|osób|osoby"
)
_LOOKING = (
    r"look|view|watch|brows|in their (?:cart|basket)|seh(?:en|t)|schau|betracht|angesehen|regard"
    r"|consult|viendo|mirando|guardando|visualizza|bekijk|vendo|ogląda"
)
_NUMBER = r"(?<![\d.,])\d+(?:[.,]\d{3})*"  # without blanks: the number before it may be a value
_AGE = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?)"
_COUNTERS = re.compile(
    rf"(?i){_NUMBER}(?=\+?\s*(?:other |more |andere |autres |otras )?(?:{_PEOPLE})\b"
    rf"[^.\n\d]{{0,40}}?(?:{_LOOKING}))"
    rf"|{_NUMBER}(?=\+?\s*(?:sold|bought|added to carts?|verkauft|vendus?|vendidos?)\s+"
    r"(?:in|within) (?:the )?(?:last|past)\b)"
    rf"|(?<=viewed ){_NUMBER}(?=\s*times\b)"
    rf"|{_NUMBER}(?=\s*{_AGE} ago\b)"
    r"|(?<=\bvor )\d+(?= (?:sekunden?|minuten?|stunden?)\b)"
    r"|(?<=\bil y a )\d+(?= (?:secondes?|minutes?|heures?)\b)"
    r"|(?<=\bhace )\d+(?= (?:segundos?|minutos?|horas?)\b)"
)
# Words that introduce a time or a countdown, and the times that follow them.
_CLOCKS = re.compile(
    r"(?i)(\b(?:generated|rendered|served)\s+(?:at|on|in)|\b(?:server|current|local) time(?: is)?"
    r"|\btime (?:is )?now|\border within|\b(?:sale|offer|deal|auction|promotion)s? "
    r"(?:ends?|expires?|ending) in|\b(?:angebot|aktion|auktion) endet in|\btime left"
    r"|\bseite (?:wurde )?(?:erzeugt|generiert) (?:am|in))\b"
    r"((?:[\s,:;]|and\b|und\b|the next\b"
    r"|\d{4}-\d\d-\d\d(?:T|\b)|\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?"
    r"(?:Z|[+-]\d\d:?\d\d)?|\d+(?:\.\d+)?\s?"
    r"(?:ms|s|secs?|seconds?|sekunden|m|mins?|minutes?|minuten|h|hrs?|hours?|std|stunden"
    r"|d|days?|tage?)\b)+)"
)
_DIGITS = re.compile(r"\d+")


def without_counters(line: str) -> str:
    """The line with the digits of counters and clocks masked; most lines stay as they are."""
    if not _DIGITS.search(line):
        return line
    line = _CLOCKS.sub(lambda found: found[1] + _DIGITS.sub("#", found[2]), line)
    return _COUNTERS.sub("#", line)
