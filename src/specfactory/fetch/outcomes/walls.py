"""Find the wall that stands between us and a page, and the evidence for it. Pure.

Conservative: a page with something to read is ``ok`` whatever words it contains. Only thin pages
are suspected: by the marks that makers of walls leave, by what stands first, and by structure.
"""

import re
from collections.abc import Callable

from specfactory.contract.values import PLAIN_CODES, SIGN_CHARACTERS, SURE_SIGNS
from specfactory.fetch.outcomes.page_signs import Look
from specfactory.fetch.outcomes.wall_marks import HEADER_MARKS, SENSORS, WALL_MARKS, WIDGETS
from specfactory.fetch.outcomes.wall_phrases import (
    HEADLINES,
    LOGIN_WORDS,
    SCRIPT_WORDS,
    SENTENCES,
    UNMISTAKABLE,
    WEAK_HEADLINES,
)
from specfactory.model import FetchResponse, Outcome

BARE = 700  # characters: so little that one sentence is the page
_SHELL = 250  # so little that scripts must bring the rest
_ONLY_WIDGET = 350  # so little that a captcha is all there is
_ONLY_FORM = 350  # so little that the form is the page
_NOTHING = 100  # so little that the page was withheld
_MOST_FIELDS = 1  # a form with more of them has a purpose of its own
_SMALL_MARKUP = 12_000
_MOST = 0.5  # of a headline's part: it is what the headline says
_ALL = 0.8
_PARTS = re.compile(r"\s*[|·•»«:–—]\s*|\s+-+\s+")
_BEGINS_WITH_STATUS = re.compile(r"(?:error\s*)?(40[34])\b")
_GOES_ON = re.compile(r"location\.(?:reload|replace|assign|href)|location\s*=|\.submit\(")
_AKAMAI = re.compile(
    r"reference\s{0,9}(?:#|number|id)?[:\s]{0,9}#?\d{1,3}\.[0-9a-f]{4,}\.\d{6,}\.[0-9a-f]+"
)
_CURRENCY = "|".join(
    (*PLAIN_CODES, *(sign for sign in SURE_SIGNS if sign.isalpha() and len(sign) > 1))
)
_PRICE = re.compile(rf"[{SIGN_CHARACTERS}]\s?\d|\d\s?(?:[{SIGN_CHARACTERS}]|(?:{_CURRENCY})\b)")
# no wall of these kinds has anything to sell; others ask for money, or offer something else
_PRICELESS = frozenset({Outcome.BLOCKED, Outcome.CAPTCHA, Outcome.GEO_BLOCKED})
_ALL_TITLES = tuple(title for _, titles in UNMISTAKABLE for title in titles)
_MARKING = frozenset(name for name, _, _ in HEADER_MARKS)

Wall = tuple[Outcome, str]
NO_WALL: Wall = (Outcome.OK, "")


def header_wall(response: FetchResponse) -> Wall:
    """Find a wall by its headers."""
    if _MARKING.isdisjoint(response.headers):
        return NO_WALL
    for name, value, outcome in HEADER_MARKS:
        given = response.headers.get(name)
        if given is not None and given.lower().startswith(value):
            return outcome, f"{name}: {given[:60]}"
    return NO_WALL


def find_wall(look: Look) -> Wall:
    """Find a wall by all signs of a page."""
    if not look.is_thin:
        return _by_title(look)
    return _first_wall(
        look, _by_headline, _by_login, _by_mark, _by_sentence, _by_weak_headline, _by_widget,
        _script_wall, _shell, _nothing,
    )  # fmt: skip


def refusing_wall(look: Look) -> Wall:
    """Find a wall on the page of an error status, however much it says."""
    if look.is_thin:
        return find_wall(look)
    return _first_wall(look, _by_headline, _by_weak_headline, _marked)


def _first_wall(look: Look, *judges: Callable[[Look], Wall]) -> Wall:
    for judge in judges:
        wall = judge(look)
        if wall[0] is not Outcome.OK:
            return wall
    return NO_WALL


def _by_title(look: Look) -> Wall:
    """An unmistakable title, however long the page."""
    if not look.title.startswith(_ALL_TITLES):
        return NO_WALL
    for outcome, titles in UNMISTAKABLE:
        if title := next((title for title in titles if look.title.startswith(title)), ""):
            return outcome, f"title says {title!r}"
    return NO_WALL


def _by_headline(look: Look) -> Wall:
    for place, words in (("title", look.title), ("heading", look.heading)):
        if not words:
            continue
        for outcome, phrases in HEADLINES:
            phrase = _first(phrases, words)
            # a heading about cookies may be that of a banner, on a page that says more
            banner = outcome is Outcome.CONSENT_WALL and place == "heading" and look.length >= BARE
            if phrase and not banner:
                return outcome, f"{place} says {phrase!r}"
    return NO_WALL


