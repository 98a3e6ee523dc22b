"""Figures of healing: counts of healing events in, success rates out. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from specfactory.model import Frozen, HealingStatus, RemedyKind

TOP = 10


class Count(Protocol):
    """Number of healing events of one diagnosis and remedy that ended alike."""

    @property
    def diagnosis(self) -> str: ...

    @property
    def remediation(self) -> str: ...

    @property
    def status(self) -> HealingStatus: ...

    @property
    def events(self) -> int: ...

    @property
    def taken_seconds(self) -> float: ...


class RemedyCounts(Struct):
    """Counts of how remedies of one kind, or for one diagnosis, ended."""

    tried: int = 0  # all of them
    helped: int = 0
    undone: int = 0  # did not help
    taken_back: int = 0  # by a person
    asked: int = 0  # a person was asked, and the host is not well yet
    under_way: int = 0
    seconds: float = 0.0  # of those that helped, all together

    @property
    def mean_seconds(self) -> float | None:
        """Mean time from a remedy that helped to the visit that showed it."""
        return round(self.seconds / self.helped, 1) if self.helped else None

    def count(self, found: Count) -> None:
        """Add events that ended alike."""
        self.tried += found.events
        if found.status is HealingStatus.HELPED:
            self.helped += found.events
            self.seconds += found.taken_seconds
        elif found.status is HealingStatus.UNDONE:
            self.undone += found.events
        elif found.status is HealingStatus.TAKEN_BACK:
            self.taken_back += found.events
        elif found.status is HealingStatus.ASKED:
            self.asked += found.events
        else:
            self.under_way += found.events


class Figures(Frozen):
    """All healing together, by diagnosis (the most frequent first), and by remedy."""

    total: RemedyCounts
    diagnoses: dict[str, RemedyCounts]
    remedies: dict[str, RemedyCounts]

    @property
    def success_rate(self) -> float | None:
        """Share of ended diagnoses that needed no person."""
        ended = self.total.helped + self.total.asked + self.total.taken_back
        return round(self.total.helped / ended, 4) if ended else None


def figures_of(counts: Iterable[Count]) -> Figures:
    """Sum up healing; trials of doing with less do not count as healing."""
    total = RemedyCounts()
    diagnoses: dict[str, RemedyCounts] = defaultdict(RemedyCounts)
    remedies: dict[str, RemedyCounts] = defaultdict(RemedyCounts)
    for found in counts:
        remedies[found.remediation].count(found)
        if found.remediation != RemedyKind.EASE:
            total.count(found)
            diagnoses[found.diagnosis].count(found)
    return Figures(total, _most_first(diagnoses), _most_first(remedies))


def _most_first(ends: dict[str, RemedyCounts]) -> dict[str, RemedyCounts]:
    return dict(sorted(ends.items(), key=lambda item: (-item[1].tried, item[0])))
