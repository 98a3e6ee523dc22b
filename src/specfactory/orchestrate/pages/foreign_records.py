"""HTTP responses from any web archive, as the factory would have stored them."""

import re
from dataclasses import replace

from specfactory.errors import Unreadable
from specfactory.fetch import canonical, charset_of, host_of, make_page
from specfactory.fetch.ladder import BrokenEncoding, EndlessEncoding, decode, make_decoders
from specfactory.fetch.outcomes import judge_body, media_type
from specfactory.model import Cause, FetchEnd, FetchResponse, Instant, Outcome, Page, Tier
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.handed_on import shared_body

MAX_HEAD = 256 * 1024
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})\b")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"\r?\n?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_KINDS = ("image", "audio", "video", "font", "application", "text")
PAGE_TYPES = frozenset(
    ("text/html", "application/xhtml+xml", "application/pdf", "text/plain", "")
)  # fmt: skip


class NoPage(ValueError):
    """The record holds no page; the message says what instead."""


def answer_in(url: str, block: bytes, max_bytes: int) -> FetchResponse:
    """The response in the block of a record, with its encodings undone."""
    found = _STATUS.match(block)
    end = _HEAD_END.search(block, 0, MAX_HEAD)
    if found is None or (end is None and len(block) > MAX_HEAD):
        raise NoPage("no HTTP answer")
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    headers: dict[str, str] = {}
    for line in head.split(b"\n")[1:]:
        name, colon, value = line.decode("latin-1").rstrip("\r").partition(":")
        if colon and name.strip():
            headers.setdefault(name.strip().lower(), value.strip())
    body = _decoded(body, headers, max_bytes)
    return FetchResponse(url, url, int(found[1]), headers, body)


async def page_from(bench: Workbench, response: FetchResponse, at: Instant, tier: Tier) -> Page:
    """Make a page of a response, classified as if it had been fetched just now."""
    if not host_of(response.url):
        raise NoPage("no web address")
    kind, _ = media_type(response)
    if kind not in PAGE_TYPES:
        what = kind.partition("/")[0]
        raise NoPage(f"no page but {what}" if what in _KINDS else "no page")
    page_id = f"page-{at:011x}{bench.random.getrandbits(48):012x}"
    answer = replace(response, final_url=canonical(response.url))
    body, bare, charset = response.body, replace(answer, body=b""), ""
    try:
        end, is_foreign = await bench.readers.run(judge_body, bare, shared_body(body), quick=True)
        if is_foreign:
            charset = await bench.readers.run(charset_of, bare, shared_body(body), "")
    except Unreadable as problem:
        end = FetchEnd(Outcome.UNREADABLE, problem.detail, Cause(problem.cause))
    return make_page(page_id, response.url, tier, answer, end, body, at, charset)


def _decoded(body: bytes, headers: dict[str, str], max_bytes: int) -> bytes:
    """Decode a body; many writers undo an encoding and leave its header."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _dechunked(body)
    try:
        decoders = make_decoders(headers.get("content-encoding", ""))
        given, size = list[bytes](), 0
        for piece in decode(decoders, body):
            size += len(piece)
            if size > max_bytes:
                raise NoPage("too large when unpacked")
            given.append(piece)
        for decoder in decoders:
            decoder.finish()
    except EndlessEncoding:
        raise NoPage("too large when unpacked") from None
    except BrokenEncoding:
        return body
    return b"".join(given)


def _dechunked(body: bytes) -> bytes:
    """Join the chunks; a body that is not chunked stays as it is."""
    parts, at = list[bytes](), 0
    while found := _CHUNK.match(body, at):
        size = int(found[1], 16)
        if size == 0:
            return b"".join(parts)
        if found.end() + size > len(body):
            break
        parts.append(body[found.end() : found.end() + size])
        at = found.end() + size
    return b"".join(parts) if parts and at >= len(body) - 2 else body
