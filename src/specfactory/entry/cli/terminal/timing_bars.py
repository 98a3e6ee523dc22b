"""A page's phases as bars, each where it began; for terminals of any width."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.observe import Profile

FILLED, EMPTY, RULE, DOUBLE = "▓", "░", "─", "═"
_PLAIN = str.maketrans({FILLED: "#", EMPTY: ".", RULE: "-", DOUBLE: "="})
WIDEST_BAR, NARROWEST_BAR = 40, 8


def milliseconds(ms: float) -> str:
    """A duration in the unit that suits it: 0.42 ms, 45 ms, 1.23 s."""
    if ms >= 1000:
        return f"{ms / 1000:.2f} s"
    return f"{ms:.2f} ms" if ms < 10 else f"{ms:.0f} ms"


def plainly(line: str) -> str:
    """A drawn line in ASCII."""
    return line.translate(_PLAIN)


def waterfall(profile: Profile, width: int, *, plain: bool = False) -> list[str]:
    """The lines of the drawing: a bar a phase, then the total; ``plain`` keeps to ASCII."""
    from specfactory.observe import PHASES

    phases, total = profile["phases"], profile["total"]
    names = {phase: PHASES.get(phase, phase) for phase in phases}
    times = {phase: milliseconds(ms) for phase, ms in phases.items()}
    label = max(map(len, names.values()), default=0)
    right = max(map(len, [*times.values(), milliseconds(total)]))
    bar = min(width - label - right - 4, WIDEST_BAR)
    lines, began = list[str](), 0.0
    for phase, ms in phases.items():
        drawn = f" {_bar(began, ms, total, bar)} " if bar >= NARROWEST_BAR else " "
        lines.append(f" {names[phase]:<{label}}{drawn}{times[phase]:>{right}}")
        began += ms
    indent = " " * (label + 2 + (bar + 1 if bar >= NARROWEST_BAR else 0))
    lines += [indent + RULE * right, f"{indent}{milliseconds(total):>{right}} total"]
    return list(map(plainly, lines)) if plain else lines


def _bar(began: float, ms: float, total: float, width: int) -> str:
    """Draw the time before a phase, then the phase; one that took any time is never invisible."""
    if total <= 0:
        return EMPTY * width
    first = min(int(began / total * width), width - 1)
    length = max(round((began + ms) / total * width) - first, 1) if ms > 0 else 0
    length = min(length, width - first)
    return EMPTY * first + FILLED * length + EMPTY * (width - first - length)
