"""The one gate to the network (rule 6): which URLs and which addresses may be asked.

Pure. ``check_url`` looks at what is written, before anything is resolved; ``check_address`` at
the address actually connected to. Both are asked for every request and every redirect.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from urllib.parse import quote, urlsplit

import idna

from specfactory.errors import AddressRefused, SettingError
from specfactory.hosts import literal_address
from specfactory.model import Frozen

DEFAULT_PORTS = frozenset({80, 443, 8080, 8443})
MAX_URL_LENGTH = 4_000

_REFUSED = tuple(
    (ip_network(network), meaning)
    for network, meaning in (
        ("0.0.0.0/8", "a reserved address"),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "a carrier's inner address"),
        ("127.0.0.0/8", "a loopback address"),
        ("168.63.129.16/32", "a cloud metadata address"),
        ("169.254.169.254/32", "a cloud metadata address"),
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "a documentation address"),
        ("192.88.99.0/24", "a 6to4 relay"),
        ("192.168.0.0/16", "a private address"),
        ("198.18.0.0/15", "a benchmarking address"),
        ("198.51.100.0/24", "a documentation address"),
        ("203.0.113.0/24", "a documentation address"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
        ("::1/128", "a loopback address"),
        ("fd00:ec2::254/128", "a cloud metadata address"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        ("fec0::/10", "a site-local address"),
        ("ff00::/8", "a multicast address"),
        ("2001::/32", "a Teredo address"),
        ("2001::/23", "a reserved address"),
        ("2001:db8::/32", "a documentation address"),
        ("2002::/16", "a 6to4 address"),
        ("3fff::/20", "a documentation address"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")

_DOTS = str.maketrans({"\u3002": ".", "\uff0e": ".", "\uff61": "."})
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_DEFAULT_PORT = {"http": 80, "https": 443}
ANYWHERE = ("*", 0)  # no settings file can spell it; `specfactory.testing` does


class GatePolicy(Frozen):
    """The operator's exceptions beyond the public web, as host and port pairs.

    ``loopback`` opens pages on this machine, under exactly these names (the demo's).
    ``trusted`` is given only to a fetcher that serves an endpoint of the operator, never to the
    one that fetches pages.
    """

    loopback: frozenset[tuple[str, int]] = frozenset()
    trusted: frozenset[tuple[str, int]] = frozenset()
    ports: frozenset[int] = DEFAULT_PORTS

    @property
    def opens_all_loopback(self) -> bool:
        """True only in tests, whose servers take any free port."""
        return ANYWHERE in self.loopback


class Target(Frozen):
    """A URL that passed, written in one canonical way, taken apart."""

    url: str
    scheme: str
    host: str  # a name in lower case, or an address; IPv6 without brackets
    port: int

    @property
    def origin(self) -> tuple[str, str, int]:
        """The origin that credentials belong to."""
        return self.scheme, self.host, self.port

    @property
    def netloc(self) -> str:
        """Host, with its port unless that is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORT[self.scheme] else f"{host}:{self.port}"


def policy_for_pages(allow_loopback: Iterable[str]) -> GatePolicy:
    """The gate's policy for pages, with the places on this machine that the settings open."""
    return GatePolicy(loopback=frozenset(_loopback_place(name) for name in allow_loopback))


def _loopback_place(name: str) -> tuple[str, int]:
    if name == "*":
        return ANYWHERE
    try:
        target = parse_url(f"http://{name}/")
    except ValueError as malformed:
        raise SettingError("fetch.allow_loopback", name, f"HOST:PORT ({malformed})") from None
    address = literal_address(target.host)
    if not (address.is_loopback if address else is_local_name(target.host)):
        allowed = "a name or address of this machine, such as shop.localhost:8601"
        raise SettingError("fetch.allow_loopback", name, allowed)
    return target.host, target.port


def check_url(url: str, policy: GatePolicy) -> Target:
    """Take a URL apart and pass it, or raise AddressRefused with the reason."""
    try:
        target = parse_url(url)
    except ValueError as malformed:
        raise AddressRefused(url, str(malformed)) from None
    if (target.host, target.port) in policy.trusted:
        return target
    address = literal_address(target.host)
    if address is not None:
        if problem := _problem(address, target.host, target.port, policy):
            raise AddressRefused(url, problem)
    elif (target.host, target.port) in policy.loopback or policy.opens_all_loopback:
        return target  # the address decides
    elif is_local_name(target.host):
        raise AddressRefused(url, f"{target.host} is this machine")
    elif target.port not in policy.ports:
        raise AddressRefused(url, f"port {target.port} is not open to pages")
    return target


def check_address(ip: str, port: int, policy: GatePolicy, host: str = "") -> None:
    """Pass the address about to be connected to, or raise AddressRefused.

    ``host`` is the name that was resolved to it: a trusted pair is trusted wherever it leads.
    """
    if (host or ip, port) in policy.trusted:
        return
    try:
        address = ip_address(ip)
    except ValueError:
        raise AddressRefused(ip, "not an address") from None
    if problem := _problem(address, host or ip, port, policy):
        raise AddressRefused(host or ip, problem)


def _problem(address: IPv4Address | IPv6Address, host: str, port: int, policy: GatePolicy) -> str:
    loopback, meaning = _judge(address)
    if loopback and ((host, port) in policy.loopback or policy.opens_all_loopback):
        return ""
    if meaning:
        return f"{address} is {meaning}"
    return "" if port in policy.ports else f"port {port} is not open to pages"


def is_local_name(host: str) -> bool:
    """True if a name means this machine by definition (RFC 6761)."""
    return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=1024)  # a page's URL is parsed many times on its way
