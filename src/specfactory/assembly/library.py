"""Chooses the process in which the library reads a page that has a deadline."""

from specfactory.adapters.readers import read_within
from specfactory.errors import UsageError
from specfactory.extract.answers import PageSays, Within, read_values
from specfactory.model import Contract
from specfactory.settings import ReaderSettings

_LONGEST_SECONDS = 86_400.0


def reads_within(deadline_seconds: float) -> Within:
    """Read pages in a process that is ended after so many seconds."""
    if not 0 < deadline_seconds <= _LONGEST_SECONDS:
        raise UsageError(f"deadline_seconds is {deadline_seconds}; allowed: above 0, up to a day")
    settings = ReaderSettings(cpu_seconds=max(deadline_seconds, 1.0))

    def read(
        html: str | bytes, wanted: tuple[str, ...] | None, contract: Contract | None, url: str
    ) -> PageSays:
        given = html, wanted, contract, url
        return read_within(deadline_seconds, settings, read_values, *given)

    return read
