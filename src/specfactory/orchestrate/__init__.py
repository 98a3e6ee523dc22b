"""Orchestrate: takes a product, a contract and a budget; gives an attempt with its record.

Rounds are planned by pure functions; only the attempt itself waits for the world. Workers take
jobs from the queue and run attempts for them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .attempts import AttemptResult, Preview, preview_attempt, run_attempt
    from .bench import Workbench
    from .jobs import Done, Handlers
    from .kinds import standard_handlers
    from .workers import Worker, WorkerPlan
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
