"""Failures of the proxy itself, distinguished from those of the page's server."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

import aiohttp
from yarl import URL

from specfactory.adapters.network.http_heads import basic
from specfactory.adapters.network.tls_failures import tls_cause
from specfactory.fetch.addresses import GatePolicy, parse_url
from specfactory.fetch.proxies import PROXY_FAULT
from specfactory.model import Discreet

_ITS_OWN_STATUS = 407
_GATEWAY_STATUS = frozenset({502, 503, 504})
_MARKS = ("x-squid-error", "proxy-status", "x-proxy-error", "proxy-connection", "x-mubeng-error")
_SERVERS = ("squid", "tinyproxy", "privoxy", "mitmproxy", "3proxy", "mubeng", "haproxy", "goproxy")


class ProxyFault(Exception):
    """The proxy, not the page's server, failed; the text says how."""

    def __str__(self) -> str:
        return PROXY_FAULT + super().__str__()


class Upstream(Discreet):
    """The proxy of one request, parsed; its password never shows."""

    hidden = ("url", "login")

    url: URL  # without credentials
    login: str  # as a header has it; "" without a password
    host: str
    port: int

    @property
    def place(self) -> str:
        """Host and port, as proxies are named everywhere."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def arguments(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Arguments for aiohttp; the proxy, too, gets our User-Agent."""
        own = {"User-Agent": headers.get("User-Agent", ""), "Authorization": self.login}
        given = {name: value for name, value in own.items() if value}
        # aiohttp turns Authorization into Proxy-Authorization, for tunnels and plain requests
        return {"proxy": self.url, "proxy_headers": given or None}


def place_of(proxy: str) -> str:
    """Host and port of a proxy's URL; "" when it has none."""
    try:
        return read_upstream(proxy).place if proxy else ""
    except ProxyFault:
        return ""


def read_upstream(proxy: str) -> Upstream:
    """Parse a proxy's URL; raises ProxyFault, which quotes nothing of it."""
    try:
        parts = urlsplit(proxy)
        bare = parse_url(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/")
        port = parts.port
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
    except ValueError:
        raise ProxyFault("not the address of a proxy") from None
    if port is None:
        raise ProxyFault("its address has no port")
    login = basic(user, password) if user else ""
    return Upstream(URL(bare.url), login, bare.host, bare.port)


def policy_for(upstream: Upstream, policy: GatePolicy, *, trusted: bool) -> GatePolicy:
    """The gate's policy for a connection to a proxy.

    One that the operator named is trusted exactly as written; any other may listen on any port,
    but only at an address that pages may have too.
    """
    if trusted:
        return GatePolicy(trusted=frozenset({(upstream.host, upstream.port)}))
    return replace(policy, ports=frozenset({upstream.port}), trusted=frozenset())


def fault_in(problem: Exception, upstream: Upstream, *, tunnelled: bool) -> str:
    """Say how a proxy failed a request; "" when it may be the server.

    ``tunnelled``: the tunnel through the proxy stood, so that what came after is the server's.
    """
    if isinstance(problem, aiohttp.ClientHttpProxyError):
        return f"no tunnel, HTTP {problem.status}"
    if isinstance(problem, aiohttp.ClientConnectorError):
        if (problem.host, problem.port) != (upstream.host, upstream.port):
            return ""
        reason = problem.os_error
        if isinstance(problem, aiohttp.ClientConnectorDNSError):
            return "its name is not known"
        if tls_cause(problem):
            return f"TLS: {str(reason)[:160]}"
        return f"no connection: {reason.strerror or type(reason).__name__}"
    if isinstance(problem, aiohttp.ServerDisconnectedError) and not tunnelled:
        return "closed the connection without an answer"
    if isinstance(problem, aiohttp.ClientResponseError) and not tunnelled:
        return "its answer is not HTTP"
    return ""


def fault_said(status: int, headers: Mapping[str, str], *, tunnelled: bool) -> str:
    """Say which fault a proxy reports in an answer of its own; "" for the server's."""
    if tunnelled:
        return ""
    if status == _ITS_OWN_STATUS:
        return "asks for a password, HTTP 407"
    server = headers.get("server", "").lower()
    marked = any(mark in headers for mark in _MARKS) or server.startswith(_SERVERS)
    return f"cannot reach the server, HTTP {status}" if status in _GATEWAY_STATUS and marked else ""
