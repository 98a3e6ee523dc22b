"""Settings as given, an open factory, and the product, record or job that words name."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from specfactory.entry.cli.terminal.output import shorten
from specfactory.entry.shapes import moment
from specfactory.errors import SettingError, UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Instant, Job, Product, Record
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings
    from specfactory.store import Jobs

MOST_NAMED = 8


class Given(NamedTuple):
    """The options that came before the command."""

    config: Path | None = None
    changes: tuple[str, ...] = ()


def settings_from(context: typer.Context, **flags: Any) -> Settings:
    """Load this command's settings; ``flags`` are paths, with ``__`` for the dot, and win."""
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


def open_factory(
    settings: Settings, *, models: bool = False
) -> AbstractAsyncContextManager[Workbench]:
    """Open the factory as these settings make it, until the block is left."""
    from specfactory.assembly import open_factory as open_it

    return open_it(settings, models=models)


def sqlite_file(settings: Settings) -> Path | None:
    """The file of the database, which its first use makes; None for another kind of database."""
    scheme, _, path = settings.database_url.partition("///")
    return Path(path) if scheme == "sqlite:" and path else None


async def find_product(factory: Workbench, words: str) -> Product:
    """Find the one product with this id, or whose name has all these words."""
    found = await factory.products.find(words)
    if len(found) > 1:
        # One that is called exactly so, with or without brand, then one without its variant, is
        # meant: else the plain model could never be named beside its variants.
        wanted, whole, short = words.casefold().split(), [], []
        for product in found:
            brand, model, variant = (
                part.casefold().split() for part in (product.brand, product.model, product.variant)
            )
            if wanted in (brand + model + variant, model + variant):
                whole.append(product)
            elif wanted in (brand + model, model):
                short.append(product)
        found = whole or short or found
    if not found:
        raise UnknownSubject("product", words, "see: spec record list")
    if len(found) > 1:
        some = named([product.id for product in found])
        raise UsageError(f"{words!r} may be any of {some}; give an id or more words")
    return found[0]


async def find_record(factory: Workbench, words: str) -> Record:
    """Find the newest record of the product that is meant."""
    product = await find_product(factory, words)
    if record := await factory.records.latest(product.id):
        return record
    raise UnknownSubject("record of", product.id, "make one: spec run")


def named(names: list[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - MOST_NAMED
    some = ", ".join(names[:MOST_NAMED])
    return f"{some} and {more} more" if more > 0 else some


async def find_job(jobs: Jobs, words: str | None, product_id: str | None = None) -> Job:
    """Find the one job that is meant; of several about the same, the active or else latest one."""
    from specfactory.model import ACTIVE

    if (words is None) == (product_id is None):
        raise UsageError("name one job: JOB, or --product-id ID")
    wanted = words or product_id or ""
    found = await jobs.find(wanted) if wanted.strip() else []
    if not found:
        raise UnknownSubject("job", wanted, "see: spec queue list")
    # Whole words of the key come first: 777 does not mean 4777.
    parts = set(wanted.casefold().replace("-", " ").split())
    found = [job for job in found if parts <= set(job.key.casefold().split("-"))] or found
    if len({job.key for job in found}) > 1:
        some = named([f"{job.name} ({shorten(job.key, 60)})" for job in found])
        raise UsageError(f"{wanted!r} may be any of {some}; give an id or more words")
    return min(found, key=lambda job: (job.status not in ACTIVE, -job.id))


def status_words(job: Job, now: Instant) -> str:
    """The state with what matters about it: the round, the time it is scheduled for."""
    if job.round is not None and job.status == "in_progress":
        return f"in_progress (round {job.round})"
    if job.status == "queued" and job.due_at > now:
        return f"queued for {moment(job.due_at)}"
    return str(job.status)


def kinds_done_here() -> tuple[str, ...]:
    """The kinds that this version can do, with those of SPEC_HANDLERS."""
    import os

    from specfactory.orchestrate.jobs import VARIABLE
    from specfactory.orchestrate.kinds import standard_handlers

    return standard_handlers(os.environ.get(VARIABLE, "")).choose()
