"""Settings of one product's way: budget, rounds, search, publishing."""

from msgspec.structs import astuple

from specfactory.model import Budget, Frozen
from specfactory.settings.declaring import setting


class BudgetSettings(Frozen):
    """Limits of one attempt at a product."""

    max_pages: int = setting(12, "pages per product", 1, 1000)
    max_model_calls: int = setting(10, "language model calls per product", 0, 1000)
    max_model_cost_usd: float = setting(0.50, "language model cost per product", 0, 1000)
    max_seconds: float = setting(300.0, "time per product", 1, 86_400)

    def budget(self) -> Budget:
        """The budget of a new attempt."""
        return Budget(*astuple(self))


class PlanSettings(Frozen):
    """Planning of rounds, and when they stop."""

    sources_at_once: int = setting(2, "sources fetched at the same time for one product", 1, 20)
    core_sources: int = setting(3, "sources in round 1 (core specs)", 1, 50)
    deep_sources: int = setting(3, "sources in round 2 (deep fill)", 1, 50)
    gap_sources: int = setting(2, "sources in each round from 3 on (gap closure)", 1, 50)
    stop_coverage: float = setting(0.85, "after round 2: enough when this share is filled", 0, 1)
    stop_budget: float = setting(0.70, "after round 2: enough when this share is spent", 0, 1)
    stop_gain: int = setting(2, "from round 3 on: stop when a round fills fewer fields", 0, 100)
    max_rounds: int = setting(8, "rounds at the most", 1, 50)
    fresh_hours: float = setting(24.0, "a page younger than this is not fetched again", 0, 8760)


class PublishSettings(Frozen):
    """Conditions of publishing."""

    min_confidence: float = setting(
        0.70, "a value below this confidence waits for a person instead of being published", 0, 1
    )


class SearchSettings(Frozen):
    """Search for pages beyond the sources' own search and sitemaps."""

    web_url: str = setting(
        "",
        "a web search API that answers JSON: a URL with {query}, such as "
        "https://search.example/search?q={query}&format=json; empty: none",
        discreet=True,
    )
