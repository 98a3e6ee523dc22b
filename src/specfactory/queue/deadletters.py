"""Dead letters grouped by cause, host and station, with the advice for each group."""

from collections import defaultdict
from collections.abc import Iterable

from specfactory.model import Frozen, Instant, JobError, failure_facts

EXAMPLES = 3


class DeadGroup(Frozen):
    """Dead letters with the same cause, host and station."""

    cause: str
    host: str
    station: str
    jobs: int
    first_at: Instant
    last_at: Instant
    examples: tuple[JobError, ...]
    worth_retrying: bool
    advice: str


def analyze(errors: Iterable[JobError]) -> list[DeadGroup]:
    """Group the last errors of dead letters, the largest group first."""
    groups: dict[tuple[str, str, str], list[JobError]] = defaultdict(list)
    for error in errors:
        groups[error.cause, error.host, error.station].append(error)
    found = []
    for (cause, host, station), alike in groups.items():
        facts = failure_facts(cause)
        worth, advice = facts.worth_retrying, facts.advice
        if facts.is_permanent or all(error.permanent for error in alike):
            worth, advice = False, "another try would meet the same; the input must change first"
        times = [error.at for error in alike]
        jobs = len({error.job_id for error in alike})
        # Examples with different messages first.
        by_message: dict[str, JobError] = {}
        for error in alike:
            by_message.setdefault(error.message, error)
        others = [error for error in alike if by_message[error.message] is not error]
        examples = (*by_message.values(), *others)[:EXAMPLES]
        found.append(
            DeadGroup(cause, host, station, jobs, min(times), max(times), examples, worth, advice)
        )
    return sorted(found, key=lambda each: (-each.jobs, each.cause, each.host, each.station))
