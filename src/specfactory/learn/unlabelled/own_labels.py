"""Faults of what pages say without a template, seen only over all pages of a layout."""

from collections.abc import Sequence
from os.path import commonprefix

from specfactory.extract.templates import folded
from specfactory.learn.page_labels import Labelled
from specfactory.learn.samples import comparable
from specfactory.learn.unlabelled.columns import Column
from specfactory.learn.unlabelled.guesses import Compared
from specfactory.learn.unlabelled.settled_columns import labels_of
from specfactory.model import Method

_UNNAMED = frozenset((Method.VISIBLE, Method.ARTICLE, Method.PATTERN))
_LEAST = 5  # pages that say it
_MOST = 0.8
_HALF = 0.5
_VARIETY = 3  # times as many different values in the column


def are_flawed(
    field: str, column: Column, pages: Sequence[Labelled], spots: Sequence[str], compared: Compared
) -> bool:
    """True if the pages' own labels of a field are worse than the texts of its column."""
    pairs = [
        (at, folded(" ".join(page.sample.labels[field])), folded(spots[at]))
        for at, page in enumerate(pages)
        if page.sample.labels.get(field) and spots[at]
    ]
    if len(pairs) < _LEAST:
        return False
    own = [words for _, words, _ in pairs]
    different = len({words for _, _, words in pairs})
    # A label of the next field, a menu: the same on every page, where the values are not.
    if len(set(own)) * _LEAST <= len(own) and different >= _VARIETY * len(set(own)):
        return True
    others = [
        comparable([v for n, vs in pages[at].sample.labels.items() if n != field for v in vs])
        for at, _, _ in pairs
    ]
    if sum(words in taken for words, taken in zip(own, others, strict=True)) > _HALF * len(own):
        return True  # the value of another field
    longer = [words for _, words, spot in pairs if spot in words and spot != words]
    if len(longer) >= _MOST * len(own):
        # The name with words that all names share, or run together out of several texts.
        ends = commonprefix([words.split()[::-1] for words in own])  # noqa: RUF071 - of words
        whole = sum(words in compared.pages[at].folded for at, words, _ in pairs)
        return bool(ends) or whole < _HALF * len(own)
    said = [pages[at].said[field].candidate for at, _, _ in pairs if field in pages[at].said]
    unnamed = sum(one.evidence.method in _UNNAMED for one in said)
    if unnamed > _HALF * len(own):
        return True  # found by its looks alone, while the column has the field's label
    synonyms = [one.evidence.label for one in said]
    if all(label is not None and not is_name(label.quote, field) for label in synonyms) and all(
        any(is_name(label, field) for label in labels_of(compared.pages[at].texts, place))
        for at, place in enumerate(column.at)
        if place is not None
    ):
        return True  # called by another word, while the column is called by the field's name
    return _scattered(pairs, compared)


def is_name(label: str, field: str) -> bool:
    """True if a label is the name of the field itself, not one of its synonyms."""
    return folded(label) == field.replace("_", " ")


def _scattered(pairs: Sequence[tuple[int, str, str]], compared: Compared) -> bool:
    """True if no column has most of the labels: a field has one place, chance has many."""
    most = 0
    for column in compared.columns:
        hits = sum(
            (place := column.at[at]) is not None and words in compared.pages[at].folded[place]
            for at, words, _ in pairs
        )
        most = max(most, hits)
    return most < _HALF * len(pairs)
