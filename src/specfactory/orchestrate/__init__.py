"""Orchestrate: takes a product, a contract and a budget; gives an attempt with its record.

Rounds are planned by pure functions; only the attempt itself waits for the world. Workers take
jobs from the queue and run attempts for them.
"""

from specfactory.orchestrate.attempts import AttemptResult, run_attempt
from specfactory.orchestrate.handlers import Done, Handlers, standard_handlers
from specfactory.orchestrate.preview import Preview, preview_attempt
from specfactory.orchestrate.workbench import Workbench
from specfactory.orchestrate.workers import Worker, WorkerPlan

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
