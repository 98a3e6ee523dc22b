"""What the jobs that are not being worked on wait for."""

from collections.abc import Iterator, Sequence

from specfactory.model import JobStatus
from specfactory.observe.queue_health import Depth, Wait
from specfactory.settings import Settings
from specfactory.store.queue import WaitingCount


def find_waits(
    depth: Depth, later: Sequence[WaitingCount], alive: int, settings: Settings
) -> tuple[Wait, ...]:
    """Everything that jobs wait for, what holds up the most first."""
    waits = [*_due(depth, alive, settings), *map(_later, later), *_people(depth)]
    return tuple(sorted((wait for wait in waits if wait.jobs), key=lambda wait: -wait.jobs))


def _due(depth: Depth, alive: int, settings: Settings) -> Iterator[Wait]:
    interval = settings.daemon.start_interval_seconds
    if not alive:
        yield Wait("worker", "a worker; start one: spec daemon start", depth.due)
    elif interval:
        words = f"daemon.start_interval_seconds: one product every {interval:g} s"
        yield Wait("start_interval", words, depth.due)
    else:
        yield Wait("slot", "a free slot of a worker; more: spec worker", depth.due)
    for kind, jobs in depth.unknown_kinds.items():
        yield Wait("unknown_kind", f"a version that can do jobs of kind {kind!r}", jobs)


def _later(found: WaitingCount) -> Wait:
    if found.host:
        return Wait("host", f"host {found.host}; see: spec heal history", found.jobs, found.until)
    if found.cause:
        words = f"another try after {found.cause}"
        return Wait("retry", words, found.jobs, found.until)
    return Wait("schedule", "the time they are scheduled for", found.jobs, found.until)


def _people(depth: Depth) -> Iterator[Wait]:
    asked, paused = (
        depth.by_status[status] for status in (JobStatus.AWAITING_REVIEW, JobStatus.PAUSED)
    )
    yield Wait("review", "an answer: spec review list", asked)
    yield Wait("paused", "somebody who resumes them: spec queue resume", paused)
