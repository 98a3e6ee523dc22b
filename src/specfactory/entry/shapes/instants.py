"""Instants as users read them."""

from specfactory.model import iso_seconds

moment = iso_seconds


def when(at: int | None) -> str | None:
    """An instant, or None."""
    return None if at is None else moment(at)
