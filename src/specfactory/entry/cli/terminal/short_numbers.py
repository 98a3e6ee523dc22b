"""Numbers and times in few characters, for people."""

from collections.abc import Sequence

_BLOCKS = "▁▂▃▄▅▆▇█"


def short(count: int) -> str:
    """At most four characters or so: 987, 9.9k, 45k, 1.2M."""
    for size, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if count >= size:
            scaled = count / size
            return f"{scaled:.1f}{letter}" if scaled < 9.95 else f"{scaled:.0f}{letter}"
    return str(count)


def duration(seconds: float) -> str:
    """The two largest units that matter: 8 s, 12 min, 3 h 05 min, 4 d 2 h."""
    whole = round(max(seconds, 0))
    if whole < 100:
        return f"{whole} s"
    minutes, hours, days = round(whole / 60), whole // 3600, whole // 86_400
    if minutes < 100:
        return f"{minutes} min"
    if hours < 48:
        return f"{hours} h {whole % 3600 // 60:02d} min"
    return f"{days} d {whole % 86_400 // 3600} h"


def per_minute(rate: float) -> str:
    """A pace in the unit that suits it: 3.2/h, 12/min, 450/s."""
    if rate <= 0:
        return "0/min"
    if rate < 1:
        return f"{rate * 60:.1f}/h"
    if rate < 600:
        return f"{rate:.1f}/min" if rate < 10 else f"{rate:.0f}/min"
    return f"{rate / 60:,.0f}/s"


def sparkline(values: Sequence[float | None], width: int, rows: int = 1) -> list[str]:
    """Rows of bars over the whole width, the latest at the right; a dot where nothing is known."""
    means: list[float | None] = []
    for column in range(width):
        first = column * len(values) // width
        last = max(((column + 1) * len(values) + width - 1) // width, first + 1)
        known = [value for value in values[first:last] if value is not None]
        means.append(sum(known) / len(known) if known else None)
    top = max((mean for mean in means if mean), default=0.0)
    return ["".join(_bar(mean, top, row, rows) for mean in means) for row in reversed(range(rows))]


def _bar(value: float | None, top: float, row: int, rows: int) -> str:
    """The piece of a bar that stands in a row; row 0 is the lowest."""
    if value is None:
        return "·" if row == 0 else " "
    if value <= 0 or top <= 0:
        return " "
    height = max(value / top * rows * len(_BLOCKS), 1) - row * len(_BLOCKS)
    return _BLOCKS[min(round(height), len(_BLOCKS)) - 1] if height >= 0.5 else " "
