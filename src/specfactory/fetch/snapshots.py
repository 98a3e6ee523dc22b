"""A response as the page that is kept of it: what is worth keeping, and under which hashes."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from specfactory.fetch.addresses import parse_url
from specfactory.fetch.outcomes import media_type
from specfactory.model import FetchEnd, FetchResponse, Page, Tier
from specfactory.proof.text import written_in
from specfactory.redaction import redacted, without_password
from specfactory.store.base import body_hash

REDIRECTS = ":redirects"  # kept among a page's headers; no server can send such a name
_PRIVATE = frozenset(
    {"set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization",
     "proxy-authenticate", "www-authenticate", "authentication-info"}
)  # fmt: skip
_MAX_HEADERS = 100
_MAX_HEADER_LENGTH = 2_000
_CONDITIONS = (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified"))
_DOM_TYPE = "text/html; charset=utf-8"


@lru_cache(maxsize=1024)  # everybody asks for it
def host_of(url: str) -> str:
    """Host and port of a URL, as sources and pages name it; "" when it is no URL."""
    try:
        return parse_url(url).netloc
    except ValueError:
        return ""


def canonical(url: str) -> str:
    """A URL in the one way in which pages name theirs."""
    try:
        return parse_url(url).url
    except ValueError:
        return url


def as_read(response: FetchResponse) -> FetchResponse:
    """The response as it is read: of a browser's page, what the browser made of it."""
    if not response.dom:
        return response
    headers = {**response.headers, "content-type": _DOM_TYPE}
    return replace(response, body=response.dom, headers=headers)


def conditions(url: str, previous: Page | None) -> dict[str, str]:
    """Ask only for what changed, of the very URL whose body is stored.

    What a browser made of a page may change though the server's answer does not.
    """
    if previous is None or not previous.content_hash or canonical(url) != previous.final_url:
        return {}
    if previous.rung.uses_browser:
        return {}
    given = ((name, previous.headers.get(header, "")) for name, header in _CONDITIONS)
    # what no request can hold would make it fail
    return {
        name: value
        for name, value in given
        if value and value.isascii() and value.isprintable() and len(value) < _MAX_HEADER_LENGTH
    }


def charset_of(response: FetchResponse, body: bytes, known: str) -> str:
    """Guess the charset of a body that is not UTF-8; ``known``: of other pages of its host."""
    return written_in(body, response.headers.get("content-type", ""), known) or known


def make_page(
    page_id: str, url: str, tier: Tier, response: FetchResponse, end: FetchEnd, body: bytes,
    now: int, charset: str = "",
) -> Page:  # fmt: skip
    """The page of a response; ``charset`` is what its body is written in, where that is known."""
    kind, declared = media_type(as_read(response))
    rendered = bool(response.dom and body)
    return Page(
        id=page_id,
        url=without_password(url),
        final_url=without_password(response.final_url),
        host=host_of(response.final_url),
        tier=tier,
        fetched_at=now,
        outcome=end.outcome,
        outcome_evidence=end.evidence,
        status=response.status,
        headers=_kept_headers(response),
        content_hash=body_hash(body),
        media_type=kind,
        charset=declared if rendered else charset or declared,
        size_bytes=len(body),
        timings_ms={part: round(ms, 2) for part, ms in response.timings_ms.items()},
        rung=response.rung,
        proxy=response.proxy,
        response_hash=body_hash(response.body) if rendered else "",
        cause=end.cause,
        retry_at=end.retry_at,
    )


def confirmed(page: Page, previous: Page) -> Page:
    """The page of a server that says that nothing changed: the stored body still holds."""
    return replace(
        page,
        content_hash=previous.content_hash,
        media_type=previous.media_type,
        charset=previous.charset,
        size_bytes=previous.size_bytes,
        confirmed_at=page.fetched_at,
    )


def _kept_headers(response: FetchResponse) -> Mapping[str, str]:
    """The headers worth keeping: nothing private, nothing very long."""
    public = [(name, value) for name, value in response.headers.items() if name not in _PRIVATE]
    kept = {name: value[:_MAX_HEADER_LENGTH] for name, value in public[:_MAX_HEADERS]}
    if response.redirects:
        kept[REDIRECTS] = " ".join(response.redirects)
    return {name: redacted(value) for name, value in kept.items()}
