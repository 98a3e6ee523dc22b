"""Takes the views of a page and a compiled contract; gives candidates with their evidence,
and what was found but had to be dropped. It knows nothing of the product asked for.

The package can be called: ``specfactory.extract(html, want=["price"])``.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specfactory.extract.answers.library import Values, extract_values
    from specfactory.extract.answers.page_answers import PageAnswers, answer_page
    from specfactory.extract.candidates import Extraction, extract_candidates

__all__ = [
    "Extraction",
    "PageAnswers",
    "Values",
    "answer_page",
    "extract_candidates",
    "extract_values",
]

_PLACES = {
    "Extraction": "candidates",
    "PageAnswers": "answers.page_answers",
    "Values": "answers.library",
    "answer_page": "answers.page_answers",
    "extract_candidates": "candidates",
    "extract_values": "answers.library",
}


class _CallablePackage(ModuleType):
    """The station and the function of the library have one name: this makes them one thing."""

    def __call__(self, *given: Any, **options: Any) -> "Values":
        return self.extract_values(*given, **options)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        """Methods are loaded when one is asked for: who has selectors needs none of them."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


sys.modules[__name__].__class__ = _CallablePackage
