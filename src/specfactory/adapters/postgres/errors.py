"""What asyncpg says, in our words: away, busy, full, or simply no."""

from __future__ import annotations

from asyncpg import exceptions

from specfactory.errors import (
    DatabaseAway,
    SettingError,
    SpecError,
    StorageFull,
    StoreBusy,
    StoreError,
)

URL_FORM = "postgresql://user:password@host:port/database"

_AWAY = (
    exceptions.PostgresConnectionError,
    exceptions.AdminShutdownError,
    exceptions.CrashShutdownError,
    exceptions.CannotConnectNowError,
    exceptions.TooManyConnectionsError,
    exceptions.IdleInTransactionSessionTimeoutError,
    exceptions.IdleSessionTimeoutError,
    exceptions.InternalClientError,  # a connection that nobody understands any more
    OSError,  # also when it takes too long
)
_IN_THE_WAY = (
    exceptions.DeadlockDetectedError,
    exceptions.SerializationError,
    exceptions.LockNotAvailableError,
)
_FULL = {
    exceptions.DiskFullError: "no space is left",
    exceptions.ReadOnlySQLTransactionError: "the server takes no writes, it may be a standby",
}
_NO_SPACE = "Check free disk space."  # its hint, also where a quota or a limit says no
_GONE = ("is closed", "released back to the pool", "pool is closing", "was closed")
_NEVER_SENT = "cannot switch to state"  # the server's last words came while nobody asked

ERRORS = (
    exceptions.PostgresError,
    exceptions.InterfaceError,
    exceptions.InternalClientError,
    OSError,
    OverflowError,
)


def is_away(error: BaseException) -> bool:
    """Whether the connection is gone, or none could be had."""
    if isinstance(error, exceptions.InterfaceError):
        return any(words in str(error) for words in _GONE)
    return isinstance(error, _AWAY)


def is_unsent(error: BaseException) -> bool:
    """Whether the server cannot have seen what failed."""
    never = isinstance(error, exceptions.InternalClientError) and _NEVER_SENT in str(error)
    return never or (isinstance(error, exceptions.InterfaceError) and is_away(error))


def is_in_the_way(error: BaseException) -> bool:
    """Whether the same may work when it is tried again."""
    return isinstance(error, _IN_THE_WAY)


def problem(error: Exception, place: str, name: str) -> SpecError:
    """The one clear line for what PostgreSQL or the network said."""
    if is_away(error):
        return DatabaseAway(place, said(error))
    if is_in_the_way(error):
        return StoreBusy(place, name)
    for kind, detail in _FULL.items():
        if isinstance(error, kind):
            return StorageFull(place, detail)
    if getattr(error, "hint", None) == _NO_SPACE:
        return StorageFull(place, "no space is left")
    if isinstance(error, exceptions.ClientConfigurationError):
        return SettingError("database_url", place, f"{URL_FORM} ({error})")
    if isinstance(error, exceptions.QueryCanceledError):
        return StoreError(f"query {name} took too long on {place}; it was not done")
    return StoreError(_refusal(error, place, name))


def _refusal(error: Exception, place: str, name: str) -> str:
    if isinstance(error, exceptions.InvalidCatalogNameError):
        return f"{place}: {error}; create it with: createdb"
    if isinstance(error, exceptions.InvalidAuthorizationSpecificationError):
        return f"{place} refuses us: {error}; correct database_url"
    return f"query {name} failed: {error}"


def said(error: Exception) -> str:
    """An error's words in one line; some have none."""
    return " ".join(str(error).split()) or type(error).__name__
