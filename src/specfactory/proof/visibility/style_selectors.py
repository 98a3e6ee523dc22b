"""Selectors of style rules: read from text, and held against the elements of an outline."""

import re
from bisect import bisect_left
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from specfactory.proof.text import Element
from specfactory.word_lists import word_set

_MAX_SELECTORS = 2_000  # of one rule
_MAX_PARTS = 12
_NAME = r"(?:[\w\u0080-\U0010ffff-]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])++"
_PART = re.compile(
    rf"(?P<combinator>\s*[>+~]\s*|\s+)|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    r"|\[\s*(?P<attribute>[\w:-]+)\s*(?:(?P<how>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s]+)"
    r"\s*+[iIsS]?+\s*+)?\]"
    rf"|(?P<pseudo>::?[\w-]+)(?P<inside>\((?:[^()]++|\([^()]*+\))*+\))?|(?P<tag>{_NAME}|[*&])"
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_NESTING = re.compile(r"[(\[,)\]]")
# What holds in the usual state of a page; other pseudo-classes come and go, or count children.
_USUAL = word_set(":root :link :any-link :scope :host :defined :enabled :read-only")
_CHOICES = word_set(":is :where :matches :-webkit-any :-moz-any")
_PARTS_OF_BOX = word_set(":before :after :first-line :first-letter")
_STRUCTURAL = re.compile(r":(?:nth-|first-|last-|only-|empty|lang|dir|has)")
_PLACES = {":first-child": ((":nth-child", 0, 1),), ":last-child": ((":nth-last-child", 0, 1),),
           ":first-of-type": ((":nth-of-type", 0, 1),),
           ":last-of-type": ((":nth-last-of-type", 0, 1),),
           ":only-child": ((":nth-child", 0, 1), (":nth-last-child", 0, 1))}  # fmt: skip
_FORMULA = re.compile(r"\s*+([+-]?\d{0,6})n\s*+([+-]\s*+\d{1,6}+)?+\s*+|\s*+([+-]?\d{1,6})\s*+")
_MAX_SIBLINGS = 100  # that are looked at for one element

Attribute = tuple[str, str, str]  # name, comparison, value


@lru_cache(maxsize=4096)
def class_names(written: str) -> frozenset[str]:
    """The names in a class attribute; elements share theirs."""
    return frozenset(written.split())


class Compound(NamedTuple):
    """A selector of one element."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[Attribute, ...] = ()
    without: tuple["Compound", ...] = ()  # those that it must not be
    counted: tuple[tuple[str, int, int], ...] = ()  # its place among siblings, as an + b

    def fits(self, element: Element) -> bool:
        """True if the element is one of those that it names."""
        if not self.names_fit(element):
            return False
        if self.attributes and not all(_compares(each, element) for each in self.attributes):
            return False
        if self.without and any(other.fits(element) for other in self.without):
            return False
        return not self.counted or all(_counts(each, element) for each in self.counted)

    def names_fit(self, element: Element) -> bool:
        """True if the element has its tag, id and classes."""
        if self.tag and element.tag != self.tag:
            return False
        given = element.attributes
        if self.id and given.get("id") != self.id:
            return False
        return not self.classes or self.classes <= class_names(given.get("class") or "")

    @property
    def is_named(self) -> bool:
        """True if tag, id and classes are all that it asks for."""
        return not (self.attributes or self.without or self.counted)

    @property
    def names(self) -> list[str]:
        """Its tag, id and classes, as far as it has them."""
        own = [self.tag] if self.tag else []
        return [*own, *([f"#{self.id}"] if self.id else []), *(f".{name}" for name in self.classes)]

    @property
    def key(self) -> str:
        """The rarest of its names, by which rules are looked up."""
        if self.id:
            return f"#{self.id}"
        if self.classes:
            return f".{min(self.classes)}"
        return self.tag or (f"[{self.attributes[0][0]}" if self.attributes else "*")


class Selector(NamedTuple):
    """Compounds from the element outwards, with the combinators between them."""

    compounds: tuple[Compound, ...]
    combinators: tuple[str, ...] = ()
    weight: tuple[int, int, int] = (0, 0, 0)
    exact: bool = True  # False where a part of it is not understood, and taken to hold
    usual: bool = True  # False where it needs a state: hovered, checked, the target

    def fits(self, element: Element) -> bool:
        """True if the element, with those around it, is what the selector names."""
        if not self.compounds[0].fits(element):
            return False
        last = len(self.compounds)
        if last == 1:
            return True
        at = element.parent
        if set(self.combinators) == {" "}:  # most are
            for compound in self.compounds[1:]:
                while at is not None and not compound.fits(at):
                    at = at.parent
                if at is None:
                    return False
                at = at.parent
            return True
        wanted, at = {1}, element  # compounds that the next sibling or ancestor may be
        while at is not None and wanted:
            wanted = self._past_siblings(at, wanted)
            if last in wanted:
                return True
            at = at.parent
            if at is not None:
                fitting = {place + 1 for place in wanted
                           if self.combinators[place - 1] in " >"
                           and self.compounds[place].fits(at)}  # fmt: skip
                wanted = {place for place in wanted if self.combinators[place - 1] == " "} | fitting
        return last in wanted

    def _past_siblings(self, element: Element, wanted: set[int]) -> set[int]:
        """The compounds that may come next, once siblings have been what they are to be."""
        waiting = [
            at
            for at in wanted
            if self.combinators[at - 1 : at] and self.combinators[at - 1] in "+~"
        ]
        if not waiting or element.parent is None:
            return wanted
        siblings = element.parent.children
        place = bisect_left(siblings, element.index, key=attrgetter("index"))
        found = set(wanted)
        for at in waiting:
            near = 1 if self.combinators[at - 1] == "+" else _MAX_SIBLINGS
            if any(self.compounds[at].fits(one) for one in siblings[max(place - near, 0) : place]):
                found.add(at + 1)
        return found


def read_selectors(prelude: str) -> tuple[Selector, ...]:
    """The selectors of a rule; what is none of ours is left out."""
    read = (read_selector(one.strip()) for one in split_selectors(prelude)[:_MAX_SELECTORS])
    return tuple(one for one in read if one is not None)


def split_selectors(prelude: str) -> list[str]:
    """The members of a list; commas inside brackets do not end one."""
    if "(" not in prelude and "[" not in prelude:
        return prelude.split(",")
    found, depth, begin = [], 0, 0
    for mark in _NESTING.finditer(prelude):
        if mark[0] == ",":
            if depth <= 0:
                found.append(prelude[begin : mark.start()])
                begin = mark.end()
        else:
            depth += 1 if mark[0] in "([" else -1
    return [*found, prelude[begin:]]


class _Draft:
    """A selector while it is read."""

    def __init__(self) -> None:
        self.compounds: list[Compound] = [Compound()]
        self.combinators: list[str] = []
        self.weight = [0, 0, 0]
        self.exact = self.usual = True

    def add(self, compound: Compound) -> None:
        last = self.compounds[-1]
        self.compounds[-1] = Compound(
            compound.tag or last.tag, compound.id or last.id, last.classes | compound.classes,
            last.attributes + compound.attributes, last.without + compound.without,
            last.counted + compound.counted,
        )  # fmt: skip

    def combine(self, combinator: str) -> None:
        self.compounds.append(Compound())
        self.combinators.append(combinator)

    def pseudo(self, name: str, inside: str) -> bool:
        """Take a pseudo-class; False for a part of a box that holds no words of the page."""
        if name.startswith("::") or name in _PARTS_OF_BOX:
            return False
        inner = read_selectors(inside) if inside else ()
        if name == ":root":
            self.add(Compound("html"))
        elif name == ":not" and inner and all(len(one.compounds) == 1 for one in inner):
            self.add(Compound(without=tuple(one.compounds[0] for one in inner)))
            self.usual = self.usual and all(one.usual for one in inner)
        elif name in _CHOICES and len(inner) == 1 and len(inner[0].compounds) == 1:
            self.add(inner[0].compounds[0])
        elif (counted := _place(name, inside)) is not None:
            self.add(Compound(counted=counted))
        elif _STRUCTURAL.match(name) or name in _CHOICES or name == ":not":
            self.exact = False
        elif name not in _USUAL:
            self.usual = False
        return True


@lru_cache(maxsize=16_384)
def read_selector(written: str) -> Selector | None:
    """One selector; None when it names nothing that has words, or is not one."""
    draft, at = _Draft(), 0
    for _ in range(_MAX_PARTS * 4):
        if at >= len(written):
            break
        part = _PART.match(written, at)
        if part is None:
            return None
        at = part.end()
        text = ""
        if combinator := part["combinator"]:
            draft.combine(combinator.strip() or " ")
        elif part["pseudo"]:
            draft.weight[1] += 1
            if not draft.pseudo(part["pseudo"].lower(), (part["inside"] or "")[1:-1]):
                return None
        elif text := part["id"] or "":
            draft.weight[0] += 1
            draft.add(Compound(id=plain(text)))
        elif text := part["class"] or "":
            draft.weight[1] += 1
            draft.add(Compound(classes=frozenset((plain(text),))))
        elif text := part["attribute"] or "":
            draft.weight[1] += 1
            value = plain((part["value"] or "").strip("\"'"))
            draft.add(Compound(attributes=((text.lower(), part["how"] or "", value),)))
        elif part["tag"] not in ("*", "&"):
            draft.weight[2] += 1
            draft.add(Compound(plain(part["tag"]).lower()))
    compounds = tuple(reversed(draft.compounds))
    if len(compounds) > _MAX_PARTS:
        compounds, draft.exact = compounds[:_MAX_PARTS], False
    combinators = tuple(reversed(draft.combinators))[: len(compounds) - 1]
    ids, classes, tags = draft.weight
    return Selector(compounds, combinators, (ids, classes, tags), draft.exact, draft.usual)


def _place(name: str, inside: str) -> tuple[tuple[str, int, int], ...] | None:
    """What a pseudo-class says of the place among siblings; None if it says nothing of it."""
    if name in _PLACES:
        return _PLACES[name]
    written = {"odd": "2n+1", "even": "2n"}.get(inside.strip().lower(), inside.lower())
    found = _FORMULA.fullmatch(written)
    if not name.startswith(":nth-") or found is None:
        return None
    if found[3]:
        return ((name, 0, int(found[3])),)
    step = int(f"{found[1]}1") if found[1] in ("", "+", "-") else int(found[1])
    return ((name, step, int((found[2] or "0").replace(" ", ""))),)


def _counts(counted: tuple[str, int, int], element: Element) -> bool:
    """True if an element's place among its siblings is one of ``step * n + first``."""
    name, step, first = counted
    siblings = element.parent.children if element.parent is not None else [element]
    at = bisect_left(siblings, element.index, key=attrgetter("index"))
    if "last" in name:
        others = siblings[at + 1 : at + 1 + _MAX_SIBLINGS]
    else:
        others = siblings[max(at - _MAX_SIBLINGS, 0) : at]
    if name.endswith("of-type"):
        place = sum(one.tag == element.tag for one in others) + 1
    else:
        place = (len(siblings) - at) if "last" in name else at + 1
    past = place - first
    return past == 0 if step == 0 else past % step == 0 and past // step >= 0


def plain(name: str) -> str:
    """A name, or selectors, without escapes."""
    if "\\" not in name:
        return name

    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16) if found[1] else 0
        return (chr(code) if 0 < code < 0x110000 else "\ufffd") if found[1] else found[2]

    return _ESCAPE.sub(character, name)


def _compares(wanted: Attribute, element: Element) -> bool:
    name, how, value = wanted
    if name not in element.attributes:
        return False
    given = element.get(name)
    if not how:
        return True
    if how == "=":
        return given == value
    if how == "~=":
        return value in given.split()
    if how == "|=":
        return given == value or given.startswith(f"{value}-")
    if not value:
        return False
    if how == "^=":
        return given.startswith(value)
    return given.endswith(value) if how == "$=" else value in given
