"""Style sheets → the rules that may hide or show something."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from specfactory.proof.visibility.style_selectors import split_selectors
from specfactory.word_lists import word_set

MAX_CSS = 2_000_000
_MAX_NESTED = 2_000  # characters of selectors around a rule
PROPERTIES = word_set(
    "display visibility opacity content-visibility font-size font color -webkit-text-fill-color",
    "background background-color background-image background-clip -webkit-background-clip",
    "position left right top bottom inset text-indent margin margin-left margin-top transform",
    "clip clip-path width height max-width max-height overflow overflow-x overflow-y",
    "filter scale translate direction unicode-bidi",
)
# Every choice begins with a plain letter, and case is not ignored: so the search skips quickly.
_TOKEN = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
    r"|u[rR][lL]\(\s*+[^)\"']*+\)?|U[rR][lL]\(\s*+[^)\"']*+\)?",
    re.DOTALL,
)
_PIECE = re.compile(r"([^{}]*)([{}])")
_ENDS = re.compile(r"[{};:]|/\*")
_MARKED = re.compile(r"/\*|[\"'(]")
_VARIABLES = re.compile(r"(--[\w-]+)\s*:\s*([^;]{0,100})")
_CONDITIONS = ("@container", "@starting-style")
NO_VARIABLES: Mapping[str, str] = {}
_HEX = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_SKIPPED = re.compile(r"@(?:[\w-]*keyframes|font-face|page|counter-style|property|font-\w+)")
_LEAST = re.compile(
    r"\(\s*min-(?:device-)?(?:width|height)\s*:\s*(\d++(?:\.\d++)?+|\.\d++)(px|r?em)?\s*+\)"
)
_MOST = re.compile(
    r"\(\s*max-(?:device-)?(?:width|height)\s*:\s*(\d++(?:\.\d++)?+|\.\d++)(px|r?em)?\s*+\)"
)
_SMALLEST, _LARGEST, _ANY_SIZE, _EM = 320, 4_000, 1e9, 16  # pixels: screens that readers have
_EVERY_MEDIUM = word_set("all screen only and (color) () not print")

Declarations = Mapping[str, tuple[str, bool]]
"""Property → its value in small letters, and whether it is important."""


class Rule(NamedTuple):
    """A rule as it is written; later ones have higher numbers."""

    selectors: str
    declared: str
    number: int
    always: bool  # False for what holds on some screens only


class Rules(NamedTuple):
    """The rules of some sheets, and the values that they give to variables."""

    rules: tuple[Rule, ...]
    variables: Mapping[str, str]


def read_rules(sheets: Iterable[str]) -> Rules:
    """The rules of sheets, in time linear in their size."""
    rules: list[Rule] = []
    variables: dict[str, str] = {}
    for css in sheets:
        for selectors, declared, always in _blocks(_bare(css[:MAX_CSS])):
            if "--" in declared:
                variables.update(_VARIABLES.findall(declared))
            if selectors and ":" in declared:
                rules.append(Rule(selectors, declared, len(rules), always))
    return Rules(tuple(rules), variables)


def read_declarations(declared: str, variables: Mapping[str, str] = NO_VARIABLES) -> Declarations:
    """What a rule or a style attribute declares."""
    given: dict[str, tuple[str, bool]] = {}
    for words in declared.split(";"):
        name, colon, value = words.partition(":")
        if not colon:
            continue
        if "\\" in words:  # d\69splay is display
            name, value = (_HEX.sub(_character, part).replace("\\", "") for part in (name, value))
        name = name.strip().lower()
        if name in PROPERTIES:
            plain = value.partition("!")[0].strip().lower()
            if "var(" in plain:
                plain = _VARIABLE.sub(lambda at: variables.get(at[1], (at[2] or "").strip()), plain)
            is_important = "!" in value
            if is_important or not given.get(name, ("", False))[1]:
                given[name] = plain, is_important
    return given


def bare_style(style: str) -> str:
    """A style attribute without comments, and without what strings and addresses may hide."""
    return _bare(style) if _MARKED.search(style) else style


@lru_cache(maxsize=256)
def holds_always(media: str) -> bool:
    """True if some query of a list holds on every screen."""
    return any(_holds(query) for query in media.lower().split(","))


def _holds(query: str) -> bool:
    for pattern, least, most in ((_LEAST, 0, _SMALLEST), (_MOST, _LARGEST, _ANY_SIZE)):
        for number, unit in pattern.findall(query):
            if not least <= float(number) * (_EM if unit and unit != "px" else 1) <= most:
                return False
        query = pattern.sub("()", query)
    words = query.split()
    if "print" in words and "not" not in words:
        return False
    if "not" in words and "print" not in words:
        return False
    return _EVERY_MEDIUM.issuperset(words)


def _bare(css: str) -> str:
    """A sheet without comments; strings and addresses hold no marks that would end something."""
    return _TOKEN.sub(_without_marks, css)


def _without_marks(found: re.Match[str]) -> str:
    words = found[0]
    if words.startswith("/*"):
        return " "
    return words if _ENDS.search(words) is None else 'url("")' if words[0] in "uU" else '""'


class _Group(NamedTuple):
    selectors: str  # of the rule that it stands in, if any
    always: bool
    skipped: bool


def _blocks(css: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors and declarations of every rule, those in groups and in other rules too."""
    stack = [_Group("", True, False)]
    for words, mark in _PIECE.findall(f"{css}}}"):  # a sheet may end in the middle
        group = stack[-1]
        if mark == "}":
            if group.selectors and not group.skipped:
                yield group.selectors, words, group.always
            if len(stack) > 1:
                stack.pop()
            continue
        # what stands before the last mark are declarations of the rule around
        before, _, prelude = words.rpartition(";")
        if before and group.selectors and not group.skipped:
            yield group.selectors, before, group.always
        stack.append(_opened(prelude.strip(), group))


def _opened(prelude: str, outer: _Group) -> _Group:
    if outer.skipped or len(outer.selectors) > _MAX_NESTED:
        return outer._replace(skipped=True)
    if not prelude.startswith("@"):
        return _Group(_nested(prelude, outer.selectors), outer.always, skipped=False)
    small = prelude.lower()
    if _SKIPPED.match(small):
        return outer._replace(skipped=True)
    if small.startswith("@media"):
        return outer._replace(always=outer.always and holds_always(prelude[6:]))
    return outer._replace(always=False) if small.startswith(_CONDITIONS) else outer


def _nested(prelude: str, outer: str) -> str:
    """Selectors of a rule inside another, as they would be written outside it."""
    if not outer:
        return prelude
    around = outer if "," not in outer else f":is({outer})"
    parts = (part.strip() for part in split_selectors(prelude))
    return ",".join(
        part.replace("&", around) if "&" in part else f"{around} {part}" for part in parts
    )


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if 0 < code < 0x110000 else "\ufffd"
