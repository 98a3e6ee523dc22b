"""Lines of a page for a language model to read, and candidates from its proven answers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.language_model.answers import (
        MODEL_REASONS,
        ModelFindings,
        NotReadable,
        Pointed,
        parse_answer,
        take_answers,
    )
    from specfactory.extract.language_model.node_choice import ShortList, short_list, token_count
    from specfactory.extract.language_model.prompt import make_request, question_hash
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "MODEL_REASONS", "ModelFindings", "NotReadable", "Pointed", "ShortList", "make_request",
    "parse_answer", "question_hash", "short_list", "take_answers", "token_count",
]  # fmt: skip
