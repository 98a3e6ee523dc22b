"""Commands about records: run, show, explain, audit, export, review, golden."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .audit import audit_records
    from .golden import print_reliability
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
