"""Named queries and migrations, shared by all databases.

Takes the ``*.sql`` files of this folder, gives ``Query`` by name and ``Migration`` by number.
"""

from specfactory.sql.loader import Migration, Query, load_migrations, load_queries

__all__ = ["Migration", "Query", "load_migrations", "load_queries"]
