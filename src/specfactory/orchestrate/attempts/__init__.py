"""One attempt at a product: rounds, sources, evidence, record, questions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.attempts.attempt import AttemptResult, run_attempt
    from specfactory.orchestrate.attempts.model_questions import ask_models
    from specfactory.orchestrate.attempts.preview import Preview, preview_attempt
    from specfactory.orchestrate.attempts.resettle import settle_again
    from specfactory.orchestrate.attempts.state import Tally
    from specfactory.orchestrate.attempts.stored_evidence import known_truth
    from specfactory.orchestrate.attempts.variant_conflicts import tell_apart
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "AttemptResult", "Preview", "Tally", "ask_models", "known_truth", "preview_attempt",
    "run_attempt", "settle_again", "tell_apart",
]  # fmt: skip
