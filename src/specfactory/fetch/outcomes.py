"""How a fetch ended (rule 3), with the words or the header that made us say so.

Conservative: a page with something to read is ``ok`` whatever words it contains. Only thin
pages are suspected, and then by structure and by what they say first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from specfactory.fetch.phrases import (
    CHALLENGE_MARKS,
    HEADLINES,
    LOGIN_WORDS,
    SCRIPT_WORDS,
    SENTENCES,
)
from specfactory.model import FetchResponse, Outcome, Rung
from specfactory.proof.decode import decode
from specfactory.proof.depth import cut_at_depth
from specfactory.proof.parsed import parse_page

_THIN = 2_500  # characters a person can read; from here on a page speaks for itself
_BARE = 700  # so little that one sentence is the page
_SHELL = 250  # so little that scripts must bring the rest
_FIRST_BYTES = 400_000  # enough to tell in most cases
_READABLE = frozenset(
    {"application/pdf", "application/xhtml+xml", "application/json", "application/xml",
     "application/ld+json", "application/rss+xml", "application/atom+xml", "application/x-ndjson"}
)  # fmt: skip
_GENERIC_TYPES = frozenset(
    {"WebSite", "Organization", "SearchAction", "BreadcrumbList", "ListItem", "EntryPoint",
     "ImageObject", "WebPage", "Corporation", "PostalAddress", "ContactPoint"}
)  # fmt: skip
_STATUS = {
    401: Outcome.LOGIN_REQUIRED, 403: Outcome.BLOCKED, 404: Outcome.NOT_FOUND,
    407: Outcome.LOGIN_REQUIRED, 410: Outcome.NOT_FOUND, 418: Outcome.BLOCKED,
    429: Outcome.RATE_LIMITED, 451: Outcome.GEO_BLOCKED, 503: Outcome.MAINTENANCE,
    999: Outcome.BLOCKED,
}  # fmt: skip
_OPEN_TO_WORDS = frozenset({403, 418, 503, 999})  # the page may say more than the number
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9._:-]{2,40})""", re.IGNORECASE)
_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z:/.]{2,60})"')
_SPACE = re.compile(r"\s+")
_HIDDEN = ["script", "style", "noscript", "template", "svg"]
_UNREAD = ", ".join(_HIDDEN)


def classify(response: FetchResponse) -> tuple[Outcome, str]:
    """How a fetch ended, and the evidence."""
    outcome = without_words(response)
    if response.failure is not None:
        return outcome, response.failure_detail
    if outcome is Outcome.OK:
        return _judge_body(response)
    said = f"HTTP {response.status}"
    if response.status in _OPEN_TO_WORDS and _kind(response) == "text/html" and response.body:
        return _refine(outcome, said, _look(response))
    return outcome, said


def _refine(outcome: Outcome, said: str, look: _Look) -> tuple[Outcome, str]:
    """What the page of an unwelcoming status adds to it."""
    wall, words = _by_headline(look)
    if wall is Outcome.OK:
        wall, words = _wall(look)
    if wall is Outcome.JS_REQUIRED:  # a script instead of an answer is a challenge
        return Outcome.BLOCKED, f"{said}, {words}"
    if wall in (Outcome.OK, Outcome.SOFT_404, Outcome.CONSENT_WALL, Outcome.EMPTY):
        return outcome, said
    return wall, f"{said}, {words}"


def without_words(response: FetchResponse) -> Outcome:
    """How a fetch ended as far as status and headers tell."""
    status = response.status
    if response.failure is not None:
        return response.failure
    if status == 304:
        return Outcome.NOT_MODIFIED
    if status in _STATUS:
        return _STATUS[status]
    if 400 <= status < 500:
        return Outcome.REFUSED
    return Outcome.OK if 200 <= status < 300 else Outcome.NETWORK_ERROR


def media_type(response: FetchResponse) -> tuple[str, str]:
    """Media type and charset, as declared or, where that is useless, as the bytes begin."""
    declared = response.headers.get("content-type", "")
    charset = _CHARSET.search(declared)
    return _kind(response), charset.group(1).lower() if charset else ""


