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

Public here: ``extract(html, want=None, *, category=None, contract=None, url="",
deadline_seconds=None)``, which gives ``Values`` by field, each a ``Found`` (money as a ``Price``),
and raises a ``SpecError``; ``help(specfactory.extract)`` says more. For a factory with a database
and a network, see ``specfactory.assembly.open_factory``; what else is public stands in
docs/guides/python-api.md.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specfactory.errors import SpecError
    from specfactory.extract.answers import Found, Price, Values
    from specfactory.extract.answers import extract_values as extract

__all__ = ["Found", "Price", "SpecError", "Values", "__version__", "extract"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the extractor only when it is asked for, so that ``import specfactory`` is quick."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "extract":
        return import_module("specfactory.extract")
    return getattr(
        import_module(f"specfactory.{'errors' if name == 'SpecError' else 'extract.answers'}"), name
    )


def __dir__() -> list[str]:
    """What is public, so that ``help`` shows it."""
    return [*globals(), *__all__]
