"""The queue around its store: states, retries, intake, exchange, dead letters, runs.

Takes products, files and failures; gives jobs to be added, and what to do with those that failed.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.errors import TransitionRefused
    from specfactory.model import Action, transition
    from specfactory.queue.deadletters import DeadGroup, analyze
    from specfactory.queue.exchange import WrongQueueEntry, entry_json, queue_json, read_queue
    from specfactory.queue.intake import LineOutcome, LineReport, take_in
    from specfactory.queue.product_files import TableLine, read_products
    from specfactory.queue.product_jobs import Intake, WrongColumn, product_job
    from specfactory.queue.retries import (
        RetryRule,
        after_failure,
        delay_seconds,
        due_after,
        is_permanent,
    )
    from specfactory.queue.run_summaries import run_summary
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Action", "DeadGroup", "Intake", "LineOutcome", "LineReport", "RetryRule", "TableLine",
    "TransitionRefused", "WrongColumn", "WrongQueueEntry", "after_failure", "analyze",
    "delay_seconds", "due_after", "entry_json", "is_permanent", "product_job", "queue_json",
    "read_products", "read_queue", "run_summary", "take_in", "transition",
]  # fmt: skip