def parse_url(url: str) -> Target:
    """Take an http(s) URL apart, numeric hosts in any notation included; ValueError if bad."""
    url = url.strip(" \t\r\n")
    if len(url) > MAX_URL_LENGTH:
        raise ValueError(f"the URL has more than {MAX_URL_LENGTH} characters")
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORT:
        raise ValueError(f"only http and https are fetched, not {scheme or 'a URL without scheme'}")
    if _FORBIDDEN.search(parts.netloc):
        raise ValueError("the host contains characters that no host has")
    if "@" in parts.netloc:
        raise ValueError("a URL with a user name or password is not fetched")
    host = _canonical_host(parts.netloc)
    port = parts.port
    if port == 0:
        raise ValueError("port 0 does not exist")
    target = Target("", scheme, host, port or _DEFAULT_PORT[scheme])
    query = f"?{_encode(parts.query, '/?')}" if parts.query else ""
    path = _without_dots(_encode(parts.path, "/")) or "/"
    return Target(f"{scheme}://{target.netloc}{path}{query}", scheme, host, target.port)


@lru_cache(maxsize=1024)  # pages come by the thousand from one host
def _canonical_host(netloc: str) -> str:
    if netloc.startswith("["):
        inner, closing, rest = netloc[1:].partition("]")
        if not closing or (rest and not rest.startswith(":")):
            raise ValueError("the host is not an address")
        try:
            v6 = IPv6Address(inner)
        except AddressValueError:
            raise ValueError("the host is not an address") from None
        if v6.scope_id:
            raise ValueError("an address with a zone is not fetched")
        return str(v6)
    host = netloc.partition(":")[0]
    if "%" in host:
        raise ValueError("the host is percent-encoded")
    host = unicodedata.normalize("NFKC", host.translate(_DOTS)).lower().removesuffix(".")
    if not host:
        raise ValueError("the URL names no host")
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except (idna.IDNAError, UnicodeError):
            raise ValueError("the host is not a name") from None
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        return str(_numeric_host(host))
    if len(host) > 253 or not _HOST.fullmatch(host):
        raise ValueError("the host is not a name")
    if ".." in host or any(len(label) > 63 for label in host.split(".")):
        raise ValueError("the host is not a name")
    return host


def _numeric_host(host: str) -> IPv4Address:
    """Read 127.1, 0x7f000001, 0177.0.0.1 or 2130706433 as every system call would."""
    parts: list[int] = []
    for text in host.split("."):
        if not _NUMBER.fullmatch(text) or len(text) > 20:
            raise ValueError("the host is not an address")
        is_hex = text.startswith("0x")
        base = 16 if is_hex else 8 if len(text) > 1 and text.startswith("0") else 10
        try:
            parts.append(int((text[2:] or "0") if is_hex else text, base))
        except ValueError:
            raise ValueError("the host is not an address") from None
    *front, last = parts
    if len(parts) > 4 or any(part > 255 for part in front) or last >= 256 ** (5 - len(parts)):
        raise ValueError("the host is not an address")
    number = last
    for place, part in enumerate(front):
        number += part << (8 * (3 - place))
    return IPv4Address(number)


def _encode(text: str, extra: str) -> str:
    return quote(text, safe=extra + "%:@!$&'()*+,;=~-._[]|^`{}")


def _without_dots(path: str) -> str:
    """Resolve /../ and /./ as servers do, so that robots.txt judges what is really asked."""
    if "/." not in path and "%2" not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        plain = segment.lower().replace("%2e", ".")
        if plain == "..":
            if len(kept) > 1:
                kept.pop()
        elif plain != ".":
            kept.append(segment)
    ends_in_folder = segments[-1].lower().replace("%2e", ".") in (".", "..")
    return "/".join(kept) + ("/" if ends_in_folder else "")


@lru_cache(maxsize=256)
def _judge(address: IPv4Address | IPv6Address) -> tuple[bool, str]:
    """True if an address is loopback, and why it is refused ("" when it is not).

    An IPv4 address inside a mapped, NAT64 or old compatible IPv6 address is judged itself. 6to4
    and Teredo are refused whole: no pages are served there any more.
    """
    if isinstance(address, IPv4Address):
        problem = next((meaning for net, meaning in _REFUSED if address in net), "")
        return address.is_loopback, problem
    inner = address.ipv4_mapped
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 0xFFFF):
        inner = inner or IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        _, problem = _judge(inner)
        if not problem and address in _COMPATIBLE:
            problem = "a reserved address"
        return inner.is_loopback and address.ipv4_mapped is not None, problem
    problem = next((meaning for net, meaning in _REFUSED if address in net), "")
    if not problem and address not in _GLOBAL_V6:
        problem = "a reserved address"
    return address.is_loopback, problem
