"""Why a job was not done, and what that means for it: another try later, or a dead letter."""

from __future__ import annotations

from collections.abc import Mapping

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
from specfactory.model import Frozen, Outcome
from specfactory.queue import is_permanent

AWAY = (DatabaseAway, CommitUnknown, StoreBusy, StorageFull)
"""The database cannot write just now: nobody's fault, wait and go on."""

FORBIDDEN = frozenset(
    {Outcome.BLOCKED, Outcome.REFUSED, Outcome.LOGIN_REQUIRED, Outcome.GEO_BLOCKED, "robots"}
)
PASSING = frozenset(
    {Outcome.RATE_LIMITED, Outcome.TIMEOUT, Outcome.NETWORK_ERROR, Outcome.DNS_FAILURE,
     Outcome.MAINTENANCE, Outcome.WAITING_ROOM, Outcome.CAPTCHA, Outcome.EMPTY}
)  # fmt: skip
"""Ends of a fetch that may be otherwise in a while."""


class Failure(Frozen):
    """What went wrong with one attempt at a job."""

    cause: str
    message: str
    station: str = "worker"
    host: str = ""
    permanent: bool = False


def failure_of(problem: BaseException) -> Failure:
    """The failure behind an exception."""
    if isinstance(problem, JobFailed):
        station = problem.station or "worker"
        return Failure(problem.cause, problem.message, station, problem.host, problem.permanent)
    words = str(problem) or type(problem).__name__
    for kind, (cause, station) in _CAUSES.items():
        if isinstance(problem, kind):
            return Failure(cause, words, station, permanent=is_permanent(cause))
    return Failure("unexpected", f"unexpected {type(problem).__name__}: {words}")


_CAUSES: Mapping[type[BaseException], tuple[str, str]] = {
    UnknownCategory: ("unknown_category", "contract"),
    ContractError: ("malformed_contract", "contract"),
    UsageError: ("bad_payload", "queue"),
    AddressRefused: ("forbidden", "fetch"),
    FetchError: ("fetch", "fetch"),
    ExtractError: ("extract", "extract"),
    RecordInvalid: ("record_invalid", "publish"),
    StoreError: ("store", "store"),
    TimeoutError: ("timeout", "worker"),
}


def nothing_found(hosts: Mapping[str, str], message: str, budget: str | None = None) -> Failure:
    """An attempt ended without any page of its product: why, by how each host ended."""
    for host, ended in sorted(hosts.items()):
        if ended in PASSING:
            return Failure(ended, message, "fetch", host)
    if budget is not None or "budget_exhausted" in hosts.values():
        return Failure("budget_exhausted", message, "orchestrate")
    if hosts and all(ended in FORBIDDEN for ended in hosts.values()):
        return Failure("forbidden", message, "fetch", min(hosts), permanent=True)
    cause = "no_such_product" if hosts else "no_source"
    return Failure(cause, message, "discover", permanent=True)


def page_failure(outcome: Outcome, evidence: str, url: str, host: str) -> JobFailed:
    """A page could not be had: what its job fails with."""
    cause = "forbidden" if outcome in FORBIDDEN else outcome.value
    message = f"{url}: {outcome}" + (f" ({evidence})" if evidence else "")
    return JobFailed(cause, message, "fetch", host, outcome not in PASSING)
