"""Products, and attempts with their budgets, plans, spending and coverage."""

from collections.abc import Mapping

from specfactory.model.base import Explained, Frozen, Instant, field
from specfactory.model.contract import Level, Source


class Product(Frozen):
    """The thing described."""

    category: str
    brand: str
    model: str
    variant: str = ""
    hard_ids: Mapping[str, str] = field(default_factory=dict)
    id: str = ""  # made by contract.product_id when empty

    @property
    def name(self) -> str:
        """Brand, model and variant, as a person says it."""
        return " ".join(part for part in (self.brand, self.model, self.variant) if part)


class Budget(Frozen):
    """Limits of one attempt."""

    max_pages: int = 12
    max_model_calls: int = 10
    max_model_cost_usd: float = 0.50
    max_seconds: float = 300.0


class Spent(Frozen):
    """Spending of an attempt so far."""

    pages: int = 0
    requests: int = 0  # robots.txt, sitemaps, searches and pages together
    model_calls: Mapping[str, int] = field(default_factory=dict)  # model -> calls
    model_tokens: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # in, out
    model_cost_usd: float = 0.0
    seconds: float = 0.0
    rounds: int = 0


class AttemptStatus(Explained):
    """State of an attempt."""

    RUNNING = "running", "At work."
    COMPLETE = "complete", "A record was published and nothing is left to ask."
    AWAITING_REVIEW = "awaiting_review", "Ended, and a person is asked."
    FAILED = "failed", "Ended without a record; the error says why."
    INTERRUPTED = "interrupted", "Stopped from outside; what was written is kept."


class Attempt(Frozen):
    """One try at a product; its id is the record's ``run_id``."""

    id: str
    product_id: str
    budget: Budget
    started_at: Instant
    job_id: int | None = None  # None: run without the queue
    status: AttemptStatus = AttemptStatus.RUNNING
    spent: Spent = Spent()
    finished_at: Instant | None = None
    error: str | None = None
    accuracy: float | None = None  # against the golden values, where there are any


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

    @property
    def open_fields(self) -> tuple[str, ...]:
        """All unfilled fields, the most important levels first."""
        return tuple(name for level in Level for name in self.missing.get(level, ()))
