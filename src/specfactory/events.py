"""Every event, declared once: its name, what it carries, and what it means.

Logs, the live feed, the outbox and the metrics are all fed from here. An event that is not
declared, or that carries other fields than declared, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from specfactory.model import Event, Instant, Json


@dataclass(frozen=True, slots=True)
class EventKind:
    """A declared event."""

    name: str
    meaning: str
    carries: tuple[str, ...]


def _declare(name: str, meaning: str, *carries: str) -> EventKind:
    return EventKind(name, meaning, carries)


_ATTEMPT = ("attempt_id", "product_id")

EVENTS: dict[str, EventKind] = {
    kind.name: kind
    for kind in (
        _declare("attempt.started", "A try at a product began.", *_ATTEMPT, "budget"),
        _declare("round.started", "A round was planned.", *_ATTEMPT, "round", "name", "sources"),
        _declare("source.searched", "A source was asked for the product's page.",
                 *_ATTEMPT, "host", "way", "found"),
        _declare("source.skipped", "A source gave no page to fetch.",
                 *_ATTEMPT, "host", "reason"),
        _declare("page.fetched", "A fetch ended; only ok pages teach.",
                 *_ATTEMPT, "page_id", "url", "host", "outcome", "evidence", "size_bytes"),
        _declare("page.read", "A page's candidates were taken.",
                 *_ATTEMPT, "page_id", "host", "candidates", "dropped"),
        _declare("identity.judged", "A page was held against the product.",
                 *_ATTEMPT, "page_id", "host", "verdict", "confidence", "reasons"),
        _declare("round.finished", "A round ended.",
                 *_ATTEMPT, "round", "filled", "total", "gained", "cost_usd"),
        _declare("budget.exhausted", "A budget was spent; the attempt ends with what it has.",
                 *_ATTEMPT, "budget"),
        _declare("record.published", "A new version of a record was written.",
                 *_ATTEMPT, "version", "filled", "total", "flags"),
        _declare("accuracy.measured", "A golden product's record was held against its truth.",
                 *_ATTEMPT, "accuracy", "right", "wrong"),
        _declare("attempt.finished", "A try at a product ended.",
                 *_ATTEMPT, "status", "seconds", "pages", "cost_usd", "error"),
        _declare("review.opened", "A person is asked.",
                 "review_id", "kind", "subject", "field", "reason"),
        _declare("review.decided", "A person answered.",
                 "decision_id", "kind", "subject", "field", "action", "actor"),
        _declare("review.undone", "An answer was taken back.",
                 "decision_id", "subject", "field", "actor"),
        _declare("audit.failed", "A published value could not be proven again.",
                 "product_id", "field", "version", "problem"),
    )
}  # fmt: skip


def event(name: str, at: Instant, /, **fields: Json) -> Event:
    """Make a declared event; carrying other fields than declared is a programming error."""
    declared = EVENTS[name].carries
    if set(declared) != set(fields):
        raise ValueError(f"{name} carries {sorted(declared)}, given {sorted(fields)}")
    return Event(name, at, {key: fields[key] for key in declared})
