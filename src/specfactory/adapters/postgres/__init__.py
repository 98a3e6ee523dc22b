"""Database, Clock and Wakeup on PostgreSQL."""

from .database import PostgresDatabase
from .wakeup import PostgresWakeup
