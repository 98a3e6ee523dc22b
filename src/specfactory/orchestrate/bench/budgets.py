"""What an attempt may spend, what it has spent, and whether it must stop."""

from specfactory.model import Budget, Spent
from specfactory.publish import utilization


def used(budget: Budget, spent: Spent) -> float:
    """The share of the budget that is used up furthest."""
    return max(utilization(budget, spent).values())


def exhausted(budget: Budget, spent: Spent) -> str | None:
    """The name of a budget that forbids another page, or None.

    Model calls and their cost only end the asking of the model, never the fetching of pages.
    """
    if spent.pages >= budget.max_pages:
        return "max_pages"
    if spent.seconds >= budget.max_seconds:
        return "max_seconds"
    return None


def model_exhausted(budget: Budget, spent: Spent, next_cost_usd: float = 0.0) -> str | None:
    """The name of a budget that forbids another model call, or None."""
    if sum(spent.model_calls.values()) >= budget.max_model_calls:
        return "max_model_calls"
    if spent.model_cost_usd + next_cost_usd > budget.max_model_cost_usd:
        return "max_model_cost_usd"
    return None
