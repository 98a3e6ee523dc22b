"""Settings as given, an open factory, and a product or record by words that name it."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

if TYPE_CHECKING:
    from specfactory.model import Product, Record
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings

Result = TypeVar("Result")

MOST_NAMED = 8

ProductWords = Annotated[
    str, typer.Argument(metavar="PRODUCT", help="Its id, or words that name only it.")
]


class Given(NamedTuple):
    """The options that came before the command."""

    config: Path | None = None
    changes: tuple[str, ...] = ()


def settings_from(context: typer.Context, **flags: Any) -> Settings:
    """Load this command's settings; ``flags`` are paths, with ``__`` for the dot, and win."""
    from specfactory.errors import SettingError
    from specfactory.settings import load

    given = context.find_object(Given) or Given()
    changes: dict[str, Any] = {}
    for text in given.changes:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise SettingError("--set", text, "PATH=VALUE, such as fetch.timeout_seconds=5")
        changes[path.strip()] = value
    changes.update({path.replace("__", "."): value for path, value in flags.items()})
    return load(given.config, flags=changes)


def perform(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a command's work to its end."""
    from specfactory.entry.event_loop import perform as run

    return run(work)


def open_factory(
    settings: Settings, *, models: bool = False
) -> AbstractAsyncContextManager[Workbench]:
    """Open the factory as these settings make it, until the block is left."""
    from specfactory.assembly import open_factory as open_it

    return open_it(settings, models=models)


async def find_product(factory: Workbench, words: str) -> Product:
    """Find the one product with this id, or whose name has all these words."""
    from specfactory.errors import UnknownSubject, UsageError

    found = await factory.products.find(words)
    if len(found) > 1:
        # One that is called exactly so, with or without brand and variant, is meant: else the
        # plain model could never be named beside its variants.
        wanted, exact = words.casefold().split(), []
        for product in found:
            brand, model, variant = (
                part.casefold().split() for part in (product.brand, product.model, product.variant)
            )
            if wanted in (brand + model + variant, model + variant, brand + model, model):
                exact.append(product)
        found = exact or found
    if not found:
        raise UnknownSubject("product", words, "see: spec record list")
    if len(found) > 1:
        some = named([product.id for product in found])
        raise UsageError(f"{words!r} may be any of {some}; give an id or more words")
    return found[0]


async def find_record(factory: Workbench, words: str) -> Record:
    """Find the newest record of the product that is meant."""
    from specfactory.errors import UnknownSubject

    product = await find_product(factory, words)
    if record := await factory.records.latest(product.id):
        return record
    raise UnknownSubject("record of", product.id, "make one: spec run")


def named(names: list[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - MOST_NAMED
    some = ", ".join(names[:MOST_NAMED])
    return f"{some} and {more} more" if more > 0 else some
