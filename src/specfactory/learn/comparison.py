"""Comparison of a template with what its pages give without one, page by page."""

from collections.abc import Callable, Collection

from specfactory.contract import CompiledContract
from specfactory.learn.page_labels import Labelled
from specfactory.model import Candidate, Frozen
from specfactory.proof import reading
from specfactory.validate import validate

_SURE = 0.7  # a less likely answer of the page does not count against a template

Same = Callable[[str, str, Collection[str]], bool]  # field, words found, words known


class Contest(Frozen):
    """Results of one field: pages on which the template is better or worse, and the records."""

    better: int = 0
    worse: int = 0
    confirmed: int = 0  # by the records of the pages' own things
    contradicted: int = 0

    def plus(self, other: "Contest") -> "Contest":
        """Add the results of another page."""
        return Contest(
            self.better + other.better, self.worse + other.worse,
            self.confirmed + other.confirmed, self.contradicted + other.contradicted,
        )  # fmt: skip


def compare_answers(
    name: str, page: Labelled, own: Candidate | None, compiled: CompiledContract, same: Same
) -> Contest:
    """Compare the template's answer with the page's own; the record decides, else the label."""
    if own is not None and validate(own, compiled) is not None:
        own = None  # the contract refuses it
    answer = page.said.get(name)
    given = answer.candidate if answer is not None else None
    known = None if compiled.contract.fields[name].source_dependent else page.known.get(name)
    if known is not None:
        right = own is not None and compiled.same(name, known, own.value)
        before = given is not None and compiled.same(name, known, given.value)
        return Contest(right > before, right < before, right, own is not None and not right)
    labels = page.sample.labels.get(name)
    if labels is not None:
        right = same(name, words_of(own), labels) if own is not None else not labels
        before = same(name, words_of(given), labels) if given is not None else not labels
        return Contest(right > before, right < before)
    if given is None:
        return Contest(better=own is not None)
    # An answer without a label is unsure, or stands apart from those of all other pages.
    return Contest(worse=own is None and answer is not None and answer.likelihood >= _SURE)


def words_of(candidate: Candidate) -> str:
    """Words of a candidate as its page writes them."""
    return " ".join(map(reading, candidate.evidence.values))
