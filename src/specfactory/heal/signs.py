"""What one visit shows: the outcome, read with its status and evidence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from specfactory.fetch.ladder import UNUSABLE
from specfactory.model import HostCare, Outcome, Visit
from specfactory.settings import HealSettings


class Sign(StrEnum):
    """What a visit shows; several visits with the same sign make a diagnosis."""

    WELL = "well"
    SLOW = "slow"
    MOVED = "moved"
    GARBLED = "garbled"
    REFUSAL = "refusal"
    CAPTCHA = "captcha"
    HIDDEN = "hidden"  # "not found" with status 200
    REGION = "region"
    RATE = "rate"
    DNS = "dns"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    CUT_OFF = "cut_off"
    TLS = "tls"
    LOOP = "loop"
    PACKING = "packing"
    SERVER = "server"
    MAINTENANCE = "maintenance"
    WAITING = "waiting"
    LOGIN = "login"
    SCRIPT = "script"
    GONE = "gone"
    EMPTY = "empty"
    LARGE = "large"
    ADDRESS = "address"
    UNREADABLE = "unreadable"  # bytes that are no text in the declared encoding
    PROXY = "proxy"  # the proxy itself failed
    BROWSER = "browser"
    NEUTRAL = "neutral"  # says nothing about the host's health


BY_OUTCOME: Mapping[Outcome, Sign] = {
    Outcome.JS_REQUIRED: Sign.SCRIPT,
    Outcome.CONSENT_WALL: Sign.SCRIPT,
    Outcome.LOGIN_REQUIRED: Sign.LOGIN,
    Outcome.WAITING_ROOM: Sign.WAITING,
    Outcome.GEO_BLOCKED: Sign.REGION,
    Outcome.RATE_LIMITED: Sign.RATE,
    Outcome.BLOCKED: Sign.REFUSAL,
    Outcome.CAPTCHA: Sign.CAPTCHA,
    Outcome.NOT_FOUND: Sign.GONE,
    Outcome.SOFT_404: Sign.HIDDEN,
    Outcome.EMPTY: Sign.EMPTY,
    Outcome.TOO_LARGE: Sign.LARGE,
    Outcome.DNS_FAILURE: Sign.DNS,
}
"""Outcomes that say it all; the others need their evidence."""

ON_THE_WIRE: tuple[tuple[str, Sign], ...] = (
    ("tls", Sign.TLS),
    ("certificate", Sign.TLS),
    ("redirects", Sign.LOOP),
    ("browser crashed", Sign.BROWSER),
    ("broken ", Sign.PACKING),
    ("in the middle of its", Sign.PACKING),
    ("content-encoding", Sign.PACKING),
    ("before its announced end", Sign.CUT_OFF),
)
"""How the evidence of network errors says what they are."""

NO_ANSWER = frozenset({502, 504})  # how a proxy says that it did not reach the host
ASKED_TO_WAIT = "the server asked to come back"  # known from before: nothing was asked
WELL = frozenset({Sign.WELL, Sign.SLOW, Sign.MOVED, Sign.GARBLED})
PASSES_BY = frozenset({Sign.NEUTRAL, Sign.GONE, Sign.HIDDEN})
"""Signs of single pages: they neither begin nor end a row of failures."""


def sign_of(visit: Visit, care: HostCare, settings: HealSettings) -> Sign:
    """What a visit shows, of a host that is treated like this."""
    if visit.outcome in (Outcome.OK, Outcome.NOT_MODIFIED):
        return _of_good(visit, care, settings)
    if visit.evidence.startswith(ASKED_TO_WAIT):
        return Sign.NEUTRAL
    if sign := BY_OUTCOME.get(visit.outcome):
        ours = sign is Sign.SCRIPT and UNUSABLE in visit.evidence
        return Sign.NEUTRAL if ours else sign
    evidence = visit.evidence.lower()
    if evidence.startswith("proxy:"):
        return Sign.PROXY
    if visit.outcome is Outcome.REFUSED:
        return _of_refused(evidence)
    if visit.outcome is Outcome.TIMEOUT:
        return Sign.CONNECTION if "no connection" in evidence else Sign.TIMEOUT
    if visit.outcome is Outcome.MAINTENANCE:  # a bare 503 is a server that fails
        return Sign.SERVER if evidence.strip() == f"http {visit.status}" else Sign.MAINTENANCE
    return _of_network_error(visit, evidence)


def is_bad(sign: Sign) -> bool:
    """Whether a visit with this sign has failed for a reason that may lie with its host."""
    return sign not in WELL and sign not in PASSES_BY


def seconds_of(visit: Visit) -> float:
    """How long the network took."""
    parts = ("dns", "tcp", "tls", "ttfb", "download")
    return sum(visit.timings_ms.get(part, 0.0) for part in parts) / 1000


def _of_good(visit: Visit, care: HostCare, settings: HealSettings) -> Sign:
    if visit.landed and visit.landed != care.moved_to:
        return Sign.MOVED
    if visit.garbled >= settings.garbled_share:
        return Sign.GARBLED
    return Sign.SLOW if seconds_of(visit) >= settings.slow_seconds else Sign.WELL


def _of_refused(evidence: str) -> Sign:
    if evidence.startswith("gate:"):
        return Sign.ADDRESS
    if "(gzip)" in evidence:
        return Sign.PACKING
    unreadable = evidence.startswith("binary bytes") and "declared as text" in evidence
    return Sign.UNREADABLE if unreadable else Sign.NEUTRAL


def _of_network_error(visit: Visit, evidence: str) -> Sign:
    if visit.proxy and visit.status in NO_ANSWER:
        return Sign.CONNECTION
    if visit.status >= 500:
        return Sign.SERVER
    for words, sign in ON_THE_WIRE:
        if words in evidence:
            return sign
    return Sign.CONNECTION
