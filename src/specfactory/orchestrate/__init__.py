"""Orchestrate: takes a product, a contract and a budget; gives an attempt with its record.

Rounds are planned by pure functions; only the attempt itself waits for the world. Workers take
jobs from the queue and run attempts for them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.attempts import (
        AttemptResult,
        Preview,
        preview_attempt,
        run_attempt,
    )
    from specfactory.orchestrate.bench import Workbench
    from specfactory.orchestrate.jobs import Done, Handlers
    from specfactory.orchestrate.kinds import standard_handlers
    from specfactory.orchestrate.workers import Worker, WorkerPlan
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "AttemptResult", "Done", "Handlers", "Preview", "Workbench", "Worker", "WorkerPlan",
    "preview_attempt", "run_attempt", "standard_handlers",
]  # fmt: skip
