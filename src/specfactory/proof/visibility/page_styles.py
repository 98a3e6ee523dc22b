"""The rules of a style sheet, for the elements of one page: which declarations win for each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from specfactory.proof.text import Element
from specfactory.proof.visibility import hiding
from specfactory.proof.visibility.style_selectors import class_names
from specfactory.proof.visibility.style_sheet import (
    MOST_CONDITIONS,
    Entry,
    Rank,
    StyleSheet,
    inline_styles,
    lumped,
)
from specfactory.word_lists import word_set

_MOST_COLORS = 20_000  # comparisons
_PAINTS = word_set("color -webkit-text-fill-color background background-color")
_INLINE = (9_999, 0, 0)


class Won:
    """The declarations that win for an element; many elements share theirs."""

    def __init__(self, styles: dict[str, str], exact: bool, rules: frozenset[int]) -> None:
        self.styles = styles
        self.exact = exact  # False where a selector was not wholly understood
        self.rules = rules  # numbers of the rules that they stand in
        self._looks: dict[hiding.Look, hiding.Look] = {}

    @cached_property
    def box(self) -> str:
        """The way in which they hide an element with all that is inside it; empty for none."""
        return hiding.hides_box(self.styles) if self.styles else ""

    def look(self, around: hiding.Look) -> hiding.Look:
        """How letters look that have them, by how those around look."""
        found = self._looks.get(around)
        if found is None:
            found = self._looks[around] = around.within(self.styles)
        return found


class _Place(Struct, eq=False):
    """A tag with its class and id, inside others: elements of one place share most rules."""

    first: Element
    signature: str
    above: frozenset[str]  # tags, ids and classes of all elements around it
    inside: "dict[str, _Place]"
    fitting: tuple[int, ...] | None = None  # entries that are about all elements of the place


class PageStyles:
    """The rules of a sheet, for the elements of one page.

    Elements of the same tag, class and id ask the same entries, those with the same ones around
    them answer most alike, and those for which the same ones hold share what has won.
    """

    def __init__(self, sheet: StyleSheet, elements: Sequence[Element]) -> None:
        self._sheet, self._elements = sheet, elements
        self._signatures: dict[tuple[str, str | None, str | None], str] = {}
        self._outermost: dict[str, _Place] = {}
        self._places: dict[int, _Place] = {}  # of elements
        self._under: dict[str, list[Entry]] = {}
        self._about: dict[str, list[Entry]] = {}
        self._own: dict[str, list[Entry]] = {}
        self._unnamed: dict[str, list[int]] = {}
        self._shared: dict[tuple[str, int], list[int]] = {}
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
        hiding_ones = {at for at, one in entries.items() if at in faint or one.hides}
        for signature, some in alike.items():
            own = self._own_entries(some[0], signature)
            if hiders := [one for one in own if id(one) in hiding_ones]:
                yield from self._about_any(hiders, some)

    def _about_any(self, entries: list[Entry], alike: list[Element]) -> Iterator[Element]:
        """Those of elements of one signature that some entry is about."""
        known: dict[_Place | Element | None, bool] = {}
        named, shares = all(one.named for one in entries), not any(one.alone for one in entries)
        for element in alike:
            place = self._place(element)
            key = place if named else element.parent
            found = known.get(key) if shares else None
            if found is None:
                found = known[key] = any(_fits(one, element, place) for one in entries)
            if found:
                yield element

    def _signature(self, element: Element) -> str:
        """What tells the rules that may be about an element."""
        given = element.attributes
        if not given:
            return element.tag
        words = element.tag, given.get("class"), given.get("id")
        signature = self._signatures.get(words)
        if signature is None:
            signature = self._signatures[words] = " ".join(
                filter(self._sheet.asks_for, _names(element))
            )
        if marks := self._sheet.attributes:
            signature += "".join(f" [{name}" for name in given if name in marks)
        return signature

    def _keys(self, element: Element) -> list[str]:
        marks = (f"[{name}" for name in element.attributes)
        return [name for name in (*_names(element), "*", *marks) if name in self._sheet]

    def _entries(self, element: Element, signature: str) -> list[Entry]:
        """The entries that may be about an element."""
        found = self._about.get(signature)
        if found is None:
            found = self._about[signature] = []
            for key in self._keys(element):
                if key not in self._under:
                    entries = self._sheet.holding(key, self._classes)
                    self._under[key] = lumped(key, entries)
                found.extend(self._under[key])
        return found

    @cached_property
    def _classes(self) -> frozenset[str]:
        """All classes of the page."""
        written = {element.attributes.get("class") for element in self._elements}
        return frozenset(name for names in written if names for name in names.split())

    def _own_entries(self, element: Element, signature: str) -> list[Entry]:
        """Those of them that ask for no other tag, class or id of the element itself."""
        found = self._own.get(signature)
        if found is None:
            entries = self._entries(element, signature)
            found = self._own[signature] = [
                one for one in entries if one.selector.compounds[0].names_fit(element)
            ]
            self._unnamed[signature] = [at for at, one in enumerate(found) if not one.named]
        return found

    def _fitting(self, element: Element, signature: str) -> tuple[int, ...]:
        """The numbers of the entries that are about an element among its own."""
        entries = self._own_entries(element, signature)
        if not entries:
            return ()
        place = self._place(element)
        if place.fitting is None:
            place.fitting = tuple(
                at for at, one in enumerate(entries) if one.named and _fits(one, element, place)
            )
        if not self._unnamed[signature]:
            return place.fitting
        of_parent = signature, element.parent.index if element.parent is not None else -1
        if of_parent not in self._shared:
            unnamed = [at for at in self._unnamed[signature] if not entries[at].alone]
            shared = [at for at in unnamed if _fits(entries[at], element, place)]
            self._shared[of_parent] = shared
        alone = [at for at in self._unnamed[signature] if entries[at].alone]
        own = [at for at in alone if _fits(entries[at], element, place)]
        return tuple(sorted((*place.fitting, *self._shared[of_parent], *own)))

    def _place(self, element: Element) -> _Place:
        """The place of an element."""
        unknown: list[Element] = []
        at: Element | None = element
        while at is not None and at.index not in self._places:
            unknown.append(at)
            at = at.parent
        outer = self._places[at.index] if at is not None else None
        for inner in reversed(unknown):
            known = outer.inside if outer is not None else self._outermost
            signature = self._signature(inner)
            if signature not in known:
                above = outer.above.union(_names(outer.first)) if outer else frozenset[str]()
                known[signature] = _Place(inner, signature, above, {})
            outer = self._places[inner.index] = known[signature]
        assert outer is not None
        return outer

    def won(self, element: Element, besides: frozenset[int] = frozenset()) -> Won:
        """The declarations that win for an element, its own style attribute included.

        ``besides`` are numbers of rules that do not count.
        """
        signature, style = self._signature(element), element.attributes.get("style") or ""
        fitting = self._fitting(element, signature)
        shared = f"{signature}\n{style}", besides, fitting
        if shared not in self._won:
            entries = self._own_entries(element, signature)
            self._won[shared] = _won([entries[at] for at in fitting], style, besides)
        return self._won[shared]

    def may_show(self, element: Element, styles: Mapping[str, str]) -> bool:
        """True if some state or class that it lacks would show a hidden element."""
        place = self._place(element)
        for key in self._keys(element):
            for entry in self._sheet.under(key)[:MOST_CONDITIONS]:
                if entry.holds and entry.around <= place.above and entry.selector.fits(element):
                    continue
                other = {**styles, **{name: value for name, (_, value) in entry.given.items()}}
                shown = not hiding.hides_box(other) and not hiding.Look().within(other).way
                if shown and other != styles:
                    return True
        return False


def _fits(entry: Entry, element: Element, place: _Place) -> bool:
    """True if an entry of its own is about an element; names around it tell most apart."""
    return entry.around <= place.above and (entry.told or entry.selector.fits(element))


def _won(entries: Iterable[Entry], style: str, besides: frozenset[int]) -> Won:
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
    if not given:
        return [element.tag]
    ids = [f"#{given['id']}"] if given.get("id") else []
    return [element.tag, *ids, *(f".{name}" for name in class_names(given.get("class") or ""))]


def _faint(entries: Sequence[Entry]) -> set[int]:
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
