"""Types of pages: article, product, listing, collection, forum, documentation or service.

A small linear model over features that mean the same on every site. Its weights are made by
``python -m benchmarks.train_page_types``.
"""

import json
import math
from collections.abc import Mapping
from functools import cache

from specfactory.extract.lists import RecordList
from specfactory.extract.page.page_features import TYPES, page_features
from specfactory.model import Frozen
from specfactory.proof import PageViews
from specfactory.word_lists import read_text

_MOST_REASONS = 3
_PLACES = {
    "url": "its address reads like {}",
    "host": "its host is named like {}",
    "title": "its title reads like {}",
    "class": "its markup names parts of {}",
    "text": "its words are those of {}",
    "schema": "structured data on it: {}",
    "main": "structured data says what it is about: {}",
    "og": "its OpenGraph type is {}",
    "tag": "its elements: {}",
}
_REASONS = {
    "url home": "it is the first page of its site",
    "url depth": "its address is deep",
    "url slug": "its address ends with a title",
    "url number": "its address ends with a number",
    "prices": "it shows prices",
    "price at h1": "a price follows its heading",
    "first person": "people speak of themselves in it",
    "share linked": "most of its words are links",
    "share prose": "most of its words are prose",
    "paragraphs": "it has long paragraphs",
    "headings": "it is divided by headings",
    "headings linked": "its headings are links",
    "records": "it repeats records",
    "records priced": "its records have prices",
    "records share priced": "its records have prices",
    "records share": "most of its words are those of records",
    "records after h1": "its records follow its heading",
}


class PageType(Frozen):
    """The likeliest type of a page, how likely it is, and what says so."""

    type: str
    likelihood: float
    reasons: tuple[str, ...]


class TypeWeights(Frozen):
    """A weight per feature and type, in the order of ``TYPES``."""

    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def judge(self, features: Mapping[str, float]) -> PageType:
        """The likeliest type by a softmax over the sums of the weighted features."""
        sums = list(self.bias)
        for name, seen in features.items():
            for at, weight in enumerate(self.weights.get(name, ())):
                sums[at] += weight * seen
        most = max(sums)
        best = sums.index(most)
        likelihood = 1 / sum(math.exp(one - most) for one in sums)
        return PageType(TYPES[best], likelihood, self._reasons(features, best))

    def _reasons(self, features: Mapping[str, float], best: int) -> tuple[str, ...]:
        """The features that speak most for a type, against the mean of all types."""
        spoken = {
            name: seen * (given[best] - sum(given) / len(given))
            for name, seen in features.items()
            if (given := self.weights.get(name))
        }
        ordered = sorted((name for name in spoken if spoken[name] > 0), key=lambda n: -spoken[n])
        return tuple(dict.fromkeys(map(_reason, ordered)))[:_MOST_REASONS]


def page_type(views: PageViews, listed: RecordList | None) -> PageType:
    """The type of a page, given the main list on it (``find_records``)."""
    return _shipped().judge(page_features(views, listed))


@cache
def _shipped() -> TypeWeights:
    return TypeWeights(**json.loads(read_text("extract/page/data/page_types.json")))


def _reason(name: str) -> str:
    place, _, what = name.partition(" ")
    return _REASONS.get(name) or _PLACES[place].format(what)
