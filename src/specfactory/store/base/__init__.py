"""Values as bytes and as rows, and events as rows."""

from .codec import (
    body_hash,
    build,
    compress,
    decompress,
    from_json,
    like_pattern,
    pack,
    to_json,
    unpack,
)
from .outbox import Batch, Outbox, emit
from .rows import Store, as_row, fetch_all, fetch_first, fetch_number, from_row
