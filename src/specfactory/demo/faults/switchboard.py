"""Which site has which fault: drawn by the seed for single pages, or switched on for a site."""

import time
from collections.abc import Callable, Mapping
from random import Random

from aiohttp import web

from specfactory.demo.faults.table import DRAWN, FAULTS
from specfactory.demo.faults.values import OWN, Case, Fault, Scope, Visit
from specfactory.demo.values import Answer

Pages = Callable[[str], Answer]

_BY_NAME: Mapping[str, Fault] = {fault.name: fault for fault in FAULTS}
_SPARED = ("/robots.txt", "/sitemap", "/maps/", "/search", "/truth.json", "/favicon.ico")
_SHARE = 0.2  # of the pages, where the seed deals faults
_STRUCK_EVERY = 5  # where a fault strikes some of a site's pages, one in so many


def find_fault(name: str) -> Fault:
    """The fault of that name; KeyError when there is none."""
    return _BY_NAME[name]


def fault_of(seed: int, site: str, path: str, share: float = _SHARE) -> Fault | None:
    """The fault that the seed gives this page of a site, if any; what leads to pages is spared."""
    if path == "/" or path.startswith(_SPARED):
        return None
    rng = Random(f"{seed}:{site.partition('.')[0]}:{path}:fault")
    return _BY_NAME[rng.choice(DRAWN)] if rng.random() < share else None


class Switchboard:
    """The faults of a demo web that are on; a site may be named by an alias of its own."""

    def __init__(self, seed: int, drawn: bool = False, slow_seconds: float = 8.0) -> None:
        self._seed, self._drawn, self._slow_seconds = seed, drawn, slow_seconds
        self._switched: dict[str, Case] = {}
        self._by_page: dict[tuple[str, str], Case] = {}

    def switch(self, site: str, fault: str, on: bool = True, after: int = 0) -> None:
        """Let a fault begin at a site, after so many more pages, or end it."""
        if not on:
            self._switched.pop(site, None)
            return
        chosen = find_fault(fault)
        if chosen.act is None:
            raise ValueError(f"{fault} is of scope {chosen.scope}: no site can do it")
        self._switched[site] = Case(chosen, self._slow_seconds, spare=after)

    def state(self) -> dict[str, dict[str, str | float | None]]:
        """Per site: its fault, how long ago it began, and how many requests met it."""
        now = time.monotonic()
        return {
            site: {
                "fault": case.fault.name,
                "seconds": None if case.began is None else round(now - case.began, 3),
                "struck": case.struck,
            }
            for site, case in self._switched.items()
        }

    async def meet(
        self, request: web.BaseRequest, site: str, page: Pages, rebuilt: Pages
    ) -> web.StreamResponse | None:
        """What a fault answers to a request; None: there is none, all is well."""
        case = self._case(site, request.path)
        if case is None or case.fault.act is None or not case.strikes(request.path):
            return None
        return await case.fault.act(Visit(request, site, case, page, rebuilt))

    def _case(self, site: str, path: str) -> Case | None:
        if path.startswith(_SPARED):
            return None
        case = self._switched.get(site)
        if case is not None:
            return case if self._is_struck(case, site, path) else None
        fault = fault_of(self._seed, site, path) if self._drawn else None
        return self._by_page.setdefault((site, path), Case(fault)) if fault else None

    def _is_struck(self, case: Case, site: str, path: str) -> bool:
        """Some faults strike every fifth page only, in the order in which pages are asked for."""
        if case.fault.scope is not Scope.PATH or path.startswith(OWN):
            return True
        offset = Random(f"{self._seed}:{site}:struck").randrange(_STRUCK_EVERY)
        number = case.pages.setdefault(path, len(case.pages))
        return number % _STRUCK_EVERY == offset
