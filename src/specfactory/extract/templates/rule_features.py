"""Features of a text, from which the rules of templates are made."""

import re
from collections.abc import Collection
from typing import Final

from specfactory.contract.values import SIGN_CHARACTERS
from specfactory.extract.templates.text_nodes import PageTexts, Text, TextFrame

KINDS: Final = (
    "path", "steps", "places", "tail", "tail_places", "long_tail", "id", "id_path", "id_places",
    "class", "class_path", "class_places", "classes", "own", "outer", "outer2", "position", "mark",
    "href", "column",
    "before", "before2", "after", "block_before",
    "anchor", "anchor_distance", "anchor_own", "next_anchor", "next_anchor_distance", "anchors",
    "row_head", "row_column", "heading", "bold",
    "prefix", "shape", "form", "title", "h1", "static", "first", "anchor_link",
)  # fmt: skip
_DIGITS = re.compile(r"\d+")
_UPPER = re.compile(r"[A-Z]+")
_LOWER = re.compile(r"[^\W\d_A-Z]+")
_PREFIX = re.compile(r"^([^:]{2,40}):\s*\S")
_MONEY = re.compile(f"[{SIGN_CHARACTERS}]")
_MAX_LABEL = 60


def describe(page: PageTexts, statics: Collection[str]) -> list[tuple[str, ...]]:
    """Features of every text of a page, in the order of KINDS; "" means none."""
    texts = page.texts
    masked = [_label(text.words) for text in texts]
    fixed = [text.spot in statics for text in texts]
    anchors = _anchors(texts, fixed)
    followers = _anchors(texts[::-1], fixed[::-1])[::-1]
    title, h1 = page.title.casefold(), page.h1.casefold()
    seen: set[str] = set()
    found = []
    for at, text in enumerate(texts):
        frame, words = text.frame, text.words
        shared, place = frame.shared or _shared(frame), str(text.place)
        before = masked[at - 1] if at else ""
        same_block = at > 0 and texts[at - 1].frame.block is frame.block
        anchor, behind, upper = anchors[at]
        follower, ahead, _ = followers[at]
        row, href = _label(text.row_head), shared[17]
        prefix, folded = _PREFIX.match(words), words.casefold()
        found.append((
            *shared[:2],
            *[f"{path}:{place}" for path in shared[2:6]],
            *shared[6:8],
            f"{shared[8]}:{place}" if shared[8] else "",
            *shared[9:11],
            f"{shared[11]}:{place}" if shared[11] else "",
            *shared[12:16],
            place,
            *shared[16:],
            # texts right before and after it
            before,
            f"{masked[at - 2]}|{before}" if at > 1 else "",
            masked[at + 1] if at + 1 < len(masked) else "",
            before if same_block else "",
            # nearest texts that are fixed on all pages of the layout
            anchor,
            f"{anchor}|{behind}" if anchor else "",
            f"{anchor}|{frame.step}" if anchor else "",
            follower,
            f"{follower}|{ahead}" if follower else "",
            f"{upper}|{anchor}" if upper else "",
            # headings of its row and its section
            row,
            f"{row}|{frame.column}" if text.row_head else "",
            _label(text.heading),
            _label(text.bold),
            # its own words
            prefix[1] if prefix else "",
            # runs of digits, capitals and lower case as one sign each: "$129.90" is "$9.9"
            _LOWER.sub("a", _UPPER.sub("A", _DIGITS.sub("9", words[:80])))[:24],
            _form(words),
            _relation(folded, title),
            _relation(folded, h1),
            "static" if fixed[at] else "free",
            "first" if folded not in seen else "again",
            f"{anchor}|{href}" if anchor and href else "",
        ))  # fmt: skip
        seen.add(folded)
    return found


def _shared(frame: TextFrame) -> tuple[str, ...]:
    """Features that all texts of an element share."""
    parent = frame.parent or frame
    outer = parent.parent or parent
    near, kind = frame.identified, frame.classed
    above = kind.parent.classed if kind is not None and kind.parent is not None else None
    frame.shared = (
        frame.path,
        frame.steps,
        frame.places,
        f"{outer.step}/{parent.step}/{frame.step}",
        "/".join(frame.places.rsplit("/", 3)[1:]),
        "/".join(frame.places.rsplit("/", 5)[1:]),
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


def _anchors(texts: list[Text], fixed: list[bool]) -> list[tuple[str, int, str]]:
    """For every text: the fixed text before it, its distance, and the fixed text before that."""
    found: list[tuple[str, int, str]] = []
    anchor, behind, upper = "", 0, ""
    for text, stays in zip(texts, fixed, strict=True):
        behind += 1
        found.append((anchor, min(behind, 9), upper))
        if stays:
            anchor, behind, upper = text.words[:_MAX_LABEL], 0, anchor
    return found


def _label(words: str) -> str:
    return _DIGITS.sub("#", words[:_MAX_LABEL]) if words else ""


def _form(words: str) -> str:
    """Codes of the length, the share of digits, a currency sign and an ending colon."""
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
