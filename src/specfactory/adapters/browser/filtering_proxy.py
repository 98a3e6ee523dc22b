"""The browser's only way to the network: a proxy on loopback that asks the gate (rule 6).

Intercepting requests inside the browser alone would miss rebinding, WebSockets and workers.
Here each connection is checked by name, resolved once, and made to the very address that was
checked. Every page has its own pass: without one nothing goes through, and revoking it ends all
connections of the page.
"""

import asyncio
import hmac
import secrets
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver

from specfactory.adapters.network import (
    MAX_HEAD,
    BadHead,
    Head,
    LongHead,
    NameResolver,
    NoName,
    ProxyFault,
    Upstream,
    allowed_addresses,
    end_of,
    fault_said,
    policy_for,
    read_basic,
    read_head,
    read_upstream,
)
from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import GatePolicy, Target, check_url
from specfactory.model import Cause, FetchEnd, Outcome

LOOPBACK = "127.0.0.1"
AT_ONCE = 64  # connections of one page
_CONNECT_SECONDS = 15.0
_HEAD_SECONDS = 60.0
_CHUNK = 64 * 1024
_ASK = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n"
    b'Proxy-Authenticate: Basic realm="specfactory"\r\n\r\n'
)
_REFUSAL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_OPEN = b"HTTP/1.1 200 Connection established\r\n\r\n"

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Reached(NamedTuple):
    """A connection that the gate allowed: where it was to lead, and the address it leads to."""

    ends: Ends
    target: Target
    address: str


@dataclass(slots=True)
class Pass:
    """The limits of one page, and what failed for it."""

    bytes_left: int
    connections_left: int
    upstream: str = field(default="", repr=False)  # URL of the proxy to go through
    username: str = field(default_factory=lambda: secrets.token_hex(8))
    password: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    troubles: dict[str, FetchEnd] = field(default_factory=dict)  # by host and port
    connections: set[asyncio.Task[None]] = field(default_factory=set, repr=False)

    def note(self, target: str, end: FetchEnd) -> None:
        """Remember why a place was not reached; bounded, since pages can try many."""
        if len(self.troubles) < 1_000:
            self.troubles.setdefault(target, end)


