"""Orchestrate: takes a product, a contract and a budget; gives an attempt with its record.

Rounds are planned by pure functions; only the attempt itself waits for the world. Workers take
jobs from the queue and run attempts for them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from specfactory.orchestrate.bench.workbench import Workbench
from specfactory.orchestrate.jobs.handlers import Done, Handlers, standard_handlers
from specfactory.orchestrate.workers.worker import Worker, WorkerPlan

if TYPE_CHECKING:
    from specfactory.orchestrate.attempts.attempt import AttemptResult, run_attempt
    from specfactory.orchestrate.attempts.preview import Preview, preview_attempt

__all__ = [
    "AttemptResult",
    "Done",
    "Handlers",
    "Preview",
    "Workbench",
    "Worker",
    "WorkerPlan",
    "preview_attempt",
    "run_attempt",
    "standard_handlers",
]

_PLACES = {
    "AttemptResult": "attempts.attempt",
    "Preview": "attempts.preview",
    "preview_attempt": "attempts.preview",
    "run_attempt": "attempts.attempt",
}


def __getattr__(name: str) -> Any:
    """Attempts are loaded when one is made: a worker for pages alone makes none."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
