"""Content-Encoding undone in bounded pieces."""

import gzip
import zlib
from contextlib import suppress

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.fetch.ladder.decoding import BrokenEncoding, EndlessEncoding, decode, make_decoders

COMPRESS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def undo(name: str, body: bytes, step: int = 1000) -> bytes:
    decoders = make_decoders(name)
    pieces = [
        piece
        for start in range(0, len(body), step)
        for piece in decode(decoders, body[start : start + step])
    ]
    for decoder in decoders:
        decoder.finish()
    return b"".join(pieces)


@settings(deadline=None)
@given(st.sampled_from(sorted(COMPRESS)), st.binary(max_size=5000), st.integers(1, 700))
def test_what_was_compressed_comes_back_however_it_is_cut(name, body, step):
    assert undo(name, COMPRESS[name](body), step) == body


@settings(deadline=None)
@given(st.sampled_from(sorted(COMPRESS)), st.binary(max_size=300))
def test_garbage_is_read_or_called_broken(name, body):
    with suppress(BrokenEncoding):
        assert isinstance(undo(name, body, 50), bytes)


@pytest.mark.parametrize("name", sorted(COMPRESS))
def test_one_step_never_gives_a_bomb_at_once(name):
    bomb = COMPRESS[name](b"\0" * 30_000_000)
    pieces = decode(make_decoders(name), bomb)

    assert max(len(piece) for piece, _ in zip(pieces, range(5), strict=False)) <= 5_000_000


@pytest.mark.parametrize("name", sorted(COMPRESS))
def test_layer_that_unpacks_without_end_ends_although_the_next_gives_nothing(name):
    nameless = b"\x1f\x8b\x08\x08" + b"\0" * 6  # gzip whose name of the file never ends
    packed = COMPRESS[name](nameless + b"x" * 100_000_000)

    with pytest.raises(EndlessEncoding):
        undo(f"gzip, {name}", packed)


@pytest.mark.parametrize("name", sorted(COMPRESS))
def test_large_body_that_arrives_in_one_piece_is_whole(name):
    for body in (b"a" * 600_000, bytes(range(256)) * 2_500):
        packed = COMPRESS[name](body)

        assert undo(name, packed, len(packed)) == body


@pytest.mark.parametrize("name", ["gzip", "zstd"])
@pytest.mark.parametrize("content", [b"", b"a"])
def test_crowd_of_tiny_parts_is_refused_early(name, content):
    crowd = COMPRESS[name](content) * 100_000

    for encoding, body in ((name, crowd), (f"{name}, br", brotli.compress(crowd))):
        with pytest.raises(EndlessEncoding, match="parts"):
            undo(encoding, body, len(body))


def test_many_parts_with_something_in_them_are_read():
    part = bytes(range(250)) * 40

    assert undo("gzip", gzip.compress(part) * 1_200) == part * 1_200


@pytest.mark.parametrize("name", sorted(COMPRESS))
def test_body_that_stops_in_the_middle_is_broken(name):
    body = COMPRESS[name](bytes(range(256)) * 20)

    with pytest.raises(BrokenEncoding, match="middle"):
        undo(name, body[: len(body) // 2])


def test_empty_body_is_empty_in_every_encoding():
    assert [undo(name, b"") for name in COMPRESS] == [b""] * 4


def test_unknown_and_endless_encodings_are_refused():
    for name in ("compress", "gzip, gzip, gzip"):
        with pytest.raises(BrokenEncoding):
            make_decoders(name)


def test_encodings_that_change_nothing_are_ignored():
    assert make_decoders("identity, ") == []
