"""Commands about records: run, show, explain, audit, export, review, golden."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.entry.cli.records.audit import audit_records
    from specfactory.entry.cli.records.explain import no_such_field
    from specfactory.entry.cli.records.reliability import print_reliability, reliability_json
    from specfactory.entry.cli.records.run import checked_url
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["audit_records", "checked_url", "no_such_field", "print_reliability", "reliability_json"]
