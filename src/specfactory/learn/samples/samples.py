"""Sample pages: their texts, and what is known to stand on some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field

from specfactory.extract.templates import PageIndex, PageTexts, folded

Labels = Mapping[str, Sequence[str]]
_MAX_LABEL = 60
_STATIC_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Sample:
    """One page to learn from; ``labels`` gives its known values, () where there is none.

    A field that is not among the labels is not known: it may stand on the page or not.
    """

    page: PageTexts
    labels: Labels = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """A sample seen for one field: the values in it, as compared."""

    index: PageIndex
    values: frozenset[str]


def static_texts(samples: Sequence[Sample], values: Container[str] = ()) -> frozenset[str]:
    """The texts that stand on most pages and are nobody's value: labels, menus, headings.

    ``values`` are known from elsewhere: they may be the value of most pages.
    """
    counts: Counter[str] = Counter()
    for sample in samples:
        counts.update({t.spot for t in sample.page.texts if len(t.words) <= _MAX_LABEL})
    known = _known_values(samples)
    least = max(2.0, _STATIC_SHARE * len(samples))
    usual = ((spot, _words(spot)) for spot, times in counts.items() if times >= least)
    return frozenset(s for s, words in usual if words not in known and words not in values)


def known_for(name: str, samples: Sequence[Sample], pages: Sequence[PageIndex]) -> list[Known]:
    """The samples on which a field is known, with its values."""
    return [
        Known(page, comparable(sample.labels[name]))
        for sample, page in zip(samples, pages, strict=True)
        if name in sample.labels
    ]


def comparable(values: Collection[str]) -> frozenset[str]:
    """Values as they are compared; what is a mere separator is no value."""
    return frozenset(folded(v) for v in values if any(map(str.isalnum, v)))


def _words(spot: str) -> str:
    return folded(spot.partition("\n")[0])


def _known_values(samples: Sequence[Sample]) -> set[str]:
    return {
        folded(value) for sample in samples for values in sample.labels.values() for value in values
    }
