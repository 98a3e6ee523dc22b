"""Which lines together make the best body."""

from __future__ import annotations

from collections.abc import Sequence

_RUN = 4  # words
_FEW_WORDS = 8  # so short a line may be said twice on purpose
_REPEATED = 0.8


def best_lines(likely: Sequence[float], words: Sequence[int]) -> list[int]:
    """The lines that together promise the best balance of what is right and what is complete."""
    weights = _weights(words)
    total = sum(p * weight for p, weight in zip(likely, weights, strict=True))
    order = sorted(range(len(likely)), key=lambda at: -likely[at])
    best, chosen, mass, size = 0.0, 0, 0.0, 0.0
    for count, at in enumerate(order, 1):
        mass += likely[at] * weights[at]
        size += weights[at]
        balance = 2 * mass / (size + total)
        if balance > best:
            best, chosen = balance, count
    return sorted(order[:chosen])


def promise(likely: Sequence[float], words: Sequence[int], chosen: Sequence[int]) -> float:
    """How well some lines are expected to meet the content; 0 for none."""
    weights = _weights(words)
    mass = sum(likely[at] * weights[at] for at in chosen)
    size = sum(weights[at] for at in chosen)
    total = sum(p * weight for p, weight in zip(likely, weights, strict=True))
    return 2 * mass / (size + total) if size else 0.0


def _weights(words: Sequence[int]) -> list[float]:
    return [float(max(1, size)) for size in words]


def without_repeats(
    chosen: Sequence[int], words: Sequence[Sequence[str]], boxes: Sequence[int]
) -> list[int]:
    """Those of some lines that say more than the ones before them in other boxes.

    Pages hold a text twice for narrow and for wide screens, in a preview, in a quote; what
    is said again in the same box (a refrain, a table) is said on purpose.
    """
    said: dict[tuple[str, ...], int] = {}
    kept = []
    for at in chosen:
        spoken, box = words[at], boxes[at]
        if len(spoken) >= _FEW_WORDS:
            runs = [tuple(spoken[start : start + _RUN]) for start in range(len(spoken) - _RUN + 1)]
            if sum(said.get(run, box) != box for run in runs) >= _REPEATED * len(runs):
                continue
            for run in runs:
                said.setdefault(run, box)
        kept.append(at)
    return kept
