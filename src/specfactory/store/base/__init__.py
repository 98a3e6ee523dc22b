"""How values become bytes and events become rows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.store.base.codec import (
        build,
        compress,
        decompress,
        from_json,
        pack,
        to_json,
        unpack,
    )
    from specfactory.store.base.outbox import Batch, Outbox
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Batch",
    "Outbox",
    "build",
    "compress",
    "decompress",
    "from_json",
    "pack",
    "to_json",
    "unpack",
]
