"""The style sheets of a page as one: which declarations win for an element."""

import re
from collections.abc import Iterator, Mapping, Sequence
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

_MOST_CONDITIONS = 48  # rules with conditions under one name; further ones are lumped together
_MOST_COLORS = 20_000  # comparisons
_INLINE = (9_999, 0, 0)
_LOOSE: dict[str, str] = {"position": "absolute", "overflow": "hidden"}

# Declarations that may hide something; escapes and variables may spell any of them.
SUSPICIOUS = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hid|coll)|opacity\s*:\s*[0.]|opacity\(\s*[0.]"
    r"|font(?:-size)?\s*:[^;]{0,40}?\b[0-2](?:\.\d+)?(?:px|pt|r?em|%|[\s;!/]|$)"
    r"|(?:left|right|top|bottom|inset)\s*:[^;]{0,40}\d{3}|(?:indent|margin|-left|-top)\s*:[^;]{0,40}-\d{2}"
    r"|clip(?:-path)?\s*:|(?:width|height)\s*:\s*[01](?![\d.])|scale|translate\w*[(:][^;]{0,40}\d{3}"
    r"|text-fill|bidi|\\|(?:display|visibility|opacity|size|indent)\s*:\s*var",
    re.IGNORECASE,
)
_COLOR = re.compile(r"(?<![\w-])color\s*:\s*([^;]*)", re.IGNORECASE)
_PAINT = re.compile(r"(?<![\w-])(?:color|background|background-color)\s*:\s*([^;]*)", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]*)", re.IGNORECASE)
_UNUSUAL = re.compile(r"[(\[\\]")
_LAST = re.compile(r"[^\s>+~]+\s*$")
_NAMES = re.compile(r"[.#]?[\w\u0080-\U0010ffff-]+")
Rank = tuple[bool, tuple[int, int, int], int]
Given = dict[str, tuple[Rank, str]]


class _Entry(NamedTuple):
    """A rule under the name by which it is found."""

    selector: Selector
    given: Given
    holds: bool  # in the usual state of the page, on every screen
    asks: frozenset[str] = frozenset()  # classes without which it is about nothing
    around: frozenset[str] = frozenset()  # names that stand around what it is about
    hides: bool = False  # it may hide something


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
    styles = {name: value for name, (value, _) in inline_styles(style).items()}
    return _may_hide(styles) or any("color" in name or "background" in name for name in styles)


@lru_cache(maxsize=16)
def style_sheet(sheets: tuple[str, ...]) -> "StyleSheet":
    """The sheets of a page, in their order; the pages of a site share them."""
    return StyleSheet(read_rules(sheets))


class StyleSheet:
    """Rules by the names of what they are about; few are ever needed, and read when they are."""

    def __init__(self, rules: Rules) -> None:
        self._variables = rules.variables
        self._written: dict[str, list[tuple[str, Rule, bool]]] = {}
        self.suspects: set[str] = set()  # names of what rules may hide
        faint = _faint_colors(rules)
        for rule in rules.rules:
            suspect = rule.always and (
                SUSPICIOUS.search(rule.declared) is not None
                or any(one.strip().lower() in faint for one in _PAINT.findall(rule.declared))
            )
            for selector in split_selectors(rule.selectors):
                keys = _keys_of(selector)
                for key in keys:
                    self._written.setdefault(key, []).append((selector, rule, suspect))
                if suspect:
                    self.suspects.update(keys)
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

    def has_attributes(self) -> bool:
        """True if some rule is about elements of an attribute alone."""
        return any(key.startswith("[") for key in self._written)

    def under(self, key: str) -> list[_Entry]:
        """The entries under a name. Rules about nothing but the name are merged: the entries
        tried for an element are few, however often a sheet repeats itself."""
        found = self._entries.get(key)
        if found is None:
            merged: Given = {}
            may_hide = False
            found = []
            for written, rule, suspect in self._written.get(key, ()):
                selector = read_selector(written.strip())
                declared = self._read(rule)
                if selector is None or not declared:
                    continue
                given = {
                    name: ((first, selector.weight, rule.number), value)
                    for name, (value, first) in declared.items()
                }
                holds = rule.always and selector.usual
                if holds and selector.exact and selector.compounds == (_named(key),):
                    _merge(merged, given)
                    may_hide = may_hide or suspect
                    continue
                asks = frozenset(name for one in selector.compounds for name in one.classes)
                nested = selector.compounds[1:] if set(selector.combinators) <= set(" >") else ()
                around = frozenset(name for one in nested for name in one.names)
                found.append(_Entry(selector, given, holds, asks, around, suspect))
            if merged:
                plain = Selector((_named(key),))
                found.insert(0, _Entry(plain, merged, holds=True, hides=may_hide))
            self._entries[key] = found
        return found


