"""Web archives read record by record: ours and others', WARC 1.0 and 1.1, gzipped or not.

Broken records are skipped and counted. No record is larger than the caller allows, whatever its
length says; nothing in an archive names a file that is opened or written.
"""

import base64
import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

from warcio.recordloader import ArcWarcRecordLoader
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

from specfactory.errors import UsageError
from specfactory.model import Frozen, Instant
from specfactory.store.warc.streams import (
    GZIP_MAGIC,
    MARK,
    BrokenArchive,
    PlainStream,
    Stream,
    members,
)

_NEXT = b"\r\n\r\nWARC/"
_END = b"\r\n\r\n"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = "0000-01-01"
_ALGORITHMS = ("sha1", "sha256", "md5", "sha512")


class WarcRecord(Frozen):
    """One record as it was read; the names of ``headers`` are in lower case."""

    kind: str  # "response", "revisit", "metadata" …
    headers: Mapping[str, str]
    block: bytes

    @property
    def id(self) -> str:
        """The name that other records refer to."""
        return self.headers.get("warc-record-id", "")

    @property
    def url(self) -> str:
        """The requested address; some writers put it in angle brackets."""
        return self.headers.get("warc-target-uri", "").strip("<>")

    @property
    def at(self) -> Instant | None:
        """The time of the record: a year, a day or a second with any fraction; None without."""
        given = self.headers.get("warc-date", "")
        try:
            when = datetime.fromisoformat(given + _DAY[len(given) :])
            when = when if when.tzinfo else when.replace(tzinfo=UTC)
            return max((when - _EPOCH) // timedelta(milliseconds=1), 0)
        except (ValueError, OverflowError):
            return None

    def is_about(self, record_id: str) -> bool:
        """True if it belongs to the record of that id."""
        named = (self.headers.get(name) for name in ("warc-concurrent-to", "warc-refers-to"))
        return bool(record_id) and record_id in named


class WarcReader:
    """The records of one archive; ``skipped`` counts by reason what could not be read."""

    def __init__(self, file: BinaryIO, max_block: int) -> None:
        self._max_block = max_block
        self._raw = PlainStream(file)
        self._head_parser = StatusAndHeadersParser(ArcWarcRecordLoader.WARC_TYPES)
        self.skipped: Counter[str] = Counter()
        start = self._raw.read(len(MARK))
        self._raw.give_back(start)
        if not start.startswith((MARK, GZIP_MAGIC)):
            raise UsageError(f"{getattr(file, 'name', 'this')} is no web archive (WARC)")
        self._is_gzip = start.startswith(GZIP_MAGIC)

    def __iter__(self) -> Iterator[WarcRecord]:
        for stream in members(self._raw) if self._is_gzip else (self._raw,):
            yield from self._records(stream)

    def _records(self, stream: Stream) -> Iterator[WarcRecord]:
        while True:
            try:
                if not (head := stream.head()):
                    return
                try:
                    parsed = self._head_parser.parse(io.BytesIO(head))
                except StatusAndHeadersParserException:
                    raise BrokenArchive("no record begins here") from None
                headers: dict[str, str] = {}
                for name, value in parsed.headers:
                    headers.setdefault(name.strip().lower(), value.strip())
                record = self._record(stream, headers)
            except BrokenArchive:
                self.skipped["broken"] += 1
                try:
                    if stream.find(MARK):
                        continue
                except BrokenArchive:  # nothing more can be unpacked here
                    pass
                return
            stream.renew()
            if record is not None and record.kind:
                yield record

    def _record(self, stream: Stream, headers: dict[str, str]) -> WarcRecord | None:
        """The record behind a head; None for one that is left out."""
        given = headers.get("content-length", "")
        if not (given.isascii() and given.isdigit() and len(given) <= 18):
            raise BrokenArchive(f"a record whose length is {given[:40]!r}")
        length = int(given)
        if length > self._max_block:
            self.skipped["too large"] += 1
            if isinstance(stream, PlainStream) and not stream.has_at(length, _END):
                stream.find(_NEXT)  # a length that lies must not swallow the records that follow
            else:
                stream.skip(length)
            return None
        block = stream.read(length)
        if len(block) < length:
            stream.give_back(block)  # a length that lies: other records may be in there
            raise BrokenArchive("the archive ends in the middle of a record")
        tail = stream.read(len(_END))
        stream.give_back(tail)
        if not MARK.startswith(tail.lstrip(b"\r\n")):
            if (at := block.find(_NEXT)) >= 0:
                stream.give_back(block[at:])
            raise BrokenArchive("a block that does not end where its length says")
        if not _fits(headers.get("warc-block-digest", ""), block):
            self.skipped["wrong digest"] += 1
            return None
        return WarcRecord(headers.get("warc-type", "").lower(), headers, block)


def _fits(digest: str, block: bytes) -> bool:
    """False for a digest of other bytes; one of an unknown form says nothing."""
    algorithm, _, value = digest.strip().partition(":")
    if algorithm.lower() not in _ALGORITHMS or not value:
        return True
    actual = hashlib.new(algorithm.lower(), block, usedforsecurity=False)
    forms = {base64.b32encode(actual.digest()).decode().lower(), actual.hexdigest()}
    return value.lower() in forms or len(value) not in map(len, forms)
