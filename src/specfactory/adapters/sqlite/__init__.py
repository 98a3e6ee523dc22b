"""The Database port on SQLite."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .database import SqliteDatabase
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
