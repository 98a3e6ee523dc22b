"""Which hosts belong together: the registrable domain of a host, by the public suffix list."""

from __future__ import annotations

import ipaddress
from functools import cache, lru_cache
from typing import Any

_KEPT = 10_000


@lru_cache(_KEPT)
def domain_of(netloc: str) -> str:
    """``shop.example.co.uk:8080`` → ``example.co.uk``; an address is its own domain."""
    host = netloc.rpartition(":")[0] if netloc.rpartition(":")[2].isdigit() else netloc
    host = host.strip("[]").rstrip(".")
    if _is_address(host):
        return host
    return _suffixes().privatesuffix(host) or host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cache
def _suffixes() -> Any:
    """Read when first needed: it takes a tenth of a second."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