class FilteringProxy:
    """Serves CONNECT and plain requests of pass holders, through the gate."""

    def __init__(
        self,
        policy: GatePolicy,
        *,
        resolver: AbstractResolver | None = None,
        trusts_proxy: Callable[[str], bool] = lambda place: False,
    ) -> None:
        """Take the gate's policy for pages, and a test for proxies that the operator named."""
        self._policy, self._resolver = policy, resolver or NameResolver()
        self._trusts_proxy = trusts_proxy
        self._passes: dict[str, Pass] = {}
        self._server: asyncio.Server | None = None
        self._starting = asyncio.Lock()
        self._strangers: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Listen on loopback and return the address; harmless twice."""
        async with self._starting:  # the first pages come at the same moment
            server = self._server or await asyncio.start_server(
                self._serve, LOOPBACK, 0, limit=MAX_HEAD
            )
            self._server = server
        return f"http://{LOOPBACK}:{server.sockets[0].getsockname()[1]}"

    def admit(self, max_bytes: int, max_connections: int, upstream: str = "") -> Pass:
        """Issue a pass for one page."""
        made = Pass(max_bytes, max_connections, upstream)
        self._passes[made.username] = made
        return made

    async def revoke(self, given: Pass) -> None:
        """End the page's connections and make its pass worthless."""
        self._passes.pop(given.username, None)
        await _end(given.connections)

    async def close(self) -> None:
        """Stop listening and end every connection; harmless twice."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for given in list(self._passes.values()):
            await self.revoke(given)
        await _end(self._strangers)
        await self._resolver.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._strangers.add(task)
        holder: Pass | None = None
        try:
            async with asyncio.timeout(_HEAD_SECONDS):
                head, holder = await self._identified((reader, writer))
            if head is not None and holder is not None:
                self._strangers.discard(task)
                if holder.connections_left > 0 and len(holder.connections) < AT_ONCE:
                    holder.connections_left -= 1
                    holder.connections.add(task)
                    await self._forward(head, holder, (reader, writer))
        except (OSError, EOFError, TimeoutError, BadHead, asyncio.CancelledError):
            pass  # either side may fail in any way: that ends this connection alone
        finally:
            self._strangers.discard(task)
            if holder is not None:
                holder.connections.discard(task)
            _shut(writer)

    async def _identified(self, near: Ends) -> tuple[Head | None, Pass | None]:
        """Answer 407 until the client shows a pass; the browser does at its second request."""
        while (head := await read_head(near[0])) is not None:
            username, password = read_basic(head.value("proxy-authorization"))
            holder = self._passes.get(username)
            if holder is not None and hmac.compare_digest(holder.password, password):
                return head, holder
            if head.value("content-length") or head.value("transfer-encoding"):
                break  # its body would be read as the next request
            near[1].write(_ASK)
            await near[1].drain()
        if head is not None:
            near[1].write(_ASK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            await near[1].drain()
        return None, None

    async def _forward(self, head: Head, holder: Pass, near: Ends) -> None:
        method, url, _ = head.parts
        tunnel = method == "CONNECT"
        asked = f"https://{url}/" if tunnel else url
        reached = await self._reach(asked, holder, tunnel=tunnel)
        if reached is None:
            if tunnel:  # no answer to a plain request: it would look like the page
                near[1].write(_REFUSAL)
                await near[1].drain()
            return
        far = reached.ends
        try:
            if tunnel:
                near[1].write(_OPEN)
                await _both_ways(near, far, holder)
            else:
                await _one_answer(head, url, holder, near, reached)
        except LongHead as problem:
            holder.note(_place(asked), FetchEnd(Outcome.TOO_LARGE, str(problem)))
        except BadHead as problem:
            said = f"the answer is not HTTP: {problem}"
            holder.note(_place(asked), FetchEnd(Outcome.NETWORK_ERROR, said, Cause.NOT_HTTP))
        except ProxyFault as fault:
            holder.note(_place(asked), end_of(fault))
        finally:
            _shut(far[1])

    async def _reach(self, asked: str, holder: Pass, *, tunnel: bool) -> _Reached | None:
        try:
            target = check_url(asked, self._policy)
        except AddressRefused as refused:
            holder.note(_place(asked), end_of(refused))
            return None
        place = f"{target.host}:{target.port}"
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                return await self._connect(target, holder, tunnel=tunnel)
        except TimeoutError:
            end = FetchEnd(Outcome.TIMEOUT, "no connection in time", Cause.NO_CONNECTION)
        except (AddressRefused, ProxyFault, NoName) as stopped:
            end = end_of(stopped)
        except (OSError, EOFError, BadHead) as problem:
            end = FetchEnd(Outcome.NETWORK_ERROR, _no_connection(problem), Cause.NO_CONNECTION)
        holder.note(place, end)
        return None

    async def _connect(self, target: Target, holder: Pass, *, tunnel: bool) -> _Reached:
        host, port = target.host, target.port
        addresses = await allowed_addresses(self._resolver, host, port, self._policy)
        if holder.upstream:
            ends = await self._through(holder.upstream, addresses[0], port, tunnel=tunnel)
            return _Reached(ends, target, addresses[0])
        problem: OSError | None = None
        for address in addresses:
            try:
                ends = await asyncio.open_connection(address, port, limit=MAX_HEAD)
                return _Reached(ends, target, address)
            except OSError as failed:
                problem = failed
        raise problem or OSError("no address")

    async def _through(self, proxy: str, address: str, port: int, *, tunnel: bool) -> Ends:
        """Connect through another proxy; a tunnel is requested by the address that was checked."""
        upstream = read_upstream(proxy)
        trusted = self._trusts_proxy(upstream.place)
        policy = policy_for(upstream, self._policy, trusted=trusted)
        tls = ssl.create_default_context() if upstream.url.scheme == "https" else None
        try:
            host, near = upstream.host, upstream.port
            addresses = await allowed_addresses(self._resolver, host, near, policy)
            far = await asyncio.open_connection(
                addresses[0], near, ssl=tls, limit=MAX_HEAD, server_hostname=host if tls else None
            )
            if tunnel:
                await _ask_for_tunnel(far, upstream, address, port)
            return far
        except AddressRefused as refused:
            raise ProxyFault(f"refused: {refused.reason}") from None
        except (OSError, EOFError, BadHead) as problem:
            raise ProxyFault(_no_connection(problem)) from None


def _no_connection(problem: Exception) -> str:
    reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    return f"no connection: {reason}"[:200]


async def _ask_for_tunnel(far: Ends, upstream: Upstream, address: str, port: int) -> None:
    place = _written(address, port)
    login = [f"Proxy-Authorization: {upstream.login}"] if upstream.login else []
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}", *login, "", ""]
    try:
        far[1].write("\r\n".join(lines).encode("latin-1"))
        answer = await read_head(far[0])
        if answer is None or answer.parts[1] != "200":
            raise ProxyFault(f"no tunnel, HTTP {answer.parts[1][:3]}" if answer else "no tunnel")
    except BaseException:  # a timeout, too: nobody else would close it
        _shut(far[1])
        raise


def _written(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


async def _one_answer(head: Head, url: str, holder: Pass, near: Ends, reached: _Reached) -> None:
    """Pass on one plain request and its answer; then both sides close, so that none is mixed up."""
    far, parts = reached.ends, urlsplit(url)
    method, _, version = head.parts
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if holder.upstream:  # by the address that was checked: it would look the name up itself
        place = _written(reached.address, reached.target.port).removesuffix(":80")
        login = read_upstream(holder.upstream).login
        added = [("Proxy-Authorization", login)] if login else []
        first = f"{method} http://{place}{path} {version}"
        far[1].write(head.passed_on(first, ("Host", reached.target.netloc), *added))
    else:  # the server itself wants the path alone
        far[1].write(head.passed_on(f"{method} {path} {version}"))
    sending = asyncio.ensure_future(_copy(near[0], far[1], holder, count=False))
    try:
        while (answer := await read_head(far[0])) is not None:
            status = answer.parts[1]
            headers = {name.lower(): value for name, value in answer.headers}
            number = int(status) if status.isdigit() else 0
            if holder.upstream and (fault := fault_said(number, headers, tunnelled=False)):
                raise ProxyFault(fault)
            near[1].write(answer.passed_on(answer.first))
            if not status.startswith("1"):  # 100 and 103 are followed by the answer
                await _copy(far[0], near[1], holder)
                return
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError, OSError):
            await sending


async def _both_ways(near: Ends, far: Ends, holder: Pass) -> None:
    up = asyncio.ensure_future(_copy(near[0], far[1], holder, count=False))
    down = asyncio.ensure_future(_copy(far[0], near[1], holder))
    try:
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in (up, down):
            way.cancel()
        await asyncio.gather(up, down, return_exceptions=True)


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, holder: Pass, *, count: bool = True
) -> None:
    while chunk := await reader.read(_CHUNK):
        if count:
            holder.bytes_left -= len(chunk)
            if holder.bytes_left < 0:
                end = FetchEnd(Outcome.TOO_LARGE, "the page loads more than it may")
                holder.note("", end)
                return
        writer.write(chunk)
        await writer.drain()


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    running = [task for task in tasks if task is not asyncio.current_task()]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    tasks.clear()


def _shut(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, RuntimeError):
        writer.close()


def _place(url: str) -> str:
    """Host and port as written; for URLs that the gate refuses to parse."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    except ValueError:
        return url[:200]
