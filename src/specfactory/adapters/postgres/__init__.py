"""Database, Clock and Wakeup on PostgreSQL."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.adapters.postgres.database import PostgresDatabase
    from specfactory.adapters.postgres.wakeup import PostgresWakeup
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["PostgresDatabase", "PostgresWakeup"]
