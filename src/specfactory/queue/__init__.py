"""The queue around its store: states, retries, intake, exchange, dead letters, runs.

Takes products, files and failures; gives jobs to be added, and what to do with those that failed.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.errors import TransitionRefused
    from specfactory.model import Action, transition

    from .added_lines import LineOutcome, LineReport, take_in
    from .deadletters import DeadGroup, analyze
    from .exchange import WrongQueueEntry, entry_json, queue_json, read_queue
    from .intake import Intake, WrongColumn, payload_of, product_job
    from .product_files import PRODUCTS, TableLine, read_products
    from .retries import after_failure, delay_seconds, due_after, pauses
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
