"""The Fetcher port over aiohttp: every connection, redirect and byte passes our own checks."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct, field
from yarl import URL

from specfactory.adapters.memory import SystemClock
from specfactory.adapters.network import (
    FetchFailed,
    NameResolver,
    NoName,
    ProxyFault,
    ProxyTargets,
    Trail,
    Upstream,
    end_of,
    fault_in,
    fault_said,
    joined_headers,
    policy_for,
    read_upstream,
    tls_cause,
)
from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import GatePolicy, Target, check_address, check_url, headers_for
from specfactory.fetch.ladder import BrokenEncoding, EndlessEncoding, decode, make_decoders
from specfactory.model import Cause, FetchEnd, FetchRequest, FetchResponse, Outcome
from specfactory.ports import Clock, Fetcher

_SMALL_CAP = 2**20  # bytes: below this a too long body is read, as its start counts (robots.txt)
_RATIO_COUNTS_FROM = 256 * 1024  # bytes: a small page of blanks is no bomb
_PIECE_BYTES = 2**14  # of a body, taken at once
_MAX_HEADER_BYTES = 32 * 1024
_MAX_HEADERS = 500
_DNS_SECONDS = 60
_CONNECTIONS = 100
_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en,*;q=0.5",
}


class _Hop(Struct):
    """One request of a chain: what it connects to, and how long its phases took."""

    target: Target
    marks: dict[str, float] = field(default_factory=dict)
    refused: AddressRefused | None = None
    proxy: Upstream | None = None
    address: str = ""  # of the page's host, checked, where a proxy is asked for it

    @property
    def place(self) -> dict[str, Any]:
        """Arguments for aiohttp: a proxy is asked for the address that was checked."""
        url = URL(self.target.url, encoded=True)
        if not self.address:
            return {"url": url}
        by_address = {"url": url.with_host(self.address)}
        is_https = self.target.scheme == "https"
        return by_address | ({"server_hostname": self.target.host} if is_https else {})


_current_hop: ContextVar[_Hop | None] = ContextVar("current_hop", default=None)


class HttpFetcher(Fetcher):
    """GET over HTTP and HTTPS behind the gate; one session, one event loop."""

    def __init__(
        self,
        policy: GatePolicy,
        *,
        clock: Clock | None = None,
        resolver: AbstractResolver | None = None,
        trusts_proxy: Callable[[str], bool] = lambda place: False,
    ) -> None:
        """Take the gate's policy for pages, and a test for proxies that the operator named."""
        self._policy, self._clock = policy, clock or SystemClock()
        self._trusts_proxy = trusts_proxy
        self._resolver = resolver or NameResolver()
        self._behind_proxies = ProxyTargets(self._resolver, self._clock)
        self._session: aiohttp.ClientSession | None = None
        self._tls: ssl.SSLContext | None = None

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        trail = Trail(request, request.url)
        try:
            async with asyncio.timeout(request.timeout_seconds):
                return trail.response(None, await self._follow(request, trail))
        except FetchFailed as failed:
            return trail.response(failed.end, failed.body)
        except TimeoutError:
            detail = f"no complete answer within {request.timeout_seconds:g} s"
            return trail.response(FetchEnd(Outcome.TIMEOUT, detail), b"")
        except (AddressRefused, ProxyFault, NoName) as stopped:
            return trail.response(end_of(stopped), b"")
        except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as problem:
            return trail.response(_explain(problem), b"")

    async def close(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()
        await self._resolver.close()

    async def _follow(self, request: FetchRequest, trail: Trail) -> bytes:
        target = check_url(request.url, self._policy)
        proxy = read_upstream(request.proxy) if request.proxy else None
        headers = {**_HEADERS, **request.headers}
        while True:
            trail.final_url = target.url
            hop = _Hop(target, proxy=proxy)
            if proxy is not None:  # its host is resolved and checked here, never by the proxy
                began = self._clock.monotonic()
                try:
                    hop.address = await self._behind_proxies.checked(target, self._policy)
                finally:
                    trail.add_time("dns", self._clock.monotonic() - began)
            body = await self._ask(hop, headers, request, trail)
            following = trail.next_hop(self._policy)
            if following is None:
                return body
            headers = headers_for(headers, target, following)
            target = following

    async def _ask(
        self, hop: _Hop, headers: Mapping[str, str], request: FetchRequest, trail: Trail
    ) -> bytes:
        token, proxy = _current_hop.set(hop), hop.proxy
        is_https = hop.target.scheme == "https"
        speaks_tls = is_https or (proxy is not None and proxy.url.scheme == "https")
        started = self._clock.monotonic()
        try:
            async with self._open().request(
                "GET" if request.post is None else "POST",
                data=request.post,
                headers={**headers, "Host": hop.target.netloc} if hop.address else headers,
                allow_redirects=False,
                ssl=self._tls_context() if speaks_tls else True,
                trace_request_ctx=hop,
                **hop.place,
                **(proxy.arguments(headers) if proxy else {}),
            ) as answer:
                answered = self._clock.monotonic()
                plain = joined_headers(answer.headers.items())
                if proxy is not None and (
                    fault := fault_said(answer.status, plain, tunnelled=is_https)
                ):  # the proxy's own answer says nothing of the server
                    trail.status, trail.headers = 0, {}
                    raise ProxyFault(fault)
                trail.status, trail.headers = answer.status, plain
                self._note_connecting(hop, started, answered, trail)
                try:
                    return await _read_body(answer, plain, request)
                finally:
                    trail.add_time("download", self._clock.monotonic() - answered)
        except (aiohttp.ClientError, HttpProcessingError) as problem:
            if proxy is not None:
                if hop.refused is not None:
                    raise ProxyFault(f"refused: {hop.refused.reason}") from None
                # once a tunnel stands, the server says what follows
                tunnelled = is_https and "tls_start" in hop.marks
                if fault := fault_in(problem, proxy, tunnelled=tunnelled):
                    raise ProxyFault(fault) from None
            if hop.refused is not None and isinstance(problem, aiohttp.ClientConnectorError):
                raise hop.refused from None
            raise
        finally:
            _current_hop.reset(token)

    def _note_connecting(self, hop: _Hop, started: float, answered: float, trail: Trail) -> None:
        marks = hop.marks
        connected = marks.get("connected", started)
        dns_from, dns_to = marks.get("dns_start", started), marks.get("dns_end", started)
        trail.add_time("dns", dns_to - dns_from)
        if "connected" in marks:
            tcp_from = max(marks.get("connecting", started), dns_to)
            tls_from = marks.get("tls_start", connected)
            trail.add_time("tcp", tls_from - tcp_from)
            trail.add_time("tls", connected - tls_from)
        trail.add_time("ttfb", answered - connected)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(
                resolver=self._resolver,
                socket_factory=self._socket,
                ttl_dns_cache=_DNS_SECONDS,
                limit=_CONNECTIONS,
            )
            tracing = aiohttp.TraceConfig()
            tracing.on_dns_resolvehost_start.append(self._marker("dns_start"))
            tracing.on_dns_resolvehost_end.append(self._marker("dns_end"))
            tracing.on_connection_create_start.append(self._marker("connecting"))
            tracing.on_connection_create_end.append(self._marker("connected"))
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
                max_line_size=_MAX_HEADER_BYTES,
                max_field_size=_MAX_HEADER_BYTES,
                max_headers=_MAX_HEADERS,
                trace_configs=[tracing],
            )
        return self._session

    def _socket(self, address: Any) -> socket.socket:
        """Make the socket for one connection attempt, if the gate allows the address."""
        family, kind, protocol, _, where = address
        hop = _current_hop.get()
        policy, host = self._policy, hop.target.host if hop else ""
        if hop is not None and hop.proxy is not None:
            trusted = self._trusts_proxy(hop.proxy.place)
            policy, host = policy_for(hop.proxy, policy, trusted=trusted), hop.proxy.host
        try:
            check_address(where[0], where[1], policy, host)
        except AddressRefused as refused:
            if hop is not None:
                hop.refused = refused
            raise OSError(str(refused)) from None
        return socket.socket(family, kind, protocol)

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = _TimedTls(ssl.PROTOCOL_TLS_CLIENT)
            self._tls.clock = self._clock
            self._tls.load_default_certs()
        return self._tls

    def _marker(self, name: str) -> Any:
        async def mark(_: aiohttp.ClientSession, context: SimpleNamespace, __: object) -> None:
            context.trace_request_ctx.marks[name] = self._clock.monotonic()

        return mark


