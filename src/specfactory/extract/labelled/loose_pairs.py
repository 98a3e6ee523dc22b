"""Labels and values of a page, whatever they are called: for drafts of a contract."""

import re
from collections import Counter
from collections.abc import Iterator

from specfactory.extract.labelled.pairs import definition_pairs, line_pairs
from specfactory.extract.page import Layout, is_generic_head
from specfactory.proof import Element, PageViews

MAX_PAIRS = 2_000
_MAX_LABEL_WORDS = 6
_MAX_LABEL = 48
_MAX_VALUE = 200
_ALIKE = 3  # this many elements of one form are a grid
_LABEL = re.compile(r"[^\W\d_][^:：!?\n\t]*")
_EDGES = " \t\n:：–—-*"
_CODE = re.compile(r"[{}]|</|/>|\(\)|=[\"']|&#?\w+;|\bfunction ?\(")  # markup shown as text


def open_pairs(views: PageViews) -> Iterator[tuple[str, str]]:
    """Labels with their values, in the order of the page; a label may stand there twice."""
    seen: set[tuple[str, str]] = set()
    for label, value in _all_pairs(Layout(views)):
        pair = (label.strip(_EDGES), value.strip())
        is_new = is_label(pair[0]) and 0 < len(pair[1]) <= _MAX_VALUE and pair not in seen
        if is_new and not _is_no_pair(*pair):
            seen.add(pair)
            yield pair
            if len(seen) >= MAX_PAIRS:
                return


def is_label(words: str) -> bool:
    """True when words look like the name of something: short, and no sentence."""
    return (
        1 < len(words) <= _MAX_LABEL
        and len(words.split()) <= _MAX_LABEL_WORDS
        and _LABEL.fullmatch(words) is not None
        and not words.endswith((".", ";", ","))
    )


def _is_no_pair(label: str, value: str) -> bool:
    """True for an address (http://…), a time of day (Monday 7:30) and for code."""
    is_time = label[-1].isdigit() and value[0].isdigit()
    return is_time or value.startswith("//") or bool(_CODE.search(label) or _CODE.search(value))


def _all_pairs(layout: Layout) -> Iterator[tuple[str, str]]:
    for element in layout.elements:
        if element.tag == "tr" and not _is_head(layout, element):
            yield from _couple(layout, element)
    for pair in definition_pairs(layout):
        yield layout.read(pair.label), layout.read(pair.values[0])
    for parent in layout.elements:
        made = [child for child in parent.children if _form(child)]
        forms = Counter(map(_form, made))
        for child in made:
            if forms[_form(child)] >= _ALIKE:
                yield from _couple(layout, child)
    for pair in line_pairs(layout, is_label):
        if ":" in layout.text[pair.label[0] : pair.values[0][0]]:
            yield layout.read(pair.label), layout.read(pair.values[0])


def _couple(layout: Layout, parent: Element) -> Iterator[tuple[str, str]]:
    worded = [child for child in parent.children if child.has_words]
    if len(worded) == 2 and not worded[0].hidden:
        yield layout.words(worded[0]), layout.words(worded[1])


def _is_head(layout: Layout, row: Element) -> bool:
    """True for a row that says what its two columns are."""
    body = row.parent
    if body is None or body.tag == "thead":
        return body is not None
    worded = [cell for cell in row.children if cell.has_words]
    first = next(one for one in body.children if one.tag == "tr")
    if row is not first:
        return False
    if all(is_generic_head(layout.words(cell)) for cell in worded):
        return True
    others = (cell for one in body.children if one is not row for cell in one.children)
    return all(cell.tag == "th" for cell in worded) and any(cell.tag == "td" for cell in others)


def _form(element: Element) -> tuple[str, ...]:
    """The tags of an element and of its two worded children; empty for anything else."""
    if element.tag in ("tr", "a", "option", "nav") or not element.has_words:
        return ()
    tags = [child.tag for child in element.children if child.has_words]
    return (element.tag, *tags) if len(tags) == 2 and tags[0] != "a" else ()