def _kind(response: FetchResponse) -> str:
    declared = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    start = response.body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    if declared in ("", "application/octet-stream", "application/pdf", "unknown/unknown"):
        return "text/html" if start.startswith(b"<") else declared
    return declared


def _judge_body(response: FetchResponse) -> tuple[Outcome, str]:
    kind, body = _kind(response), response.body
    if not body.strip():
        return Outcome.EMPTY, "the body is empty"
    if not _readable(kind):
        return Outcome.REFUSED, f"not a page but {kind or 'bytes of an unknown type'}"
    if kind != "application/pdf" and _is_binary(body):
        return Outcome.REFUSED, f"binary bytes, declared as {kind}"
    if kind not in ("text/html", "application/xhtml+xml"):
        return Outcome.OK, f"HTTP {response.status}, {kind}"
    look = _glance(response) or _look(response)
    outcome, evidence = _wall(look)
    if outcome is Outcome.OK and (lost := _sent_home(response, look)):
        return Outcome.SOFT_404, lost
    return outcome, evidence or f"HTTP {response.status}, {look.length} characters to read"


def _readable(kind: str) -> bool:
    return kind.startswith("text/") or kind in _READABLE or kind.endswith(("+json", "+xml"))


def _is_binary(body: bytes) -> bool:
    start = body[:2048]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16
        return False
    controls = sum(start.count(bytes((code,))) for code in (0, 1, 2, 3, 4, 5, 6, 7, 8))
    return controls * 100 > len(start)


@dataclass(slots=True)
class _Look:
    """What there is to see on a page, as far as outcomes need it."""

    title: str = ""
    heading: str = ""
    text: str = ""  # in lower case; only of thin pages
    length: int = 0
    markup: str = ""  # in lower case; only of thin pages
    scripts: int = 0
    images: int = 0
    noscript: str = ""
    password: bool = False
    roots: int = 0  # empty elements that scripts fill
    described: bool = False  # structured data about a thing, not about the site
    final_path: str = ""
    rendered: bool = False  # by a browser: scripts have done what they do


def _glance(response: FetchResponse) -> _Look | None:
    """Enough of a look for a page that plainly has much to read, as most have; else None.

    The tree is that of whoever reads the page next; it is not changed here.
    """
    if len(response.body) > _FIRST_BYTES:
        return None
    tree = parse_page(
        response.body, response.headers.get("content-type", ""), media_type(response)[1]
    ).tree
    if tree is None or tree.body is None:
        return None
    length = _ink(tree.body.text()) - sum(_ink(node.text()) for node in tree.css(_UNREAD))
    path = urlsplit(response.final_url).path.lower()
    return _Look(length=length, final_path=path) if length >= _THIN else None


def _ink(text: str) -> int:
    """The characters of a text that are no space; commonly between four fifths and all."""
    return len(text) - text.count(" ") - text.count("\n") - text.count("\t") - text.count("\r")


def _look(response: FetchResponse) -> _Look:
    body = response.body
    declared = response.headers.get("content-type", "")
    look = _look_at(decode(body[:_FIRST_BYTES], declared))
    if look.length < _THIN and len(body) > _FIRST_BYTES:
        look = _look_at(decode(body, declared))
    look.final_path = urlsplit(response.final_url).path.lower()
    look.rendered = response.rung in (Rung.BROWSER, Rung.BROWSER_PROXY)
    return look


def _look_at(html: str) -> _Look:
    tree = LexborHTMLParser(cut_at_depth(html))
    look = _Look()
    if tree.body is None:
        return look
    look.described = _describes_a_thing(tree)
    look.scripts = len(tree.css("script[src], script:not([type])"))
    look.noscript = " ".join(node.text() for node in tree.css("noscript")[:5])[:2000].lower()
    look.title = _words(tree.css_first("title"))
    tree.strip_tags(_HIDDEN)
    text = _SPACE.sub(" ", tree.body.text(separator=" ")).strip()
    look.length = len(text)
    if look.length < _THIN:
        _look_closer(look, tree, html, text)
    return look


