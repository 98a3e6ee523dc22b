"""JSON Schemas of records and ledgers, and the check that every document passes."""

from functools import cache
from typing import Any, Literal

from specfactory.errors import RecordInvalid
from specfactory.model import Agreement, Method, Tier, UnknownReason, ViewName

Kind = Literal["record", "ledger"]
Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
WORDS: Schema = {"type": "string", "minLength": 1}
COUNT: Schema = {"type": "integer", "minimum": 0}
AMOUNT: Schema = {"type": "number", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
INSTANT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
TEXTS: Schema = {"type": "array", "items": TEXT}


def _one_of(kind: Any) -> Schema:
    return {"enum": [member.value for member in kind]}


def _each(schema: Schema, names: str) -> Schema:
    """Properties that have the same schema."""
    return dict.fromkeys(names.split(), schema)


def _object(required: Schema, optional: Schema | None = None) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


VALUE: Schema = {
    "anyOf": [
        {"type": ["number", "string", "boolean"]},
        _object({"amount": {"type": "number"}, "currency": WORDS}),
        {"type": "array", "items": {"type": ["number", "string"]}},
    ]
}
PART: Schema = _object({"view": _one_of(ViewName), "start": COUNT, "end": COUNT, "quote": WORDS})
SNIPPET_ID: Schema = {"type": "string", "pattern": r"^snp_\d{3,}$"}
CITATION: Schema = _object(
    {
        "url": WORDS,
        "snippet_id": SNIPPET_ID,
        "quote": WORDS,
        "tier": _one_of(Tier),
        "extraction_method": _one_of(Method),
        "page_id": WORDS,
        "view": _one_of(ViewName),
        "view_version": COUNT,
        "start": COUNT,
        "end": COUNT,
        "retrieved_at": INSTANT,
    },
    {"parts": {"type": "array", "items": PART, "minItems": 1}},
)
SIGNED: Schema = _object(
    {"extraction_method": {"const": Method.OVERRIDE.value}, "reason": TEXT},
    {"decision_id": COUNT, "decided_by": WORDS, "decided_at": INSTANT},
)
CANDIDATE: Schema = _object(
    {"value": VALUE, "source": TEXT, "tier": _one_of(Tier)},
    {"url": WORDS, "snippet_id": SNIPPET_ID, "quote": WORDS},
)
ALL_CANDIDATES: Schema = {"type": "array", "items": CANDIDATE, "minItems": 1}
KNOWN: Schema = _object(
    {
        "value": VALUE,
        "confidence": SHARE,
        "provenance": {"if": {"required": ["url"]}, "then": CITATION, "else": SIGNED},
        "candidates_count": COUNT,
        "agreement": _one_of(Agreement),
    },
    {
        "all_candidates": ALL_CANDIDATES,
        "cross_validation": _object({"passed": {"type": "boolean"}, "checks": TEXTS}),
    },
)
TRACE: Schema = _object(
    {"rounds_attempted": COUNT, "sources_checked": TEXTS}
    | _each(COUNT, "parse_attempts llm_attempts")
)
UNKNOWN: Schema = _object(
    {"value": {"const": "unk"}, "unknown_reason": _one_of(UnknownReason), "attempt_trace": TRACE},
    {
        "proposed": VALUE,
        "proposed_confidence": SHARE,
        "proposed_provenance": CITATION,
        "candidates_count": COUNT,
        "all_candidates": ALL_CANDIDATES,
    },
)
FIELD: Schema = {"if": {"required": ["unknown_reason"]}, "then": UNKNOWN, "else": KNOWN}
METRICS: Schema = _object(
    _each(COUNT, "total_fields filled_fields unknown_fields")
    | _each(SHARE, "coverage avg_confidence")
    | _each(COUNT, "fields_needing_review cross_validation_warnings")
    | _each(AMOUNT, "processing_time_s llm_cost_usd")
    | _each(COUNT, "sources_used rounds_completed"),
    {"accuracy": SHARE},
)
IDENTITY: Schema = _object(
    {
        "brand": WORDS,
        "model": WORDS,
        "variant": TEXT,
        "identity_confidence": SHARE,
        "hard_ids": {"type": "object", "additionalProperties": TEXT},
    }
)

RECORD_SCHEMA: Schema = {
    "$schema": DRAFT,
    "title": "ProductRecord",
    **_object(
        {
            "product_id": WORDS,
            "category": WORDS,
            "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
            "generated_at": INSTANT,
            "run_id": WORDS,
            "contract_version": TEXT,
            "identity": IDENTITY,
            "fields": {"type": "object", "additionalProperties": FIELD},
            "metrics": METRICS,
            "review_flags": {"type": "array", "items": _object({"field": WORDS, "reason": WORDS})},
        }
    ),
}
"""A published record."""

LEDGER_SCHEMA: Schema = {
    "$schema": DRAFT,
    "title": "Ledger",
    **_object(
        {
            "run_id": WORDS,
            "product_id": WORDS,
            "budget": _object(
                _each(COUNT, "max_pages max_llm_calls")
                | _each(AMOUNT, "max_llm_cost_usd max_wall_clock_s")
            ),
            "actual": _object(
                {
                    "pages_fetched": COUNT,
                    "llm_calls": {
                        "type": "object",
                        "required": ["total"],
                        "additionalProperties": COUNT,
                    },
                    "llm_cost": {
                        "type": "object",
                        "required": ["total_usd"],
                        "properties": {"total_usd": AMOUNT},
                        "additionalProperties": COUNT,
                    },
                    "wall_clock_s": AMOUNT,
                    "rounds_completed": COUNT,
                }
            ),
            "budget_utilization": _object(_each(AMOUNT, "pages llm_calls cost time")),
        }
    ),
}
"""The budget and the spending of one attempt."""


def check_document(kind: Kind, document: dict[str, Any]) -> dict[str, Any]:
    """The document itself when it fits its schema; else RecordInvalid with the first problem."""
    try:
        problem = next(_validator(kind).iter_errors(document), None)
    except (UnicodeEncodeError, ValueError, OverflowError) as error:
        raise RecordInvalid(str(document.get("product_id")), str(error)) from error
    if problem is not None:
        where = "/".join(map(str, problem.instance_path)) or "the whole"
        raise RecordInvalid(str(document.get("product_id")), f"{where}: {problem.message}")
    return document


@cache
def _validator(kind: Kind) -> Any:
    import jsonschema_rs  # only where something is written

    schema = RECORD_SCHEMA if kind == "record" else LEDGER_SCHEMA
    return jsonschema_rs.Draft202012Validator(schema)
