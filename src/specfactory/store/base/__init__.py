"""Values as bytes, and events as rows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.store.base.codec import (
        build,
        compress,
        decompress,
        from_json,
        like_pattern,
        pack,
        to_json,
        unpack,
    )
    from specfactory.store.base.outbox import Batch, Outbox
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Batch", "Outbox", "build", "compress", "decompress", "from_json", "like_pattern", "pack",
    "to_json", "unpack",
]  # fmt: skip
