"""Takes records and attempts; gives the ProductRecord, the ledger and the exports, each checked
against its schema, and proves, compares and measures what was published.
"""

from specfactory.publish.exports import export_csv, export_jsonl, published_only
from specfactory.publish.golden_accuracy import (
    Accuracy,
    Wrong,
    accuracy,
    lessons_of,
    source_verdicts,
    verified_values,
)
from specfactory.publish.history import Change, changes
from specfactory.publish.ledger import ledger_json, utilization
from specfactory.publish.linked_data import export_linked_data
from specfactory.publish.page_rows import export_page_rows, page_document
from specfactory.publish.parquet import export_parquet
from specfactory.publish.record_audit import AuditFailure, CitedPages, audit, load_cited_pages
from specfactory.publish.record_document import check_record, record_json
from specfactory.publish.schemas import LEDGER_SCHEMA, RECORD_SCHEMA
from specfactory.publish.shown_quotes import shown, with_passage

__all__ = [
    "LEDGER_SCHEMA", "RECORD_SCHEMA", "Accuracy", "AuditFailure", "Change", "CitedPages", "Wrong",
    "accuracy", "audit", "changes", "check_record", "export_csv", "export_jsonl",
    "export_linked_data", "export_page_rows", "export_parquet", "ledger_json", "lessons_of",
    "load_cited_pages", "page_document", "published_only", "record_json", "shown",
    "source_verdicts", "utilization", "verified_values", "with_passage",
]  # fmt: skip
