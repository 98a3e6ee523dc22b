"""Lists of proxies, as operators and providers write them: lines or JSON. Pure.

A line is ``host:port``, ``user:password@host:port``, ``host:port:user:password`` or a URL, and
may end in a tier. Bad entries are counted and never quoted: they may hold a password.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from specfactory.fetch.addresses import parse_url
from specfactory.model import Frozen, Proxy, ProxyOrigin

MOST_PROXIES = 10_000
MOST_BYTES = 5_000_000
SCHEMES = ("http", "https")
_SEPARATOR = re.compile(r"[\s,;|]+")
_TIER = re.compile(r"[A-Za-z][\w.-]{0,39}")
_LISTS = ("proxies", "data", "results", "result", "list", "items")
_HOSTS = ("host", "ip", "ip_address", "proxy_address", "address", "server")
_USERS = ("username", "user", "login")
_PASSWORDS = ("password", "pass")
_PROTOCOLS = ("protocol", "protocols", "scheme", "type")


class ProxyList(Frozen):
    """The proxies of a list, and the number of its entries that are none."""

    proxies: tuple[Proxy, ...]
    skipped: int = 0


def read_list(text: str, origin: ProxyOrigin) -> ProxyList:
    """Read a list in any of the usual forms; never raises."""
    text = text[:MOST_BYTES].lstrip("\ufeff \t\r\n")
    entries: Iterable[Any] | None = _json_entries(text) if text[:1] in "[{" else None
    if entries is None:
        lines = (re.split(r"(?:^|\s)(?:#|//)", line, maxsplit=1)[0] for line in text.splitlines())
        entries = (line.strip() for line in lines if line.strip())
    found: dict[str, Proxy] = {}
    skipped = 0
    for entry in entries:
        if len(found) >= MOST_PROXIES:
            break
        try:
            proxy = _proxy(entry, origin)
        except (ValueError, TypeError):
            skipped += 1
        else:
            found.setdefault(proxy.url, proxy)
    return ProxyList(tuple(found.values()), skipped)


def make_proxy(written: str, origin: ProxyOrigin, tier: str = "") -> Proxy:
    """Read one line; ValueError, which quotes nothing of it, when it is no proxy."""
    words = [word for word in _SEPARATOR.split(written.strip()) if word]
    if not words or len(words) > 2:
        raise ValueError("not HOST:PORT and perhaps a tier")
    if len(words) == 2:
        tier = words[1]
    if tier and not _TIER.fullmatch(tier):
        raise ValueError("a tier is one word")
    scheme, user, password, place = _parts(words[0])
    target = parse_url(f"http://{place}/")
    host = f"[{target.host}]" if ":" in target.host else target.host
    place = f"{host}:{target.port}"
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    return Proxy(f"{scheme}://{login}{place}", place, tier.lower(), origin)


def _proxy(entry: Any, origin: ProxyOrigin) -> Proxy:
    if isinstance(entry, str):
        return make_proxy(entry, origin)
    if not isinstance(entry, Mapping):
        raise ValueError("neither a text nor an object")
    tier = entry.get("tier") or entry.get("proxy_type") or ""
    if isinstance(url := entry.get("url"), str):
        return make_proxy(url, origin, str(tier))
    host, port = _first(entry, _HOSTS), entry.get("port")
    if not host or not port:
        raise ValueError("neither url nor host and port")
    user, password = _first(entry, _USERS), _first(entry, _PASSWORDS)
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    scheme = _first(entry, _PROTOCOLS).lower() or "http"
    if "://" not in scheme and scheme in SCHEMES:
        login = f"{scheme}://{login}"
    elif scheme.startswith("socks"):
        raise ValueError("not an HTTP proxy")
    return make_proxy(f"{login}{host}:{port}", origin, str(tier))


def _first(entry: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = entry.get(name)
        if isinstance(value, list) and value:
            value = "http" if "http" in value else value[0]
        if isinstance(value, str) and value:
            return value
    return ""


def _parts(written: str) -> tuple[str, str, str, str]:
    """Scheme, user, password and place of one written address."""
    scheme, slashes, rest = written.rpartition("://")
    scheme = scheme.lower() if slashes else "http"
    if scheme not in SCHEMES:
        raise ValueError("only http and https proxies are known")
    if "@" not in rest:
        text = rest.rstrip("/")
        if "/" in text:
            raise ValueError("a proxy has no path")
        place, user, password = text, "", ""
        if not text.startswith("["):  # host:port:user:password, as some providers write it
            host, _, more = text.partition(":")
            port, _, login = more.partition(":")
            user, _, password = login.partition(":")
            place = f"{host}:{port}" if port else host
        return scheme, user, password, _with_port(place, scheme)
    parts = urlsplit(f"{scheme}://{rest}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("a proxy has no path")
    place = parts.netloc.rpartition("@")[2]
    return (
        scheme, unquote(parts.username or ""), unquote(parts.password or ""),
        _with_port(place, scheme),
    )  # fmt: skip


def _with_port(place: str, scheme: str) -> str:
    # without a port it would be 80 by a URL's rules, which nobody means
    if re.search(r":\d{1,5}$", place):
        return place
    if scheme == "https" and ":" not in place.rpartition("]")[2]:
        return f"{place}:443"
    raise ValueError("a proxy needs a port")


def _json_entries(text: str) -> list[Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, Mapping):
        found = next((found[name] for name in _LISTS if isinstance(found.get(name), list)), [found])
    return found if isinstance(found, list) else None
