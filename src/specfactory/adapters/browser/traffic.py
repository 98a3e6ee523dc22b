"""The requests of one page in the browser: watched, counted, and blocked where needless.

The filtering proxy keeps a page from forbidden places. Here it is decided what is worth loading
and where credentials go, and the server's answer to the page itself is read.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from specfactory.adapters.browser.filtering_proxy import Pass
from specfactory.adapters.network import joined_headers
from specfactory.fetch.addresses import Target, parse_url, redirect_url
from specfactory.model import Cause, FetchRequest
from specfactory.ports import Clock
from specfactory.proof.text import web_name, written_in

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

MAX_RELOADS = 3  # of one page by its own scripts
_NEEDLESS = frozenset(
    {"Image", "Media", "Font", "Ping", "CSPViolationReport", "Prefetch", "Manifest", "TextTrack",
     "Other"}  # "Other" are icons and what might be needed later
)  # fmt: skip
_ENDLESS = frozenset({"WebSocket", "EventSource"})  # stay open as long as the page
_LONG_POLL_SECONDS = 15.0  # an answer that takes longer is not waited for
_PIECE = 256 * 1024
_RATIO_COUNTS_FROM = 256 * 1024
_MARKUP = ("text/html", "application/xhtml+xml")
_BY_BROWSER = frozenset(
    {"user-agent", "accept", "accept-encoding", "accept-language", "cookie", "if-none-match",
     "if-modified-since", "host", "connection", "content-length"}
)  # fmt: skip
_PHRASE = "As Received"  # without one, statuses that the browser does not know are no answer
_REBUILT = frozenset({"content-encoding", "content-length", "transfer-encoding"})


@dataclass(slots=True)
class Document:
    """The server's answer to the request for the page."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    cut: str = ""  # why it was not read to its end
    broken: str = ""  # why what was read is not all
    broken_by: Cause = Cause.NONE
    rendered: bool = False  # handed on to the browser


