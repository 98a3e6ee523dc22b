"""Timings of pages: phases, the longest of them, and aggregates over many pages."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypedDict

PHASES: Mapping[str, str] = {
    "dns": "DNS lookup",
    "tcp": "TCP connect",
    "tls": "TLS handshake",
    "ttfb": "First byte",
    "download": "Download",
    "render": "Render",
    "parse": "Parse",
    "extract": "Extract",
    "store": "Store",
}
"""The phases in the order in which they pass; a phase of another name comes after them."""


class Profile(TypedDict):
    """One page: milliseconds by phase, all together, and the longest phase ("" for none)."""

    phases: dict[str, float]
    total: float
    bottleneck: str


class PhaseStats(TypedDict):
    """One phase over many pages, in milliseconds; a page without it counts as 0."""

    avg: float
    p50: float
    p95: float


class AggregateStats(TypedDict):
    """Many pages: milliseconds in all, by phase, and the shares of the longest phases."""

    pages: int
    avg_total: float
    p50: float
    p95: float
    phases: dict[str, PhaseStats]
    bottlenecks: dict[str, float]  # shares of the pages, the largest first


class Laps:
    """A stopwatch for phases that follow one another: cheap enough for every page.

    Without a clock it stands still: the page is not timed.
    """

    __slots__ = ("_began", "_monotonic", "ms")

    def __init__(self, monotonic: Callable[[], float] | None = None) -> None:
        self._monotonic = monotonic
        self.ms: dict[str, float] = {}
        self.begin()

    @property
    def is_on(self) -> bool:
        """True if it measures."""
        return self._monotonic is not None

    def begin(self) -> None:
        """Start timing from now; the time since the last lap belongs to no phase."""
        self._began = self._monotonic() if self._monotonic is not None else 0.0

    def lap(self, phase: str) -> None:
        """Count the time since the last lap for this phase."""
        if self._monotonic is None:
            return
        now = self._monotonic()
        self.ms[phase] = round(self.ms.get(phase, 0.0) + (now - self._began) * 1000, 2)
        self._began = now


def in_order(phases: Iterable[str]) -> list[str]:
    """Phases in the order in which they pass."""
    known = list(PHASES)
    return sorted(phases, key=lambda name: known.index(name) if name in PHASES else len(known))


def profile_of(timings_ms: Mapping[str, float]) -> Profile:
    """The profile of one page."""
    phases = {name: timings_ms[name] for name in in_order(timings_ms)}
    longest = max(phases, key=phases.__getitem__, default="")
    return Profile(phases=phases, total=round(sum(phases.values()), 2), bottleneck=longest)


def aggregate(pages: Sequence[Mapping[str, float]]) -> AggregateStats:
    """Statistics over the timings of many pages; zeros when there are none."""
    profiles = [profile_of(timings) for timings in pages]
    totals = _spread([profile["total"] for profile in profiles])
    names = in_order({name for timings in pages for name in timings})
    longest = Counter(profile["bottleneck"] for profile in profiles if profile["bottleneck"])
    return AggregateStats(
        pages=len(pages),
        avg_total=totals["avg"],
        p50=totals["p50"],
        p95=totals["p95"],
        phases={name: _spread([timings.get(name, 0.0) for timings in pages]) for name in names},
        bottlenecks={name: round(n / len(pages), 4) for name, n in longest.most_common()},
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of ordered values lies, interpolated."""
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _spread(values: Sequence[float]) -> PhaseStats:
    ordered = sorted(values)
    return PhaseStats(
        avg=round(sum(ordered) / len(ordered), 2) if ordered else 0.0,
        p50=round(percentile(ordered, 0.50), 2),
        p95=round(percentile(ordered, 0.95), 2),
    )
