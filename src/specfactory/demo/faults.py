"""The catalogue of faults: what goes wrong on the demo web when it is asked to.

Which path has which fault follows from the seed alone; how far it has got, from the requests.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from aiohttp import web

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
Act = Callable[[web.BaseRequest, Handler], Awaitable[web.StreamResponse]]

_SPARED = ("/robots.txt", "/sitemap", "/maps/", "/search", "/truth.json")
_HTML = "text/html"


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to fail. A curable one ends after ``times`` requests for the same path."""

    name: str
    curable: bool
    act: Act
    times: int = 0  # 0: for ever


async def _rate_limited_politely(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    return web.Response(status=429, headers={"Retry-After": "1"}, text="Too many requests")


async def _rate_limited(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    return web.Response(status=429, text="Too many requests")


async def _unavailable(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    return web.Response(status=503, text="Service temporarily unavailable")


async def _slow_body(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    """Half of the page at once, the rest in drops."""
    response = web.StreamResponse(headers={"Content-Type": _HTML})
    await response.prepare(request)
    await response.write(b"<!DOCTYPE html><html><body><p>Please wait")
    for _ in range(60):
        await asyncio.sleep(0.5)
        await response.write(b" .")
    return response


async def _broken_gzip(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    """A packed page whose second half is noise."""
    packed = gzip.compress(b"".join(b"<p>line %d</p>" % n for n in range(2_000)), mtime=0)
    headers = {"Content-Type": _HTML, "Content-Encoding": "gzip"}
    return web.Response(headers=headers, body=packed[: len(packed) // 2] + b"\xff" * 400)


async def _redirect_loop(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    hop = int(request.query.get("hop", "0") or 0) + 1 if request.query_string else 1
    return web.Response(status=302, headers={"Location": f"{request.path}?hop={hop}"})


async def _redirect_private(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    return web.Response(status=302, headers={"Location": "http://169.254.169.254/latest/"})


async def _captcha(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    body = (
        "<!DOCTYPE html><html><head><title>Are you a robot?</title></head><body>"
        '<h1>Please verify you are a human</h1><form id="challenge-form" action="/captcha">'
        '<div class="g-recaptcha" data-sitekey="demo"></div></form></body></html>'
    )
    return web.Response(status=403, text=body, content_type=_HTML)


async def _blocked(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    body = (
        "<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1></body></html>"
    )
    return web.Response(status=403, text=body, content_type=_HTML)


async def _huge_page(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    """Fifty megabytes of nothing much, without a length."""
    response = web.StreamResponse(headers={"Content-Type": _HTML})
    await response.prepare(request)
    chunk = b"<p>and so on and so forth</p>\n" * 2_000
    for _ in range(50_000_000 // len(chunk)):
        await response.write(chunk)
    return response


async def _reset(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


FAULTS: tuple[Fault, ...] = (
    Fault("rate_limited_with_retry_after", True, _rate_limited_politely, 2),
    Fault("rate_limited", True, _rate_limited, 2),
    Fault("unavailable_burst", True, _unavailable, 3),
    Fault("slow_body", True, _slow_body, 1),
    Fault("broken_gzip", True, _broken_gzip, 1),
    Fault("reset_connection", True, _reset, 2),  # clients retry once by themselves
    Fault("redirect_loop", False, _redirect_loop),
    Fault("redirect_private", False, _redirect_private),
    Fault("captcha", False, _captcha),
    Fault("blocked", False, _blocked),
    Fault("huge_page", False, _huge_page),
)


def fault_of(seed: int, host: str, path: str, share: float = 0.2) -> Fault | None:
    """The fault that the seed gives this path, if any; what leads to pages is spared."""
    if path == "/" or path.startswith(_SPARED):
        return None
    rng = Random(f"{seed}:{host.partition('.')[0]}:{path}:fault")
    return rng.choice(FAULTS) if rng.random() < share else None


def with_faults(handler: Handler, seed: int, host_of: Callable[[web.BaseRequest], str]) -> Handler:
    """The handler, failing where the seed says so until each fault has run its course."""
    seen: Counter[str] = Counter()

    async def faulty(request: web.BaseRequest) -> web.StreamResponse:
        host = host_of(request)
        fault = fault_of(seed, host, request.path)
        key = f"{host}{request.path}"
        seen[key] += 1
        if fault is None or (fault.times and seen[key] > fault.times):
            return await handler(request)
        return await fault.act(request, handler)

    return faulty
