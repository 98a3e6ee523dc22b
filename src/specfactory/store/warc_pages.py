"""One stored page as records of a web archive, and back.

What a server sent is a ``response``, rebuilt from the stored status, headers and body: its
Content-Encoding and Transfer-Encoding were undone when it was fetched, so those headers are kept
under ``X-Archive-Orig-`` names. The same bytes a second time are a ``revisit``. What a browser
made of them is a ``conversion``. All that we know of the page besides stands in a ``metadata``
record, so that an import gives back the very page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from urllib.parse import urlsplit

import msgspec

from specfactory.errors import StoreError
from specfactory.model import Instant, Page, Rung
from specfactory.model.frozen import Frozen
from specfactory.store.codec import to_json
from specfactory.store.warc_records import (
    REVISIT_PROFILE,
    Fields,
    digest_of,
    moment_of,
    one_line,
    record_id,
)

PAGE_KEY = "specfactory_page"
HTTP_RESPONSE = "application/http; msgtype=response"
HTTP_REQUEST = "application/http; msgtype=request"
JSON = "application/json"
DOM_TYPE = "text/html; charset=utf-8"
ORIGINAL = "X-Archive-Orig-"
_UNDONE = frozenset(("content-encoding", "transfer-encoding", "content-length"))
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_BROWSER = (Rung.BROWSER, Rung.BROWSER_PROXY)
_LARGEST = 2**53
MAX_REMEMBERED = 100_000  # payloads that a revisit may refer to

Record = tuple[str, Fields, bytes]


class _Seen(Frozen):
    id: str
    url: str
    at: Instant


class PageRecords:
    """Makes the records of pages, one page after the other; remembers what was written."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def of(self, page: Page, response: bytes, dom: bytes = b"") -> Iterator[Record]:
        """The records of a page: ``response`` is what the server sent, ``dom`` a browser's."""
        main = ""
        if response:
            main = record_id(page.id, "response")
            yield self._payload(page, response, main)
            if _has_answer(page):
                yield "request", _fields(page, "request", HTTP_REQUEST, main), _request(page)
        if dom:
            fields = [*_fields(page, "conversion", DOM_TYPE), ("WARC-Refers-To", main)]
            yield "conversion", fields, dom
        yield "metadata", _fields(page, "metadata", JSON, main), _metadata(page)

    def _payload(self, page: Page, response: bytes, main: str) -> Record:
        if not _has_answer(page):
            return "resource", _fields(page, "response", page.media_type or DOM_TYPE), response
        digest, head = digest_of(response), _head(page, len(response))
        fields = [
            *_fields(page, "response", HTTP_RESPONSE), ("WARC-Payload-Digest", digest),
        ]  # fmt: skip
        if before := self._seen.get(digest):
            refers = (
                ("WARC-Profile", REVISIT_PROFILE),
                ("WARC-Refers-To", before.id),
                ("WARC-Refers-To-Target-URI", before.url),
                ("WARC-Refers-To-Date", moment_of(before.at)),
            )
            return "revisit", [*fields, *refers], head
        if len(self._seen) < MAX_REMEMBERED:
            self._seen[digest] = _Seen(main, page.final_url, page.fetched_at)
        return "response", fields, head + response


def warcinfo(software: str, at: Instant) -> Record:
    """The record with which an archive begins."""
    fields = (
        ("WARC-Record-ID", record_id("warcinfo", moment_of(at))),
        ("WARC-Date", moment_of(at)),
        ("Content-Type", "application/warc-fields"),
    )
    words = (
        f"software: {one_line(software)}\r\nformat: WARC File Format 1.1\r\n"
        "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
        "\r\n"
    )
    return "warcinfo", fields, words.encode()


def page_in(block: bytes) -> Page | None:
    """The page that a metadata record of ours describes; None for other metadata.

    Raises StoreError when it says that it is one and is not.
    """
    if PAGE_KEY.encode() not in block[:200]:
        return None
    try:
        page = msgspec.json.decode(block, type=dict[str, Page])[PAGE_KEY]
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError) as problem:
        raise StoreError(f"metadata that describe no page: {problem}") from None
    numbers = (page.fetched_at, page.confirmed_at or 0, page.size_bytes, page.status)
    if not all(0 <= number < _LARGEST for number in numbers):
        raise StoreError("metadata with numbers that no page has")
    return page


def _has_answer(page: Page) -> bool:
    """Whether the body is what a server sent: a browser's page may have lost it."""
    return 100 <= page.status <= 999 and (page.rung not in _BROWSER or bool(page.response_hash))


def _fields(page: Page, part: str, media_type: str, concurrent: str = "") -> list[tuple[str, str]]:
    fields = [
        ("WARC-Record-ID", record_id(page.id, part)),
        ("WARC-Target-URI", page.final_url or page.url),
        ("WARC-Date", moment_of(page.fetched_at)),
        ("Content-Type", media_type),
    ]
    return [*fields, ("WARC-Concurrent-To", concurrent)] if concurrent else fields


def _head(page: Page, length: int) -> bytes:
    """Status line and headers of an answer, as they fit the bytes that follow."""
    lines = [f"HTTP/1.1 {page.status} {_reason(page.status)}"]
    for name, value in _sendable(page.headers):
        renamed = ORIGINAL + name if name.lower() in _UNDONE else name
        lines.append(f"{renamed}: {value}")
    lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def _sendable(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in headers.items():
        if _TOKEN.fullmatch(name):
            yield name, one_line(value)


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _request(page: Page) -> bytes:
    """The request as far as it is known: what else was sent is not kept."""
    parts = urlsplit(page.final_url or page.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc.rpartition("@")[2]
    return f"GET {one_line(path)} HTTP/1.1\r\nHost: {one_line(host)}\r\n\r\n".encode()


def _metadata(page: Page) -> bytes:
    return b'{"' + PAGE_KEY.encode() + b'":' + to_json(page).encode("utf-8", "replace") + b"}"
