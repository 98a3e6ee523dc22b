"""Whose turn it is: how a claim is shared out among the hosts that have jobs in the queue."""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.model import Frozen, Job

MANY = 1_000_000  # jobs of a host that knows no limit
PICTURE = 200  # hosts of a kind and priority that a claim looks at


class InLine(Frozen):
    """A host with jobs of one kind and priority."""

    kind: str
    priority: int
    host: str
    place: int  # among those that were looked at
    is_due: bool


class HostTurns:
    """How far the claims of one lane have come around the hosts; this one knows no limits."""

    def __init__(self) -> None:
        self.served = ""  # the host that was served last: the next one is first now
        self.beginning = ""  # of the next picture, where there are more hosts than one holds

    def room(self, host: str) -> int:
        """Number of jobs that may be claimed of a host now."""
        return MANY

    def begin(self) -> None:
        """Begin a claim: one that was begun before has ended, or was undone."""

    def take(self, jobs: Sequence[Job]) -> None:
        """Note the jobs that were claimed."""
        if jobs:
            self.served = jobs[-1].host

    def look_on(self, line: Sequence[InLine]) -> bool:
        """Begin the next picture where this one was cut off; True where it was."""
        cut_off = [one.host for one in line if one.place >= PICTURE]
        self.beginning = min(cut_off, default="")
        return bool(cut_off)


def fair_shares(line: Sequence[InLine], count: int, turns: HostTurns) -> list[tuple[InLine, int]]:
    """Share out a claim: the urgent first, then evenly, beginning after the host served last."""
    rooms = {one.host: turns.room(one.host) for one in line if one.is_due}
    shares: list[tuple[InLine, int]] = []
    for priority in sorted({one.priority for one in line if one.is_due}):
        ranks = [one for one in line if one.is_due and one.priority == priority]
        ranks.sort(key=lambda one: (one.host <= turns.served, one.host, one.kind))
        numbers = dict.fromkeys(ranks, 0)
        while count > 0 and (waiting := [one for one in ranks if rooms[one.host] > 0]):
            each = max(count // len(waiting), 1)
            for one in waiting:
                number = min(each, count, rooms[one.host])
                numbers[one] += number
                rooms[one.host] -= number
                count -= number
        shares += [(one, number) for one, number in numbers.items() if number]
    return shares
