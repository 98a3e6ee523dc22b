"""One stored page as records of a web archive, and back.

A server's answer is a ``response``, rebuilt from the stored status, headers and body: its
Content-Encoding and Transfer-Encoding were undone when it was fetched, so those headers are kept
under ``X-Archive-Orig-`` names. The same bytes a second time are a ``revisit``. A browser's DOM
is a ``conversion``. Everything else known of the page is in a ``metadata`` record, so that an
import restores the page exactly.
"""

import io
import re
import string
from http import HTTPStatus
from typing import Any, BinaryIO
from urllib.parse import quote, urlsplit
from uuid import NAMESPACE_URL, uuid5

import msgspec
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from specfactory.errors import StoreError
from specfactory.model import Instant, Page, iso_milliseconds
from specfactory.store.base import to_json

PAGE_KEY = "specfactory_page"
DOM_TYPE = "text/html; charset=utf-8"
ORIGINAL = "X-Archive-Orig-"
MAX_REMEMBERED = 100_000  # payloads that a revisit may refer to
_UNDONE = frozenset(("content-encoding", "transfer-encoding", "content-length"))
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_LARGEST = 2**53
_CONFORMS = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class PageWriter:
    """Writes pages as a WARC 1.1 archive; the same pages give the same bytes."""

    def __init__(self, out: BinaryIO, *, gzip: bool) -> None:
        self._writer = WARCWriter(out, gzip=gzip, warc_version="1.1")
        self._written: dict[str, tuple[str, str, str]] = {}  # digest: id, URL, moment

    def begin(self, software: str, at: Instant) -> None:
        """Write the record that an archive starts with."""
        fields = {
            "WARC-Record-ID": _record_id("warcinfo", iso_milliseconds(at)),
            "WARC-Date": iso_milliseconds(at),
        }
        words = (
            f"software: {_one_line(software)}\r\nformat: WARC File Format 1.1\r\n"
            f"conformsTo: {_CONFORMS}\r\n"
        )
        info = self._record("warcinfo", "", fields, words.encode(), "application/warc-fields")
        self._writer.write_record(info)

    def add(self, page: Page, response: bytes, dom: bytes = b"") -> int:
        """Write the records of a page and return their number.

        ``response`` is the server's body, ``dom`` what a browser made of it.
        """
        url = page.final_url or page.url
        main = _record_id(page.id, "response") if response else ""
        records = []
        # A browser's page may have lost the server's answer: then its body is no HTTP response.
        answered = 100 <= page.status <= 999 and (
            not page.rung.uses_browser or bool(page.response_hash)
        )
        if response and answered:
            records.append(self._response(page, url, response))
            parts = urlsplit(url)
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            # The URL alone: which other headers were sent is not stored.
            request = StatusAndHeaders(
                f"GET {quote(_one_line(path), safe=string.punctuation + ' ')} HTTP/1.1",
                [("Host", _one_line(parts.netloc.rpartition("@")[2]))],
                is_http_request=True,
            )
            fields = {**_fields(page, "request"), "WARC-Concurrent-To": main}
            records.append(self._record("request", url, fields, http=request))
        elif response:
            media_type = _one_line(page.media_type) or DOM_TYPE
            fields = _fields(page, "response")
            records.append(self._record("resource", url, fields, response, media_type))
        if dom:
            fields = {**_fields(page, "conversion"), "WARC-Refers-To": main}
            records.append(self._record("conversion", url, fields, dom, DOM_TYPE))
        fields = _fields(page, "metadata")
        if main:
            fields["WARC-Concurrent-To"] = main
        known = f'{{"{PAGE_KEY}":{to_json(page)}}}'.encode("utf-8", "replace")
        records.append(self._record("metadata", url, fields, known, "application/json"))
        for record in records:
            self._writer.write_record(record)
        return len(records)

    def _response(self, page: Page, url: str, response: bytes) -> Any:
        headers = [
            (ORIGINAL + name if name.lower() in _UNDONE else name, _one_line(value))
            for name, value in page.headers.items()
            if _TOKEN.fullmatch(name)
        ]
        try:
            reason = HTTPStatus(page.status).phrase
        except ValueError:
            reason = "Unknown"
        http = StatusAndHeaders(
            f"{page.status} {reason}",
            [*headers, ("Content-Length", str(len(response)))],
            protocol="HTTP/1.1",
        )
        fields = _fields(page, "response")
        record = self._record("response", url, fields, response, http=http)
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        if before := self._written.get(digest):
            fields["WARC-Refers-To"], *where = before
            return self._writer.create_revisit_record(_one_line(url), digest, *where, http, fields)
        if len(self._written) < MAX_REMEMBERED:
            self._written[digest] = (fields["WARC-Record-ID"], _one_line(url), fields["WARC-Date"])
        return record

    def _record(
        self,
        kind: str,
        url: str,
        fields: dict[str, str],
        block: bytes = b"",
        media_type: str = "",
        http: StatusAndHeaders | None = None,
    ) -> Any:
        return self._writer.create_warc_record(
            _one_line(url),
            kind,
            payload=io.BytesIO(block),
            length=len(block),
            warc_content_type=media_type,
            warc_headers_dict={"WARC-Type": kind, **fields},
            http_headers=http,
        )


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


def _fields(page: Page, part: str) -> dict[str, str]:
    return {
        "WARC-Record-ID": _record_id(page.id, part),
        "WARC-Date": iso_milliseconds(page.fetched_at),
    }


def _record_id(*names: str) -> str:
    """A record id that is the same for the same names, so that exports can be compared."""
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, 'specfactory:' + ':'.join(names))}>"


def _one_line(value: str) -> str:
    """A value fit for a header: warcio writes line breaks and lone surrogates as they come."""
    return _CONTROL.sub(" ", value).encode("utf-8", "replace").decode().strip()
