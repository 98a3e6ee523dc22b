"""Values as bytes and as rows, and events as rows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .codec import build, compress, decompress, from_json, like_pattern, pack, to_json, unpack
    from .outbox import Batch, Outbox, emit
    from .rows import Store, as_row, fetch_all, fetch_first, fetch_number, from_row
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
