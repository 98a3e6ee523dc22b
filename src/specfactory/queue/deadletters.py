"""Dead letters grouped by cause, host and station, with the advice for each group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from specfactory.model import Frozen, Instant, JobError
from specfactory.queue.retries import is_permanent

EXAMPLES = 3

ADVICE: dict[str, tuple[bool, str]] = {
    "timeout": (True, "slow or away at the time"),
    "network_error": (True, "the network or the server was away"),
    "dns_failure": (True, "the host had no address at the time"),
    "rate_limited": (True, "asked too often; wait before trying again"),
    "waiting_room": (True, "the site was crowded"),
    "maintenance": (True, "the site was down for the moment"),
    "lease_expired": (True, "its workers died; if it kills them again, look at the job"),
    "out_of_time": (True, "took longer than daemon.product_seconds; raise it or retry"),
    "budget_exhausted": (True, "raise the budget first, else it ends the same way"),
    "blocked": (False, "the site refuses us; another way in is needed first"),
    "captcha": (False, "the site wants a person; another way in is needed first"),
    "login_required": (False, "the content is behind a sign-in"),
    "geo_blocked": (False, "not offered in our region"),
    "not_found": (False, "there is no such page"),
}
"""What we know of causes: worth another try, and why."""


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
        worth, advice = worth_retrying(alike)
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


def worth_retrying(alike: list[JobError]) -> tuple[bool, str]:
    """True if another try may succeed after errors of one cause; and why."""
    cause = alike[0].cause
    if is_permanent(cause) or all(error.permanent for error in alike):
        return False, "another try would meet the same; the input must change first"
    return ADVICE.get(cause, (True, "the cause is not known to stay"))
