"""The bytes of a web archive, plain or gzipped record by record, read in small pieces.

Archives are hostile: nothing here holds more than a piece and what it was asked for, and what is
passed over is bounded, so that a bomb costs seconds and not memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from specfactory.store.warc_records import GZIP_MAGIC

PIECE = 64 * 1024
_GIVEN = 256 * 1024  # the most that one step of decompression may give
MAX_SILENT = 4 * PIECE  # bytes taken of a member before anything comes out of it
MAX_PASSED_OVER = 200_000_000  # bytes that are unpacked in vain before a member is left
MAX_FALSE_STARTS = 1_000  # places that look like a record and are none, one after the other


class BrokenArchive(ValueError):
    """What follows is no record; the reader goes on at the next one."""


class Stream:
    """Bytes that can be read by line, by length, and given back."""

    def __init__(self) -> None:
        self._held = bytearray()

    def more(self) -> bytes:
        """The next piece; empty at the end."""
        raise NotImplementedError

    def read(self, size: int) -> bytes:
        """So many bytes; fewer only at the end."""
        while len(self._held) < size and (piece := self.more()):
            self._held += piece
        given = bytes(self._held[:size])
        del self._held[:size]
        return given

    def line(self, limit: int) -> bytes:
        """The next line with its end; one of more than ``limit`` is left: BrokenArchive."""
        start = 0
        while (at := self._held.find(b"\n", start)) < 0 and len(self._held) <= limit:
            start = len(self._held)
            if not (piece := self.more()):
                break
            self._held += piece
        if at < 0 and len(self._held) > limit:
            del self._held[:limit]  # or whoever goes on would come by it again, for ever
            raise BrokenArchive(f"a line of more than {limit} bytes")
        return self.read(at + 1 if at >= 0 else len(self._held))

    def peek(self, size: int) -> bytes:
        """The bytes that come next, which stay."""
        given = self.read(size)
        self.give_back(given)
        return given

    def give_back(self, some: bytes) -> None:
        """Put bytes back, to be read again."""
        self._held[:0] = some

    def renew(self) -> None:
        """A record was read as it should be."""

    def pass_over(self, size: int) -> None:
        """Leave out so many bytes."""
        while size > 0:
            step = self.read(min(size, PIECE))
            if not step:
                raise BrokenArchive("the archive ends in the middle of a record")
            size -= len(step)

    def find(self, mark: bytes) -> bool:
        """Go on to where a mark stands; False when it does not come any more."""
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

    def leads_to(self, size: int, mark: bytes) -> bool:
        """Whether a mark stands so many bytes further on."""
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
        self._taken = bytearray()  # until something comes out: it may be no gzip at all
        self.moved = False  # whether any of it could be unpacked

    def more(self) -> bytes:
        while not self._step.eof:
            if piece := self._unpacked():
                self.moved = True
                self._given += len(piece)
                if self._given > MAX_PASSED_OVER:  # a bomb is left where it lies
                    raise BrokenArchive("a record that unpacks without end")
                return piece
        return b""

    def _unpacked(self) -> bytes:
        taken = self._raw.read(PIECE)
        try:
            piece = self._step.decompress(taken, _GIVEN)
        except zlib.error as problem:
            self._give_up(taken)
            raise BrokenArchive(f"broken gzip: {problem}") from None
        if not self.moved and not piece:
            self._taken += taken
        if not taken or len(self._taken) > MAX_SILENT:
            self._give_up(b"")
            raise BrokenArchive("a gzip of which nothing comes")
        self._raw.give_back(self._step.unused_data or self._step.unconsumed_tail)
        return piece

    def _give_up(self, taken: bytes) -> None:
        """Put back what may hold other records."""
        self._raw.give_back(taken if self.moved else bytes(self._taken) + taken)
        self._taken.clear()

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
