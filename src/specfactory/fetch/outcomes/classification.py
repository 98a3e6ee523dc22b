"""Classify how a fetch ended (rule 3), with the words or the header that say so."""

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from specfactory.fetch.outcomes.page_signs import Look, look
from specfactory.fetch.outcomes.wall_marks import ADDRESS_MARKS, VENDOR_HEADERS
from specfactory.fetch.outcomes.walls import find_wall, header_wall, refusing_wall
from specfactory.model import Cause, FetchEnd, FetchResponse, Outcome, replace
from specfactory.proof.text import parse_page

_READABLE = frozenset(
    {"application/pdf", "application/xhtml+xml", "application/json", "application/xml",
     "application/ld+json", "application/rss+xml", "application/atom+xml", "application/x-ndjson"}
)  # fmt: skip
_HTML = ("text/html", "application/xhtml+xml")
_MARKUP = frozenset({*_HTML, "text/plain"})
BY_STATUS = {
    401: Outcome.LOGIN_REQUIRED, 403: Outcome.BLOCKED, 404: Outcome.NOT_FOUND,
    407: Outcome.LOGIN_REQUIRED, 410: Outcome.NOT_FOUND, 418: Outcome.BLOCKED,
    429: Outcome.RATE_LIMITED, 451: Outcome.GEO_BLOCKED, 503: Outcome.MAINTENANCE,
    999: Outcome.BLOCKED,
}  # fmt: skip
_OPEN_TO_WORDS = frozenset({403, 405, 406, 418, 429, 503, 999})  # the page may say more
_SAYS_MORE = frozenset(
    {Outcome.BLOCKED, Outcome.CAPTCHA, Outcome.LOGIN_REQUIRED, Outcome.GEO_BLOCKED,
     Outcome.WAITING_ROOM, Outcome.RATE_LIMITED}
)  # fmt: skip
_KASADA = "Kasada"  # it answers 429 to whom it refuses
_OUR_ADDRESS = re.compile(r"\bip\b")
_CONTROLS = bytes(range(9))
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9._:-]{2,40})""", re.IGNORECASE)


def classify(response: FetchResponse) -> FetchEnd:
    """Classify a response: its outcome and cause, and the evidence."""
    outcome = without_words(response)
    if response.failure is not None:
        return FetchEnd(outcome, response.failure_detail, response.cause, response.retry_at)
    wall = header_wall(response)
    if wall[0] is not Outcome.OK:
        return FetchEnd(*wall)
    if outcome is Outcome.OK:
        return _judge_body(response)
    return _judge_refusal(response, outcome)


class Judged(NamedTuple):
    """The end of a fetch, and whether its charset has to be guessed."""

    end: FetchEnd
    is_foreign: bool = False  # a text, but not in the charset that it declares or in UTF-8


def judge_body(response: FetchResponse, body: bytes) -> Judged:
    """Classify a response whose body was left out of it, so that both can be handed on apart."""
    whole = replace(response, body=body)
    kind, declared = media_type(whole)
    header = response.headers.get("content-type", "")
    is_foreign = kind in _MARKUP and not parse_page(body, header, declared).decoded[1]
    return Judged(classify(whole), is_foreign)


def _judge_refusal(response: FetchResponse, outcome: Outcome) -> FetchEnd:
    """Classify an error status, refined by what its page says."""
    vendor = _vendor(response)
    said = f"HTTP {response.status}" + (f" from {vendor}" if vendor else "")
    # a server that only fails says 503 as well; one that is being worked on says more
    bare = outcome is Outcome.MAINTENANCE and not vendor
    end = FetchEnd(outcome, said, Cause.STATUS_ONLY if bare else Cause.NONE, response.retry_at)
    if response.status in _OPEN_TO_WORDS and response.body and _kind(response) in _HTML:
        seen = look(response, media_type(response)[1], closely=True)
        wall, words = refusing_wall(seen)
        if wall is Outcome.JS_REQUIRED and outcome is not Outcome.RATE_LIMITED:
            wall = Outcome.BLOCKED  # a script instead of an answer is a challenge
        elif wall not in _SAYS_MORE and wall is not outcome:
            return end
        by_address = wall is Outcome.RATE_LIMITED and _OUR_ADDRESS.search(seen.text)
        cause = Cause.BY_ADDRESS if by_address else Cause.NONE
        return FetchEnd(wall, f"{said}, {words}", cause, response.retry_at)
    if outcome is Outcome.RATE_LIMITED and vendor == _KASADA:
        return end._replace(outcome=Outcome.BLOCKED)
    return end


def _vendor(response: FetchResponse) -> str:
    """Name who refused, where the headers say so."""
    for name, value, vendor in VENDOR_HEADERS:
        given = response.headers.get(name)
        if given is not None and given.lower().startswith(value):
            return vendor
    return ""


def without_words(response: FetchResponse) -> Outcome:
    """Classify by status and headers alone."""
    status = response.status
    if response.failure is not None:
        return response.failure
    if status == 304:
        return Outcome.NOT_MODIFIED
    if status in BY_STATUS:
        return BY_STATUS[status]
    if 400 <= status < 500:
        return Outcome.REFUSED
    return Outcome.OK if 200 <= status < 300 else Outcome.NETWORK_ERROR


def media_type(response: FetchResponse) -> tuple[str, str]:
    """Media type and charset, as declared or, where that is useless, by the first bytes."""
    return _kind(response), _declared(response.headers.get("content-type", ""))[1]


@lru_cache(maxsize=256)  # a server declares the same for all its pages
def _declared(header: str) -> tuple[str, str]:
    """Media type and charset, as a header names them."""
    charset = _CHARSET.search(header)
    kind = header.partition(";")[0].strip().lower()
    return kind, charset.group(1).lower() if charset else ""


def _kind(response: FetchResponse) -> str:
    declared = _declared(response.headers.get("content-type", ""))[0]
    start = response.body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    if declared in ("", "application/octet-stream", "application/pdf", "unknown/unknown"):
        return "text/html" if start.startswith(b"<") else declared
    return declared


def _judge_body(response: FetchResponse) -> FetchEnd:
    kind, body = _kind(response), response.body
    if not body or body.isspace():
        return FetchEnd(Outcome.EMPTY, "the body is empty")
    readable = kind.startswith("text/") or kind in _READABLE or kind.endswith(("+json", "+xml"))
    if not readable:
        said = f"not a page but {kind or 'bytes of an unknown type'}"
        return FetchEnd(Outcome.REFUSED, said, Cause.NOT_A_PAGE)
    if kind != "application/pdf" and _is_binary(body):
        cause = Cause.NOT_TEXT if kind.startswith("text") else Cause.NOT_A_PAGE
        return FetchEnd(Outcome.REFUSED, f"binary bytes, declared as {kind}", cause)
    if kind not in _HTML:
        return FetchEnd(Outcome.OK, f"HTTP {response.status}, {kind}")
    if response.redirects:  # they may have ended at a known wall
        address, asked = response.final_url.lower(), response.url.lower()
        for mark, outcome in ADDRESS_MARKS:
            if mark in address and mark not in asked:
                return FetchEnd(outcome, f"redirected to {mark.strip('/')!r}")
    seen = look(response, media_type(response)[1])
    outcome, evidence = find_wall(seen)
    if outcome is Outcome.OK and _is_sent_home(response, seen):
        return FetchEnd(Outcome.SOFT_404, "redirected to the front page")
    said = evidence or f"HTTP {response.status}, {seen.length} characters to read"
    return FetchEnd(outcome, said)


def _is_binary(body: bytes) -> bool:
    start = body[:2048]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16
        return False
    controls = len(start) - len(start.translate(None, _CONTROLS))
    return controls * 100 > len(start)


def _is_sent_home(response: FetchResponse, seen: Look) -> bool:
    """True if a long path led to the front page: the page is gone."""
    if seen.final_path not in ("", "/"):
        return False
    asked = urlsplit((response.redirects and response.url) or "").path
    gone = len(asked) > 12 and not asked.startswith("/index")
    same_site = urlsplit(response.url).hostname == urlsplit(response.final_url).hostname
    return gone and same_site
