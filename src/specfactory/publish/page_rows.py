"""Values of single pages for export: a page a line or a row."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from specfactory.contract import value_to_json
from specfactory.model import Candidate, Contract, iso_seconds
from specfactory.proof import reading
from specfactory.publish.jsonl_and_csv import Document, column_of, write_csv
from specfactory.store import ReadPage

HEAD = ("url", "host", "fetched_at", "page_id")


def page_document(found: ReadPage, contract: Contract) -> dict[str, Any]:
    """A page with the value of each field and the words that prove it."""
    return {
        "url": found.url,
        "host": found.host,
        "fetched_at": iso_seconds(found.fetched_at),
        "page_id": found.reading.page_id,
        "category": found.reading.category,
        "fields": {one.field: _field(one, contract) for one in found.reading.candidates},
    }


def export_page_rows(
    documents: Iterable[Document], out: Path | TextIO, fields: Sequence[str]
) -> int:
    """Write one CSV row per page, a column per field; return their number."""
    rows = (
        [*(one[name] for name in HEAD), *(one["fields"].get(n, {}).get("value") for n in fields)]
        for one in documents
    )
    return write_csv((*HEAD, *(column_of(name, HEAD) for name in fields)), rows, out)


def _field(candidate: Candidate, contract: Contract) -> dict[str, Any]:
    evidence = candidate.evidence
    field = contract.fields.get(candidate.field)
    return {
        "value": value_to_json(candidate.value),
        **({"unit": field.unit} if field is not None and field.unit else {}),
        "quote": " ".join(map(reading, evidence.values)),
        "method": evidence.method,
        "spans": [
            {name: getattr(part, name) for name in ("view", "view_version", "start", "end")}
            for part in evidence.values
        ],
    }
