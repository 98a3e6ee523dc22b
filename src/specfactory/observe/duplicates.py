"""Texts that say the same with few words changed: MinHash over runs of words.

Each text becomes a signature of small numbers; the share of equal numbers estimates the share
of common runs. Signatures are cut into bands, so that only texts with an equal band are compared.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b

_WORD = re.compile(r"[^\W_]+")
_RUN = 4
_MAX_WORDS = 20_000
_SIZE = 64
_ROWS = 4  # numbers per band
_PRIME = (1 << 61) - 1
_TURNS = tuple(
    (int.from_bytes(blake2b(f"a{at}".encode(), digest_size=7).digest()) | 1,
     int.from_bytes(blake2b(f"b{at}".encode(), digest_size=7).digest()))
    for at in range(_SIZE)
)  # fmt: skip

Signature = tuple[int, ...]


def signature(text: str) -> Signature:
    """The signature of a text; empty for a text without words."""
    words = _WORD.findall(text.casefold())[:_MAX_WORDS]
    if not words:
        return ()
    runs = {" ".join(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1))}
    hashes = [int.from_bytes(blake2b(run.encode(), digest_size=7).digest()) for run in runs]
    return tuple(min((a * one + b) % _PRIME for one in hashes) for a, b in _TURNS)


def resemblance(one: Signature, other: Signature) -> float:
    """The estimated share of common runs of two texts, 0 to 1."""
    if not one or not other:
        return 0.0
    return sum(a == b for a, b in zip(one, other, strict=True)) / _SIZE


def near_duplicates(
    signatures: Mapping[str, Signature], least: float = 0.7
) -> Iterator[tuple[str, str, float]]:
    """Pairs of names whose texts resemble each other, each once, in the order of the names."""
    by_band: dict[tuple[int, Signature], list[str]] = {}
    for name in sorted(signatures):
        marks = signatures[name]
        for band in range(0, len(marks), _ROWS):
            by_band.setdefault((band, marks[band : band + _ROWS]), []).append(name)
    seen: set[tuple[str, str]] = set()
    for names in by_band.values():
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                if (one, other) not in seen:
                    seen.add((one, other))
                    share = resemblance(signatures[one], signatures[other])
                    if share >= least:
                        yield one, other, share
