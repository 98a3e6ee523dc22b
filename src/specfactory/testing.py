"""Shipped fakes for tests: a manual clock, a scripted network and a scripted model."""

import asyncio
import heapq
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urljoin

from specfactory.errors import ModelFailed
from specfactory.fetch.addresses import over_limit
from specfactory.model import Cause, FetchRequest, FetchResponse, Instant, Outcome
from specfactory.ports import ModelReply, ModelRequest, Shared
from specfactory.settings import Settings

Result = TypeVar("Result")
Answer = FetchResponse | Callable[[FetchRequest], FetchResponse]

ANY_LOOPBACK = ("*",)
"""For ``FetchSettings.allow_loopback`` in tests: their servers take any free port."""
START: Instant = 1_767_225_600_000  # 2026-01-01


def open_to_loopback(settings: Settings) -> Settings:
    """Let all pages on this machine be fetched, which no settings file can say."""
    return replace(settings, fetch=replace(settings.fetch, allow_loopback=ANY_LOOPBACK))


class ManualClock:
    """Time that passes only by ``advance`` or, unless ``jump`` is off, by sleeping."""

    def __init__(self, start: Instant = START, *, jump: bool = True) -> None:
        self._now, self._jump = float(start), jump
        self._start = float(start)
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self.slept: list[float] = []

    def now(self) -> Instant:
        """The instant it was moved to."""
        return round(self._now)

    def monotonic(self) -> float:
        """Seconds since the start."""
        return (self._now - self._start) / 1000

    def advance(self, seconds: float) -> None:
        """Move time on and wake the sleepers that are due."""
        self._move_to(self._now + seconds * 1000)

    async def sleep(self, seconds: float) -> None:
        """Sleep: time jumps to the end of it, or waits for ``advance``."""
        self.slept.append(seconds)
        wake_at = self._now + max(seconds, 0) * 1000
        if self._jump:
            await asyncio.sleep(0)
            self._move_to(max(self._now, wake_at))
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (wake_at, next(self._order), future))
        await future

    def _move_to(self, instant: float) -> None:
        self._now = instant
        while self._sleepers and self._sleepers[0][0] <= instant:
            _, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)


def answer(
    body: bytes | str = b"",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    failure: Outcome | None = None,
    detail: str = "",
    cause: Cause = Cause.NONE,
) -> FetchResponse:
    """A scripted answer; its URL is filled in by the fetcher."""
    raw = body.encode() if isinstance(body, str) else body
    named = {name.lower(): value for name, value in (headers or {}).items()}
    if raw and "content-type" not in named:
        named["content-type"] = "text/html; charset=utf-8"
    return FetchResponse("", "", status if failure is None else 0, named, raw,
                         failure=failure, failure_detail=detail, cause=cause)  # fmt: skip


class ScriptedFetcher:
    """A Fetcher that answers from a script; what is not in it is a 404.

    Several answers for one URL are given one after the other, the last for ever.
    """

    def __init__(self, script: Mapping[str, Answer | list[Answer]] | None = None) -> None:
        self.script = dict(script or {})
        self.requests: list[FetchRequest] = []
        self.closed = False

    @property
    def urls(self) -> list[str]:
        """The requested URLs, in order."""
        return [request.url for request in self.requests]

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        """Answer, following redirects as the real one does."""
        url, chain = request.url, list[str]()
        while True:
            self.requests.append(replace(request, url=url))
            given = self._next(self.requests[-1])
            target = given.headers.get("location", "") if 300 <= given.status < 400 else ""
            given = replace(given, url=request.url, final_url=url, redirects=tuple(chain))
            if not target or given.status == 304:
                return given
            if problem := over_limit(chain, request.max_redirects):
                return replace(
                    given, failure=Outcome.NETWORK_ERROR, failure_detail=problem,
                    cause=Cause.REDIRECT_LOOP,
                )  # fmt: skip
            url = urljoin(url, target)
            chain.append(url)

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True

    def _next(self, request: FetchRequest) -> FetchResponse:
        given = self.script.get(request.url)
        if isinstance(given, list):
            given = given.pop(0) if len(given) > 1 else given[0]
        if given is None:
            return answer("not found", 404)
        return given(request) if callable(given) else given


class ScriptedBrowser(ScriptedFetcher):
    """A Browser that answers from a script, until ``trouble`` is set."""

    trouble = ""

    async def prepare(self) -> str:
        """The reason why it cannot be used, "" when it can."""
        return self.trouble


class ScriptedModel:
    """A LanguageModel that answers from a script, one entry a question, the last for ever."""

    def __init__(self, *script: str | ModelReply | ModelFailed, name: str = "scripted") -> None:
        self.name, self.place = name, "scripted:0"
        self.requests: list[ModelRequest] = []
        self._script = list(script) or ['{"answers": []}']

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The next entry: words, a whole reply, or a failure that is raised."""
        self.requests.append(request)
        given = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if isinstance(given, ModelFailed):
            raise given
        if isinstance(given, ModelReply):
            return given
        return ModelReply(given, len(request.user) // 4 + 1, len(given) // 4 + 1)

    async def close(self) -> None:
        """Nothing to close."""


class DirectReaders:
    """Reads pages at once, in this process, without limits."""

    async def run(
        self,
        work: Callable[..., Result],
        *given: Any,
        quick: bool = False,
        deadline_seconds: float | None = None,
    ) -> Result:
        """Call it."""
        return work(*(one.value if isinstance(one, Shared) else one for one in given))

    async def close(self) -> None:
        """Nothing is open."""