def _by_weak_headline(look: Look) -> Wall:
    """An ambiguous word, where it is most of what the headline says."""
    needed = _MOST if look.length < _SHELL else _ALL
    for place, words in (("title", look.title), ("heading", look.heading)):
        if number := _BEGINS_WITH_STATUS.match(words):
            outcome = Outcome.SOFT_404 if number[1] == "404" else Outcome.BLOCKED
            return outcome, f"{place} begins with {number[1]}"
        for outcome, phrases in WEAK_HEADLINES:
            for phrase in phrases:
                if phrase in words and _share(phrase, words) >= needed:
                    return outcome, f"{place} says little but {phrase!r}"
    return NO_WALL


def _by_login(look: Look) -> Wall:
    if look.asked_path and _is_login(look.final_path) and not _is_login(look.asked_path):
        return Outcome.LOGIN_REQUIRED, f"redirected to {look.final_path[:100]!r}"
    # a headline that is about nothing but logging in
    headlines = (look.title, look.heading)
    words = ((word, line) for line in headlines for word in LOGIN_WORDS if word in line)
    said = next((word for word, line in words if _share(word, line) >= _MOST), "")
    if look.password:
        named = said or _first(LOGIN_WORDS, look.title) or _first(LOGIN_WORDS, look.heading)
        if named or _is_login(look.final_path) or 0 < look.length < _ONLY_FORM:
            return (
                Outcome.LOGIN_REQUIRED,
                f"a password is asked for, {named or 'and little else'!r}",
            )
    elif said and look.fields:
        return Outcome.LOGIN_REQUIRED, f"a form to {said!r}"
    return NO_WALL


def _is_login(path: str) -> bool:
    return any(word in path for word in ("login", "signin", "sign-in", "log-in", "/auth/"))


def _by_mark(look: Look) -> Wall:
    return _marked(look) if look.length < BARE else NO_WALL


def _marked(look: Look) -> Wall:
    for outcome, marks in WALL_MARKS:
        if mark := _first(marks, look.markup):
            return outcome, f"{mark!r} on a page with {look.length} characters to read"
    return NO_WALL


def _by_sentence(look: Look) -> Wall:
    if look.length >= BARE:
        return NO_WALL
    for outcome, phrases in SENTENCES:
        phrase = _first(phrases, look.text)
        if phrase and not (outcome in _PRICELESS and _sells(look)):
            return outcome, f"the page says little but {phrase!r}"
    if number := _AKAMAI.search(look.text):
        return Outcome.BLOCKED, f"the page says little but {number[0]!r}"
    return NO_WALL


def _by_widget(look: Look) -> Wall:
    """A captcha that is part of no form, and next to nothing to read."""
    if look.length >= _ONLY_WIDGET or look.fields > _MOST_FIELDS:
        return NO_WALL
    if look.app_roots or _sells(look):  # an application that has yet to come; or a page it is on
        return NO_WALL
    size = f"on a page with {look.length} characters to read"
    if mark := _first(WIDGETS, look.markup):
        return Outcome.BLOCKED if "incapsula" in mark else Outcome.CAPTCHA, f"{mark!r} {size}"
    if look.length < _NOTHING and (mark := _first(SENSORS, look.markup)):
        return Outcome.BLOCKED, f"{mark!r} {size}"
    return NO_WALL


def _sells(look: Look) -> bool:
    """True if a thing with a name and a price is offered: the page is there."""
    return bool(look.heading and _PRICE.search(look.text))


def _script_wall(look: Look) -> Wall:
    """A script that sets a cookie and asks again, and nothing else."""
    alone = (
        not look.rendered
        and not look.length
        and not look.sources
        and len(look.markup) < _SMALL_MARKUP
    )
    if alone and "document.cookie" in look.markup and _GOES_ON.search(look.markup):
        return Outcome.BLOCKED, "a script sets a cookie and asks for the page again"
    return NO_WALL


def _shell(look: Look) -> Wall:
    """A page that its scripts have yet to bring."""
    if not look.scripts or look.rendered:
        return NO_WALL
    size = f"{look.length} characters to read"
    if look.app_roots and look.length < BARE:
        return Outcome.JS_REQUIRED, f"{size}, an application's root is empty"
    if look.length >= _SHELL:
        return NO_WALL
    if word := _first(SCRIPT_WORDS, look.noscript) or _first(SCRIPT_WORDS, look.text):
        return Outcome.JS_REQUIRED, f"{size}; it asks for {word}"
    if look.roots or not look.length:
        return Outcome.JS_REQUIRED, f"{size}, an empty root, scripts"
    return NO_WALL


def _nothing(look: Look) -> Wall:
    return NO_WALL if look.length or look.images else (Outcome.EMPTY, "nothing to read")


def _share(phrase: str, headline: str) -> float:
    """Share of a phrase in a part of a headline; the name of the site is another part."""
    parts = (part.strip(" .!?…'\"()[]") for part in _PARTS.split(headline))
    return max((len(phrase) / len(part) for part in parts if phrase in part), default=0)


def _first(phrases: tuple[str, ...], words: str) -> str:
    return next((phrase for phrase in phrases if phrase in words), "") if words else ""