def _look_closer(look: _Look, tree: LexborHTMLParser, html: str, text: str) -> None:
    look.text = _plain(text)
    look.markup = html[:200_000].lower()
    look.heading = _words(tree.css_first("h1") or tree.css_first("h2"))
    look.images = len(tree.css("img, video, object, embed, iframe"))
    look.password = tree.css_first("input[type=password]") is not None
    look.roots = sum(
        1
        for node in tree.css("body > div, body > main, body > [id$=root], body > app-root")
        if not node.text(strip=True)
    )


def _describes_a_thing(tree: LexborHTMLParser) -> bool:
    for node in tree.css('script[type="application/ld+json"]')[:20]:
        types = {name.rpartition("/")[2] for name in _TYPE.findall(node.text()[:50_000])}
        if types - _GENERIC_TYPES:
            return True
    return tree.css_first("[itemprop=name], [itemprop=price]") is not None


def _words(node: object) -> str:
    text = node.text(separator=" ") if node is not None else ""  # type: ignore[attr-defined]
    return _plain(_SPACE.sub(" ", text).strip()[:300])


def _plain(text: str) -> str:
    return text.lower().replace("\u2019", "'")


def _wall(look: _Look) -> tuple[Outcome, str]:
    """What stands between us and the page, if anything does."""
    if look.length >= _THIN or look.described:
        return Outcome.OK, ""
    for judge in (_by_headline, _by_login, _by_challenge, _by_sentence, _by_structure):
        outcome, evidence = judge(look)
        if outcome is not Outcome.OK:
            return outcome, evidence
    return Outcome.OK, ""


def _by_headline(look: _Look) -> tuple[Outcome, str]:
    for place, words in (("title", look.title), ("heading", look.heading)):
        for outcome, phrases in HEADLINES:
            if phrase := _first(phrases, words):
                return outcome, f"{place} says {phrase!r}"
    return Outcome.OK, ""


def _by_login(look: _Look) -> tuple[Outcome, str]:
    if not look.password:
        return Outcome.OK, ""
    said = _first(LOGIN_WORDS, look.title) or _first(LOGIN_WORDS, look.heading)
    if said or _first(LOGIN_WORDS, look.final_path) or look.length < _BARE:
        return Outcome.LOGIN_REQUIRED, f"a password is asked for, {said or 'and little else'!r}"
    return Outcome.OK, ""


def _by_challenge(look: _Look) -> tuple[Outcome, str]:
    if look.length >= _BARE:
        return Outcome.OK, ""
    mark = _first(CHALLENGE_MARKS, look.markup)
    if not mark:
        return Outcome.OK, ""
    outcome = Outcome.CAPTCHA if "captcha" in mark or "turnstile" in mark else Outcome.BLOCKED
    return outcome, f"{mark!r} on a page with {look.length} characters to read"


def _by_sentence(look: _Look) -> tuple[Outcome, str]:
    if look.length >= _BARE:
        return Outcome.OK, ""
    for outcome, phrases in SENTENCES:
        if phrase := _first(phrases, look.text):
            return outcome, f"the page says little but {phrase!r}"
    return Outcome.OK, ""


def _by_structure(look: _Look) -> tuple[Outcome, str]:
    if look.length < _SHELL and look.scripts and not look.rendered:
        if word := _first(SCRIPT_WORDS, look.noscript) or _first(SCRIPT_WORDS, look.text):
            return Outcome.JS_REQUIRED, f"{look.length} characters to read; it asks for {word}"
        if look.roots or not look.length:
            return Outcome.JS_REQUIRED, f"{look.length} characters to read, an empty root, scripts"
    if not look.length and not look.images:
        return Outcome.EMPTY, "nothing to read"
    return Outcome.OK, ""


def _sent_home(response: FetchResponse, look: _Look) -> str:
    """A long path that leads to the front page is a page that is gone."""
    asked = urlsplit((response.redirects and response.url) or "").path
    gone = look.final_path in ("", "/") and len(asked) > 12 and not asked.startswith("/index")
    same_site = urlsplit(response.url).hostname == urlsplit(response.final_url).hostname
    return "redirected to the front page" if gone and same_site else ""


def _first(phrases: tuple[str, ...], words: str) -> str:
    return next((phrase for phrase in phrases if phrase in words), "") if words else ""
