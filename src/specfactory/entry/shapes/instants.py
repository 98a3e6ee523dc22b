"""Instants as users read them."""


def moment(at: int) -> str:
    """An instant to the second, in UTC."""
    from specfactory.model import iso_seconds  # ``spec --help`` tells no time

    return iso_seconds(at)


def when(at: int | None) -> str | None:
    """An instant, or None."""
    return None if at is None else moment(at)
