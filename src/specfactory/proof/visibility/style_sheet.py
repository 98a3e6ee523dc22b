"""The style sheets of a page as one: which declarations win for an element."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from specfactory.proof.text import Element
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
    class_names,
    read_selector,
    split_selectors,
)
from specfactory.word_lists import word_set

_MOST_CONDITIONS = 48  # rules with conditions under one name; further ones are lumped together
_MOST_COLORS = 20_000  # comparisons
_PAINTS = word_set("color -webkit-text-fill-color background background-color")
_INLINE = (9_999, 0, 0)
_LOOSE = {"position": "absolute", "overflow": "hidden"}
_UNCOLORED = hiding.Look(text=None, behind=None)

_UNUSUAL = re.compile(r"[(\[\\]")
_NAMES = re.compile(r"[.#]?[\w\u0080-\U0010ffff-]+")
_CLASS = re.compile(r"\.([\w\u0080-\U0010ffff-]+)")
Rank = tuple[bool, tuple[int, int, int], int]
Given = dict[str, tuple[Rank, str]]


class _Entry(NamedTuple):
    """A rule under the name by which it is found."""

    selector: Selector
    given: Given
    holds: bool  # in the usual state of the page, on every screen
    asks: frozenset[str] = frozenset()  # classes without which it is about nothing
    around: frozenset[str] = frozenset()  # names that stand around what it is about
    alone: bool = False  # elements of one parent, tag, class and id may differ in it


class Won(NamedTuple):
    """The declarations that win for an element."""

    styles: dict[str, str]
    exact: bool  # False where a selector was not wholly understood
    rules: frozenset[int]  # numbers of the rules that they stand in


@lru_cache(maxsize=256)
def inline_styles(style: str) -> Declarations:
    """The declarations of a style attribute; many elements share theirs."""
    return read_declarations(bare_style(style))


@lru_cache(maxsize=256)
def may_hide_inline(style: str) -> bool:
    """True if a style attribute may hide words, alone or with what is behind them."""
    return any(
        _may_hide(name, value) or "color" in name or "background" in name
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
        self._entries: dict[str, list[_Entry]] = {}
        self._declared: dict[int, Declarations] = {}

    def _read(self, rule: Rule) -> Declarations:
        """What a rule declares; read once, however many selectors it has."""
        found = self._declared.get(rule.number)
        if found is None:
            found = self._declared[rule.number] = read_declarations(rule.declared, self._variables)
        return found

    def __contains__(self, key: str) -> bool:
        return key in self._written

    def under(self, key: str) -> list[_Entry]:
        """The entries under a name."""
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = self._merged(key, self._written.get(key, ()))
        return found

    def holding(self, key: str, classes: frozenset[str]) -> list[_Entry]:
        """The entries under a name that may be about an element of a page with these classes."""
        written = self._written.get(key, ())
        some = [one for one in written if one[1].always and _may_fit(one[0], classes)]
        return [one for one in self._merged(key, some) if one.holds and one.asks <= classes]

    def _merged(self, key: str, written: Iterable[tuple[str, Rule]]) -> list[_Entry]:
        """Entries, of which those about nothing but the name are one: the entries tried for an
        element are few, however often a sheet repeats itself."""
        merged: Given = {}
        found: list[_Entry] = []
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
            alone = bool(first.attributes or first.without or first.counted or {*joined} & {*"+~"})
            found.append(_Entry(selector, given, holds, asks, around, alone))
        if merged:
            found.insert(0, _Entry(Selector((_named(key),)), merged, holds=True))
        return found


class PageStyles:
    """The rules of a sheet, for the elements of one page.

    Elements of the same tag, class and id ask the same entries, and those for which the same ones
    hold share what has won.
    """

    def __init__(self, sheet: StyleSheet, elements: Sequence[Element]) -> None:
        self._sheet, self._elements = sheet, elements
        self._above: dict[int, frozenset[str]] = {}
        self._under: dict[str, list[_Entry]] = {}
        self._about: dict[str, list[_Entry]] = {}
        self._alone: dict[str, tuple[int, ...]] = {}
        self._shared: dict[tuple[str, int], tuple[int, ...]] = {}
        self._won: dict[tuple[str, frozenset[int], tuple[int, ...]], Won] = {}

    def touched(self) -> Iterator[Element]:
        """The elements with words that a rule which may hide something is about."""
        alike: defaultdict[str, list[Element]] = defaultdict(list)
        for element in self._elements:
            if element.start >= 0:
                alike[self._signature(element)].append(element)
        asked = {name: self._entries(some[0], name) for name, some in alike.items()}
        entries = {id(one): one for some in asked.values() for one in some}
        faint = _faint(list(entries.values()))
        hiding_ones = {at for at, one in entries.items() if at in faint or _hides(one)}
        for signature, some in asked.items():
            if hiders := [one for one in some if id(one) in hiding_ones]:
                yield from self._about_any(hiders, alike[signature])

    def _about_any(self, entries: list[_Entry], alike: list[Element]) -> Iterator[Element]:
        """Those of elements of one signature that some entry is about."""
        known: dict[Element | None, bool] = {}
        shares = not any(one.alone for one in entries)
        for element in alike:
            found = known.get(element.parent) if shares else None
            if found is None:
                found = any(self._fits(one, element) for one in entries)
                known[element.parent] = found
            if found:
                yield element

    def _signature(self, element: Element) -> str:
        """What tells the rules that may be about an element."""
        given = element.attributes
        if not given:
            return element.tag
        words = f"{element.tag} {given.get('class') or ''} #{given.get('id') or ''}"
        if marks := self._sheet.attributes:
            words += "".join(f" [{name}" for name in given if name in marks)
        return words

    def _keys(self, element: Element) -> list[str]:
        marks = (f"[{name}" for name in element.attributes)
        return [name for name in (*_names(element), "*", *marks) if name in self._sheet]

    def _entries(self, element: Element, signature: str) -> list[_Entry]:
        """The entries that may be about an element."""
        found = self._about.get(signature)
        if found is None:
            found = self._about[signature] = []
            for key in self._keys(element):
                if key not in self._under:
                    entries = self._sheet.holding(key, self._classes)
                    self._under[key] = _lumped(key, entries)
                found.extend(self._under[key])
        return found

    @cached_property
    def _classes(self) -> frozenset[str]:
        """All classes of the page."""
        written = {element.attributes.get("class") for element in self._elements}
        return frozenset(name for names in written if names for name in names.split())

    def _fitting(self, element: Element, signature: str) -> tuple[int, ...]:
        """The places of the entries that are about an element among those that may be."""
        entries = self._entries(element, signature)
        if not entries:
            return ()
        if signature not in self._alone:
            self._alone[signature] = tuple(at for at, one in enumerate(entries) if one.alone)
        place = signature, element.parent.index if element.parent is not None else -1
        shared = self._shared.get(place)
        if shared is None:
            shared = self._shared[place] = tuple(
                at for at, one in enumerate(entries) if not one.alone and self._fits(one, element)
            )
        own = [at for at in self._alone[signature] if self._fits(entries[at], element)]
        return tuple(sorted((*shared, *own))) if own else shared

    def _fits(self, entry: _Entry, element: Element) -> bool:
        """True if an entry is about an element; most are told apart by the classes around it."""
        if entry.around and not entry.around <= self._names_above(element):
            return False
        return entry.selector.fits(element)

    def _names_above(self, element: Element) -> frozenset[str]:
        """The tags, ids and classes of all elements around one."""
        unknown: list[Element] = []
        at = element.parent
        while at is not None and at.index not in self._above:
            unknown.append(at)
            at = at.parent
        found: frozenset[str] = self._above[at.index] if at is not None else frozenset()
        for inner in reversed(unknown):
            self._above[inner.index] = found = found.union(_names(inner))
        return found

    def won(self, element: Element, besides: frozenset[int] = frozenset()) -> Won:
        """The declarations that win for an element, its own style attribute included.

        ``besides`` are numbers of rules that do not count.
        """
        signature, style = self._signature(element), element.attributes.get("style") or ""
        fitting = self._fitting(element, signature)
        shared = f"{signature}\n{style}", besides, fitting
        if shared not in self._won:
            entries = self._entries(element, signature)
            self._won[shared] = _won([entries[at] for at in fitting], style, besides)
        return self._won[shared]

    def may_show(self, element: Element, styles: Mapping[str, str]) -> bool:
        """True if some state or class that it lacks would show a hidden element."""
        for key in self._keys(element):
            for entry in self._sheet.under(key)[:_MOST_CONDITIONS]:
                if entry.holds and self._fits(entry, element):
                    continue
                other = {**styles, **{name: value for name, (_, value) in entry.given.items()}}
                shown = not hiding.hides_box(other) and not hiding.Look().within(other).way
                if shown and other != styles:
                    return True
        return False


def _won(entries: Iterable[_Entry], style: str, besides: frozenset[int]) -> Won:
    best: dict[str, tuple[Rank, str, bool]] = {}
    for entry in entries:
        for name, (rank, value) in entry.given.items():
            beats = name not in best or rank >= best[name][0]
            if beats and rank[2] not in besides:
                best[name] = rank, value, entry.selector.exact
    for name, (value, first) in inline_styles(style).items() if style else ():
        rank = (first, _INLINE, -1)
        if name not in best or rank >= best[name][0]:
            best[name] = rank, value, True
    styles = {name: value for name, (_, value, _) in best.items()}
    numbers = frozenset(rank[2] for rank, _, _ in best.values())
    return Won(styles, all(exact for _, _, exact in best.values()), numbers)


def _names(element: Element) -> list[str]:
    given = element.attributes
    names = [f".{name}" for name in class_names(given.get("class") or "")] if given else []
    return [element.tag, f"#{given.get('id')}", *names]


def _lumped(key: str, entries: list[_Entry]) -> list[_Entry]:
    """The first entries of too many; of the others it is only told that they may hide."""
    if len(entries) <= _MOST_CONDITIONS:
        return entries
    rest: Given = {}
    for entry in filter(_hides, entries[_MOST_CONDITIONS:]):
        _merge(rest, entry.given)
    lump = _Entry(Selector((_named(key),), exact=False), rest, holds=True)
    return [*entries[:_MOST_CONDITIONS], lump]


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


def _faint(entries: Sequence[_Entry]) -> set[int]:
    """The entries (their identities) that give letters, or what is behind them, a colour which
    another one gives to the other."""
    texts: dict[int, hiding.Color] = {}
    backs: dict[int, hiding.Color] = {}
    for entry in entries:
        if not _PAINTS.isdisjoint(entry.given):
            found = hiding.colors({name: value for name, (_, value) in entry.given.items()})
            for known, color in zip((texts, backs), found, strict=True):
                if color is not None:
                    known[id(entry)] = color
    all_texts, all_backs = {hiding.BLACK, *texts.values()}, {hiding.WHITE, *backs.values()}
    if len(all_texts) * len(all_backs) > _MOST_COLORS:  # too many to compare: look at all
        return {*texts, *backs}
    alike = [(text, back) for text in all_texts for back in all_backs if hiding.is_like(text, back)]
    faint_texts, faint_backs = {text for text, _ in alike}, {back for _, back in alike}
    faint = {at for at, color in texts.items() if color in faint_texts}
    return faint | {at for at, color in backs.items() if color in faint_backs}


def _hides(entry: _Entry) -> bool:
    return any(_may_hide(name, value) for name, (_, value) in entry.given.items())


@lru_cache(maxsize=8192)
def _may_hide(name: str, value: str) -> bool:
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
