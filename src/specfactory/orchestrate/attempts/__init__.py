"""One attempt at a product: rounds, sources, evidence, record, questions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .attempt import AttemptResult, run_attempt
    from .model_questions import ask_models
    from .preview import Preview, preview_attempt
    from .reread import reread_pages
    from .resettle import settle_again
    from .stored_evidence import known_truth
    from .variant_conflicts import tell_apart
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
