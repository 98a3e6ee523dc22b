"""Pages as records of web archives, and records of any archive read safely."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .page_records import PageWriter, page_in
    from .reader import WarcReader, WarcRecord
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
