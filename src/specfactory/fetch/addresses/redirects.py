"""Redirects, one hop at a time: the next URL, and the headers that may go there."""

from collections.abc import Mapping, Sequence
from urllib.parse import urljoin

from specfactory.fetch.addresses.gate import Target

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HARMLESS = frozenset({"accept", "accept-encoding", "accept-language", "user-agent"})


def redirect_url(url: str, status: int, headers: Mapping[str, str]) -> str | None:
    """The absolute URL, without fragment, that a response redirects to; None when it does not."""
    location = headers.get("location", "").strip()
    if status not in _REDIRECTS or not location:
        return None
    try:
        return urljoin(url, location).partition("#")[0]
    except ValueError:
        return location  # malformed: the gate says so


def over_limit(followed: Sequence[str], most: int) -> str:
    """The reason why a chain of redirects is followed no further; empty while it is."""
    return f"more than {most} redirects" if len(followed) >= most else ""


def headers_for(headers: Mapping[str, str], old: Target, new: Target) -> dict[str, str]:
    """The request's headers for the next hop: at another origin, no secrets."""
    if old.origin == new.origin:
        return dict(headers)
    return {name: value for name, value in headers.items() if name.lower() in _HARMLESS}
