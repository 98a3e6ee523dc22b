"""Choice of the lines that together make the best body."""

from collections.abc import Sequence

_RUN = 4  # words
_FEW_WORDS = 8  # shorter lines may be repeated on purpose
_REPEATED = 0.8


def best_lines(likely: Sequence[float], words: Sequence[int]) -> list[int]:
    """Choose the lines with the highest expected F1."""
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
    """Expected F1 of some lines; 0 for none."""
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
    """Drop lines that repeat earlier lines of other boxes.

    Pages hold a text twice for narrow and wide screens, in a preview, in a quote; repetition
    in the same box (a refrain, a table) is on purpose.
    """
    first_box: dict[tuple[str, ...], int] = {}  # of every run of words
    kept = []
    for at in chosen:
        spoken, box = words[at], boxes[at]
        if len(spoken) >= _FEW_WORDS:
            runs = [tuple(spoken[start : start + _RUN]) for start in range(len(spoken) - _RUN + 1)]
            if sum(first_box.get(run, box) != box for run in runs) >= _REPEATED * len(runs):
                continue
            for run in runs:
                first_box.setdefault(run, box)
        kept.append(at)
    return kept
