"""The whole demo web: its plan, and what each address answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

from specfactory.demo.pages import Press
from specfactory.demo.sites import draw_sites, site_count
from specfactory.demo.truth import choose_mice
from specfactory.demo.values import Answer, Statement
from specfactory.demo.world_plan import WorldPlan, truth_json


def build_world(
    seed: int, base_port: int = 8600, products: int = 64, relaunched: Collection[str] = ()
) -> World:
    """The demo web of a seed: the same seed gives the same bytes. Port 0 means free ports.

    Sites that are ``relaunched`` say the same in other markup.
    """
    count = site_count()
    ports = [base_port + n for n in range(count)] if base_port else [0] * count
    return build_at(seed, ports, products, relaunched)


def build_at(
    seed: int, ports: Sequence[int], products: int, relaunched: Collection[str] = ()
) -> World:
    """The demo web of a seed on given ports, the index first."""
    return World(seed, draw_sites(seed, ports), choose_mice(products), relaunched)


class World(WorldPlan):
    """A small internet with its pages."""

    @cached_property
    def _press(self) -> Press:
        return Press(self)

    def at(self, ports: Sequence[int]) -> World:
        """The same web on other ports."""
        return build_at(self.seed, ports, len(self.products), self.relaunched)

    def page(self, host: str, path: str) -> Answer:
        """What the server of ``host`` answers for a path with its query."""
        return self._press.answer(host, path)

    def redrawn(self, host: str, path: str) -> Answer:
        """The same after a relaunch in which icons took the place of labels."""
        return self._press.redrawn(host, path)

    def statements(self, host: str, product_id: str) -> tuple[Statement, ...]:
        """What the pages of a host say about a product, as it words it; data sheets included."""
        return self._press.statements(host, product_id)


def write_truth(world: World, path: Path) -> None:
    """Write truth and traps as one JSON file."""
    path.write_text(truth_json(world), encoding="utf-8")
