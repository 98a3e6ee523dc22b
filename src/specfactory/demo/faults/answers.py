"""Acts of servers that answer badly, whoever asks."""

import asyncio
import contextlib
import gzip
from email.utils import formatdate
from time import time

from aiohttp import web

from specfactory.demo.faults.values import Visit

HTML = "text/html"
LATER_SECONDS = 1  # what a Retry-After asks for
DROPS, DROP_SECONDS = 60, 0.5
HUGE_BYTES = 50_000_000
SERVER_ERRORS = (500, 502, 504)


def page(title: str, words: str, status: int = 200, more: str = "") -> web.Response:
    """A page that says little."""
    body = (
        f"<!DOCTYPE html><html><head><title>{title}</title></head>"
        f"<body><h1>{title}</h1><p>{words}</p>{more}</body></html>"
    )
    return web.Response(status=status, text=body, content_type=HTML)


async def rate_limited_seconds(visit: Visit) -> web.StreamResponse:
    """429, and in how many seconds to come back."""
    headers = {"Retry-After": str(LATER_SECONDS)}
    return web.Response(status=429, headers=headers, text="Too many requests")


async def rate_limited_date(visit: Visit) -> web.StreamResponse:
    """429, and when to come back as a date."""
    headers = {"Retry-After": formatdate(time() + LATER_SECONDS + 1, usegmt=True)}
    return web.Response(status=429, headers=headers, text="Too many requests")


async def rate_limited(visit: Visit) -> web.StreamResponse:
    """429 without a word about later."""
    return web.Response(status=429, text="Too many requests")


async def unavailable(visit: Visit) -> web.StreamResponse:
    """503 without a page."""
    return web.Response(status=503, text="Service temporarily unavailable")


async def maintenance(visit: Visit) -> web.StreamResponse:
    """503 with a page that says why, and in how many seconds to come back."""
    answer = page("Maintenance", "We are down for maintenance and will be back shortly.", 503)
    answer.headers["Retry-After"] = str(LATER_SECONDS)
    return answer


async def server_errors(visit: Visit) -> web.StreamResponse:
    """500, 502 and 504 in turn."""
    status = SERVER_ERRORS[visit.case.struck % len(SERVER_ERRORS)]
    return web.Response(status=status, text="upstream request failed")


async def waiting_room(visit: Visit) -> web.StreamResponse:
    """A queue before the door, with status 200."""
    return page("Waiting room", "Due to heavy traffic you are in line. Please wait.")


async def blocked(visit: Visit) -> web.StreamResponse:
    """403 and its page."""
    return page("Access Denied", "You don't have permission to access this server.", 403)


async def captcha(visit: Visit) -> web.StreamResponse:
    """A challenge that only a person can answer."""
    form = (
        '<form id="challenge-form" action="/captcha">'
        '<div class="g-recaptcha" data-sitekey="demo"></div></form>'
    )
    return page("Are you a robot?", "Please verify you are a human", 403, form)


async def geo_blocked(visit: Visit) -> web.StreamResponse:
    """451: not for visitors from there."""
    return page("Not available in your country", "For legal reasons.", 451)


async def soft_404(visit: Visit) -> web.StreamResponse:
    """Every page excuses itself, with status 200."""
    return page("Page not found", "Sorry, the page you are looking for does not exist.")


async def gone(visit: Visit) -> web.StreamResponse:
    """404, and its page."""
    return page("404", "No such page.", 404)


async def empty(visit: Visit) -> web.StreamResponse:
    """200, and not a single byte."""
    return web.Response(content_type=HTML)


async def huge(visit: Visit) -> web.StreamResponse:
    """Fifty megabytes of nothing much, without a length."""
    response = web.StreamResponse(headers={"Content-Type": HTML})
    await response.prepare(visit.request)
    chunk = b"<p>and so on and so forth</p>\n" * 2_000
    with contextlib.suppress(ConnectionError):  # who has enough goes away
        for _ in range(HUGE_BYTES // len(chunk)):
            await response.write(chunk)
    return response


async def slow_body(visit: Visit) -> web.StreamResponse:
    """The beginning of a page at once, the rest in drops."""
    response = web.StreamResponse(headers={"Content-Type": HTML})
    await response.prepare(visit.request)
    await response.write(b"<!DOCTYPE html><html><body><p>Please wait")
    with contextlib.suppress(ConnectionError):  # who has no patience goes away
        for _ in range(DROPS):
            await asyncio.sleep(DROP_SECONDS)
            await response.write(b" .")
    return response


async def truncated(visit: Visit) -> web.StreamResponse:
    """Half of the page that was announced, then the line goes dead."""
    body = bytes(visit.well.body)  # type: ignore[arg-type]
    headers = {"Content-Type": f"{HTML}; charset=utf-8", "Content-Length": str(len(body))}
    response = web.StreamResponse(headers=headers)
    await response.prepare(visit.request)
    await response.write(body[: len(body) // 2])
    return _cut(visit, response)


async def reset(visit: Visit) -> web.StreamResponse:
    """The connection is reset before an answer."""
    return _cut(visit, web.Response(status=500))


def _cut(visit: Visit, response: web.StreamResponse) -> web.StreamResponse:
    if visit.request.transport is not None:
        visit.request.transport.abort()
    return response


async def broken_gzip_once(visit: Visit) -> web.StreamResponse:
    """A packed page whose second half is noise, whatever was asked for."""
    return _noisy(b"".join(b"<p>line %d</p>" % n for n in range(2_000)))


async def broken_gzip(visit: Visit) -> web.StreamResponse:
    """A packed page whose second half is noise; who asks for plain bytes gets them."""
    if "gzip" not in visit.request.headers.get("Accept-Encoding", ""):
        return visit.well
    return _noisy(bytes(visit.well.body))  # type: ignore[arg-type]


def _noisy(body: bytes) -> web.Response:
    packed = gzip.compress(body, mtime=0)
    headers = {"Content-Type": HTML, "Content-Encoding": "gzip"}
    return web.Response(headers=headers, body=packed[: len(packed) // 2] + b"\xff" * 400)


async def redirect_loop(visit: Visit) -> web.StreamResponse:
    """From address to address, and never anywhere."""
    hop = visit.request.query.get("hop", "0")
    following = int(hop) + 1 if hop.isdigit() else 1
    return _redirect(302, f"{visit.request.path}?hop={following}")


async def redirect_private(visit: Visit) -> web.StreamResponse:
    """To where no page may lead us."""
    return _redirect(302, "http://169.254.169.254/latest/")


async def login_refused(visit: Visit) -> web.StreamResponse:
    """401: what let us in before does so no more."""
    headers = {"WWW-Authenticate": 'Bearer realm="members", error="invalid_token"'}
    return web.Response(status=401, headers=headers, text="Your session has expired")


async def login_page(visit: Visit) -> web.StreamResponse:
    """Every page leads to the door."""
    if visit.request.path != "/login":
        return _redirect(302, "/login")
    form = '<form method="post"><input name="user"><input type="password" name="word"></form>'
    return page("Log in", "Your session has expired. Please sign in again.", more=form)


def _redirect(status: int, location: str) -> web.Response:
    return web.Response(status=status, headers={"Location": location})
