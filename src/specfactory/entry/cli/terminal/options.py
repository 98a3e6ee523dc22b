"""Options that several commands take, and the reading of what was given."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Instant
    from specfactory.orchestrate import Workbench

DAY_MS = 86_400_000
_AGES = {"": DAY_MS, "d": DAY_MS, "h": 3_600_000, "m": 60_000, "min": 60_000, "w": 7 * DAY_MS}

Since = Annotated[str | None, "--since D", "Only since: 7d, 12h, or a day such as 2026-02-12."]
Names = Annotated[
    list[str] | None,
    "--name FIELD=WORDS",
    'What the contract names a thing by, such as title="Dune"; repeatable.',
]
ProductWords = Annotated[str, "PRODUCT", "Its id, or words that name only it."]
JobWords = Annotated[str | None, "JOB", "q_000123, a number, a product id, or words of it."]
ProductId = Annotated[str | None, "--product-id ID", "The job of this product, instead of JOB."]
RunNumber = Annotated[
    int | None, "--run RUN", "Only jobs of this run, by its number.", {"min": 1, "max": 2**62}
]
Limit = Annotated[int, "--limit", "So many at the most.", {"min": 1, "max": 1_000_000}]
LimitOrAll = Annotated[
    int | None, "--limit N", "Maximum number of rows; all without it.", {"min": 1, "max": 2**62}
]
Yes = Annotated[bool, "--yes -y", "Do it without asking."]
Category = Annotated[str | None, "--category", "Only this category."]
HostName = Annotated[str, "HOST", "Host, with its port if it has one."]


def age_ms(words: str, option: str) -> int:
    """Read an age as a person writes it: 30d, 12h, 90min; a bare number is days."""
    import re

    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*(d|h|m|min|w|)", words.strip().lower())
    if not found:
        raise UsageError(f"{option} is {words!r}; allowed: an age such as 30d, 12h or 90min")
    return round(float(found[1]) * _AGES[found[2]])


def day_instant(words: str) -> Instant:
    """Read a day or a time; without a zone it is UTC. ValueError where it is neither."""
    from datetime import UTC, datetime

    at = datetime.fromisoformat(words)
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)


def since_instant(words: str | None, now: Instant) -> Instant:
    """Read ``--since``; 0 when it is not given."""
    if words is None:
        return 0
    try:
        return day_instant(words)
    except ValueError:
        pass
    try:
        return now - age_ms(words, "--since")
    except UsageError:
        raise UsageError(
            f"--since is {words!r}; allowed: an age such as 7d or 12h, or a day such as 2026-02-12"
        ) from None


async def hosts_meant(factory: Workbench, host: str | None) -> list[str | None]:
    """Hosts that ``--host`` names, on the port given or else on all; a lone None for every host."""
    if host is None:
        return [None]
    from specfactory.fetch.addresses import typed_host
    from specfactory.store.sites import Hosts

    name = typed_host(host)
    return list(await Hosts(factory.database).by_name(name)) or [name]


def checked_url(url: str) -> str:
    """Give back a web address as it is; anything else is misuse."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an address in brackets that never close, a port past 65535
        sound = False
    if sound and "@" in parts.netloc:  # the password would be kept with the job
        raise UsageError(
            f"an address at {parts.hostname} has a user name or password; such pages are not"
            " fetched. Leave it out, and name the login in the settings: fetch.logins"
        )
    if not sound:
        raise UsageError(f"{url!r} is no web address; give one such as https://example.com/x")
    return url


def no_such_field(field: str, known: Iterable[str]) -> UnknownSubject:
    """Make the error that names the fields that may be meant."""
    from difflib import get_close_matches

    near = get_close_matches(field, list(known), n=3, cutoff=0.5)
    advice = f"near: {', '.join(near)}" if near else "see: spec contract show CATEGORY"
    return UnknownSubject("field", field, advice)


def ask_first(what: str, yes: bool) -> None:
    """Go on only if the person says so; without a terminal only --yes says so."""
    from specfactory.entry.cli.terminal.output import clean

    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{what}? Nobody can be asked here; say --yes. Nothing was done")
    if not typer.confirm(clean(f"{what}?"), err=True):
        typer.echo("nothing was done", err=True)
        raise typer.Exit(1)


def named_words(names: Sequence[str] | None) -> dict[str, str]:
    """The words of ``--name FIELD=WORDS``, by field."""
    found = {}
    for given in names or ():
        field, equals, words = given.partition("=")
        if not equals or not field.strip() or not words.strip():
            raise UsageError(f'--name is {given!r}; FIELD=WORDS is wanted, such as title="Dune"')
        found[field.strip()] = words
    return found
