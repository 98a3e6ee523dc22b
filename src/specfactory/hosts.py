"""Hosts and who owns them, by the public suffix list that is installed with the factory."""

import re
from functools import cache, lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

_KEPT = 10_000
_USUAL_PORTS = {"http": ":80", "https": ":443"}
_END_OF_HOST = re.compile(r"[/?#\\]")
_DOMAIN = re.compile(r"[a-z][a-z0-9-]+(?:\.[a-z]{2,})+")


@lru_cache(_KEPT)
def domain_of(netloc: str) -> str:
    """``shop.example.co.uk:8080`` → ``example.co.uk``; an address is its own domain.

    A suffix under which anybody may have a name (``github.io``, ``myshopify.com``) is no domain
    of one owner: ``one.github.io`` is a domain.
    """
    host = _without_port(netloc)
    return host if literal_address(host) else _suffixes().privatesuffix(host) or host


@lru_cache(_KEPT)
def owner_of(netloc: str) -> str:
    """What stands for the owner of a host: its domain.

    Ports of one machine have one owner. Only on this very machine they are sites of their own:
    such addresses are fetched by the operator's leave alone, and the demo web lives there.
    """
    host = _without_port(netloc)
    address = literal_address(host)
    is_local = address.is_loopback if address else host.rpartition(".")[2] == "localhost"
    return netloc if is_local else domain_of(netloc)


@lru_cache(_KEPT)
def bears_name(netloc: str, name: str) -> bool:
    """True if a host's registered domain is the name: ``shop.acme.co.uk`` is called ``Acme``.

    ``acme.evil.example`` and ``acme-shop.example`` are not, nor is ``acme.github.io``: a name
    under a private suffix is given to the first who asks.
    """
    letters = "".join(filter(str.isalnum, name.casefold()))
    host = _without_port(netloc).lower()
    if not letters or literal_address(host):
        return False
    registered = _suffixes(only_icann=True).privatesuffix(host)
    if registered is None or registered != domain_of(host):
        return False
    return bool(registered.partition(".")[0].replace("-", "") == letters)


def host_of_address(url: str) -> str:
    """Host and port of a web address in small letters, read in passing; "" where there is none."""
    scheme, there, rest = url.partition("://")
    if not there or scheme.lower() not in _USUAL_PORTS:
        return ""
    netloc = _END_OF_HOST.split(rest, maxsplit=1)[0].rpartition("@")[2].lower()
    return netloc.removesuffix(_USUAL_PORTS[scheme.lower()])


def names_domain(text: str) -> bool:
    """True if a word of a text is a domain, as sites call themselves: ``Acme.com - X100``."""
    words = (word.strip(".,:;|()").lower() for word in text.split())
    return any(
        "." in word and _DOMAIN.fullmatch(word) and _suffixes(only_icann=True).privatesuffix(word)
        for word in words
    )


@lru_cache(maxsize=256)
def literal_address(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _without_port(netloc: str) -> str:
    host = netloc.rpartition(":")[0] if netloc.rpartition(":")[2].isdigit() else netloc
    return host.strip("[]").rstrip(".")


@cache
def _suffixes(*, only_icann: bool = False) -> Any:
    # loaded when first needed: it takes a tenth of a second
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=only_icann)
