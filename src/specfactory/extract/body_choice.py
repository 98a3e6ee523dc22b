"""Which lines together make the best body."""

from __future__ import annotations

from collections.abc import Sequence


def best_lines(likely: Sequence[float], words: Sequence[int]) -> list[int]:
    """The lines that together promise the best balance of what is right and what is complete."""
    weights = [float(max(1, size)) for size in words]
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
