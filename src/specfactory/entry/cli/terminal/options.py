"""``--since``: an age or a day, as a person writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from specfactory.model import Instant

Since = Annotated[
    str | None,
    typer.Option("--since", metavar="D", help="Only since: 7d, 12h, or a day such as 2026-02-12."),
]


def since_instant(words: str | None, now: Instant) -> Instant:
    """The instant that is meant; 0 when nothing was said."""
    from datetime import UTC, datetime

    from specfactory.entry.cli.terminal.job_names import age_ms
    from specfactory.errors import UsageError

    if words is None:
        return 0
    try:
        at = datetime.fromisoformat(words)
    except ValueError:
        pass
    else:
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    try:
        return now - age_ms(words, "--since")
    except UsageError:
        raise UsageError(
            f"--since is {words!r}; allowed: an age such as 7d or 12h, or a day such as 2026-02-12"
        ) from None
