"""The ports: what the factory needs of the outside world, each as narrow as it can be.

Adapters live in ``adapters/`` and are chosen in ``assembly`` only.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from specfactory.model import (
    Event,
    FetchRequest,
    FetchResponse,
    Frozen,
    Instant,
    Json,
    Product,
    Source,
)

Row = Mapping[str, Any]
Result = TypeVar("Result")

JOBS_CHANNEL = "specfactory_jobs"
"""The channel on which workers listen: adding jobs calls ``Wakeup.notify`` with it."""


class Closes(Protocol):
    """Holds files or connections, and lets go of them."""

    async def close(self) -> None:
        """Close them; may be called twice."""


class Clock(Protocol):
    """Time, injected: no query and no station reads the system clock."""

    def now(self) -> Instant:
        """Milliseconds since 1970 in UTC, shared by all machines on one database."""

    def monotonic(self) -> float:
        """Seconds that never go back, for durations."""

    async def sleep(self, seconds: float) -> None:
        """Sleep."""


class Transaction(Protocol):
    """Statements that are committed together or not at all. Statements are named queries."""

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        """Run a named query and return its rows."""

    async def execute(self, query: str, **params: Any) -> int:
        """Run a named statement and return the number of rows it changed."""

    async def execute_many(self, query: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a named statement once per row."""

    async def post(self, query: str, **params: Any) -> None:
        """Run a named statement without waiting for its result, at the latest with the commit.

        Later statements see its effect, and an error in it rolls back the whole transaction.
        """


Write = Callable[[Transaction], Awaitable[None]]
"""Something to be written in a transaction that others open."""


class Database(Closes, Protocol):
    """The database: SQLite on one machine, PostgreSQL on many."""

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        """Read outside a transaction."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Write: commits on leaving, rolls back on an exception."""

    async def migrate(self) -> int:
        """Bring the schema up to date; returns its version. Refuses a newer one."""


class Listener(Protocol):
    """A subscription to wake-ups, from the moment ``listen`` returned it."""

    async def wait(self, timeout_seconds: float) -> bool:
        """True at once or as soon as it is notified (also since the last wait), else False."""

    def close(self) -> None:
        """Stop listening; may be called twice."""


class Wakeup(Closes, Protocol):
    """Wakes sleepers when there is work. A call may be lost: poll as well."""

    async def notify(self, channel: str) -> None:
        """Wake all listeners; never raises when none can be reached."""

    def listen(self, channel: str) -> Listener:
        """Be woken by calls from now on."""


class Shared(NamedTuple):
    """A value that several calls of ``Readers.run`` are given: a reader receives it once."""

    key: str  # no two values have the same
    value: Any


class Readers(Closes, Protocol):
    """Runs what looks at fetched bytes where it can be ended."""

    async def run(
        self,
        work: Callable[..., Result],
        *given: Any,
        quick: bool = False,
        deadline_seconds: float | None = None,
    ) -> Result:
        """Call a function of a module with plain values; raises Unreadable when it runs over.

        Its result type must be declared. What is ``quick`` goes over its bytes a few times, and
        does that right here where they are few.
        """


class Fetcher(Closes, Protocol):
    """One request over the network, behind the gate. Never raises for what a server does."""

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        """Fetch one URL, following redirects through the gate, within the caps."""


class Browser(Fetcher, Protocol):
    """A fetcher that opens pages in a browser, where there is one that can be used."""

    @property
    def trouble(self) -> str:
        """The reason why no browser can be used now; "" when one probably can."""

    async def prepare(self) -> str:
        """Start a browser; return the reason why there is none, "" when there is."""


class RateLimit(Frozen):
    """At most one per ``interval_seconds`` on average, ``burst`` at once."""

    interval_seconds: float
    burst: int = 1


class Permit(Frozen):
    """A breaker's answer: go on, or wait; a probe is the one try of a half-open breaker."""

    allowed: bool
    wait_seconds: float = 0.0
    probe: bool = False


class SharedState(Closes, Protocol):
    """State shared by running workers; may be lost at any moment without losing work."""

    async def reserve(self, key: str, limit: RateLimit) -> float:
        """Take the next slot (GCRA) and return the seconds to wait before using it."""

    async def enter(self, limits: Mapping[str, RateLimit], *, booked: bool = False) -> float:
        """Pass all these limits at once (0.0), or none of them.

        Otherwise return the seconds until a booked slot; then call again with ``booked``.
        """

    async def permit(self, key: str) -> Permit:
        """Ask the breaker of ``key``; half-open lets exactly one probe through."""

    async def report(self, key: str, *, ok: bool) -> None:
        """Report a success or failure to the breaker of ``key``."""

    async def remember(self, key: str, value: Json, ttl_seconds: float) -> None:
        """Keep a small value for a while."""

    async def recall(self, key: str) -> Json:
        """A remembered value, or None."""

    async def forget(self, key: str) -> None:
        """Delete a remembered value, if there is one."""

    async def add(self, counter: str, amount: int = 1) -> int:
        """Raise a progress counter and return it."""

    async def publish(self, events: Sequence[Event]) -> None:
        """Send events to all present subscribers."""

    def subscribe(self) -> AsyncIterator[Event]:
        """Events from now on, until the iterator is closed."""


class ModelRequest(Frozen):
    """One question to a language model, whose answer is JSON of this schema."""

    system: str  # ours, and always the same
    user: str  # JSON; the words of a page are values in it, never instructions
    schema: Json
    max_answer_tokens: int


class ModelReply(Frozen):
    """The model's answer and token counts; ``complete`` is False when it was cut off."""

    text: str
    prompt_tokens: int
    answer_tokens: int
    complete: bool = True


class LanguageModel(Closes, Protocol):
    """A language model behind an endpoint that the operator named; one call is one question."""

    name: str  # as the endpoint knows it
    place: str  # host and port: whose limits it shares

    async def ask(self, request: ModelRequest) -> ModelReply:
        """Ask once; ModelFailed gives the reason when there is no answer."""


class Hit(Frozen):
    """A page that a search says may be about the product."""

    url: str
    title: str = ""
    way: str = ""  # "site_search", "sitemap", "web_search", "given"


class Search(Protocol):
    """A way to find a product's pages; ``source`` None means anywhere."""

    async def search(self, product: Product, source: Source | None) -> list[Hit]:
        """Pages that may be about the product, the likeliest first."""
