"""Labels for a source from records that other sources gave: nobody has to label a page."""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.extract.template_nodes import PageTexts
from specfactory.learn.guesses import Guess, compare, guess_columns
from specfactory.learn.known_values import Knowledge
from specfactory.learn.samples import Sample


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
    """The pages with what stands in the columns as their labels."""
    samples = []
    for number, page in enumerate(pages):
        spots = {one.field: one.column.at[number] for one in guesses}
        labels = {name: [page.texts[at].words] for name, at in spots.items() if at is not None}
        samples.append(Sample(page, labels))
    return samples
