"""The SharedState port over Redis: limits, breakers and memory shared by many processes.

Raises the client's errors while Redis is away; ``GuardedState`` handles them.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from specfactory.adapters.memory import LiveEvents, slack_seconds
from specfactory.adapters.redis.feed import RedisFeed
from specfactory.fetch.politeness import BreakerRule
from specfactory.model import Event, Frozen, Json
from specfactory.ports import Clock, Permit, RateLimit, SharedState
from specfactory.store.base import from_json, to_json
from specfactory.word_lists import read_text

AWAY = (RedisError, OSError, TimeoutError)
"""Errors raised while Redis cannot be reached or cannot do its work."""

NAMESPACE = "specfactory"
QUIET_SECONDS = 5.0  # longer than the longest pause between two heartbeats of a process
GONE_SECONDS = 10.0  # a process silent for longer is not counted
_RATE_LIMIT = ("server_life", "rate_limit_lifetime")
_SCRIPTS = {
    "rate_limit_reserve": _RATE_LIMIT, "rate_limit_enter": _RATE_LIMIT,
    "register": ("server_life",), "permit": (), "failed": (), "remember": (), "recall": (),
}  # fmt: skip
"""Each script does one step at once, by the server's own clock; the files that come before it.

The first argument of each is the time in seconds; empty, as it always is outside tests, it is
asked of the server, so that machines with different clocks agree. In its first moments a
server has forgotten whom it let through: until all workers know that it was started anew
(``quiet`` seconds), nobody is let through.
"""

_ANSWER_SECONDS = 1.0
_CONNECTIONS = 32
_COUNTER_MS = 8 * 86_400_000  # lifetime of a counter that is not raised
_LATE_SECONDS = 0.05  # a slower answer is too old to rely on
_LATE_TRIES = 3  # where every answer is slow, the third is good enough


class Standing(Frozen):
    """The place of a process among those that share a Redis, and the server's run."""

    life: str
    before: int  # processes that come before it in their order
    processes: int


class RedisState(SharedState):
    """Rate limits, breakers, a short memory, counters and live events, in Redis."""

    def __init__(
        self,
        url: str,
        clock: Clock,
        breaker: BreakerRule | None = None,
        *,
        live: LiveEvents | None = None,
        quiet_seconds: float = QUIET_SECONDS,
        goes_by_clock: bool = False,
    ) -> None:
        self._clock, self._rule = clock, breaker or BreakerRule()
        self._quiet, self._goes_by_clock = quiet_seconds, goes_by_clock
        address, namespace = split_namespace(url)
        self._prefix = "{" + namespace + "}:"  # braces: in a cluster all keys are in one place
        self.redis = _client(address)
        self._feed = RedisFeed(self.redis, self._prefix, live or LiveEvents())
        self._scripts = {
            name: self.redis.register_script("".join(map(_lua, ("begin", *before, name))))
            for name, before in _SCRIPTS.items()
        }

    async def reserve(self, key: str, limit: RateLimit) -> float:
        keys = [self._life, self._key("slot", key)]
        arguments = [self._quiet, limit.interval_seconds, limit.burst]
        return float(await self._run("rate_limit_reserve", keys, arguments))

    async def enter(self, limits: Mapping[str, RateLimit], *, booked: bool = False) -> float:
        keys, arguments = [self._life], list[Any]()
        for key, limit in limits.items():
            keys.append(self._key("door", key))
            arguments += [limit.interval_seconds, limit.burst, slack_seconds(limit)]
        for _ in range(_LATE_TRIES):
            asked = self._clock.monotonic()
            given = [self._quiet, int(booked), *arguments]
            wait = float(await self._run("rate_limit_enter", keys, given))
            if wait > 0 or self._clock.monotonic() - asked < _LATE_SECONDS:
                break
            booked = True  # the slot has passed while we waited for the answer
        return wait

    async def permit(self, key: str) -> Permit:
        allowed, probe, wait = await self._run(
            "permit", [self._key("breaker", key)], [self._rule.probe_seconds]
        )
        wait_seconds = min(float(wait), self._rule.open_seconds)  # a probe may be back sooner
        return Permit(bool(allowed), wait_seconds, bool(probe))

    async def report(self, key: str, *, ok: bool) -> None:
        """Close the breaker on success; count a failure, and open it on the last one allowed."""
        name, rule = self._key("breaker", key), self._rule
        if ok:
            await self.redis.delete(name)
            return
        arguments = [rule.failures, rule.window_seconds, rule.open_seconds, rule.probe_seconds]
        await self._run("failed", [name], arguments)

    async def remember(
        self, key: str, value: Json, ttl_seconds: float, *, unless_known: bool = False
    ) -> None:
        arguments = [to_json(value), ttl_seconds, int(unless_known)]
        await self._run("remember", [self._key("memory", key)], arguments)

    async def recall(self, key: str) -> Json:
        kept = await self._run("recall", [self._key("memory", key)], [])
        return None if kept is None else from_json(kept)

    async def forget(self, key: str) -> None:
        await self.redis.delete(self._key("memory", key))

    async def add(self, counter: str, amount: int = 1) -> int:
        name = self._key("counter", counter)
        async with self.redis.pipeline() as together:
            together.incrby(name, amount)
            together.pexpire(name, _COUNTER_MS)
            raised, _ = await together.execute()
        return int(raised)

    async def publish(self, events: Sequence[Event]) -> None:
        await self._feed.publish(events)

    def subscribe(self) -> AsyncIterator[Event]:
        return self._feed.subscribe()

    async def register(self, process: str) -> Standing:
        """Report that a process is alive, and learn how many there are."""
        keys = [self._life, self._key("processes", "")]
        life, before, count = await self._run(
            "register", keys, [self._quiet, process, GONE_SECONDS]
        )
        return Standing(life.decode(), int(before), int(count))

    async def leave(self, process: str) -> None:
        """Report that a process is about to end."""
        await self.redis.zrem(self._key("processes", ""), process)

    async def close(self) -> None:
        """Close connections; harmless twice."""
        await self._feed.close()
        await self.redis.aclose()

    @property
    def _life(self) -> str:
        return self._prefix + "life"

    def _key(self, kind: str, key: str) -> str:
        return f"{self._prefix}{kind}:{key}"

    async def _run(self, script: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        now = self._clock.monotonic() if self._goes_by_clock else ""
        return await self._scripts[script](keys=keys, args=[now, *arguments])


def split_namespace(url: str) -> tuple[str, str]:
    """The address without ``namespace=``, which separates two factories on one Redis."""
    address, _, query = url.partition("?")
    given = parse_qsl(query, keep_blank_values=True)
    named = [value for name, value in given if name == "namespace" and value]
    rest = urlencode([(name, value) for name, value in given if name != "namespace"])
    return f"{address}?{rest}" if rest else address, named[-1] if named else NAMESPACE


def _lua(name: str) -> str:
    return read_text(f"adapters/redis/lua/{name}.lua")


def _client(url: str) -> Redis:
    """A client that gives up quickly: a worker must not wait for a server that is away."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=_ANSWER_SECONDS,
        socket_timeout=_ANSWER_SECONDS,
        socket_connect_timeout=_ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 1),  # a connection that broke while idle says nothing yet
        socket_keepalive=True,
        protocol=2,
    )
    return Redis.from_pool(pool)
