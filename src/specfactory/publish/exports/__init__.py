"""Takes records and pages as JSON, one after another; gives files for others, in memory that does
not grow with their number.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .columns import Column, with_unit
    from .csv_file import safe_cell
    from .export_file import open_export
    from .formats import Format
    from .json_forms import published_only, with_units
    from .linked_data import schema_org_thing
    from .page_rows import PAGE_HEAD, page_document
    from .table_spool import RECORD_HEAD
    from .whole_files import opened
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
