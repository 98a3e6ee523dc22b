"""Proxies: where they are, and how they are doing."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum

from specfactory.model.base import Discreet, Frozen, field
from specfactory.model.basics import Instant


class ProxyOrigin(StrEnum):
    """Who named a proxy. Those of a fetched list are not the operator's own words."""

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


class Grudge(Frozen):
    """What one host has against one proxy."""

    failures: int = 0  # in a row
    rests: int = 0  # in a row
    rests_until: Instant = 0  # not used for this host before then
    at: Instant = 0  # of the last failure


class ProxyHealth(Frozen):
    """How a proxy is doing, by checks and by use, all workers together."""

    score: float = 1.0  # share of good answers, the latest weighing most
    failures: int = 0  # of its own, in a row
    latency_ms: float | None = None
    rests: int = 0  # in a row
    rests_until: Instant = 0
    checked_at: Instant | None = None  # when it last proved that it works, or does not
    changed_at: Instant = 0  # the newest word counts
    note: str = ""  # its last trouble
    blamed_by: str = ""  # the host of the last failure that may have been the host's own
    grudges: Mapping[str, Grudge] = field(default_factory=dict)  # by host

    def is_resting(self, now: Instant) -> bool:
        """Whether nobody should use it now."""
        return self.rests_until > now

    def is_shunned_by(self, host: str, now: Instant) -> bool:
        """Whether it should not be used for this host now."""
        grudge = self.grudges.get(host)
        return grudge is not None and grudge.rests_until > now
