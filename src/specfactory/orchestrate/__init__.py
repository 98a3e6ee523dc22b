"""Orchestrate: takes a product, a contract and a budget; gives an attempt with its record.

Rounds are planned by pure functions; only the attempt itself waits for the world.
"""

from specfactory.orchestrate.attempts import AttemptResult, run_attempt
from specfactory.orchestrate.preview import Preview, preview_attempt
from specfactory.orchestrate.workbench import Workbench

__all__ = ["AttemptResult", "Preview", "Workbench", "preview_attempt", "run_attempt"]
