"""Sample pages: their texts, and the known values of some of them."""

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence

from specfactory.extract.templates import PageIndex, PageTexts, folded
from specfactory.learn.pauses import pause
from specfactory.model import Frozen, field

Labels = Mapping[str, Sequence[str]]
_MAX_LABEL = 60
_STATIC_SHARE = 0.6


class Sample(Frozen):
    """One page to learn from; ``labels`` has its known values, () for a field it lacks.

    A field without a label is unknown: the page may have it or not.
    """

    page: PageTexts
    labels: Labels = field(default_factory=dict)


class KnownSample(Frozen):
    """Index of a sample with the folded values of one field."""

    index: PageIndex
    values: frozenset[str]


def static_texts(samples: Sequence[Sample], values: Container[str] = ()) -> frozenset[str]:
    """Find texts that most pages have and that are no known value: labels, menus, headings.

    ``values`` are known from elsewhere: they may be the value of most pages.
    """
    counts: Counter[str] = Counter()
    for sample in samples:
        counts.update({t.spot for t in sample.page.texts if len(t.words) <= _MAX_LABEL})
    known = {
        folded(value) for sample in samples for values in sample.labels.values() for value in values
    }
    least = max(2.0, _STATIC_SHARE * len(samples))
    usual = (spot for spot, times in counts.items() if times >= least)
    words_of = ((spot, folded(spot.partition("\n")[0])) for spot in usual)
    return frozenset(s for s, words in words_of if words not in known and words not in values)


def index_pages(pages: Sequence[PageTexts], statics: Collection[str]) -> list[PageIndex]:
    """Index the texts of all pages, with a pause after each."""
    found = []
    for page in pages:
        found.append(PageIndex(page, statics))
        pause()
    return found


def known_for(
    name: str, samples: Sequence[Sample], pages: Sequence[PageIndex]
) -> list[KnownSample]:
    """Samples with a label for a field, and its values."""
    return [
        KnownSample(page, comparable(sample.labels[name]))
        for sample, page in zip(samples, pages, strict=True)
        if name in sample.labels
    ]


def comparable(values: Collection[str]) -> frozenset[str]:
    """Fold values for comparison; mere separators are no values."""
    return frozenset(folded(v) for v in values if any(map(str.isalnum, v)))
