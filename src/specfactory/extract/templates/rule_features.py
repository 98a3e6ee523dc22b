"""What a template can say about a text: features that rules are made of."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from specfactory.extract.templates.text_nodes import Frame, PageTexts, Text

KINDS: Final = (
    "path", "steps", "places", "tail", "tail_places", "long_tail", "id", "id_path", "id_places",
    "class", "class_path", "class_places", "classes", "own", "outer", "outer2", "position", "mark",
    "href", "column",
    "before", "before2", "after", "block_before",
    "anchor", "anchor_distance", "anchor_own", "next_anchor", "next_anchor_distance", "anchors",
    "row_head", "row_column", "heading", "bold",
    "prefix", "shape", "form", "title", "h1", "static", "first", "anchor_link",
)  # fmt: skip
_INDEX: Final = {kind: at for at, kind in enumerate(KINDS)}
_DIGITS = re.compile(r"\d+")
_UPPER = re.compile(r"[A-Z]+")
_LOWER = re.compile(r"[^\W\d_A-Z]+")
_PREFIX = re.compile(r"^([^:]{2,40}):\s*\S")
_MONEY = re.compile("[$€£¥]")
_MAX_LABEL = 60


def describe(page: PageTexts, statics: Collection[str]) -> list[tuple[str, ...]]:
    """The features of every text of a page, in the order of KINDS; "" says nothing."""
    return _Described(page, statics).all()


class _Described:
    """The texts of one page, each asked for what stands before, behind and over it."""

    def __init__(self, page: PageTexts, statics: Collection[str]) -> None:
        texts = page.texts
        self._texts = texts
        self._masked = [_label(text.words) for text in texts]
        self._fixed = [text.spot in statics for text in texts]
        self._anchors = _anchors(texts, self._fixed)
        self._followers = _followers(texts, self._fixed)
        self._title, self._h1 = page.title.casefold(), page.h1.casefold()
        self._seen: set[str] = set()

    def all(self) -> list[tuple[str, ...]]:
        """One row of features per text."""
        found = []
        for at, text in enumerate(self._texts):
            shared = text.frame.shared or _shared(text.frame)
            found.append((
                *_placed(shared, str(text.place)),
                *self._beside(at, text),
                *self._anchored(at, text),
                *_headed(text),
                *self._worded(at, text),
                self._linked(at, shared[17]),
            ))  # fmt: skip
        return found

    def _beside(self, at: int, text: Text) -> tuple[str, ...]:
        """The texts right before and after it."""
        masked = self._masked
        before = masked[at - 1] if at else ""
        same_block = at > 0 and self._texts[at - 1].frame.block is text.frame.block
        return (
            before,
            f"{masked[at - 2]}|{before}" if at > 1 else "",
            masked[at + 1] if at + 1 < len(masked) else "",
            before if same_block else "",
        )

    def _anchored(self, at: int, text: Text) -> tuple[str, ...]:
        """The texts around it that stand on every page of the layout."""
        anchor, behind, upper = self._anchors[at]
        follower, ahead = self._followers[at]
        return (
            anchor,
            f"{anchor}|{behind}" if anchor else "",
            f"{anchor}|{text.frame.step}" if anchor else "",
            follower,
            f"{follower}|{ahead}" if follower else "",
            f"{upper}|{anchor}" if upper else "",
        )

    def _worded(self, at: int, text: Text) -> tuple[str, ...]:
        """What its words are like, and whether they were read before."""
        words = text.words
        folded = words.casefold()
        new = "first" if folded not in self._seen else "again"
        self._seen.add(folded)
        return (
            _prefix(words),
            _shape(words),
            _form(words),
            _relation(folded, self._title),
            _relation(folded, self._h1),
            "static" if self._fixed[at] else "free",
            new,
        )

    def _linked(self, at: int, href: str) -> str:
        anchor = self._anchors[at][0]
        return f"{anchor}|{href}" if anchor and href else ""


def _placed(shared: tuple[str, ...], place: str) -> tuple[str, ...]:
    """Where it stands: what its element has in common, with its own place in it."""
    return (
        *shared[:2],
        *[f"{path}:{place}" for path in shared[2:6]],
        *shared[6:8],
        f"{shared[8]}:{place}" if shared[8] else "",
        *shared[9:11],
        f"{shared[11]}:{place}" if shared[11] else "",
        *shared[12:16],
        place,
        *shared[16:],
    )


def _headed(text: Text) -> tuple[str, ...]:
    """What heads its row and its section."""
    row = _label(text.row_head)
    return (
        row,
        f"{row}|{text.frame.column}" if text.row_head else "",
        _label(text.heading),
        _label(text.bold),
    )


def _shared(frame: Frame) -> tuple[str, ...]:
    """What all texts of an element have in common."""
    parent = frame.parent or frame
    outer = parent.parent or parent
    near, kind = frame.identified, frame.classed
    above = kind.parent.classed if kind is not None and kind.parent is not None else None
    frame.shared = (
        frame.path,
        frame.steps,
        frame.places,
        f"{outer.step}/{parent.step}/{frame.step}",
        _last(frame.places, 3),
        _last(frame.places, 5),
        near.step if near else "",
        near.step + frame.path[len(near.path) :] if near else "",
        near.step + frame.places[len(near.places) :] if near else "",
        kind.step if kind else "",
        kind.step + frame.path[len(kind.path) :] if kind else "",
        kind.step + frame.places[len(kind.places) :] if kind else "",
        f"{above.step} {kind.step}" if above and kind else "",
        frame.step,
        parent.step,
        outer.step,
        frame.mark,
        frame.href,
        f"{frame.column}" if frame.cell is not None else "",
    )
    return frame.shared


def _last(path: str, count: int) -> str:
    return "/".join(path.rsplit("/", count)[1:])


def _anchors(texts: list[Text], fixed: list[bool]) -> list[tuple[str, int, str]]:
    """For every text the fixed text before it, how far it is, and the one before that."""
    found: list[tuple[str, int, str]] = []
    anchor, behind, upper = "", 0, ""
    for text, stays in zip(texts, fixed, strict=True):
        behind += 1
        found.append((anchor, min(behind, 9), upper))
        if stays:
            anchor, behind, upper = text.words[:_MAX_LABEL], 0, anchor
    return found


def _followers(texts: list[Text], fixed: list[bool]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    follower, ahead = "", 0
    for text, stays in zip(reversed(texts), reversed(fixed), strict=True):
        ahead += 1
        found.append((follower, min(ahead, 9)))
        if stays:
            follower, ahead = text.words[:_MAX_LABEL], 0
    found.reverse()
    return found


def _label(words: str) -> str:
    return _DIGITS.sub("#", words[:_MAX_LABEL]) if words else ""


def _prefix(words: str) -> str:
    found = _PREFIX.match(words)
    return found[1] if found else ""


def _shape(words: str) -> str:
    """Digits, capitals and small letters, each run as one sign: "$129.90" is "$9.9"."""
    shape = _LOWER.sub("a", _UPPER.sub("A", _DIGITS.sub("9", words[:80])))
    return shape[:24]


def _form(words: str) -> str:
    """How long, and whether it has digits, a sign of money, an ending colon."""
    length = len(words)
    size = 0 if length < 3 else 1 if length < 12 else 2 if length < 40 else 3 if length < 150 else 4
    digits = sum(map(len, _DIGITS.findall(words[:80]))) if _DIGITS.search(words) else 0
    much = 0 if not digits else 2 if digits * 2 >= min(length, 80) else 1
    money = 1 if _MONEY.search(words) else 0
    return f"{size}{much}{money}{words[-1] if words[-1] in ':.,|' else ''}"


def _relation(words: str, title: str) -> str:
    if not title or len(words) < 2:
        return ""
    if words == title:
        return "is"
    if title.startswith(words):
        return "begins"
    if title in words:
        return "holds"
    return "within" if words in title else "other"
