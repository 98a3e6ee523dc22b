"""The bytes of a web archive, plain or gzipped record by record, read in small pieces.

Archives are hostile: nothing here holds more than a piece and what it was asked for, and what is
skipped is bounded, so that a bomb costs seconds and not memory. warcio's own reader does neither
(docs/decisions/0010).
"""

import zlib
from collections.abc import Iterator
from typing import BinaryIO

MARK = b"WARC/"
GZIP_MAGIC = b"\x1f\x8b\x08"
PIECE = 64 * 1024
MAX_LINE = 64 * 1024
MAX_HEAD_LINES = 200
MAX_BLANK_LINES = 1_000
MAX_SILENT = 4 * PIECE  # bytes taken of a member before anything comes out of it
MAX_PASSED_OVER = 200_000_000  # bytes unpacked without a good record before a member is left
MAX_FALSE_STARTS = 1_000  # places that look like a gzip member and are none, in a row
_UNPACKED = 256 * 1024  # the most that one step of decompression may give


class BrokenArchive(ValueError):
    """The next bytes are no record; the reader goes on at the next one."""


class Stream:
    """Bytes that can be read by head, by length, and given back."""

    def __init__(self) -> None:
        self._held = bytearray()

    def more(self) -> bytes:
        """The next piece; empty at the end."""
        raise NotImplementedError

    def read(self, size: int) -> bytes:
        """Read ``size`` bytes; fewer only at the end."""
        while len(self._held) < size and (piece := self.more()):
            self._held += piece
        given = bytes(self._held[:size])
        del self._held[:size]
        return given

    def give_back(self, some: bytes) -> None:
        """Put bytes back, to be read again."""
        self._held[:0] = some

    def head(self) -> bytes:
        """The head of the next record, with the empty line that ends it; empty at the end."""
        for _ in range(MAX_BLANK_LINES):
            if not (line := self._line()) or line.strip():
                break
        else:
            raise BrokenArchive("nothing but empty lines")
        if not line:
            return b""
        if not line.startswith(MARK):
            raise BrokenArchive("no record begins here")
        lines = [line]
        while line.strip() and len(lines) <= MAX_HEAD_LINES:
            lines.append(line := self._line())
        if line not in (b"\r\n", b"\n"):
            raise BrokenArchive("the head of a record does not end")
        return b"".join(lines)

    def _line(self) -> bytes:
        start = 0
        while (at := self._held.find(b"\n", start)) < 0 and len(self._held) <= MAX_LINE:
            start = len(self._held)
            if not (piece := self.more()):
                break
            self._held += piece
        if at < 0 and len(self._held) > MAX_LINE:
            del self._held[:MAX_LINE]  # or the search for the next record would find it for ever
            raise BrokenArchive(f"a line of more than {MAX_LINE} bytes")
        return self.read(at + 1 if at >= 0 else len(self._held))

    def renew(self) -> None:
        """A good record was read: what follows may be unpacked at full length again."""

    def skip(self, size: int) -> None:
        """Leave out ``size`` bytes."""
        while size > 0:
            step = self.read(min(size, PIECE))
            if not step:
                raise BrokenArchive("the archive ends in the middle of a record")
            size -= len(step)

    def find(self, mark: bytes) -> bool:
        """Go on to the next occurrence of ``mark``; False when there is none."""
        while (at := self._held.find(mark)) < 0:
            del self._held[: max(len(self._held) - len(mark) + 1, 0)]
            if not (piece := self.more()):
                self._held.clear()
                return False
            self._held += piece
        del self._held[:at]
        return True


class PlainStream(Stream):
    """A file as it is."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file

    def more(self) -> bytes:
        return self._file.read(PIECE)

    def has_at(self, size: int, mark: bytes) -> bool:
        """True if ``mark`` stands ``size`` bytes further on."""
        at = self._file.tell()
        self._file.seek(at - len(self._held) + size)
        found = self._file.read(len(mark)) == mark
        self._file.seek(at)
        return found


class MemberStream(Stream):
    """One gzip member of a file, decompressed; it ends where the member ends."""

    def __init__(self, raw: Stream) -> None:
        super().__init__()
        self._raw = raw
        self._step = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._given = 0  # since the last good record
        self._taken = b""  # compressed bytes from which nothing came yet: this may be no gzip
        self.moved = False  # whether any of it could be unpacked

    def more(self) -> bytes:
        while not self._step.eof:
            taken = self._raw.read(PIECE)
            try:
                piece = self._step.decompress(taken, _UNPACKED)
            except zlib.error as problem:
                raise self._given_up(taken, f"broken gzip: {problem}") from None
            if not self.moved and not piece:
                self._taken += taken
            if not taken or len(self._taken) > MAX_SILENT:
                raise self._given_up(b"", "a gzip of which nothing comes")
            self._raw.give_back(self._step.unused_data or self._step.unconsumed_tail)
            if piece:
                self.moved = True
                self._given += len(piece)
                if self._given > MAX_PASSED_OVER:  # a bomb is left where it lies
                    raise BrokenArchive("a record that unpacks without end")
                return piece
        return b""

    def _given_up(self, taken: bytes, why: str) -> BrokenArchive:
        """Put back the bytes that may hold other records."""
        self._raw.give_back(taken if self.moved else self._taken + taken)
        self._taken = b""
        return BrokenArchive(why)

    def renew(self) -> None:
        self._given = 0

    def finish(self) -> None:
        """Go to the end of the member."""
        self._held.clear()
        while self.more():
            pass


def members(raw: Stream) -> Iterator[MemberStream]:
    """The gzip members of a file; after a broken one it goes on where the next one begins."""
    false_starts = 0
    while false_starts < MAX_FALSE_STARTS and raw.find(GZIP_MAGIC):
        member = MemberStream(raw)
        yield member
        try:
            member.finish()
            false_starts = 0
        except BrokenArchive:
            false_starts += 1
            if not member.moved:  # its very beginning is broken: look behind it
                raw.read(1)
