"""Takes records and attempts; gives the ProductRecord and the ledger, each checked against its
schema, and proves, compares and measures what was published. Files for others: ``exports``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .golden_accuracy import (
        Accuracy,
        Wrong,
        accuracy,
        lessons_of,
        source_verdicts,
        verified_values,
    )
    from .history import Change, changes
    from .ledger import LEDGER_SCHEMA, ledger_json, limits_json, utilization
    from .record_as_json import RECORD_SCHEMA, check_record, record_json
    from .record_audit import AuditFailure, CitedPages, audit, audit_page, load_cited_pages
    from .shown_quotes import shown, with_passage
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
