"""Everything the seed decides about the demo web but its pages: sites, truth, traps, shelves."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from specfactory.demo.drawing import Shelf, Staging, Style, draw_shelves
from specfactory.demo.placing import Placer
from specfactory.demo.staging import Stage
from specfactory.demo.traps import TrapLister
from specfactory.demo.truth import OWN_FIELDS, Facts, FactsAt, Mouse, draw_facts, facts_at, leading
from specfactory.demo.values import Site, Trap, Truth
from specfactory.model import Json, Product


class WorldPlan:
    """A small internet before its pages are drawn; everything in it follows from the seed."""

    def __init__(
        self,
        seed: int,
        sites: tuple[Site, ...],
        mice: Sequence[Mouse],
        relaunched: Collection[str] = (),
    ) -> None:
        self.seed, self.sites = seed, sites
        self.relaunched = frozenset(relaunched)
        self.products: tuple[Product, ...] = tuple(mouse.product for mouse in mice)
        self.mice = mice
        self.facts: Mapping[str, Facts] = draw_facts(seed, mice)
        self.facts_at: FactsAt = facts_at(seed, sites, mice, self.facts)
        self.shelves = draw_shelves(sites, seed, mice)
        self.styles = {site.name: Style(site, seed) for site in sites}
        placer = Placer(seed, self.shelves, self.styles, self.facts)
        placer.place(mice)
        self.stated, self.datasheets = placer.stated, placer.datasheets
        stage = Stage(seed, mice, self.facts, self.stated, self.shelves)
        self._stagings: dict[tuple[str, str], Staging] = {
            (shelf.site.name, mouse.id): stage.draw(shelf, mouse)
            for shelf in self.shelves
            for mouse in shelf.mice
        }
        self.truth: Mapping[str, Mapping[str, Truth]] = {
            mouse.id: self._truth_of(mouse) for mouse in mice
        }

    @cached_property
    def traps(self) -> tuple[Trap, ...]:
        """Every planted trap."""
        lister = TrapLister(self.facts_at, self.styles, self.stated, self.staging)
        return tuple(lister.all_of(self.shelves))

    def golden(self) -> dict[str, dict[str, Json]]:
        """The true values alone; ``{"any": […]}`` where each source has its own."""
        return {
            product: {name: _accepted(truth) for name, truth in fields.items()}
            for product, fields in self.truth.items()
        }

    def settings(self) -> dict[str, Any]:
        """A ``specfactory.yaml`` with which the factory uses this web and no other."""
        search = next(site for site in self.sites if site.layout == "websearch")
        return {
            "fetch": {
                # the index, where faults are switched, is no page of this web
                "allow_loopback": [site.host for site in self.sites if site.tier is not None],
                "host_delay_seconds": 0.02,
            },
            "search": {"web_url": f"{search.origin}/search?q={{query}}&format=json"},
            "sources": [*self._sources(), *_elsewhere()],
        }

    def _sources(self) -> Iterator[dict[str, Any]]:
        for shelf in self.shelves:
            site = shelf.site
            if site.tier is None:
                continue
            source: dict[str, Any] = {
                "host": site.host, "tier": str(site.tier), "scheme": "http", "category": "mouse",
                "groups": self._groups(site),
            }  # fmt: skip
            if site.search != "none":
                source["search"] = f"{site.origin}/search?q={{query}}"
            yield source

    def _groups(self, site: Site) -> list[str]:
        """The groups of which the site usually states a third or more."""
        style = self.styles[site.name]
        usual = set().union(*self.stated[site.name].values())
        groups: dict[str, list[bool]] = {}
        for name, spec in style.fields.items():
            groups.setdefault(spec.section, []).append(name in usual)
        return [group for group, known in groups.items() if sum(known) * 3 >= len(known)]

    def staging(self, shelf: Shelf, mouse: Mouse) -> Staging:
        return self._stagings.get((shelf.site.name, mouse.id), Staging())

    def _truth_of(self, mouse: Mouse) -> dict[str, Truth]:
        told = [shelf for shelf in self.shelves if shelf.lists(mouse)]
        return {
            name: self._truth(name, value, mouse, told)
            for name, value in self.facts[mouse.id].items()
        }

    def _truth(self, name: str, value: Json, mouse: Mouse, told: Sequence[Shelf]) -> Truth:
        right = [shelf.site for shelf in told if self._says_right(shelf, mouse, name)]
        by_host = self._by_host(name, mouse, right) if name in OWN_FIELDS else {}
        value = next(iter(by_host.values()), value)
        hosts = tuple(site.host for site in right)
        return Truth(value, any(site.readable for site in right), hosts, by_host)

    def _by_host(self, name: str, mouse: Mouse, sites: Sequence[Site]) -> dict[str, Json]:
        """What each site says, those first that are asked first for such a field."""
        ordered = sorted(sites, key=lambda s: (not leading(name, s.tier), not s.readable))
        return {site.host: self.facts_at[site.name][mouse.id][name] for site in ordered}

    def _says_right(self, shelf: Shelf, mouse: Mouse, name: str) -> bool:
        if self.styles[shelf.site.name].lists_several(name):
            return False
        stated = name in self.stated[shelf.site.name][mouse.id]
        if shelf.site.layout == "tabs":
            stated = stated or name in self.datasheets[mouse.id]
        return stated and name not in self._stagings[shelf.site.name, mouse.id].wrong


def _accepted(truth: Truth) -> Json:
    """The golden value: one, or any of those that sources say on their own account."""
    told = list({repr(value): value for value in truth.by_host.values()}.values())
    return {"any": told} if len(told) > 1 else truth.value


def _elsewhere() -> Iterator[dict[str, Any]]:
    """The contract's own sources, switched off: the demo stays on loopback."""
    from specfactory.contract import find_contract  # only settings need it

    for source in find_contract("mouse").sources:
        yield {"host": source.host, "tier": str(source.tier), "enabled": False, "category": "mouse"}


def truth_json(world: WorldPlan) -> str:
    """Truth and traps as JSON."""
    names = {product.id: product.name for product in world.products}
    content = {
        "seed": world.seed,
        "products": {
            product: {
                "name": names[product],
                "fields": {name: _truth_json(truth) for name, truth in fields.items()},
            }
            for product, fields in world.truth.items()
        },
        "traps": [
            {name: getattr(trap, name) for name in Trap.__struct_fields__} for trap in world.traps
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _truth_json(truth: Truth) -> dict[str, Json]:
    written = {"value": truth.value, "reachable": truth.reachable, "hosts": list(truth.hosts)}
    return written | ({"by_host": dict(truth.by_host)} if truth.by_host else {})
