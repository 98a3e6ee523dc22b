"""How a proxy's health follows from what happens to it. Pure.

Three things can be at fault: the proxy, the host, or the two together. An answer from the proxy
itself is the proxy's fault and counts everywhere. A block is between one host and
one proxy. A time-out may be either's: it counts between the two, and against the proxy only when
another host has just seen the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from specfactory.model import (
    FetchEnd,
    Frozen,
    HostCooldown,
    Instant,
    Outcome,
    ProxyEffect,
    ProxyHealth,
    facts_of,
)

PROXY_FAULT = "proxy: "  # stands before what a proxy says of itself; a proxy's note needs it not
FAILURES = 3  # in a row: a rest
LOW_SCORE = 0.3  # a rest as well, however the failures are spread
LONGEST_REST_MS = 24 * 3_600_000
MOST_COOLDOWNS = 50
WEIGHT = 0.2  # of the newest answer in the score and in the latency
NOTE_LENGTH = 200


class Checked(Frozen):
    """How a check went: the seconds it took, or None and what was wrong."""

    seconds: float | None
    note: str = ""


class RestRule(Frozen):
    """How long an unhealthy proxy rests, and how often a host may refuse it first."""

    rest_ms: int = 600_000  # the first rest; it doubles
    blocks: int = 1  # refusals in a row by one host


def after_use(
    health: ProxyHealth,
    host: str,
    end: FetchEnd,
    now: Instant,
    rule: RestRule,
    *,
    seconds: float | None = None,
) -> ProxyHealth:
    """The health of a proxy after a page was fetched through it."""
    effect = facts_of(end.outcome, end.cause).proxy
    if effect is ProxyEffect.FAILED:
        return after_failure(health, end.evidence.removeprefix(PROXY_FAULT), now, rule)
    if effect is ProxyEffect.UNCLEAR:
        return _after_unclear(health, host, end.outcome, now, rule)
    if effect is ProxyEffect.NONE:
        return health
    alive = after_answer(health, now, seconds)
    if effect is ProxyEffect.REFUSED:
        return _with_grudge(alive, host, now, rule, rule.blocks)
    cooldowns = {known: cooldown for known, cooldown in alive.cooldowns.items() if known != host}
    return replace(alive, cooldowns=cooldowns)


def after_answer(health: ProxyHealth, now: Instant, seconds: float | None = None) -> ProxyHealth:
    """The proxy has done its work: whatever it rested for is over."""
    score = _mean(health.score, 1.0)
    return replace(
        health,
        score=max(score, LOW_SCORE + WEIGHT / 2) if health.rests else score,
        failures=0,
        latency_ms=_latency(health.latency_ms, seconds),
        rests=0,
        rests_until=0,
        checked_at=now,
        changed_at=now,
        note="",
        blamed_by="",
    )


def after_failure(
    health: ProxyHealth, note: str, now: Instant, rule: RestRule, *, sure: bool = False
) -> ProxyHealth:
    """The proxy has failed by itself; ``sure`` (a check) needs no second failure for a rest."""
    failed = replace(
        health,
        score=_mean(health.score, 0.0),
        failures=health.failures + 1,
        checked_at=now,
        changed_at=now,
        note=note[:NOTE_LENGTH],
    )
    if failed.is_resting(now):  # somebody used it all the same; the rest goes on as it is
        return failed
    if sure or failed.failures >= FAILURES or failed.score < LOW_SCORE:
        return rested(failed, now, rule)
    return failed


def rested(health: ProxyHealth, now: Instant, rule: RestRule) -> ProxyHealth:
    """Put aside for a while, twice as long each time."""
    until = now + _rest_ms(rule, health.rests)
    return replace(health, rests=health.rests + 1, rests_until=until, changed_at=now)


def _after_unclear(
    health: ProxyHealth, host: str, outcome: Outcome, now: Instant, rule: RestRule
) -> ProxyHealth:
    blamed = _with_grudge(health, host, now, rule, FAILURES)
    if health.blamed_by in ("", host):
        return replace(blamed, blamed_by=host)
    return replace(after_failure(blamed, f"{outcome} at several hosts", now, rule), blamed_by=host)


def _with_grudge(
    health: ProxyHealth, host: str, now: Instant, rule: RestRule, patience: int
) -> ProxyHealth:
    held = health.cooldowns.get(host, HostCooldown())
    failures = held.failures + 1
    cooldown = replace(held, failures=failures, at=now)
    if failures >= patience and held.rests_until <= now:
        until = now + _rest_ms(rule, held.rests)
        cooldown = replace(cooldown, rests=held.rests + 1, rests_until=until)
    return replace(
        health,
        cooldowns=_newest({**health.cooldowns, host: cooldown}),
        changed_at=now,
        checked_at=now,
    )


def _newest(cooldowns: Mapping[str, HostCooldown]) -> dict[str, HostCooldown]:
    if len(cooldowns) <= MOST_COOLDOWNS:
        return dict(cooldowns)
    order = sorted(cooldowns.items(), key=lambda held: held[1].at, reverse=True)
    return dict(order[:MOST_COOLDOWNS])


def _rest_ms(rule: RestRule, rests: int) -> int:
    return min(rule.rest_ms << min(rests, 20), max(LONGEST_REST_MS, rule.rest_ms))


def _latency(known: float | None, seconds: float | None) -> float | None:
    if seconds is None:
        return known
    return seconds * 1000 if known is None else _mean(known, seconds * 1000)


def _mean(known: float, newest: float) -> float:
    return (1 - WEIGHT) * known + WEIGHT * newest
