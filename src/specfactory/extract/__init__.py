"""Takes the views of a page and a compiled contract; gives candidates with their evidence,
and what was found but had to be dropped. It knows nothing of the product asked for.

The package can be called: ``specfactory.extract(html, want=["price"])``.
"""

import sys
from types import ModuleType
from typing import Any

from specfactory.extract.answers import PageAnswers, answer_page
from specfactory.extract.families import family_of
from specfactory.extract.library import Values, extract_values
from specfactory.extract.station import Extraction, extract_candidates

__all__ = [
    "Extraction",
    "PageAnswers",
    "Values",
    "answer_page",
    "extract_candidates",
    "extract_values",
    "family_of",
]


class _CallablePackage(ModuleType):
    """The station and the function of the library have one name: this makes them one thing."""

    def __call__(self, *given: Any, **options: Any) -> Values:
        return extract_values(*given, **options)


sys.modules[__name__].__class__ = _CallablePackage
