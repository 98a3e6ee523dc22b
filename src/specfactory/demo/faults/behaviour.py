"""Acts of servers that look at who asks, and how: each is cured by asking otherwise."""

from __future__ import annotations

import asyncio
import time

from aiohttp import web

from specfactory.demo.faults.answers import HTML, page
from specfactory.demo.faults.values import OWN, Act, Visit, respond

PATIENCE_SECONDS = 0.25  # requests of one address must be so far apart
NEW = "new-"  # how the name of a site begins once it has moved
_SHELL = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Loading</title></head>'
    "<body><noscript>You need to enable JavaScript to run this app.</noscript>"
    f'<div id="root"></div><script src="{OWN}app.js" defer></script></body></html>'
)
_BUNDLE = (
    f'fetch("{OWN}content"+location.pathname+location.search).then(r=>r.json()).then(p=>{{'
    'const d=new DOMParser().parseFromString(p.html,"text/html");'
    "document.title=d.title;document.body.innerHTML=d.body.innerHTML});\n"
)
_GREETING = (
    "<p>" + "Grüße an alle Käufer – schöne Mäuse für fröhliche Hände. " * 30 + "</p>"
).encode()
_CHOICES = (
    "<button onclick=choose('all')>Accept all</button>"
    "<button onclick=choose('needed')>Only necessary</button>"
    '<script>function choose(what){document.cookie="consent="+what+"; path=/";'
    "location.reload()}</script>"
)


def at_home(act: Act) -> Act:
    """The act for visitors from our own address; through a proxy all is well."""

    async def judge(visit: Visit) -> web.StreamResponse:
        return visit.well if visit.from_elsewhere else await act(visit)

    judge.__doc__ = f"Without a proxy: {act.__doc__}"
    return judge


async def too_fast(visit: Visit) -> web.StreamResponse:
    """429 to who comes again too soon; each visit counts, the refused ones too."""
    now, case = time.monotonic(), visit.case
    last = case.last_at.get(visit.address, 0.0)
    case.last_at[visit.address] = now
    if now - last >= PATIENCE_SECONDS:
        return visit.well
    return web.Response(status=429, text="Too many requests")


async def script_shell(visit: Visit) -> web.StreamResponse:
    """An empty page; a script brings what it says."""
    path = visit.request.path_qs
    if path == f"{OWN}app.js":
        return web.Response(text=_BUNDLE, content_type="text/javascript")
    if path.startswith(f"{OWN}content/"):
        answer = visit.page(path.removeprefix(f"{OWN}content"))
        return web.json_response({"html": answer.body.decode("utf-8", "replace")})
    return web.Response(text=_SHELL, content_type=HTML)


async def consent_wall(visit: Visit) -> web.StreamResponse:
    """A wall that a browser passes by pressing a button; what was not agreed to is not used."""
    if "consent=needed" in visit.request.headers.get("Cookie", ""):
        return visit.well
    words = "We and our partners store cookies. Accept all cookies to continue."
    return page("Before you continue", words, more=_CHOICES)


async def cookie_wall(visit: Visit) -> web.StreamResponse:
    """A redirect to itself until its cookie comes along."""
    if "visit=1" in visit.request.headers.get("Cookie", ""):
        return visit.well
    headers = {"Location": visit.request.path_qs, "Set-Cookie": "visit=1; Path=/"}
    return web.Response(status=302, headers=headers)


async def moved(visit: Visit) -> web.StreamResponse:
    """301 to another name, where all is well."""
    if visit.site.startswith(NEW):
        return visit.well
    port = visit.request.url.port
    location = f"http://{NEW}{visit.site}.localhost:{port}{visit.request.path_qs}"
    return web.Response(status=301, headers={"Location": location})


async def slow(visit: Visit) -> web.StreamResponse:
    """The right page, late."""
    await asyncio.sleep(visit.case.slow_seconds)
    return visit.well


async def latin_1(visit: Visit) -> web.StreamResponse:
    """The right page with a greeting, in UTF-8 but declared as Latin-1."""
    body = visit.page(visit.request.path_qs).body.replace(b"<main>", b"<main>" + _GREETING, 1)
    body = body.replace(b'charset="utf-8"', b'charset="iso-8859-1"', 1)
    return web.Response(body=body, headers={"Content-Type": f"{HTML}; charset=iso-8859-1"})


async def utf_16(visit: Visit) -> web.StreamResponse:
    """The right page in UTF-16, declared as UTF-8."""
    body = visit.page(visit.request.path_qs).body.decode("utf-8", "replace").encode("utf-16-le")
    return web.Response(body=body, headers={"Content-Type": f"{HTML}; charset=utf-8"})


async def relaunched(visit: Visit) -> web.StreamResponse:
    """The same page in other markup."""
    return respond(visit.rebuilt(visit.request.path_qs))
