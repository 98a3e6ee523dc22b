"""Commands about records: run, show, explain, audit, export, review, golden."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.entry.cli.records.audit import audit_records
    from specfactory.entry.cli.records.golden import print_reliability
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["audit_records", "print_reliability"]
