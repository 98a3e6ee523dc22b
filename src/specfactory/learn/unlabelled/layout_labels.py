"""Labels for the pages of a layout: all who know something of them are heard together.

What persons say, what the pages label or mark up themselves and what other sources say of the
same things or of things of the same kind all speak for columns, the places in which values
stand. A record that was taken for the wrong thing speaks alone against all other pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.templates import folded
from specfactory.learn.samples import PERSON, RECORD, Labelled, Sample, comparable
from specfactory.learn.unlabelled.columns import Column
from specfactory.learn.unlabelled.guesses import Fits, Guess, compare, guess_columns
from specfactory.learn.unlabelled.known_values import Knowledge
from specfactory.learn.unlabelled.record_matching import Joined, sameness
from specfactory.model import FieldType

LIKELY = 0.5  # from here on a guess is worth a label, for a person to look at
SURE = 0.9  # from here on it is as good as a label of the page itself
_ENOUGH = 3  # pages with a label of their own that speak for themselves
_HALF = 0.5
_UNCONFIRMED = 0.8  # what a guess that no record confirms is worth at the most
_WEIGHT = 2.0  # values that it is worth beside those that confirm or contradict it
_ALIKE = 0.8
_TRIED = 6  # texts of a column that are held against the rules of a field
_NOT_TAUGHT = {FieldType.BOOLEAN, FieldType.LIST}  # a word that many fields have; several texts


@dataclass(frozen=True, slots=True)
class Taught:
    """The pages with all their labels; how far the fields that records taught are believed."""

    pages: list[Labelled]
    beliefs: Mapping[str, float]


def label_layout(
    pages: Sequence[Labelled],
    knowledge: Knowledge,
    compiled: CompiledContract,
    *,
    least: float = LIKELY,
    least_beside: float = SURE,
) -> Taught:
    """Add labels for what records of other sources let us find on pages of one layout.

    A place must be believed at least so much to teach, and more so beside what the pages say
    themselves: their own labels stay where they stand in the likeliest column, and where they
    label any field, others that nobody confirms are rather missing. A page that has no text in
    the column of a field stays unknown for it.
    """
    names = {n: w for n, w in knowledge.names.items() if _teachable(n, pages, knowledge, compiled)}
    samples = [page.sample for page in pages]
    if not names or not samples:
        return Taught(list(pages), {})
    compared = compare(samples, replace(knowledge, names=names), [page.told for page in pages])
    fits = _fitting(samples, [_labels(page, without=names) for page in pages], compiled)
    wanted = least_beside if _speak(pages) else least
    taught, beliefs = list(pages), dict[str, float]()
    for guess in guess_columns(compared, fits):
        spots = [_at(page, at) for page, at in zip(samples, guess.column.at, strict=True)]
        belief = _belief(guess, spots, compared.joined, compiled)
        heard = _Heard(guess.field, pages, spots)
        if heard.agrees:  # one that stands alone against its column does not teach
            taught = [
                _with(page, guess.field, "") if at in heard.against else page
                for at, page in enumerate(taught)
            ]
        elif heard.teaches and belief >= (least_beside if heard.own else wanted):
            beliefs[guess.field] = belief
            taught = [_with(p, guess.field, w) for p, w in zip(taught, spots, strict=True)]
    return Taught(taught, beliefs)


def _speak(pages: Sequence[Labelled]) -> bool:
    """Whether the pages label any field themselves, or persons did."""
    counts = Counter(name for page in pages for name in page.origins)
    return any(times >= _ENOUGH for times in counts.values())


def _teachable(
    name: str, pages: Sequence[Labelled], knowledge: Knowledge, compiled: CompiledContract
) -> bool:
    """Whether anything but its name is known of a field, and one text says it."""
    if compiled.contract.fields[name].type in _NOT_TAUGHT:
        return False
    return any(name in page.told for page in pages) or any(
        record.get(name) for source in knowledge.sources for record in source
    )


def _labels(page: Labelled, without: Mapping[str, Sequence[str]]) -> frozenset[str]:
    labels = page.sample.labels.items()
    return comparable(
        [value for name, several in labels if name not in without for value in several]
    )


def _fitting(
    samples: Sequence[Sample], settled: Sequence[frozenset[str]], compiled: CompiledContract
) -> Fits:
    """Whether a column gives values of a field and is not the place of a settled one."""
    free: dict[tuple[int | None, ...], bool] = {}
    derived: dict[tuple[str, str], bool] = {}

    def is_free(column: Column) -> bool:
        if column.at not in free:
            spots = zip(settled, samples, column.at, strict=True)
            own = sum(folded(_at(page, at)) in taken for taken, page, at in spots if at is not None)
            free[column.at] = own <= _HALF * len(column.values)
        return free[column.at]

    def gives(field: str, words: str) -> bool:
        key = field, words
        if key not in derived:
            derived[key] = _derives(compiled, field, words)
        return derived[key]

    def fits(field: str, column: Column) -> bool:
        spots = list(_spots(samples, column))[:: -(-len(column.values) // _TRIED)]
        right = sum(gives(field, words) for words in spots)
        return right >= _HALF * len(spots) and is_free(column)

    return fits


def _derives(compiled: CompiledContract, field: str, words: str) -> bool:
    try:
        compiled.derive(field, words)
    except NotDerivable:
        return False
    return True


def _spots(samples: Sequence[Sample], column: Column) -> Iterator[str]:
    for sample, at in zip(samples, column.at, strict=True):
        if at is not None:
            yield _at(sample, at)


def _at(sample: Sample, at: int | None) -> str:
    return sample.page.texts[at].words if at is not None else ""


def _belief(
    guess: Guess, spots: Sequence[str], joined: Joined, compiled: CompiledContract
) -> float:
    """How likely it is that a field stands in its likeliest column, and stands there at all.

    A likely column alone does not tell: the page may not have the field. Different values that
    are those of the records of the pages' own things do.
    """
    agreed, against = set[str](), set[str]()
    for number, words in enumerate(spots):
        known = joined.witnesses(guess.field, number) if words else ()
        if known:
            same = any(_is_same(guess.field, words, value, compiled) for value in known)
            (agreed if same else against).add(folded(words))
    prior = _UNCONFIRMED * guess.likelihood
    return (len(agreed) + _WEIGHT * prior) / (len(agreed) + len(against) + _WEIGHT)


def _is_same(field: str, words: str, value: str, compiled: CompiledContract) -> bool:
    if sameness(folded(words), value) >= _ALIKE:
        return True
    try:
        return compiled.same(field, compiled.derive(field, words), compiled.derive(field, value))
    except NotDerivable:
        return False


class _Heard:
    """What the pages themselves say of a field, beside what stands in a column."""

    def __init__(self, field: str, pages: Sequence[Labelled], spots: Sequence[str]) -> None:
        self._origins = [page.origins.get(field) for page in pages]
        self.own = sum(origin is not None for origin in self._origins)
        self.against = frozenset(
            at
            for at, (page, words) in enumerate(zip(pages, spots, strict=True))
            if field in page.origins and not _agrees(page.sample.labels[field], words)
        )

    @property
    def agrees(self) -> bool:
        """Whether enough pages have a label of their own, most of them in the column."""
        return self.own >= _ENOUGH and len(self.against) < _HALF * self.own

    @property
    def teaches(self) -> bool:
        """Whether no person says otherwise.

        A label that names the field is among what makes a column likely. If another one is
        likelier all the same, the label means something else than the other sources do.
        """
        return all(self._origins[at] != PERSON for at in self.against)


def _agrees(values: Sequence[str], words: str) -> bool:
    wanted = comparable(values)
    return any(value in folded(words) for value in wanted) if wanted else not words


def _with(page: Labelled, field: str, words: str) -> Labelled:
    """A page with what the column says of a field; a person's word stays."""
    if page.origins.get(field) == PERSON:
        return page
    labels, origins = dict(page.sample.labels), dict(page.origins)
    labels.pop(field, None)
    origins.pop(field, None)
    if words:
        labels[field], origins[field] = (words,), RECORD
    return replace(page, sample=replace(page.sample, labels=labels), origins=origins)
