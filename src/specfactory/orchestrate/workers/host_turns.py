"""What a lane may claim of a host: a job that would wait for its host waits in the queue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.store import MANY, HostTurns

SOON_SECONDS = 0.25  # a job whose host can be asked so soon may wait for it in a slot


class PoliteTurns(HostTurns):
    """Claims no more of a host than it may be asked soon; knows when to look again."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._in_hand: Counter[str] = Counter()  # jobs at work, by host
        self._claimed: Counter[str] = Counter()  # in the present claim
        self._waits: dict[str, float] = {}  # of hosts that had jobs and no room at the last look

    def room(self, host: str) -> int:
        """Number of jobs that may be claimed of a host now."""
        if not host:
            return MANY
        wait, pause = self._bench.fetch.next_turn(host)
        if pause <= 0:
            return MANY
        allowed = 0 if wait > SOON_SECONDS else 1 + int((SOON_SECONDS - wait) / pause)
        room = allowed - self._in_hand[host] - self._claimed[host]
        if room <= 0 and wait > SOON_SECONDS:
            self._waits[host] = wait - SOON_SECONDS
        return max(room, 0)

    def begin(self) -> None:
        """Begin a claim: one that was begun before has ended, or was undone."""
        self._claimed.clear()
        self._waits.clear()

    def take(self, jobs: Sequence[Job]) -> None:
        """Note the jobs that were claimed."""
        super().take(jobs)
        self._claimed.update(job.host for job in jobs)

    def start(self, job: Job) -> None:
        """Note that a claimed job is begun."""
        self._in_hand[job.host] += 1

    def end(self, job: Job) -> None:
        """Note that a job is not in hand any more."""
        self._in_hand[job.host] -= 1
        if self._in_hand[job.host] <= 0:
            del self._in_hand[job.host]

    @property
    def seconds_to_next(self) -> float | None:
        """Seconds until a host without room at the last look has some; None: there was none."""
        return min(self._waits.values(), default=None)
