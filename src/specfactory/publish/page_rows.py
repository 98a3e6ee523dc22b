"""Values of single pages for export: a page a line or a row."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from specfactory.contract import value_to_json
from specfactory.model import Candidate, Contract
from specfactory.proof import reading
from specfactory.publish.exports import Document, opened, safe_cell
from specfactory.publish.record_document import iso
from specfactory.store import ReadPage

HEAD = ("url", "host", "fetched_at", "page_id")


def page_document(found: ReadPage, contract: Contract) -> dict[str, Any]:
    """A page with the value of each field and the words that prove it."""
    return {
        "url": found.url,
        "host": found.host,
        "fetched_at": iso(found.fetched_at),
        "page_id": found.reading.page_id,
        "category": found.reading.category,
        "fields": {one.field: _field(one, contract) for one in found.reading.candidates},
    }


def export_page_rows(
    documents: Iterable[Document], out: Path | TextIO, fields: Sequence[str]
) -> int:
    """Write one CSV row per page, a column per field; return their number."""
    count = 0
    with opened(out) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*HEAD, *(f"field_{name}" if name in HEAD else name for name in fields)))
        for document in documents:
            values = (document["fields"].get(name, {}).get("value") for name in fields)
            writer.writerow(map(safe_cell, (*(document[name] for name in HEAD), *values)))
            count += 1
    return count


def _field(candidate: Candidate, contract: Contract) -> dict[str, Any]:
    evidence = candidate.evidence
    field = contract.fields.get(candidate.field)
    return {
        "value": value_to_json(candidate.value),
        **({"unit": field.unit} if field is not None and field.unit else {}),
        "quote": " ".join(map(reading, evidence.values)),
        "method": evidence.method,
        "spans": [
            {
                "view": part.view,
                "view_version": part.view_version,
                "start": part.start,
                "end": part.end,
            }
            for part in evidence.values
        ],
    }
