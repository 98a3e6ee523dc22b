"""What every command starts from: the settings as given, an open factory, a product by its words.

A module with commands needs no more than this::

    @app.command()
    def show(context: typer.Context, product: str, as_json: AsJson = False) -> None:
        perform(_show(settings_from(context), product, as_json))
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from specfactory.model import Product, Record
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings

Result = TypeVar("Result")

MOST_NAMED = 8

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
ProductWords = Annotated[
    str, typer.Argument(metavar="PRODUCT", help="Its id, or words that name only it.")
]


@dataclass(frozen=True, slots=True)
class Given:
    """The options that came before the command."""

    config: Path | None = None
    changes: tuple[str, ...] = ()


def settings_from(context: typer.Context, **flags: Any) -> Settings:
    """The settings of this command; ``flags`` are paths, with ``__`` for the dot, and win."""
    from specfactory.settings import load

    given = context.find_object(Given) or Given()
    changes: dict[str, Any] = dict(_change(text) for text in given.changes)
    changes.update({path.replace("__", "."): value for path, value in flags.items()})
    return load(given.config, flags=changes)


def _change(text: str) -> tuple[str, str]:
    from specfactory.errors import SettingError

    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise SettingError("--set", text, "PATH=VALUE, such as fetch.timeout_seconds=5")
    return path.strip(), value


def perform(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a command's work to its end."""
    from specfactory.entry.event_loop import perform as run

    return run(work)


def open_factory(
    settings: Settings, *, models: bool = False
) -> AbstractAsyncContextManager[Workbench]:
    """The factory as these settings make it, open until the block is left."""
    from specfactory.assembly import open_factory as open_it

    return open_it(settings, models=models)


async def find_product(factory: Workbench, words: str) -> Product:
    """The one product with this id, or of which all these words are said."""
    from specfactory.errors import UnknownSubject, UsageError

    found = await factory.products.find(words)
    if len(found) > 1:
        found = _called(words, found) or found
    if not found:
        raise UnknownSubject("product", words, "see: spec record list")
    if len(found) > 1:
        raise UsageError(f"{words!r} may be any of {_named(found)}; give an id or more words")
    return found[0]


def _called(words: str, products: Sequence[Product]) -> list[Product]:
    """The products that are called exactly so, with or without brand and variant."""
    wanted = words.casefold().split()
    return [product for product in products if wanted in _names(product)]


def _names(product: Product) -> list[list[str]]:
    brand, model, variant = (
        part.casefold().split() for part in (product.brand, product.model, product.variant)
    )
    return [brand + model + variant, model + variant, brand + model, model]


async def find_record(factory: Workbench, words: str) -> Record:
    """The newest record of the product that is meant."""
    from specfactory.errors import UnknownSubject

    product = await find_product(factory, words)
    if record := await factory.records.latest(product.id):
        return record
    raise UnknownSubject("record of", product.id, "make one: spec run")


def _named(products: Sequence[Product]) -> str:
    named = ", ".join(product.id for product in products[:MOST_NAMED])
    more = len(products) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named
