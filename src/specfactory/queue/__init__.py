"""The queue around its store: states, retries, intake, exchange, dead letters, runs.

Takes products, files and failures; gives jobs to be added, and what to do with those that failed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from specfactory.errors import TransitionRefused
from specfactory.model.states import Action, transition
from specfactory.queue.retries import RetryRule, after_failure, due_after
from specfactory.queue.runs import config_hash, run_summary

if TYPE_CHECKING:
    from specfactory.queue.deadletters import DeadGroup, analyze
    from specfactory.queue.exchange import WrongEntry, queue_json, read_queue
    from specfactory.queue.intake import LineOutcome, LineReport, take_in
    from specfactory.queue.product_jobs import Intake, WrongColumn, product_job
    from specfactory.queue.tables import TableLine, read_products

__all__ = [
    "Action",
    "DeadGroup",
    "Intake",
    "LineOutcome",
    "LineReport",
    "RetryRule",
    "TableLine",
    "TransitionRefused",
    "WrongColumn",
    "WrongEntry",
    "after_failure",
    "analyze",
    "config_hash",
    "due_after",
    "product_job",
    "queue_json",
    "read_products",
    "read_queue",
    "run_summary",
    "take_in",
    "transition",
]

_PLACES = {
    "DeadGroup": "deadletters",
    "Intake": "product_jobs",
    "TableLine": "tables",
    "LineOutcome": "intake",
    "LineReport": "intake",
    "WrongColumn": "product_jobs",
    "WrongEntry": "exchange",
    "analyze": "deadletters",
    "product_job": "product_jobs",
    "queue_json": "exchange",
    "read_products": "tables",
    "read_queue": "exchange",
    "take_in": "intake",
}


def __getattr__(name: str) -> Any:
    """What reads files and lists is loaded when it is asked for: workers do neither."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
