"""Values of single pages for export, each with its confidence, its words and its place."""

from collections.abc import Callable
from typing import Any

from specfactory.contract import value_to_json
from specfactory.model import Candidate, Contract, FieldType, iso_seconds
from specfactory.proof import reading
from specfactory.publish.exports.columns import Column
from specfactory.store import ReadPage

PAGE_HEAD = (
    Column("url", FieldType.TEXT, "Address of the page."),
    Column("host", FieldType.TEXT, "Host of the page."),
    Column("fetched_at", FieldType.TEXT, "When the page was fetched (ISO 8601, UTC)."),
    Column("page_id", FieldType.TEXT, "Id of the stored page, for spec pages show."),
)

NOT_ON_PAGE = "not_on_page"


def page_document(
    found: ReadPage, contract: Contract, confidence: Callable[[Candidate], float]
) -> dict[str, Any]:
    """A page with the value of each field and the words that prove it, or why there is none."""
    read = found.reading
    known = {one.field: _field(one, confidence(one)) for one in read.candidates}
    dropped = {one.field: one.reason for one in reversed(read.dropped)}  # the first one counts
    unknown = {
        name: {"value": None, "unknown_reason": dropped.get(name, NOT_ON_PAGE)}
        for name in contract.fields
        if name not in known
    }
    names = [*contract.fields, *(name for name in known if name not in contract.fields)]
    return {
        "url": found.url,
        "host": found.host,
        "fetched_at": iso_seconds(found.fetched_at),
        "page_id": read.page_id,
        "category": read.category,
        "fields": {name: known.get(name) or unknown[name] for name in names},
    }


def _field(candidate: Candidate, confidence: float) -> dict[str, Any]:
    evidence = candidate.evidence
    return {
        "value": value_to_json(candidate.value),
        "confidence": round(confidence, 4),
        "quote": " ".join(map(reading, evidence.values)),
        "method": evidence.method,
        "spans": [
            {name: getattr(part, name) for name in ("view", "view_version", "start", "end")}
            for part in evidence.values
        ],
    }
