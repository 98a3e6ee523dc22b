"""The Database port on SQLite."""

from .database import SqliteDatabase