class PageStyles:
    """The rules of a sheet, for the elements of one page."""

    def __init__(self, sheet: StyleSheet, elements: Sequence[Element]) -> None:
        self._sheet, self._elements = sheet, elements
        self._has_attributes = sheet.has_attributes()
        self._known: dict[str, tuple[str, ...]] = {}
        self._above: dict[int, frozenset[str]] = {}
        self._entries: dict[str, list[_Entry]] = {}

    def touched(self) -> Iterator[Element]:
        """The elements with words that a rule which may hide something is about."""
        suspects = self._sheet.suspects
        for element in self._elements if suspects else ():
            if element.start < 0:
                continue
            keys = self._keys(element)
            if not suspects.isdisjoint(keys) and any(
                one.hides and self._fits(one, element)
                for key in keys if key in suspects for one in self._under(key)
            ):  # fmt: skip
                yield element

    def _keys(self, element: Element) -> tuple[str, ...]:
        given, sheet = element.attributes, self._sheet
        signature = f"{element.tag} {given.get('class') or ''} #{given.get('id') or ''}"
        found = self._known.get(signature)
        if found is None:
            known = (name for name in (*_names(element), "*") if name in sheet)
            found = self._known[signature] = tuple(known)
        if self._has_attributes and given:
            found += tuple(f"[{name}" for name in given if f"[{name}" in sheet)
        return found

    @cached_property
    def _classes(self) -> frozenset[str]:
        """All classes of the page."""
        written = {element.attributes.get("class") for element in self._elements}
        return frozenset(name for names in written if names for name in names.split())

    def _under(self, key: str) -> list[_Entry]:
        """The entries under a name that may be about some element of this page."""
        found = self._entries.get(key)
        if found is None:
            given = self._sheet.under(key)
            found = [one for one in given if one.holds and one.asks <= self._classes]
            if len(found) > _MOST_CONDITIONS:
                found = _lumped(key, found)
            self._entries[key] = found
        return found

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
        best: dict[str, tuple[Rank, str, bool]] = {}
        for key in self._keys(element):
            for entry in self._under(key):
                if self._fits(entry, element):
                    for name, (rank, value) in entry.given.items():
                        beats = name not in best or rank >= best[name][0]
                        if beats and rank[2] not in besides:
                            best[name] = rank, value, entry.selector.exact
        if style := element.attributes.get("style"):
            for name, (value, first) in inline_styles(style).items():
                rank = (first, _INLINE, -1)
                if name not in best or rank >= best[name][0]:
                    best[name] = rank, value, True
        styles = {name: value for name, (_, value, _) in best.items()}
        numbers = frozenset(rank[2] for rank, _, _ in best.values())
        return Won(styles, all(exact for _, _, exact in best.values()), numbers)

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


def _names(element: Element) -> list[str]:
    given = element.attributes
    names = [f".{name}" for name in class_names(given.get("class") or "")] if given else []
    return [element.tag, f"#{given.get('id')}", *names]


def _lumped(key: str, entries: list[_Entry]) -> list[_Entry]:
    """The first entries of too many; of the others it is only told that they may hide."""
    rest: Given = {}
    for entry in entries[_MOST_CONDITIONS:]:
        if entry.holds and _may_hide({name: value for name, (_, value) in entry.given.items()}):
            _merge(rest, entry.given)
    lump = _Entry(Selector((_named(key),), exact=False), rest, holds=True, hides=bool(rest))
    return [*entries[:_MOST_CONDITIONS], lump]


def _keys_of(written: str) -> tuple[str, ...]:
    """The names under which a selector is found: its rarest one, and other classes that it needs.

    An element that has one of several classes may get the others, and be shown then.
    """
    last = _LAST.search(written)
    if last is not None and not _UNUSUAL.search(written):
        names = _NAMES.findall(last[0].partition(":")[0])
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


def _faint_colors(rules: Rules) -> frozenset[str]:
    """Colours of letters, as written, that cannot be seen before some background; and the like."""
    declared = [rule.declared for rule in rules.rules]
    texts = {one.strip().lower() for words in declared for one in _COLOR.findall(words)}
    backs = {one.strip().lower() for words in declared for one in _BACKGROUND.findall(words)}
    if len(texts) * len(backs) > _MOST_COLORS:  # too many to compare: look at all
        return frozenset(texts | backs)
    known_texts = {hiding.BLACK, *filter(None, map(_color_of, texts))}
    known_backs = {hiding.WHITE, *filter(None, map(_color_of, backs))}
    faint = {one for one in texts if "var(" in one}
    for one in texts | backs:
        color = _color_of(one)
        if color is None:
            continue
        if one in texts and any(hiding.is_like(color, back) for back in known_backs):
            faint.add(one)
        if one in backs and any(hiding.is_like(text, color) for text in known_texts):
            faint.add(one)
    return frozenset(faint)


def _color_of(written: str) -> hiding.Color | None:
    return hiding.read_color(written.partition("!")[0].strip())


def _may_hide(styles: dict[str, str]) -> bool:
    letters = hiding.Look(text=None).within({**styles, "color": ""})
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
