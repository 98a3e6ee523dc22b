"""Why a job was not done, and what that means for it: another try later, or a dead letter."""

from collections.abc import Mapping

from specfactory.declared_events import event
from specfactory.errors import (
    AddressRefused,
    CommitUnknown,
    ContractError,
    DatabaseAway,
    ExtractError,
    FetchError,
    JobFailed,
    RecordInvalid,
    StorageFull,
    StoreBusy,
    StoreError,
    UnknownCategory,
    UsageError,
)
from specfactory.model import Action, Cause, Event, Job, JobError, Page, facts_of, failure_facts
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Transaction
from specfactory.queue import after_failure, due_after
from specfactory.redaction import redacted

AWAY = (DatabaseAway, CommitUnknown, StoreBusy, StorageFull)
"""The database cannot write just now: nobody's fault, wait and go on."""


def failure_of(problem: BaseException) -> JobFailed:
    """The failure behind an exception."""
    if isinstance(problem, JobFailed):
        return problem
    words = redacted(str(problem)) or type(problem).__name__
    for kind, (cause, station) in _CAUSES.items():
        if isinstance(problem, kind):
            return JobFailed(cause, words, station, permanent=failure_facts(cause).is_permanent)
    return JobFailed("unexpected", f"unexpected {type(problem).__name__}: {words}")


_CAUSES: Mapping[type[BaseException], tuple[str, str]] = {
    UnknownCategory: (Cause.UNKNOWN_CATEGORY, "contract"),
    ContractError: (Cause.MALFORMED_CONTRACT, "contract"),
    UsageError: (Cause.BAD_PAYLOAD, "queue"),
    AddressRefused: (Cause.FORBIDDEN, "fetch"),
    FetchError: ("fetch", "fetch"),
    ExtractError: ("extract", "extract"),
    RecordInvalid: ("record_invalid", "publish"),
    StoreError: ("store", "store"),
    TimeoutError: ("timeout", "worker"),
}


def nothing_found(hosts: Mapping[str, str], message: str, budget: str | None = None) -> JobFailed:
    """An attempt ended without any page of its product: why, by how each host ended."""
    for host, ended in sorted(hosts.items()):
        if failure_facts(ended).passes:
            return JobFailed(ended, message, "fetch", host)
    if budget is not None or Cause.BUDGET_EXHAUSTED in hosts.values():
        return JobFailed(Cause.BUDGET_EXHAUSTED, message, "orchestrate")
    if hosts and all(failure_facts(ended).is_forbidden for ended in hosts.values()):
        return JobFailed(Cause.FORBIDDEN, message, "fetch", min(hosts), permanent=True)
    cause = Cause.NO_SUCH_PRODUCT if hosts else Cause.NO_SOURCE
    return JobFailed(cause, message, "discover", permanent=True)


def page_failure(page: Page, host: str) -> JobFailed:
    """A page could not be fetched: what its job fails with."""
    facts, said = facts_of(page.outcome, page.cause), page.outcome_evidence
    cause = Cause.FORBIDDEN if facts.is_forbidden else page.outcome
    message = f"{redacted(page.url)}: {page.outcome}" + (f" ({said})" if said else "")
    return JobFailed(cause.value, message, "fetch", host, not facts.passes, page.cause)


async def end_badly(
    bench: Workbench,
    tx: Transaction,
    job: Job,
    failure: JobFailed,
    retry_seconds: float | None = None,
) -> Event | None:
    """Retry later or give up, as the settings say; None when the lease is gone.

    With ``retry_seconds`` the job is retried after that time, whatever the settings say.
    """
    now, cause = bench.clock.now(), failure.cause
    permanent = failure.permanent or failure_facts(cause).is_permanent
    action, delay = after_failure(
        job, cause, bench.settings.queue, bench.random, permanent=permanent
    )
    error = JobError(
        job.id, job.attempts, now, job.lease_owner or "", failure.station or "worker", cause,
        failure.message, failure.host, permanent, Cause(failure.page_cause),
    )  # fmt: skip
    about = {"job_id": job.id, "attempt": job.attempts, "cause": cause, "message": failure.message}
    if action is Action.FAIL and retry_seconds is None:
        held = await bench.jobs.fail(tx, job.lease, error, now)
        return event("job.failed", now, **about) if held else None
    due_at = due_after(now, delay if retry_seconds is None else retry_seconds)
    held = await bench.jobs.retry(tx, job.lease, error, due_at)
    return event("job.retried", now, **about, due_at=due_at) if held else None
