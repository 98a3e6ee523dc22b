"""Redirects, one hop at a time: where an answer points, and what may go along."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin

from specfactory.fetch.addresses.gate import Target

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HARMLESS = frozenset({"accept", "accept-encoding", "accept-language", "user-agent"})


def redirect_url(url: str, status: int, headers: Mapping[str, str]) -> str | None:
    """Where an answer sends us, as an absolute URL without fragment; None when nowhere."""
    location = headers.get("location", "").strip()
    if status not in _REDIRECTS or not location:
        return None
    try:
        return urljoin(url, location).partition("#")[0]
    except ValueError:
        return location  # malformed: the gate says so


def headers_for(headers: Mapping[str, str], old: Target, new: Target) -> dict[str, str]:
    """What of the request's headers may go to the next hop: at another origin, no secrets."""
    if old.origin == new.origin:
        return dict(headers)
    return {name: value for name, value in headers.items() if name.lower() in _HARMLESS}
