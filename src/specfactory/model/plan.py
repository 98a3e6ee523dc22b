"""Plans of rounds, yields of sources, and coverage."""

from __future__ import annotations

from collections.abc import Mapping

from specfactory.model.base import Frozen
from specfactory.model.contract import Level, Source


class SourceYield(Frozen):
    """Past yield of a source: pages fetched, and per field the pages that gave it."""

    host: str
    category: str
    pages: int
    fields: Mapping[str, int]  # field -> pages that gave a candidate which passed
    seconds: float = 0.0  # spent on it, all pages together
    failures: int = 0


class PlannedSource(Frozen):
    """One step of a round: a source or page, and why."""

    source: Source
    url: str | None  # None: to be found by search or sitemap
    expected_fields: float
    expected_cost: float
    why: str


class Coverage(Frozen):
    """Filled share of a contract."""

    total: int
    filled: int
    missing: Mapping[Level, tuple[str, ...]]  # level -> unfilled fields

    @property
    def share(self) -> float:
        """Filled fields over all fields."""
        return self.filled / self.total if self.total else 1.0
