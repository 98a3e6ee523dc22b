"""Values as bytes, and events as rows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .codec import build, compress, decompress, from_json, like_pattern, pack, to_json, unpack
    from .outbox import Batch, Outbox
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
