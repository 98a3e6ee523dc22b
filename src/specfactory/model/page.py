"""Requests, answers and stored pages."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from specfactory.model.base import Discreet, Frozen, Instant, field
from specfactory.model.contract import Tier
from specfactory.model.outcomes_and_consequences import Cause, Outcome


class FetchEnd(NamedTuple):
    """The end of a fetch: facts to decide by, and the evidence for people."""

    outcome: Outcome
    evidence: str
    cause: Cause = Cause.NONE
    retry_at: Instant = 0  # not to be asked before; 0: not known


class Rung(StrEnum):
    """The ladder: ways to fetch a page, the cheapest first."""

    HTTP = "http"
    HTTP_PROXY = "http_proxy"
    BROWSER = "browser"
    BROWSER_PROXY = "browser_proxy"

    @property
    def uses_proxy(self) -> bool:
        """True when requests go through a proxy."""
        return self is Rung.HTTP_PROXY or self is Rung.BROWSER_PROXY

    @property
    def uses_browser(self) -> bool:
        """True when pages are opened in a browser."""
        return self is Rung.BROWSER or self is Rung.BROWSER_PROXY


class FetchRequest(Discreet):
    """One request, as the Fetcher port takes it: a GET, unless it has something to post.

    Its usual limits are those of the settings: ``FetchSettings.request`` makes one.
    """

    hidden = ("headers", "post", "proxy")

    url: str
    headers: Mapping[str, str]  # may hold credentials
    max_bytes: int  # after decompression
    max_ratio: float  # decompressed to received
    timeout_seconds: float
    max_redirects: int
    post: bytes | None = None  # to endpoints that the operator named
    proxy: str = ""  # URL of a proxy; may hold credentials


class FetchResponse(Frozen):
    """The answer of the network; ``failure`` is set when it is not usable."""

    url: str
    final_url: str
    status: int  # 0 when there was no HTTP answer
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    redirects: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)  # dns, tcp, tls, ttfb, download
    failure: Outcome | None = None
    failure_detail: str = ""  # for people
    dom: bytes = b""  # what a browser made of it, in UTF-8
    rung: Rung = Rung.HTTP
    proxy: str = ""  # host and port of the proxy it came through
    cause: Cause = Cause.NONE  # of the failure
    retry_at: Instant = 0  # the server, or the host's breaker, asks to wait until then


ARCHIVED = ":archived"  # kept among a page's headers; no server can send such a name


class Page(Frozen):
    """One fetched snapshot of a URL; its body is stored under ``content_hash``."""

    id: str
    url: str
    final_url: str
    host: str
    tier: Tier
    fetched_at: Instant
    outcome: Outcome
    outcome_evidence: str  # the words or the header that made us say so; for people
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    content_hash: str = ""  # sha256 of the stored bytes, hex
    media_type: str = ""  # "text/html", "application/pdf" …
    charset: str = ""  # as declared by the header; views decide from the bytes
    size_bytes: int = 0
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    confirmed_at: Instant | None = None  # last time a server said "not modified"
    rung: Rung = Rung.HTTP
    proxy: str = ""  # host and port of the proxy it came through
    response_hash: str = ""  # of what the server sent, where ``content_hash`` is a browser's DOM
    substance_hash: str = ""  # of what the page says, without what surrounds it
    cause: Cause = Cause.NONE
    retry_at: Instant = 0  # not to be asked before; 0: not known

    @property
    def is_archived(self) -> bool:
        """True if it came out of a web archive: that its server sent it is a stranger's word."""
        return ARCHIVED in self.headers


class Fetched(Frozen):
    """A page and its bytes: ``body`` is what is read, of a browser's page the DOM."""

    page: Page
    body: bytes
    response: bytes = b""  # what the server sent, where a browser made the body of it
