"""Marks that makers of walls leave in headers, addresses and markup; all in lower case.

Many of them also watch over pages that they let through: only what belongs to the wall itself is
named here, never the script that every page of their customers loads.
"""

from specfactory.fetch.outcomes.wall_phrases import phrases_of
from specfactory.model import Outcome
from specfactory.word_lists import read_lists

# name of a header, what its value begins with ("" for any), what it means
HEADER_MARKS: tuple[tuple[str, str, Outcome], ...] = (
    ("cf-mitigated", "challenge", Outcome.BLOCKED),
    ("cf-chl-bypass", "", Outcome.BLOCKED),
    ("x-vercel-mitigated", "", Outcome.BLOCKED),
    ("x-amzn-waf-action", "captcha", Outcome.CAPTCHA),
    ("x-amzn-waf-action", "challenge", Outcome.BLOCKED),
    ("x-sucuri-block", "", Outcome.BLOCKED),
    ("x-waf-block", "", Outcome.BLOCKED),
)

# of an unwelcoming status (403, 429 …) these say who said so; on a good page they say nothing
VENDOR_HEADERS: tuple[tuple[str, str, str], ...] = (
    ("x-datadome", "", "DataDome"),
    ("x-dd-b", "", "DataDome"),
    ("x-kpsdk-ct", "", "Kasada"),
    ("x-kpsdk-r", "", "Kasada"),
    ("x-px-block", "", "PerimeterX"),
    ("x-sucuri-id", "", "Sucuri"),
    ("x-iinfo", "", "Imperva"),
    ("x-cdn", "imperva", "Imperva"),
    ("x-cdn", "incapsula", "Imperva"),
    ("server", "akamaighost", "Akamai"),
    ("server", "cloudflare", "Cloudflare"),
    ("server", "ddos-guard", "DDoS-Guard"),
    ("server", "sucuri", "Sucuri"),
    ("server", "awselb", "AWS"),
    ("server", "qrator", "Qrator"),
)

_LISTS = read_lists("fetch/outcomes/data/wall_marks.txt")
WALL_MARKS = phrases_of(_LISTS, "markup")
WIDGETS = _LISTS["widgets"]
SENSORS = _LISTS["sensors"]
ADDRESS_MARKS = tuple(
    (mark, outcome) for outcome, marks in phrases_of(_LISTS, "address") for mark in marks
)
