"""Self-healing for Python: report a failure, get what was done; and the figures.

healing = SelfHealing(bench)
await healing.handle_failure("shop.example", error, {"url": url, "status": 403})
# {"diagnosed": "blocked", "remediation": "slow_down", "success": True}
await healing.get_stats()
# {"total_healed": 156, "success_rate": 0.89, "top_failures": [...]}
"""

from collections.abc import Mapping
from typing import TypedDict

from specfactory.fetch.addresses import typed_host
from specfactory.fetch.outcomes import BY_STATUS
from specfactory.heal import GIVEN_UP, TOP, figures_of
from specfactory.model import Cause, HealingStatus, Json, Outcome, Rung, Visit
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.heal_host import EVENTS_SEEN, heal_host
from specfactory.redaction import redacted

_BY_WORDS = (
    ("captcha", Outcome.CAPTCHA),
    ("enotfound", Outcome.DNS_FAILURE),
    ("name or service not known", Outcome.DNS_FAILURE),
    ("getaddrinfo", Outcome.DNS_FAILURE),
    ("javascript", Outcome.JS_REQUIRED),
    ("timed out", Outcome.TIMEOUT),
    ("timeout", Outcome.TIMEOUT),
)
_CAUSES_BY_WORDS = (
    ("tls", Cause.TLS),
    ("certificate", Cause.TLS),
    ("redirects", Cause.REDIRECT_LOOP),
    ("browser crashed", Cause.BROWSER_CRASHED),
    ("broken ", Cause.BROKEN_ENCODING),
    ("in the middle of its", Cause.BROKEN_ENCODING),
    ("content-encoding", Cause.BROKEN_ENCODING),
    ("before its announced end", Cause.CUT_OFF),
)
"""Errors of others' crawlers are texts: what they mean is found out here and nowhere else."""


class Handled(TypedDict):
    """Result of a reported failure; no diagnosis where one failure is not enough."""

    diagnosed: str | None
    remediation: str | None
    success: bool


class HealingFigures(TypedDict):
    """Figures of healing."""

    total_healed: int
    success_rate: float
    top_failures: list[dict[str, Json]]


class SelfHealing:
    """Healing for other crawlers; the factory reports its own fetches itself."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    async def handle_failure(
        self, host: str, error: BaseException | Outcome | str, context: Mapping[str, Json]
    ) -> Handled:
        """Record a failure at a host and do what its history asks for.

        ``context`` may say ``url``, ``status``, ``proxy``, ``rung`` and ``confidence``.
        ``success`` says that a remedy is in force: it was carried out, and not undone.
        """
        bench, host = self._bench, typed_host(host)
        now = bench.clock.now()
        status = int(context.get("status") or 0)
        words = str(error).lower()
        outcome = _outcome(error, words, status)
        url = redacted(str(context.get("url") or f"https://{host}/"))
        visit = Visit(
            host, url, now, outcome, redacted(str(error)), status,
            rung=Rung(context.get("rung") or Rung.HTTP),
            proxy=str(context.get("proxy") or "").rpartition("@")[2],
            confidence=context.get("confidence"), cause=_cause(outcome, words, status),
        )  # fmt: skip
        async with bench.database.transaction() as tx:
            await bench.visits.add(tx, visit)
        await heal_host(bench, host)
        events = await bench.healings.of_host(host, EVENTS_SEEN)
        event = next((e for e in events if e.status is not HealingStatus.HELPED), None)
        if event is None:
            return Handled(diagnosed=None, remediation=None, success=False)
        success = event.status not in GIVEN_UP
        return Handled(diagnosed=event.diagnosis, remediation=event.remediation, success=success)

    async def get_stats(self) -> HealingFigures:
        """Number of healed failures, the share without a person, and the most frequent ones."""
        figures = figures_of(await self._bench.healings.counts())
        top = [
            {"failure": name, "count": ends.tried, "healed": ends.helped}
            for name, ends in list(figures.diagnoses.items())[:TOP]
        ]
        healed, rate = figures.total.helped, figures.success_rate or 0.0
        return HealingFigures(total_healed=healed, success_rate=rate, top_failures=top)


def _outcome(error: BaseException | Outcome | str, words: str, status: int) -> Outcome:
    """Classify a failure by its class, its words, or its status."""
    if isinstance(error, Outcome):
        return error
    if isinstance(error, TimeoutError):
        return Outcome.TIMEOUT
    if words in set(Outcome):
        return Outcome(words)
    said = (outcome for phrase, outcome in _BY_WORDS if phrase in words)
    return next(said, BY_STATUS.get(status, Outcome.NETWORK_ERROR))


def _cause(outcome: Outcome, words: str, status: int) -> Cause:
    """Find the cause of another crawler's failure, as far as its error says so."""
    if outcome is Outcome.NETWORK_ERROR:
        if words.startswith("proxy:"):
            return Cause.PROXY
        found = (cause for said, cause in _CAUSES_BY_WORDS if said in words)
        return next(found, Cause.NONE)
    if outcome is Outcome.TIMEOUT and "no connection" in words:
        return Cause.NO_CONNECTION
    bare = outcome is Outcome.MAINTENANCE and words.strip() == f"http {status}"
    return Cause.STATUS_ONLY if bare else Cause.NONE
