"""Takes the views of a page and a compiled contract; gives candidates with their evidence,
and what was found but had to be dropped. It knows nothing of the product asked for.

The package can be called::

    specfactory.extract(
        html, want=None, *, category=None, contract=None, url="", deadline_seconds=None
    ) -> Values

It gives the values of one page, each with the words that prove it. Without ``want``, everything
that the page says; ``want`` names fields (["price", "weight"]), ``category`` takes those of a
bundled contract, ``contract`` those of one's own; ``url`` is the page's address. With
``deadline_seconds`` it is read in a process of its own, which is ended when it takes longer, or
too much memory: Unreadable.
"""

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

from specfactory.faces import lazy_face

if TYPE_CHECKING:
    from specfactory.model import Contract

    from .answers import PageAnswers, Values, answer_page, extract_values
    from .candidates import extract_candidates
    from .page import PageCandidates, place_owners


class _CallablePackage(ModuleType):
    """The package is also the library's function: ``specfactory.extract(html)``."""

    def __call__(
        self,
        html: str | bytes,
        want: Iterable[str] | None = None,
        *,
        category: str | None = None,
        contract: "Contract | None" = None,
        url: str = "",
        deadline_seconds: float | None = None,
    ) -> "Values":
        """The values of one page, each with the words that prove it.

        With ``deadline_seconds``, raises Unreadable where reading takes longer.
        """
        from .answers import extract_values

        within = None
        if deadline_seconds is not None:
            from specfactory.assembly.library import reads_within

            within = reads_within(deadline_seconds)
        return extract_values(
            html, want, category=category, contract=contract, url=url, within=within
        )

    if not TYPE_CHECKING:
        __getattr__ = staticmethod(lazy_face(__name__))


sys.modules[__name__].__class__ = _CallablePackage
