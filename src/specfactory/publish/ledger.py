"""The billing ledger of one attempt, and its schema."""

import re
from typing import Any

from specfactory.model import Attempt, Budget, Spent
from specfactory.publish.schemas import (
    AMOUNT,
    COUNT,
    DRAFT,
    WORDS,
    Schema,
    SchemaCheck,
    each,
    object_of,
)

LEDGER_SCHEMA: Schema = {
    "$schema": DRAFT,
    "title": "Ledger",
    **object_of(
        {
            "run_id": WORDS,
            "product_id": WORDS,
            "budget": object_of(
                each(COUNT, "max_pages max_llm_calls")
                | each(AMOUNT, "max_llm_cost_usd max_wall_clock_s")
            ),
            "actual": object_of(
                {
                    "pages_fetched": COUNT,
                    "llm_calls": {
                        "type": "object",
                        "required": ["total"],
                        "additionalProperties": COUNT,
                    },
                    "llm_cost": {
                        "type": "object",
                        "required": ["total_usd"],
                        "properties": {"total_usd": AMOUNT},
                        "additionalProperties": COUNT,
                    },
                    "wall_clock_s": AMOUNT,
                    "rounds_completed": COUNT,
                }
            ),
            "budget_utilization": object_of(each(AMOUNT, "pages llm_calls cost time")),
        }
    ),
}
"""The budget and the spending of one attempt."""
_checked = SchemaCheck(LEDGER_SCHEMA)


def ledger_json(attempt: Attempt) -> dict[str, Any]:
    """The budget and the spending of an attempt, checked against its schema."""
    budget, spent = attempt.budget, attempt.spent
    calls: dict[str, int] = {}
    for model, count in spent.model_calls.items():
        calls[_key(model)] = calls.get(_key(model), 0) + count
    cost: dict[str, int | float] = {}
    for model, tokens in spent.model_tokens.items():
        for direction, count in zip(("input", "output"), tokens, strict=True):
            key = f"{_key(model)}_{direction}_tokens"
            cost[key] = cost.get(key, 0) + count
    document = {
        "run_id": attempt.id,
        "product_id": attempt.product_id,
        "budget": limits_json(budget),
        "actual": {
            "pages_fetched": spent.pages,
            "llm_calls": {**calls, "total": sum(calls.values())},
            "llm_cost": {**cost, "total_usd": round(spent.model_cost_usd, 6)},
            "wall_clock_s": round(spent.seconds, 3),
            "rounds_completed": spent.rounds,
        },
        "budget_utilization": {
            name: round(share, 2) for name, share in utilization(budget, spent).items()
        },
    }
    return _checked(document)


def limits_json(budget: Budget) -> dict[str, float]:
    """The limits of an attempt, by the names of the ledger."""
    return {
        "max_pages": budget.max_pages,
        "max_llm_calls": budget.max_model_calls,
        "max_llm_cost_usd": budget.max_model_cost_usd,
        "max_wall_clock_s": budget.max_seconds,
    }


def utilization(budget: Budget, spent: Spent) -> dict[str, float]:
    """The used share of each budget, by the names of the ledger."""
    return {
        "pages": _share(spent.pages, budget.max_pages),
        "llm_calls": _share(sum(spent.model_calls.values()), budget.max_model_calls),
        "cost": _share(spent.model_cost_usd, budget.max_model_cost_usd),
        "time": _share(spent.seconds, budget.max_seconds),
    }


def _share(amount: float, limit: float) -> float:
    if limit <= 0:
        return 0.0 if amount <= 0 else 1.0
    return amount / limit


def _key(model: str) -> str:
    """``Gemini-Flash`` as ``gemini_flash``; never one of the ledger's own keys."""
    key = re.sub(r"\W+", "_", model.lower()).strip("_") or "model"
    return f"{key}_model" if key == "total" else key
