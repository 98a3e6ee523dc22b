"""Web archives read record by record: ours and others', WARC 1.0 and 1.1, gzipped or not.

Broken records are passed over and counted. No record is larger than the caller allows, whatever
its length says; nothing in an archive names a file that is opened or written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from specfactory.errors import UsageError
from specfactory.store.warc_records import GZIP_MAGIC, WarcRecord, is_digest_of
from specfactory.store.warc_streams import BrokenArchive, PlainStream, Stream, members

MAX_LINE = 64 * 1024
MAX_HEADERS = 200
MAX_BLANK_LINES = 1_000
_MARK = b"WARC/"
_NEXT = b"\r\n\r\nWARC/"
_END = b"\r\n\r\n"


class WarcReader:
    """The records of one archive; ``skipped`` counts by reason what could not be read."""

    def __init__(self, file: BinaryIO, max_block: int) -> None:
        self._max_block = max_block
        self._raw = PlainStream(file)
        self.skipped: Counter[str] = Counter()
        start = self._raw.peek(len(_MARK))
        if not start.startswith((_MARK, GZIP_MAGIC)):
            raise UsageError(f"{getattr(file, 'name', 'this')} is no web archive (WARC)")
        self._is_gzip = start.startswith(GZIP_MAGIC)

    def __iter__(self) -> Iterator[WarcRecord]:
        if not self._is_gzip:
            yield from self._records(self._raw)
            return
        for member in members(self._raw):
            yield from self._records(member)

    def _records(self, stream: Stream) -> Iterator[WarcRecord]:
        while True:
            try:
                record = self._next(stream)
            except BrokenArchive:
                self.skipped["broken"] += 1
                if not self._goes_on(stream):
                    return
                continue
            if record is None:
                return
            stream.renew()
            if record.kind:
                yield record

    def _goes_on(self, stream: Stream) -> bool:
        """Look for the next record behind a broken one."""
        try:
            return stream.find(_MARK)
        except BrokenArchive:  # nothing more can be unpacked here
            return False

    def _next(self, stream: Stream) -> WarcRecord | None:
        """The next record; None at the end, one without a kind for what was passed over."""
        headers = _headers(stream)
        if headers is None:
            return None
        length = _length(headers)
        if length > self._max_block:
            self.skipped["too large"] += 1
            self._pass_over(stream, length)
            return WarcRecord("", headers, b"")
        block = stream.read(length)
        if len(block) < length:
            stream.give_back(block)  # a length that lies: other records may be in there
            raise BrokenArchive("the archive ends in the middle of a record")
        self._check_end(stream, block)
        if not is_digest_of(headers.get("warc-block-digest", ""), block):
            self.skipped["wrong digest"] += 1
            return WarcRecord("", headers, b"")
        return WarcRecord(headers.get("warc-type", "").lower(), headers, block)

    def _pass_over(self, stream: Stream, length: int) -> None:
        honest = not isinstance(stream, PlainStream) or stream.leads_to(length, _END)
        if honest:
            stream.pass_over(length)
        else:  # a length that lies must not swallow what follows
            stream.find(_NEXT)

    def _check_end(self, stream: Stream, block: bytes) -> None:
        """After a block comes an empty line and a record; else its length was a lie."""
        tail = stream.peek(len(_END))
        if _MARK.startswith(tail.lstrip(b"\r\n")):
            return
        if (at := block.find(_NEXT)) >= 0:
            stream.give_back(block[at:])
        raise BrokenArchive("a block that does not end where its length says")


def _headers(stream: Stream) -> dict[str, str] | None:
    """The named fields of the next record; None when there is no further one."""
    first = _first_line(stream)
    if not first:
        return None
    if not first.startswith(_MARK):
        raise BrokenArchive("no record begins here")
    headers: dict[str, str] = {}
    name = ""
    for _ in range(MAX_HEADERS):
        line = stream.line(MAX_LINE)
        if line in (b"\r\n", b"\n"):
            return headers
        if not line.endswith(b"\n"):
            break
        words = line.decode("utf-8", "replace").rstrip("\r\n")
        if words[:1] in (" ", "\t") and name:  # a folded line
            headers[name] += " " + words.strip()
            continue
        name, colon, value = words.partition(":")
        name = name.strip().lower()
        if colon:
            headers.setdefault(name, value.strip())
    raise BrokenArchive("the head of a record does not end")


def _first_line(stream: Stream) -> bytes:
    for _ in range(MAX_BLANK_LINES):
        line = stream.line(MAX_LINE)
        if line.strip():
            return line
        if not line:
            return b""
    raise BrokenArchive("nothing but empty lines")


def _length(headers: dict[str, str]) -> int:
    given = headers.get("content-length", "")
    if not (given.isascii() and given.isdigit() and len(given) <= 18):
        raise BrokenArchive(f"a record whose length is {given[:40]!r}")
    return int(given)
