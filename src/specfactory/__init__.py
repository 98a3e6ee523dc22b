"""Spec Factory: web pages in, records out, every value with the words that prove it.

The line, in its order::

    queue -> discover -> fetch -> identify -> extract -> validate -> merge -> publish -> review

Beneath it stand ``contract`` (what is wanted), ``proof`` (where it stands on the page) and
``store`` (what is known); above it ``orchestrate`` plans the rounds; ``assembly`` chooses the
adapters; ``entry`` is the command line.

As a library, without any set-up::

    >>> import specfactory
    >>> found = specfactory.extract("<h1>Mug</h1><p>Weight: 310 g</p>", want=["weight"])
    >>> found["weight"].value, found["weight"].quote
    (310, '310 g')
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specfactory.extract.answers import extract_values as extract

__all__ = ["__version__", "extract"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the extractor only when it is asked for, so that ``import specfactory`` is quick."""
    if name != "extract":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module("specfactory.extract")
