"""Takes the views of a page; gives the lists of records on it, found by repetition alone."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .records import ListedRecord, RecordList, find_records
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
