"""Lines of a page for a language model to read, and candidates from its proven answers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answers import NotReadable, Pointed, parse_answer, take_answers
    from .drop_reasons import MODEL_REASONS
    from .node_choice import ShortList, short_list, token_count
    from .prompt import make_request, question_hash
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
