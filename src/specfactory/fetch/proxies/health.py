"""Health of a proxy, by what happens to it. Pure.

Three things can be at fault: the proxy, the host, or the two together. An answer from the proxy
itself is the proxy's fault and counts everywhere. A block is between one host and
one proxy. A time-out may be either's: it counts between the two, and against the proxy only when
another host has just seen the same.
"""

from dataclasses import replace

from specfactory.model import (
    FetchEnd,
    Frozen,
    HostCooldown,
    Instant,
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
    """The result of a check: the seconds it took, or None and what was wrong."""

    seconds: float | None
    note: str = ""


class RestRule(Frozen):
    """The rest of an unhealthy proxy, and the refusals by a host before it."""

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
        # Held against the two together, and against the proxy once another host saw the same.
        blamed = _with_cooldown(health, host, now, rule, FAILURES)
        if health.blamed_by not in ("", host):
            blamed = after_failure(blamed, f"{end.outcome} at several hosts", now, rule)
        return replace(blamed, blamed_by=host)
    if effect is ProxyEffect.NONE:
        return health
    alive = after_answer(health, now, seconds)
    if effect is ProxyEffect.REFUSED:
        return _with_cooldown(alive, host, now, rule, rule.blocks)
    cooldowns = {known: cooldown for known, cooldown in alive.cooldowns.items() if known != host}
    return replace(alive, cooldowns=cooldowns)


def after_answer(health: ProxyHealth, now: Instant, seconds: float | None = None) -> ProxyHealth:
    """The proxy worked: its rest is over."""
    score, latency = _mean(health.score, 1.0), health.latency_ms
    if seconds is not None:
        latency = seconds * 1000 if latency is None else _mean(latency, seconds * 1000)
    return replace(
        health,
        score=max(score, LOW_SCORE + WEIGHT / 2) if health.rests else score,
        failures=0,
        latency_ms=latency,
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
    """The proxy itself failed; ``sure`` (a check) needs no second failure for a rest."""
    failed = replace(
        health,
        score=_mean(health.score, 0.0),
        failures=health.failures + 1,
        checked_at=now,
        changed_at=now,
        note=note[:NOTE_LENGTH],
    )
    if failed.is_resting(now):  # it was used all the same; the rest goes on unchanged
        return failed
    if sure or failed.failures >= FAILURES or failed.score < LOW_SCORE:
        return rested(failed, now, rule)
    return failed


def rested(health: ProxyHealth, now: Instant, rule: RestRule) -> ProxyHealth:
    """Put a proxy aside for a while, twice as long each time."""
    until = now + _rest_ms(rule, health.rests)
    return replace(health, rests=health.rests + 1, rests_until=until, changed_at=now)


def _with_cooldown(
    health: ProxyHealth, host: str, now: Instant, rule: RestRule, patience: int
) -> ProxyHealth:
    held = health.cooldowns.get(host, HostCooldown())
    failures = held.failures + 1
    cooldown = replace(held, failures=failures, at=now)
    if failures >= patience and held.rests_until <= now:
        until = now + _rest_ms(rule, held.rests)
        cooldown = replace(cooldown, rests=held.rests + 1, rests_until=until)
    cooldowns = {**health.cooldowns, host: cooldown}
    if len(cooldowns) > MOST_COOLDOWNS:
        newest = sorted(cooldowns.items(), key=lambda known: known[1].at, reverse=True)
        cooldowns = dict(newest[:MOST_COOLDOWNS])
    return replace(health, cooldowns=cooldowns, changed_at=now, checked_at=now)


def _rest_ms(rule: RestRule, rests: int) -> int:
    return min(rule.rest_ms << min(rests, 20), max(LONGEST_REST_MS, rule.rest_ms))


def _mean(known: float, newest: float) -> float:
    return (1 - WEIGHT) * known + WEIGHT * newest
