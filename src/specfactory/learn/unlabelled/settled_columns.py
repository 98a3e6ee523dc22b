"""Columns that the layout itself settles: by a label of the contract, or by the pages' titles.

No record of another source is needed: the same label stands before the column on all pages, or
every title begins with the column's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from os.path import commonprefix

from specfactory.contract import CompiledContract
from specfactory.extract.templates import PageIndex, Text
from specfactory.learn.page_labels import Labelled
from specfactory.learn.samples import comparable
from specfactory.learn.unlabelled.columns import Column
from specfactory.learn.unlabelled.guesses import Compared, Fits, common_share, scores_of
from specfactory.model import replace

HEADLINE = "headline"  # the family of fields that name the page's thing
_NEARLY_ALL = 0.9
_LEAST_PAGES = 5
_DISTINCT = 0.9  # share of distinct values in a column that names things
_NEAR = 8  # texts before a cell among which the head of its column is searched
_WORD = re.compile(r"[^\W_]+")
_ABBREVIATION = re.compile(r"([^\W\d_]{2,3})[.:]+")
_MAX_WORDS = 30
_MOST = 0.8  # share of common texts of two columns for one place
_FAR_BEHIND = 2.2  # difference of scores: nine times less likely


def settle_columns(
    compared: Compared,
    compiled: CompiledContract,
    names: Collection[str],
    pages: Sequence[Labelled],
    fits: Fits,
) -> dict[str, Column]:
    """Find the columns of fields that need no guess."""
    if len(compared.pages) < _LEAST_PAGES:
        return {}
    found: dict[str, Column] = {}
    named = _named_columns(compared, compiled)
    for name in names:
        if compiled.roles[name].family == HEADLINE:
            column = _headline(name, compared, pages, fits)
        else:
            some = [at for at in named.get(name, ()) if fits(name, compared.columns[at])]
            scores = scores_of(compared, name)
            if name in compared.likenesses and some:
                # Other sources know what the field means: "Model: 8040388" is no name of a model.
                likeliest = _best_fitting(name, scores, compared, pages, fits)
                behind = 0.0 if sum(name in page.origins for page in pages) else _FAR_BEHIND
                least = scores[likeliest] - behind
                some = [
                    at
                    for at in some
                    if scores[at] >= least
                    or common_share(compared.columns[at], compared.columns[likeliest]) > _MOST
                ]
            said = [comparable(page.sample.labels.get(name, ())) for page in pages]
            best = max(
                some,
                key=lambda at: (_agreement(compared.columns[at], said, compared), scores[at]),
                default=None,
            )
            column = _where_named(name, best, compared, compiled) if best is not None else None
        if column is not None and not any(_is_same(column, other) for other in found.values()):
            found[name] = column
    return found


def _best_fitting(
    name: str, scores: Sequence[float], compared: Compared, pages: Sequence[Labelled], fits: Fits
) -> int:
    """The likeliest column that gives values of the field, and not those of another one."""
    others = [
        comparable([v for n, vs in page.sample.labels.items() if n != name for v in vs])
        for page in pages
    ]
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    for at in order:
        column = compared.columns[at]
        taken = _agreement(column, others, compared)
        if 2 * taken <= len(column.values) and fits(name, column):
            return at
    return order[0]


def _agreement(column: Column, said: Sequence[Collection[str]], compared: Compared) -> int:
    """Number of pages whose own label stands in a column."""
    spots = zip(compared.pages, column.at, said, strict=True)
    return sum(
        any(value in page.folded[at] for value in values)
        for page, at, values in spots
        if at is not None
    )


def _is_same(one: Column, other: Column) -> bool:
    return any(a == b for a, b in zip(one.at, other.at, strict=True) if a is not None)


def _named_columns(compared: Compared, compiled: CompiledContract) -> dict[str, list[int]]:
    """Columns before which nearly all pages have a label of the contract, by field."""

    @cache
    def names_at(number: int, at: int) -> frozenset[str]:
        return _names_at(compared.pages[number], at, compiled)

    @cache
    def is_label(words: str) -> bool:
        return words.endswith(":") or compiled.match_label(words) is not None

    found: dict[str, list[int]] = {}
    for index, column in enumerate(compared.columns):
        spots = [(number, at) for number, at in enumerate(column.at) if at is not None]
        texts = [compared.pages[number].texts[at].words for number, at in spots]
        least = _NEARLY_ALL * len(spots)
        counts = Counter(name for spot in spots for name in names_at(*spot))
        several = [name for name, count in counts.items() if count >= least]
        if several and len(set(texts)) > 1 and sum(map(is_label, texts)) * 2 < len(texts):
            for name in several:
                found.setdefault(name, []).append(index)
    return found


def _names_at(page: PageIndex, at: int, compiled: CompiledContract) -> frozenset[str]:
    labels = list(labels_of(page.texts, at))
    matches = [compiled.match_label(label) for label in labels]
    found = {match.field for match in matches if match is not None}
    return frozenset(found or {name for one in labels for name in _abbreviated(one, compiled)})


def _abbreviated(label: str, compiled: CompiledContract) -> list[str]:
    """The one field whose name a short label stands for: "Ht:" is the height."""
    short = _ABBREVIATION.fullmatch(label.casefold())
    names = compiled.contract.fields if short else ()
    some = [name for name in names if short and _stands_for(short[1], name.casefold())]
    return some if len(some) == 1 else []


def _stands_for(short: str, name: str) -> bool:
    """True if the letters of an abbreviation stand in a name, with its first and last one."""
    rest = iter(name)
    ends = (short[0], short[-1]) == (name[0], name[-1])
    return ends and len(name) > len(short) and all(letter in rest for letter in short)


def _where_named(name: str, at: int, compared: Compared, compiled: CompiledContract) -> Column:
    """A column without the texts before which the label is missing: they are something else."""
    column = compared.columns[at]
    spots = tuple(
        spot if spot is not None and name in _names_at(page, spot, compiled) else None
        for page, spot in zip(compared.pages, column.at, strict=True)
    )
    return replace(column, at=spots)


def labels_of(texts: Sequence[Text], at: int) -> Iterator[str]:
    """Words that name a text by their place: in its text, before it, heading its row or column."""
    text = texts[at]
    label, colon, rest = text.words.partition(":")
    if colon and rest.strip():
        yield label
    cell, row = text.frame.cell, text.frame.row
    before = texts[at - 1] if at else None
    if before is not None and (cell is None or before.frame.row is row):
        yield before.words
    if text.row_head:
        yield text.row_head
    if row is not None and cell is not None:
        for other in texts[max(at - _NEAR, 0) : at]:
            above = other.frame.row
            same_table = above is not None and above is not row and above.parent is row.parent
            if same_table and other.frame.column == text.frame.column:
                yield other.words


def _headline(
    name: str, compared: Compared, pages: Sequence[Labelled], fits: Fits
) -> Column | None:
    """The longest column with which the titles of nearly all pages begin."""
    titles = [_words(_title_of(page)) for page in compared.pages]
    shared = len(commonprefix(titles))  # noqa: RUF071 - words are compared
    begun = [_behind(t[shared:], page, name) for t, page in zip(titles, pages, strict=True)]
    best: tuple[float, Column] | None = None
    for column in compared.columns:
        starts = [
            page.folded[at]
            for page, at, title in zip(compared.pages, column.at, begun, strict=True)
            if at is not None and _begins(title, page.folded[at])
        ]
        least = _NEARLY_ALL * len(compared.pages)
        if len(starts) < least or len(set(starts)) < _DISTINCT * len(starts):
            continue
        length = sum(map(len, starts)) / len(starts)
        if (best is None or length > best[0]) and fits(name, column):
            best = length, column
    if best is None:
        return None
    column = _without_common_end(best[1], compared)
    spots = tuple(
        at if at is not None and _begins(title, page.folded[at]) else None
        for page, at, title in zip(compared.pages, column.at, begun, strict=True)
    )
    return replace(column, at=spots)


def _title_of(page: PageIndex) -> str:
    return next((text.words for text in page.texts if text.frame.tag == "title"), "")


def _words(words: str) -> list[str]:
    return _WORD.findall(words.casefold())[:_MAX_WORDS]


def _begins(title: list[str], words: str) -> bool:
    start = _words(words)
    return bool(start) and title[: len(start)] == start


def _behind(title: list[str], page: Labelled, field: str) -> list[str]:
    """A title without another field's value at its beginning."""
    labels = page.sample.labels.items()
    for value in (value for name, values in labels if name != field for value in values):
        words = _words(value)
        if words and title[: len(words)] == words and len(title) > len(words):
            return title[len(words) :]
    return title


def _without_common_end(column: Column, compared: Compared) -> Column:
    """Choose the column with the same texts but for the words that all of them end with."""
    texts = {
        number: _words(compared.pages[number].folded[at])
        for number, at in enumerate(column.at)
        if at is not None
    }
    common = len(commonprefix([words[::-1] for words in texts.values()]))  # noqa: RUF071
    if not common:
        return column
    for other in compared.columns:
        same = sum(
            _words(compared.pages[number].folded[other.at[number]]) == words[:-common]  # type: ignore[index]
            for number, words in texts.items()
            if other.at[number] is not None
        )
        if same >= _NEARLY_ALL * len(texts):
            return other
    return column