@dataclass(slots=True, repr=False)  # its headers may hold credentials
class Traffic:
    """The requests of one page."""

    cdp: CDPSession
    frame: str
    target: Target
    headers: Mapping[str, str]
    request: FetchRequest
    given: Pass
    max_requests: int
    clock: Clock
    document: Document | None = None
    left_to: str = ""  # where the page's own scripts went
    asked: int = 0
    changes: int = 0
    marks: dict[str, float] = field(default_factory=dict)
    _visits: int = 0
    _open: dict[str, float] = field(default_factory=dict)  # request -> its start
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def watch(self) -> None:
        """Begin: from now on every request is checked before it is sent."""
        # partial: Playwright would set an attribute on a bound method's object
        on = self.cdp.on
        on("Fetch.requestPaused", lambda event: self._begin(self._paused(event)))
        on("Fetch.authRequired", lambda event: self._begin(self._authenticate(event)))
        on("Network.requestWillBeSent", partial(self._note_sent))
        on("Network.loadingFinished", partial(self._note_end))
        on("Network.loadingFailed", partial(self._note_end))
        await self.cdp.send("Network.enable")
        patterns = [
            {"urlPattern": "*", "requestStage": "Request"},
            {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"},
        ]
        await self.cdp.send("Fetch.enable", {"handleAuthRequests": True, "patterns": patterns})

    def pending(self) -> int:
        """Number of answers that are still worth waiting for."""
        since = self.clock.monotonic() - _LONG_POLL_SECONDS
        return sum(1 for begun in self._open.values() if begun > since)

    async def stop(self) -> None:
        """Cancel what is still being handled."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        async def quietly() -> None:
            from playwright.async_api import Error

            with suppress(Error):  # a request of a page that is gone needs no answer
                await work

        task = asyncio.ensure_future(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _note_sent(self, event: Any) -> None:
        self.changes += 1
        if event.get("type") not in _ENDLESS:
            self._open[event["requestId"]] = self.clock.monotonic()

    def _note_end(self, event: Any) -> None:
        self.changes += 1
        self._open.pop(event["requestId"], None)

    async def _authenticate(self, event: Any) -> None:
        """Show the pass to our own proxy; a server that wants a password gets none."""
        answer = {"response": "CancelAuth"}
        if event["authChallenge"].get("source") == "Proxy":
            answer = {"response": "ProvideCredentials", "username": self.given.username,
                      "password": self.given.password}  # fmt: skip
        await self.cdp.send(
            "Fetch.continueWithAuth",
            {"requestId": event["requestId"], "authChallengeResponse": answer},
        )

    async def _paused(self, event: Any) -> None:
        is_page = event["frameId"] == self.frame and event["resourceType"] == "Document"
        if "responseStatusCode" in event or "responseErrorReason" in event:
            if is_page and "responseStatusCode" in event:
                await self._answered(event)
            else:
                await self._send("Fetch.continueResponse", event)
            return
        self.asked += 1
        if is_page and not self._may_go(event):  # aborted, or an error page would replace it
            await self._send("Fetch.failRequest", event, errorReason="Aborted")
        elif not is_page and (self.asked > self.max_requests or event["resourceType"] in _NEEDLESS):
            await self._send("Fetch.failRequest", event, errorReason="BlockedByClient")
        else:
            await self._send("Fetch.continueRequest", event, **self._headers_of(event))

    def _may_go(self, event: Any) -> bool:
        """True for the page and its reloads; elsewhere its scripts go, the station follows."""
        url, self._visits = event["request"]["url"], self._visits + 1
        is_same = False
        with suppress(ValueError):
            is_same = parse_url(url).url == self.target.url
        if self._visits == 1 or (is_same and self._visits <= 1 + MAX_RELOADS):
            self.marks.setdefault("asked", self.clock.monotonic())
            return True
        if event["request"]["method"] == "GET" and not is_same:
            self.left_to = self.left_to or url
        return False

    def _headers_of(self, event: Any) -> dict[str, Any]:
        """The browser's own headers, plus the request's where these may go: to one origin."""
        ours = {n: v for n, v in self.headers.items() if n.lower() not in _BY_BROWSER}
        if not ours:
            return {}
        names = {name.lower() for name in ours}
        given = event["request"]["headers"].items()
        headers = {name: value for name, value in given if name.lower() not in names}
        with suppress(ValueError):
            if parse_url(event["request"]["url"]).origin == self.target.origin:
                headers.update(ours)
        return {"headers": [{"name": name, "value": value} for name, value in headers.items()]}

    async def _answered(self, event: Any) -> None:
        self.marks.setdefault("answered", self.clock.monotonic())
        pairs = event.get("responseHeaders", ())
        headers = joined_headers((pair["name"], pair["value"]) for pair in pairs)
        document = Document(event["responseStatusCode"], headers)
        if redirect_url(self.target.url, document.status, document.headers) is None:
            await self._read(event, document)
        self.marks["read"] = self.clock.monotonic()
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        start = document.body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
        is_markup = kind in _MARKUP if kind and start else start.startswith(b"<")
        document.rendered = is_markup and not (document.cut or document.broken)
        self.document = document
        if not document.rendered:
            await self._send("Fetch.failRequest", event, errorReason="Aborted")
            return
        kept = [h for h in event["responseHeaders"] if h["name"].lower() not in _REBUILT]
        if found := written_in(document.body, document.headers.get("content-type", "")):
            kept = [h for h in kept if h["name"].lower() != "content-type"]
            kept.append({"name": "Content-Type", "value": f"text/html; charset={web_name(found)}"})
        await self._send(
            "Fetch.fulfillRequest", event, responseCode=document.status, responseHeaders=kept,
            responsePhrase=_PHRASE, body=base64.b64encode(document.body).decode(),
        )  # fmt: skip

    async def _read(self, event: Any, document: Document) -> None:
        """Read the body as the server sent it, up to the first cap."""
        most, ratio = self.request.max_bytes, self.request.max_ratio
        announced = document.headers.get("content-length", "")
        if announced.isdigit() and int(announced) > most:
            document.cut = f"{announced} bytes announced, {most} allowed"
            return
        received = int(announced) if announced.isdigit() else 0
        body = bytearray()
        got = await self._send("Fetch.takeResponseBodyAsStream", event)
        while not document.cut:
            piece = await self.cdp.send("IO.read", {"handle": got["stream"], "size": _PIECE})
            text = piece["data"]
            body += base64.b64decode(text) if piece.get("base64Encoded") else text.encode()
            size = len(body)
            if size > most:
                document.cut = f"more than {most} bytes"
            elif received and size > _RATIO_COUNTS_FROM and size > ratio * received:
                document.cut = f"{received} bytes decompress to more than {size}"
            if piece["eof"]:
                break
        await self.cdp.send("IO.close", {"handle": got["stream"]})
        document.body = bytes(body[:most])
        # the browser does not report a body that broke off; its length shows it
        encoding = document.headers.get("content-encoding", "")
        if document.cut:
            return
        if not encoding and len(body) < received:
            document.broken = "the body ended before its announced end"
            document.broken_by = Cause.CUT_OFF
        elif encoding and received and not body:
            document.broken = f"broken {encoding[:40]}"
            document.broken_by = Cause.BROKEN_ENCODING

    async def _send(self, command: str, event: Any, **more: Any) -> Any:
        return await self.cdp.send(command, {"requestId": event["requestId"], **more})
