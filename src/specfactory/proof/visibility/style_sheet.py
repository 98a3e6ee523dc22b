"""The style sheets of a page as one: its rules, by the names of what they are about."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from specfactory.proof.visibility import hiding
from specfactory.proof.visibility.style_rules import (
    Declarations,
    Rule,
    Rules,
    bare_style,
    read_declarations,
    read_rules,
)
from specfactory.proof.visibility.style_selectors import (
    Compound,
    Selector,
    plain,
    read_selector,
    split_selectors,
)

MOST_CONDITIONS = 48  # rules with conditions under one name; further ones are lumped together
_LOOSE = {"position": "absolute", "overflow": "hidden"}
_UNCOLORED = hiding.Look(text=None, behind=None)

_UNUSUAL = re.compile(r"[(\[\\]")
_NAMES = re.compile(r"[.#]?[\w\u0080-\U0010ffff-]+")
_ASKED = re.compile(r"[.#][\w\u0080-\U0010ffff-]+")
_CLASS = re.compile(r"\.([\w\u0080-\U0010ffff-]+)")
Rank = tuple[bool, tuple[int, int, int], int]
Given = dict[str, tuple[Rank, str]]


class Entry(NamedTuple):
    """A rule under the name by which it is found."""

    selector: Selector
    given: Given
    holds: bool  # in the usual state of the page, on every screen
    asks: frozenset[str] = frozenset()  # classes without which it is about nothing
    around: frozenset[str] = frozenset()  # names that stand around what it is about
    named: bool = True  # tags, classes and ids tell all that it asks of elements and those around
    told: bool = True  # names around an element of the right name tell that it is about it
    alone: bool = False  # elements of one parent, tag, class and id may differ in it

    @property
    def hides(self) -> bool:
        """True if one of its declarations may hide something."""
        return any(may_hide(name, value) for name, (_, value) in self.given.items())


@lru_cache(maxsize=256)
def inline_styles(style: str) -> Declarations:
    """The declarations of a style attribute; many elements share theirs."""
    return read_declarations(bare_style(style))


@lru_cache(maxsize=256)
def may_hide_inline(style: str) -> bool:
    """True if a style attribute may hide words, alone or with what is behind them."""
    return any(
        may_hide(name, value) or "color" in name or "background" in name
        for name, (value, _) in inline_styles(style).items()
    )


@lru_cache(maxsize=16)
def style_sheet(sheets: tuple[str, ...]) -> "StyleSheet":
    """The sheets of a page, in their order; the pages of a site share them."""
    return StyleSheet(read_rules(sheets))


class StyleSheet:
    """Rules by the names of what they are about; few are ever needed, and read when they are."""

    def __init__(self, rules: Rules) -> None:
        self._variables = rules.variables
        self._written: dict[str, list[tuple[str, Rule]]] = {}
        for rule in rules.rules:
            for selector in split_selectors(rule.selectors):
                for key in _keys_of(selector):
                    self._written.setdefault(key, []).append((selector, rule))
        self.attributes = frozenset(key[1:] for key in self._written if key[0] == "[")
        self._asked = {name for one in rules.rules for name in _ASKED.findall(plain(one.selectors))}
        self._entries: dict[str, list[Entry]] = {}
        self._declared: dict[int, Declarations] = {}

    def _read(self, rule: Rule) -> Declarations:
        """What a rule declares; read once, however many selectors it has."""
        found = self._declared.get(rule.number)
        if found is None:
            found = self._declared[rule.number] = read_declarations(rule.declared, self._variables)
        return found

    def __contains__(self, key: str) -> bool:
        return key in self._written

    def asks_for(self, name: str) -> bool:
        """False for an id or class that no selector has."""
        return name in self._asked or _ASKED.fullmatch(name) is None  # others may be escaped

    def under(self, key: str) -> list[Entry]:
        """The entries under a name."""
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = self._merged(key, self._written.get(key, ()))
        return found

    def holding(self, key: str, classes: frozenset[str]) -> list[Entry]:
        """The entries under a name that may be about an element of a page with these classes."""
        written = self._written.get(key, ())
        some = [one for one in written if one[1].always and _may_fit(one[0], classes)]
        return [one for one in self._merged(key, some) if one.holds and one.asks <= classes]

    def _merged(self, key: str, written: Iterable[tuple[str, Rule]]) -> list[Entry]:
        """Entries, of which those about nothing but the name are one: the entries tried for an
        element are few, however often a sheet repeats itself."""
        merged: Given = {}
        found: list[Entry] = []
        for words, rule in written:
            declared = self._read(rule)
            selector = read_selector(words.strip()) if declared else None
            if selector is None:
                continue
            given = {
                name: ((important, selector.weight, rule.number), value)
                for name, (value, important) in declared.items()
            }
            holds = rule.always and selector.usual
            if holds and selector.exact and selector.compounds == (_named(key),):
                _merge(merged, given)
                continue
            asks = frozenset(name for one in selector.compounds for name in one.classes)
            first, *outer = selector.compounds
            joined = selector.combinators
            above = (one for one, how in zip(outer, joined, strict=True) if how in " >")
            around = frozenset(name for one in above for name in one.names)
            alone = not first.is_named or not {*joined}.isdisjoint("+~")
            named = not alone and all(one.is_named for one in outer)
            told = named and (not outer or (joined == (" ",) and len(around) == 1))
            found.append(Entry(selector, given, holds, asks, around, named, told, alone))
        if merged:
            found.insert(0, Entry(Selector((_named(key),)), merged, holds=True))
        return found


def lumped(key: str, entries: list[Entry]) -> list[Entry]:
    """The first entries of too many; of the others it is only told that they may hide."""
    if len(entries) <= MOST_CONDITIONS:
        return entries
    rest: Given = {}
    for entry in entries[MOST_CONDITIONS:]:
        if entry.hides:
            _merge(rest, entry.given)
    lump = Entry(Selector((_named(key),), exact=False), rest, holds=True)
    return [*entries[:MOST_CONDITIONS], lump]


def _may_fit(written: str, classes: frozenset[str]) -> bool:
    """False if a selector asks for a class that a page has not, as far as that is easily told."""
    return _UNUSUAL.search(written) is not None or classes.issuperset(_CLASS.findall(written))


def _keys_of(written: str) -> tuple[str, ...]:
    """The names under which a selector is found: its rarest one, and other classes that it needs.

    An element that has one of several classes may get the others, and be shown then.
    """
    parts = written.replace(">", " ").replace("+", " ").replace("~", " ").split()
    if parts and not _UNUSUAL.search(written):
        names = _NAMES.findall(parts[-1].partition(":")[0])
        ids = [name for name in names if name[0] == "#"]
        classes = [name for name in names if name[0] == "."]
        return tuple(ids or classes or [name.lower() for name in names] or ["*"])
    selector = read_selector(written.strip())
    if selector is None:
        return ()
    first = selector.compounds[0]
    return (
        tuple(f".{name}" for name in first.classes)
        if not first.id and first.classes
        else (first.key,)
    )


@lru_cache(maxsize=8192)
def may_hide(name: str, value: str) -> bool:
    """True if a declaration may hide something, with others that do not hide by themselves."""
    styles = {name: value}
    letters = _UNCOLORED.within(styles)
    boxed = hiding.hides_box({**_LOOSE, **styles})
    return bool(boxed or letters.way or hiding.turns_letters(styles))


def _merge(into: Given, given: Given) -> None:
    for name, one in given.items():
        if name not in into or one[0] >= into[name][0]:
            into[name] = one


def _named(key: str) -> Compound:
    """The compound that says no more than a name."""
    if key[0] == "#":
        return Compound(id=key[1:])
    if key[0] == ".":
        return Compound(classes=frozenset((key[1:],)))
    return Compound() if key in ("*", "") or key[0] == "[" else Compound(key)
