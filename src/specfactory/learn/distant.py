"""Labels for a source from records that other sources gave: nobody has to label a page."""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.extract.template_nodes import PageTexts
from specfactory.learn.guesses import Guess, compare, guess_columns
from specfactory.learn.known_values import Knowledge
from specfactory.learn.samples import Sample

_LABELLED = 7  # pages on which a field is labelled


def known_labels(
    pages: Sequence[PageTexts], knowledge: Knowledge, least_likelihood: float = 0.5
) -> list[Sample]:
    """The pages with values of the fields that are likely enough to be found on them.

    A page that has no text in the column of a field stays unknown for it.
    """
    guesses = guess_fields(pages, knowledge)
    return label_pages(pages, [one for one in guesses if one.likelihood >= least_likelihood])


def guess_fields(pages: Sequence[PageTexts], knowledge: Knowledge) -> list[Guess]:
    """For every field the column that probably holds it, the surest first."""
    return guess_columns(compare(pages, knowledge)) if pages else []


def label_pages(pages: Sequence[PageTexts], guesses: Sequence[Guess]) -> list[Sample]:
    """The pages with what stands in the columns as their labels.

    A few pages are enough for each field: on the others, rules must agree by themselves.
    """
    labels: list[dict[str, list[str]]] = [{} for _ in pages]
    for one in guesses:
        for number, at in _some(one):
            labels[number][one.field] = [pages[number].texts[at].words]
    return [Sample(page, known) for page, known in zip(pages, labels, strict=True)]


def _some(guess: Guess) -> list[tuple[int, int]]:
    """Some texts of a column, from all over the pages."""
    spots = [(number, at) for number, at in enumerate(guess.column.at) if at is not None]
    return spots[:: -(-len(spots) // _LABELLED)]
