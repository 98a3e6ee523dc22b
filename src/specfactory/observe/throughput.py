"""Throughput of the queue and its expected end, from samples of totals."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from specfactory.model import Frozen, Instant
from specfactory.store.queue import EndedCount


class QueueSample(Frozen):
    """Total number of jobs that had ended at an instant."""

    at: Instant
    done: int
    failed: int


class Throughput(Frozen):
    """Jobs that ended within a stretch of time."""

    done: int
    failed: int
    seconds: float

    @property
    def ended(self) -> int:
        """Done or failed."""
        return self.done + self.failed

    @property
    def per_minute(self) -> float:
        """Jobs that ended, a minute."""
        return 60 * self.ended / self.seconds if self.seconds > 0 else 0.0

    @property
    def failure_share(self) -> float:
        """The share that failed for good; 0 when nothing ended."""
        return self.failed / self.ended if self.ended else 0.0


def history(
    ended: Sequence[EndedCount], now: QueueSample, since: Instant, slot_ms: int, *, whole: bool
) -> list[QueueSample]:
    """Reconstruct the samples that would have been taken since then.

    When older jobs are no longer kept (not ``whole``), the time before the first kept one
    remains unknown.
    """
    done, failed = now.done, now.failed
    samples = [now]
    for stretch in reversed(ended):
        if stretch.at + slot_ms < samples[-1].at:
            samples.append(QueueSample(stretch.at + slot_ms, done, failed))
        done, failed = done - stretch.done, failed - stretch.failed
        samples.append(QueueSample(min(max(stretch.at, since), now.at), done, failed))
    if whole and samples[-1].at > since:
        samples.append(QueueSample(since, done, failed))
    return samples[::-1]


def throughput(samples: Sequence[QueueSample], now: Instant, window_seconds: float) -> Throughput:
    """Jobs that ended within the window, as far as the samples reach back.

    A total that falls (jobs were queued again) counts as nothing ended, not as less.
    """
    begin = now - round(window_seconds * 1000)
    seen = [sample for sample in samples if begin < sample.at <= now]
    before = [sample for sample in samples if sample.at <= begin]
    if before:  # the last one before the window, moved to where it begins
        seen.insert(0, QueueSample(begin, before[-1].done, before[-1].failed))
    steps = list(pairwise(seen))
    return Throughput(
        sum(max(after.done - before.done, 0) for before, after in steps),
        sum(max(after.failed - before.failed, 0) for before, after in steps),
        (now - seen[0].at) / 1000 if seen else 0.0,
    )


def trend(
    samples: Sequence[QueueSample], now: Instant, slot_ms: int, slots: int
) -> tuple[float | None, ...]:
    """Jobs a minute in each of the last stretches, the latest last; None: no sample."""
    origin = now - slots * slot_ms
    counts: list[float | None] = [None] * slots
    for before, after in pairwise(samples):
        ended = max(after.done - before.done, 0) + max(after.failed - before.failed, 0)
        for slot, share in _spread(before.at - origin, after.at - origin, slot_ms):
            if 0 <= slot < slots:
                counts[slot] = (counts[slot] or 0.0) + ended * share
    return tuple(None if count is None else count * 60_000 / slot_ms for count in counts)


def _spread(begin: Instant, end: Instant, slot_ms: int) -> Iterable[tuple[int, float]]:
    """The stretches that a span of time touches, with the share of it in each."""
    if end <= begin:
        yield end // slot_ms, 1.0
        return
    for slot in range(begin // slot_ms, (end - 1) // slot_ms + 1):
        inside = min(end, (slot + 1) * slot_ms) - max(begin, slot * slot_ms)
        yield slot, inside / (end - begin)


def completion_at(left: int, pace: Throughput, now: Instant) -> Instant | None:
    """The instant at which nothing is left at this pace; None when nothing moves."""
    if left <= 0:
        return now
    if pace.per_minute <= 0:
        return None
    return now + round(60_000 * left / pace.per_minute)
