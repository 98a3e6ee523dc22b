"""Figures of healing: counts of healing events in, success rates out. Pure."""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from specfactory.model import Frozen, HealingStatus, RemedyKind
from specfactory.store import HealingCount

TOP = 10


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

    def count(self, found: HealingCount) -> None:
        """Add events that ended alike."""
        self.tried += found.events
        is_open = found.status is HealingStatus.TRIED
        ended = "under_way" if is_open else found.status.value  # named like the statuses
        setattr(self, ended, getattr(self, ended) + found.events)
        if found.status is HealingStatus.HELPED:
            self.seconds += found.taken_seconds


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


def figures_of(counts: Iterable[HealingCount]) -> Figures:
    """Sum up healing; trials of doing with less do not count as healing."""
    total = RemedyCounts()
    diagnoses: dict[str, RemedyCounts] = defaultdict(RemedyCounts)
    remedies: dict[str, RemedyCounts] = defaultdict(RemedyCounts)
    for found in counts:
        remedies[found.remediation].count(found)
        if found.remediation != RemedyKind.EASE:
            total.count(found)
            diagnoses[found.diagnosis].count(found)
    most_first = (
        dict(sorted(ends.items(), key=lambda item: (-item[1].tried, item[0])))
        for ends in (diagnoses, remedies)
    )
    return Figures(total, *most_first)
