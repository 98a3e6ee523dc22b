"""Records of web archives (WARC 1.1, ISO 28500): how one is written, and its parts."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from specfactory.model import Instant
from specfactory.model.frozen import Frozen

VERSION = b"WARC/1.1"
REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP = zlib.MAX_WBITS | 16
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"\.(\d{1,6})\d*")
_MOMENT = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?)?")
_ALGORITHMS = ("sha1", "sha256", "md5", "sha512")
_MS = timedelta(milliseconds=1)

Fields = Iterable[tuple[str, str]]


class WarcRecord(Frozen):
    """One record as it was read; the names of ``headers`` are in lower case."""

    kind: str  # "response", "revisit", "metadata" …
    headers: Mapping[str, str]
    block: bytes

    @property
    def id(self) -> str:
        """What other records call it by."""
        return self.headers.get("warc-record-id", "")

    @property
    def url(self) -> str:
        """The address that was asked for; some writers put it in angle brackets."""
        return self.headers.get("warc-target-uri", "").strip("<>")

    @property
    def at(self) -> Instant | None:
        """When it was made; None when it does not say."""
        return instant_of(self.headers.get("warc-date", ""))

    def is_about(self, record_id: str) -> bool:
        """Whether it belongs to the record of that id."""
        named = (self.headers.get(name) for name in ("warc-concurrent-to", "warc-refers-to"))
        return bool(record_id) and record_id in named


def record_bytes(kind: str, fields: Fields, block: bytes) -> bytes:
    """One record as it stands in a file, not compressed; its digest and length are added."""
    named = [
        ("WARC-Type", kind),
        *fields,
        ("WARC-Block-Digest", digest_of(block)),
        ("Content-Length", str(len(block))),
    ]
    head = b"".join(
        f"{name}: {one_line(value)}\r\n".encode("utf-8", "replace") for name, value in named
    )
    return VERSION + b"\r\n" + head + b"\r\n" + block + b"\r\n\r\n"


def gzipped(record: bytes) -> bytes:
    """A record as a gzip member of its own; the same bytes at any time."""
    step = zlib.compressobj(6, zlib.DEFLATED, _GZIP)
    return step.compress(record) + step.flush()


def record_id(*names: str) -> str:
    """The id of a record, always the same for the same names."""
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, 'specfactory:' + ':'.join(names))}>"


def digest_of(block: bytes) -> str:
    """SHA-1 in base 32, as all tools write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()


def is_digest_of(said: str, block: bytes) -> bool:
    """Whether a digest fits; one of an unknown form is not held against the record."""
    algorithm, _, value = said.strip().partition(":")
    if algorithm.lower() not in _ALGORITHMS or not value:
        return True
    digest = hashlib.new(algorithm.lower(), block, usedforsecurity=False)
    forms = {base64.b32encode(digest.digest()).decode().lower(), digest.hexdigest()}
    return value.lower() in forms or len(value) not in map(len, forms)


def one_line(value: str) -> str:
    """A header's value without line breaks and other control characters."""
    return _CONTROL.sub(" ", value).strip()


def moment_of(at: Instant) -> str:
    """An instant as records have it, with milliseconds."""
    when = _EPOCH + at * _MS
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z"


def instant_of(moment: str) -> Instant | None:
    """The instant of a WARC-Date: a year, a day or a second with any fraction; None for none."""
    given = moment.strip()
    if not _MOMENT.fullmatch(given):
        return None
    padded = given + "0000-01-01"[len(given) :] if len(given) < len("0000-01-01") else given
    exact = _FRACTION.sub(lambda found: "." + found[1].ljust(6, "0"), padded)
    try:
        when = datetime.fromisoformat(exact)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max((when - _EPOCH) // _MS, 0)
    except (ValueError, OverflowError):
        return None
