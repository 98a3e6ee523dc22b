"""Named queries and migrations, shared by all databases.

Takes the ``*.sql`` files of this folder, gives ``Query`` by name and ``Migration`` by number.
"""

from .loader import (
    VERSION,
    VERSIONS,
    Migration,
    Named,
    Query,
    known_version,
    load_migrations,
    load_queries,
)
