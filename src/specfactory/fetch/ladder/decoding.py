"""Undoes Content-Encoding piece by piece, so that a bomb is noticed before it fills memory.

Pure: compressed chunks in, bounded pieces out. Broken data raises BrokenEncoding.
"""

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

_PIECE = 256 * 1024  # largest output of one step
_AT_ONCE = 64 * 1024  # given to zlib, which copies what it leaves over
_SLICE = 128  # zstd has no limit for its output, only for its input
_MAX_LAYERS = 2
_MOST_BETWEEN = 32 * 2**20  # bytes that one layer may give to the next
_FREE_PARTS = 1_000  # members or frames of a body, each of which costs time even when empty
_BYTES_A_PART = 1_000  # that the others have to give on average


class BrokenEncoding(ValueError):
    """The body is not what its Content-Encoding says, or that is not one we know."""


class EndlessEncoding(ValueError):
    """A layer unpacks to more bytes or more parts than any page needs."""


class Decoder:
    """One layer of Content-Encoding."""

    _step: Any
    _error: type[Exception]  # what the library raises for broken data

    def __init__(self, name: str) -> None:
        self._name, self._started = name, False
        self._parts = self._given = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Decode a chunk into pieces of bounded size."""
        self._started = self._started or bool(chunk)
        try:
            for piece in self._pieces(chunk):
                self._given += len(piece)
                yield piece
        except self._error as problem:
            raise BrokenEncoding(f"broken {self._name}: {problem}") from None

    def finish(self) -> None:
        """Raise BrokenEncoding when the stream stopped in the middle."""
        if self._started and not self._is_finished():
            raise BrokenEncoding(f"the body ends in the middle of its {self._name}")

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        raise NotImplementedError

    def _is_finished(self) -> bool:
        return bool(self._step.eof)

    def _begin_part(self) -> None:
        self._parts += 1
        if self._parts > _FREE_PARTS + self._given // _BYTES_A_PART:
            raise EndlessEncoding(f"{self._parts} parts of {self._name} with next to nothing in it")


class _Zlib(Decoder):
    """gzip (several members too) and deflate, with or without its zlib header."""

    _error = zlib.error

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._step, self._ended = None, False

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        if chunk and self._step is None:
            wrapped = chunk[0] & 0x0F == 8 and chunk[0] >> 4 <= 7
            window = zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS
            gzip = zlib.MAX_WBITS | 16
            self._step = zlib.decompressobj(window if self._name == "deflate" else gzip)
        for start in range(0, len(chunk), _AT_ONCE):
            rest = chunk[start : start + _AT_ONCE]
            while rest and not self._ended:
                yield self._step.decompress(rest, _PIECE)
                rest = self._step.unconsumed_tail
                if rest or not self._step.eof:
                    continue
                rest = self._step.unused_data
                if self._name == "gzip" and rest.startswith(b"\x1f"):  # another member
                    self._begin_part()
                    self._step = zlib.decompressobj(zlib.MAX_WBITS | 16)
                else:
                    self._ended = bool(rest)  # what follows is padding, as in browsers


class _Brotli(Decoder):
    """br"""

    def __init__(self, name: str) -> None:
        import brotli  # type: ignore[import-untyped]  # loaded only when a server uses it

        super().__init__(name)
        self._error, self._step = brotli.error, brotli.Decompressor()

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        piece = b""
        if chunk and not self._step.is_finished():
            yield (piece := self._step.process(chunk, output_buffer_limit=_PIECE))
        # It accepts more while output still waits: only an empty piece says that none does.
        while not self._step.is_finished() and (piece or not self._step.can_accept_more_data()):
            yield (piece := self._step.process(b"", output_buffer_limit=_PIECE))

    def _is_finished(self) -> bool:
        return bool(self._step.is_finished())


class _Zstd(Decoder):
    """zstd (several frames too), with the window that RFC 9659 allows"""

    def __init__(self, name: str) -> None:
        import zstandard

        super().__init__(name)
        self._error = zstandard.ZstdError
        self._frames = zstandard.ZstdDecompressor(max_window_size=8 * 2**20)
        self._step = self._frames.decompressobj()

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        for start in range(0, len(chunk), _SLICE):
            rest = chunk[start : start + _SLICE]
            while rest:
                if self._step.eof:  # another frame begins
                    self._begin_part()
                    self._step = self._frames.decompressobj()
                yield self._step.decompress(rest)
                rest = self._step.unused_data if self._step.eof else b""


class _Between(Decoder):
    """Caps the output of a layer under another one: nothing else sees it."""

    def __init__(self, layer: Decoder) -> None:
        self._layer, self._given = layer, 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        for piece in self._layer.feed(chunk):
            self._given += len(piece)
            if self._given > _MOST_BETWEEN:
                raise EndlessEncoding(f"more than {_MOST_BETWEEN} bytes between two encodings")
            yield piece

    def finish(self) -> None:
        self._layer.finish()


_DECODERS: Mapping[str, type[Decoder]] = {
    "gzip": _Zlib, "x-gzip": _Zlib, "deflate": _Zlib, "br": _Brotli, "zstd": _Zstd,
}  # fmt: skip


def make_decoders(content_encoding: str) -> list[Decoder]:
    """The layers to undo, in the order of undoing them."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    names = [name for name in names if name not in ("", "identity", "none", "utf-8")]
    if len(names) > _MAX_LAYERS:
        raise BrokenEncoding(f"{len(names)} layers of Content-Encoding")
    for name in names:
        if name not in _DECODERS:
            raise BrokenEncoding(f"unknown Content-Encoding {name[:40]!r}")
    layers = [_DECODERS[name](name.removeprefix("x-")) for name in reversed(names)]
    return [*(_Between(layer) for layer in layers[:-1]), *layers[-1:]]


def decode(decoders: list[Decoder], chunk: bytes) -> Iterator[bytes]:
    """Run a chunk through all layers, piece by piece."""
    if not decoders:
        yield chunk
        return
    first, *rest = decoders
    for piece in first.feed(chunk):
        if piece:
            yield from decode(rest, piece)
