"""Database, Clock and Wakeup on PostgreSQL."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .database import PostgresDatabase
    from .wakeup import PostgresWakeup
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
