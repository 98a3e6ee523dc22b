"""Translates what asyncpg raises: away, busy, full, or refused."""

from asyncpg import exceptions

from specfactory.errors import (
    DatabaseAway,
    NewerSchema,
    SettingError,
    SpecError,
    StorageFull,
    StoreBusy,
    StoreError,
)
from specfactory.redaction import redacted
from specfactory.sql import known_version

NEWER_SCHEMA = "SF001"  # raised at the beginning of a transaction; its message is the version
URL_FORM = "postgresql://user:password@host:port/database"

_AWAY = (
    exceptions.PostgresConnectionError,
    exceptions.AdminShutdownError,
    exceptions.CrashShutdownError,
    exceptions.CannotConnectNowError,
    exceptions.TooManyConnectionsError,
    exceptions.IdleInTransactionSessionTimeoutError,
    exceptions.IdleSessionTimeoutError,
    exceptions.InternalClientError,  # the protocol is out of step
    OSError,  # timeouts included
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
_NO_SPACE = "Check free disk space."  # its hint, also for quotas and limits
_GONE = ("is closed", "released back to the pool", "pool is closing", "was closed")
_NEVER_SENT = "cannot switch to state"  # the server ended the session between two queries

ERRORS = (
    exceptions.PostgresError,
    exceptions.InterfaceError,
    exceptions.InternalClientError,
    OSError,
    OverflowError,
)


def is_away(error: BaseException) -> bool:
    """True when the connection is gone, or none could be made."""
    if isinstance(error, exceptions.InterfaceError):
        return any(words in str(error) for words in _GONE)
    return isinstance(error, _AWAY)


def is_unsent(error: BaseException) -> bool:
    """True when the server cannot have seen the statement that failed."""
    never = isinstance(error, exceptions.InternalClientError) and _NEVER_SENT in str(error)
    return never or (isinstance(error, exceptions.InterfaceError) and is_away(error))


def is_in_the_way(error: BaseException) -> bool:
    """True when the same may work on a retry."""
    return isinstance(error, _IN_THE_WAY)


def problem(error: Exception, place: str, name: str) -> SpecError:
    """Our error for what PostgreSQL or the network reported."""
    if is_away(error):
        return DatabaseAway(place, said(error))
    if is_in_the_way(error):
        return StoreBusy(place, name)
    for kind, detail in _FULL.items():
        if isinstance(error, kind):
            return StorageFull(place, detail)
    if getattr(error, "sqlstate", None) == NEWER_SCHEMA:
        return NewerSchema(int(str(error)), known_version())
    if getattr(error, "hint", None) == _NO_SPACE:
        return StorageFull(place, "no space is left")
    if isinstance(error, exceptions.ClientConfigurationError):
        return SettingError("database_url", place, f"{URL_FORM} ({redacted(str(error))})")
    if isinstance(error, exceptions.QueryCanceledError):
        return StoreError(f"query {name} took too long on {place}; it was not done")
    if isinstance(error, exceptions.InvalidCatalogNameError):
        return StoreError(f"{place}: {error}; create it with: createdb")
    if isinstance(error, exceptions.InvalidAuthorizationSpecificationError):
        return StoreError(f"{place} refuses us: {error}; correct database_url")
    return StoreError(f"query {name} failed: {error}")


def said(error: Exception) -> str:
    """An error's message in one line; its type for those without one."""
    return " ".join(str(error).split()) or type(error).__name__
