"""Proxies and their health."""

import hashlib
from collections.abc import Mapping
from enum import StrEnum

from specfactory.model.base import Discreet, Frozen, Instant, field


class ProxyOrigin(StrEnum):
    """Origin of a proxy. Those of a fetched list were not named by the operator."""

    SETTINGS = "settings"
    FILE = "file"
    LIST = "list"
    ROTATOR = "rotator"


class Proxy(Discreet):
    """One proxy; ``place`` is what may be shown, ``url`` may hold a password."""

    hidden = ("url",)

    url: str
    place: str  # host:port
    tier: str = ""  # a word of the operator's: "datacenter", "residential" …
    origin: ProxyOrigin = ProxyOrigin.SETTINGS

    @property
    def id(self) -> str:
        """The same for the same URL, on every machine; says nothing of the password."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:32]


class HostCooldown(Frozen):
    """Cooldown of a proxy for one host, after failures there."""

    failures: int = 0  # in a row
    rests: int = 0  # in a row
    rests_until: Instant = 0  # not used for this host before then
    at: Instant = 0  # of the last failure


class ProxyHealth(Frozen):
    """Health of a proxy, by checks and by use, all workers together."""

    score: float = 1.0  # share of good answers, the latest weighing most
    failures: int = 0  # of its own, in a row
    latency_ms: float | None = None
    rests: int = 0  # in a row
    rests_until: Instant = 0
    checked_at: Instant | None = None  # when it last proved that it works, or does not
    changed_at: Instant = 0  # the newest word counts
    note: str = ""  # its last trouble
    blamed_by: str = ""  # the host of the last failure that may have been the host's own
    # By host; stored under its former name, so that older rows can be read.
    cooldowns: Mapping[str, HostCooldown] = field(default_factory=dict, name="grudges")

    def is_resting(self, now: Instant) -> bool:
        """True if it should not be used now."""
        return self.rests_until > now

    def is_shunned_by(self, host: str, now: Instant) -> bool:
        """True if it should not be used for this host now."""
        cooldown = self.cooldowns.get(host)
        return cooldown is not None and cooldown.rests_until > now