class _TimedTls(ssl.SSLContext):
    """The usual certificate checks; notes when the handshake begins."""

    clock: Clock

    def wrap_bio(self, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        hop = _current_hop.get()
        if hop is not None:
            hop.marks["tls_start"] = self.clock.monotonic()
        return super().wrap_bio(*args, **kwargs)


async def _read_body(
    answer: aiohttp.ClientResponse, headers: Mapping[str, str], request: FetchRequest
) -> bytes:
    """Read and decompress, stopping at the first cap reached."""
    most, announced = request.max_bytes, answer.content_length or 0
    if announced > most > _SMALL_CAP:
        raise _too_large(f"{announced} bytes announced, {most} allowed", b"")
    decoders = make_decoders(headers.get("content-encoding", ""))
    if 0 < announced <= most and not decoders:  # it cannot be longer than that
        return await answer.content.read()
    body, received = bytearray(), 0
    async for chunk in answer.content.iter_chunked(_PIECE_BYTES):
        received += len(chunk)
        for piece in decode(decoders, chunk):
            body += piece
            size = len(body)
            if size > most:
                raise _too_large(f"more than {most} bytes", body[:most])
            if size > _RATIO_COUNTS_FROM and size > request.max_ratio * received:
                raise _too_large(f"{received} bytes decompress to more than {size}", body)
        if received > most:
            raise _too_large(f"more than {most} bytes", body)
        if len(chunk) == _PIECE_BYTES:  # it may have come in as many chunks: others have a turn
            await asyncio.sleep(0)
    for decoder in decoders:
        decoder.finish()
    return bytes(body)


def _too_large(detail: str, body: bytes | bytearray) -> FetchFailed:
    return FetchFailed(Outcome.TOO_LARGE, detail, body=bytes(body))


def _explain(problem: Exception) -> FetchEnd:
    """Say what went wrong on the wire, as an outcome and in words."""
    if isinstance(problem, aiohttp.ClientConnectorDNSError):
        said = f"{problem.host}: {problem.os_error.strerror or 'no such name'}"
        return FetchEnd(Outcome.DNS_FAILURE, said)
    if isinstance(problem, aiohttp.ClientResponseError):
        # aiohttp has one class for all of these, and says which only in words
        if "Got more than" in problem.message:
            return FetchEnd(Outcome.TOO_LARGE, f"a header has more than {_MAX_HEADER_BYTES} bytes")
        if "Too many headers" in problem.message:
            return FetchEnd(Outcome.TOO_LARGE, f"more than {_MAX_HEADERS} headers")
        first_line = problem.message.strip().partition("\n")[0][:120].rstrip(": ")
        return _broken(f"the answer is not HTTP: {first_line}", Cause.NOT_HTTP)
    if isinstance(problem, aiohttp.ClientConnectorError):
        reason = problem.os_error
        if cause := tls_cause(problem):
            return _broken(f"TLS: {str(reason)[:160]}", cause)
        if isinstance(reason, TimeoutError):
            return FetchEnd(Outcome.TIMEOUT, "no connection in time", Cause.NO_CONNECTION)
        return _broken(f"no connection: {reason.strerror or reason}", Cause.NO_CONNECTION)
    if isinstance(problem, aiohttp.ServerDisconnectedError):
        return _broken("the server closed the connection without an answer", Cause.NO_CONNECTION)
    if isinstance(problem, aiohttp.ClientPayloadError):
        return _broken("the body ended before its announced end", Cause.CUT_OFF)
    if isinstance(problem, aiohttp.InvalidURL):
        return FetchEnd(Outcome.REFUSED, "not a URL that can be fetched")
    if isinstance(problem, EndlessEncoding):
        return FetchEnd(Outcome.TOO_LARGE, str(problem))
    is_garbled = isinstance(problem, BrokenEncoding)
    cause = Cause.BROKEN_ENCODING if is_garbled else tls_cause(problem)
    return _broken(str(problem)[:200] or type(problem).__name__, cause)


def _broken(said: str, cause: Cause) -> FetchEnd:
    return FetchEnd(Outcome.NETWORK_ERROR, said, cause)
