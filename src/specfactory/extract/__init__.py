"""Takes the views of a page and a compiled contract; gives candidates with their evidence,
and what was found but had to be dropped. It knows nothing of the product asked for.

The package can be called: ``specfactory.extract(html, want=["price"])``.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from specfactory.faces import lazy_face

if TYPE_CHECKING:
    from .answers import PageAnswers, Values, answer_page, extract_values
    from .candidates import extract_candidates
    from .page import PageCandidates, place_owners


class _CallablePackage(ModuleType):
    """The package is also the library's function: ``specfactory.extract(html)``."""

    def __call__(self, *given: Any, **options: Any) -> "Values":
        from .answers import extract_values

        return extract_values(*given, **options)

    if not TYPE_CHECKING:
        __getattr__ = staticmethod(lazy_face(__name__))


sys.modules[__name__].__class__ = _CallablePackage
