"""The nouns of faults: what goes wrong, where, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from enum import StrEnum

from aiohttp import web
from msgspec import Struct

from specfactory.demo.values import Answer
from specfactory.model import Frozen, Json, field

HOME = ("127.0.0.1", "::1")  # the addresses of somebody who comes without a proxy
OWN = "/__fault/"  # addresses that only a fault answers


class Scope(StrEnum):
    """What a fault strikes."""

    PATH = "path"  # some pages of a site
    SITE = "site"
    NETWORK = "network"  # what lies between us and a site
    FACTORY = "factory"  # the factory's own house


class Fault(Frozen):
    """One way to fail, as the catalogue says it before anything runs."""

    name: str
    what: str  # what happens
    scope: Scope
    curable: bool  # without a person
    diagnosis: str  # the right one; "": nothing but another try is needed
    ends: str  # when it ends, in words
    act: Act | None = None  # None: not done by a site's server
    times: int = 0  # ends after so many requests for the same path
    seconds: float = 0.0  # ends so long after it began

    def as_json(self) -> dict[str, Json]:
        """What the catalogue says of it."""
        return {
            "name": self.name, "what": self.what, "scope": str(self.scope),
            "curable": self.curable, "diagnosis": self.diagnosis, "ends": self.ends,
        }  # fmt: skip


class Case(Struct):
    """One fault at one site: since when, and what it remembers of its visitors."""

    fault: Fault
    slow_seconds: float = 8.0  # how late a slow host answers
    spare: int = 0  # page requests that are still well: it begins in the middle
    began: float | None = None
    struck: int = 0  # requests that met it
    last_at: dict[str, float] = field(default_factory=dict)  # address -> its last request
    times: dict[str, int] = field(default_factory=dict)  # path -> requests
    pages: dict[str, int] = field(default_factory=dict)  # path -> as the how-manieth it came

    def strikes(self, path: str) -> bool:
        """Whether this request meets the fault; counts it."""
        if self.spare > 0 and not path.startswith(OWN):
            self.spare -= 1
            return False
        if self.began is None:
            self.began = time.monotonic()
        self.times[path] = self.times.get(path, 0) + 1
        if self.fault.times and self.times[path] > self.fault.times:
            return False
        if self.fault.seconds and time.monotonic() > self.began + self.fault.seconds:
            return False
        self.struck += 1
        return True


class Visit(Frozen):
    """A request that meets a fault, and what it would have got without it."""

    request: web.BaseRequest
    site: str  # the name that was asked for: "razer", "new-razer"
    case: Case
    page: Callable[[str], Answer]  # path with query -> what the site says there
    rebuilt: Callable[[str], Answer]  # the same in other markup

    @property
    def well(self) -> web.Response:
        """The page as it should be."""
        return respond(self.page(self.request.path_qs))

    @property
    def address(self) -> str:
        """Where it came from."""
        return self.request.remote or ""

    @property
    def from_elsewhere(self) -> bool:
        """Whether it came through a proxy: from another address, or by what proxies add."""
        return self.address not in HOME or "Via" in self.request.headers


Act = Callable[[Visit], Awaitable[web.StreamResponse]]


def respond(answer: Answer) -> web.Response:
    """An answer as the server sends it."""
    return web.Response(status=answer.status, headers=dict(answer.headers), body=answer.body)
