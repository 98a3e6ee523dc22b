"""The ProductRecord: the published JSON of one product, field by field, and its schema."""

from collections.abc import Iterable
from typing import Any

from specfactory.contract import value_to_json
from specfactory.model import (
    Agreement,
    Candidate,
    Contract,
    Decision,
    DecisionAction,
    Evidence,
    FieldResult,
    Method,
    Record,
    Tier,
    UnknownReason,
    ViewName,
    host_without_www,
    iso_seconds,
)
from specfactory.publish.schemas import (
    AMOUNT,
    COUNT,
    DRAFT,
    INSTANT,
    SHARE,
    TEXT,
    TEXTS,
    WORDS,
    Schema,
    SchemaCheck,
    each,
    object_of,
    one_of,
)
from specfactory.publish.shown_quotes import is_verbatim, shown

UNKNOWN = "unk"

# Every key of a record: what is written below must have them, and no other.
VALUE: Schema = {
    "anyOf": [
        {"type": ["number", "string", "boolean"]},
        object_of({"amount": {"type": "number"}, "currency": WORDS}),
        {"type": "array", "items": {"type": ["number", "string"]}},
    ]
}
PART: Schema = object_of({"view": one_of(ViewName), "start": COUNT, "end": COUNT, "quote": WORDS})
SNIPPET_ID: Schema = {"type": "string", "pattern": r"^snp_\d{3,}$"}
CITATION: Schema = object_of(
    {
        "url": WORDS,
        "snippet_id": SNIPPET_ID,
        "quote": WORDS,
        "tier": one_of(Tier),
        "extraction_method": one_of(Method),
        "page_id": WORDS,
        "view": one_of(ViewName),
        "view_version": COUNT,
        "start": COUNT,
        "end": COUNT,
        "retrieved_at": INSTANT,
    },
    {"parts": {"type": "array", "items": PART, "minItems": 1}},
)
SIGNED: Schema = object_of(
    {"extraction_method": {"const": Method.OVERRIDE.value}, "reason": TEXT},
    {"decision_id": COUNT, "decided_by": WORDS, "decided_at": INSTANT},
)
CANDIDATE: Schema = object_of(
    {"value": VALUE, "source": TEXT, "tier": one_of(Tier)},
    {"url": WORDS, "snippet_id": SNIPPET_ID, "quote": WORDS},
)
ALL_CANDIDATES: Schema = {"type": "array", "items": CANDIDATE, "minItems": 1}
KNOWN: Schema = object_of(
    {
        "value": VALUE,
        "confidence": SHARE,
        "provenance": {"if": {"required": ["url"]}, "then": CITATION, "else": SIGNED},
        "candidates_count": COUNT,
        "agreement": one_of(Agreement),
    },
    {
        "all_candidates": ALL_CANDIDATES,
        "cross_validation": object_of({"passed": {"type": "boolean"}, "checks": TEXTS}),
    },
)
TRACE: Schema = object_of(
    {"rounds_attempted": COUNT, "sources_checked": TEXTS}
    | each(COUNT, "parse_attempts llm_attempts")
)
UNFILLED: Schema = object_of(
    {"value": {"const": UNKNOWN}, "unknown_reason": one_of(UnknownReason), "attempt_trace": TRACE},
    {
        "proposed": VALUE,
        "proposed_confidence": SHARE,
        "proposed_provenance": CITATION,
        "candidates_count": COUNT,
        "all_candidates": ALL_CANDIDATES,
    },
)
FIELD: Schema = {"if": {"required": ["unknown_reason"]}, "then": UNFILLED, "else": KNOWN}
METRICS: Schema = object_of(
    each(COUNT, "total_fields filled_fields unknown_fields")
    | each(SHARE, "coverage avg_confidence")
    | each(COUNT, "fields_needing_review cross_validation_warnings")
    | each(AMOUNT, "processing_time_s llm_cost_usd")
    | each(COUNT, "sources_used rounds_completed"),
    {"accuracy": SHARE},
)
IDENTITY: Schema = object_of(
    {
        "brand": TEXT,  # players, places and books have none
        "model": WORDS,
        "variant": TEXT,
        "identity_confidence": SHARE,
        "hard_ids": {"type": "object", "additionalProperties": TEXT},
    },
    {"hard_id_provenance": {"type": "object", "additionalProperties": CITATION}},
)

RECORD_SCHEMA: Schema = {
    "$schema": DRAFT,
    "title": "ProductRecord",
    **object_of(
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
            "review_flags": {
                "type": "array",
                "items": object_of({"field": WORDS, "reason": WORDS}),
            },
        }
    ),
}
"""A published record."""
_checked = SchemaCheck(RECORD_SCHEMA)


def record_json(
    record: Record, contract: Contract, history: Iterable[Decision] = ()
) -> dict[str, Any]:
    """The ProductRecord as JSON, checked against its schema.

    ``history`` are all decisions about the product: one that was undone later still signs the
    versions that were made while it held.
    """
    writer, product = _Writer(record, tuple(history)), record.product
    # Every field of the contract, in its order; then those that it no longer has.
    results = {
        name: record.fields.get(name)
        or FieldResult(name, None, unknown_reason=UnknownReason.NOT_FOUND_AFTER_SEARCH)
        for name in contract.fields
    } | {name: result for name, result in record.fields.items() if name not in contract.fields}
    document = {
        "product_id": product.id,
        "category": product.category,
        "version": f"1.0.{record.version}",
        "generated_at": iso_seconds(record.generated_at),
        "run_id": record.attempt_id,
        "contract_version": record.contract_version,
        "identity": {
            "brand": product.brand,
            "model": product.model,
            "variant": product.variant,
            "identity_confidence": round(record.identity.confidence, 4),
            "hard_ids": {**record.identity.hard_ids, **product.hard_ids},
            **writer.id_provenance(),
        },
        "fields": {name: writer.field(result) for name, result in results.items()},
        "metrics": _metrics(record, results),
        "review_flags": [
            {"field": name, "reason": flag}
            for name, result in record.fields.items()
            for flag in (*result.remarks, *result.flags)
        ],
    }
    return _checked(document)


def check_record(record: Record, contract: Contract) -> None:
    """Raise RecordInvalid unless the record fits its schema; done before it is stored."""
    record_json(record, contract)


def _metrics(record: Record, fields: dict[str, FieldResult]) -> dict[str, Any]:
    sure = [result.confidence for result in fields.values() if result.value is not None]
    failed = {c.name for r in fields.values() for c in r.checks if c.passed is False}
    metrics = {
        "total_fields": len(fields),
        "filled_fields": len(sure),
        "unknown_fields": len(fields) - len(sure),
        "coverage": round(len(sure) / len(fields), 3) if fields else 1.0,
        "avg_confidence": round(sum(sure) / len(sure), 3) if sure else 0.0,
        "fields_needing_review": sum(
            bool(one.flags) or one.unknown_reason is UnknownReason.AWAITING_REVIEW
            for one in fields.values()
        ),
        "cross_validation_warnings": len(failed),
        "processing_time_s": round(record.spent.seconds, 3),
        "llm_cost_usd": round(record.spent.model_cost_usd, 6),
        "sources_used": record.sources_used,
        "rounds_completed": record.spent.rounds,
    }
    return metrics if record.accuracy is None else {**metrics, "accuracy": record.accuracy}


class _Writer:
    """Writes the fields of one record and numbers its snippets as they come."""

    def __init__(self, record: Record, decisions: tuple[Decision, ...]) -> None:
        self._record, self._decisions = record, decisions
        self._numbers: dict[tuple[str, str, int, int], str] = {}

    def field(self, result: FieldResult) -> dict[str, Any]:
        """One field, known or unknown."""
        if result.value is None:
            return self._unknown(result)
        written = {
            "value": value_to_json(result.value),
            "confidence": round(result.confidence, 4),
            "provenance": self._provenance(result),
            "candidates_count": len(result.candidates),
            "agreement": (result.agreement or Agreement.SINGLE).value,
            **self._all_candidates(result),
        }
        ran = [check for check in result.checks if check.passed is not None]
        if ran:
            passed = all(check.passed for check in ran)
            written["cross_validation"] = {"passed": passed, "checks": [c.name for c in ran]}
        return written

    def id_provenance(self) -> dict[str, Any]:
        """Where pages prove the hard ids; one in a page's address has no quote."""
        identity, given = self._record.identity, self._record.product.hard_ids
        proofs = {
            kind: self._cite(evidence)
            for kind, evidence in identity.id_evidence.items()
            if evidence.values and kind not in given
        }
        return {"hard_id_provenance": proofs} if proofs else {}

    def _unknown(self, result: FieldResult) -> dict[str, Any]:
        trace = result.trace
        written: dict[str, Any] = {
            "value": UNKNOWN,
            "unknown_reason": (result.unknown_reason or UnknownReason.NOT_FOUND_AFTER_SEARCH).value,
            "attempt_trace": {
                "rounds_attempted": trace.rounds_attempted,
                "sources_checked": [host.removeprefix("www.") for host in trace.sources_checked],
                "parse_attempts": trace.parse_attempts,
                "llm_attempts": trace.model_attempts,
            },
        }
        if (best := proposal(result)) is not None:
            written["proposed"] = value_to_json(best.value)
            written["proposed_confidence"] = round(result.confidence, 4)
            written["proposed_provenance"] = self._cite(best.evidence)
            written |= {"candidates_count": len(result.candidates), **self._all_candidates(result)}
        return written

    def _all_candidates(self, result: FieldResult) -> dict[str, Any]:
        """The value of each source, where they differ."""
        listed = []
        for candidate in shown_candidates(result):
            evidence = candidate.evidence
            listed.append({
                "value": value_to_json(candidate.value),
                "source": host_without_www(evidence.url),
                "tier": evidence.tier.value,
                "url": evidence.url,
                "snippet_id": self._snippet_id(evidence),
                "quote": shown(evidence).quote,
            })  # fmt: skip
        return {"all_candidates": listed} if listed else {}

    def _provenance(self, result: FieldResult) -> dict[str, Any]:
        if result.chosen is not None:
            return self._cite(result.chosen.evidence)
        decision = signature(self._record, result, self._decisions)
        if decision is None:
            return {"extraction_method": "override", "reason": "; ".join(result.reasons)}
        return {
            "extraction_method": "override",
            "reason": decision.reason,
            "decision_id": decision.id,
            "decided_by": decision.actor,
            "decided_at": iso_seconds(decision.decided_at),
        }

    def _cite(self, evidence: Evidence) -> dict[str, Any]:
        quoted = shown(evidence)
        citation: dict[str, Any] = {
            "url": evidence.url,
            "snippet_id": self._snippet_id(evidence),
            "quote": quoted.quote,
            "tier": evidence.tier.value,
            "extraction_method": evidence.method.value,
            "page_id": evidence.page_id,
            "view": quoted.view.value,
            "view_version": quoted.view_version,
            "start": quoted.start,
            "end": quoted.end,
            "retrieved_at": iso_seconds(evidence.seen_at),
        }
        if not is_verbatim(evidence):  # the quote stands in several places, each verbatim
            label = () if evidence.label is None else (evidence.label,)
            citation["parts"] = [
                {"view": part.view.value, "start": part.start, "end": part.end, "quote": part.quote}
                for part in (*label, *evidence.values)
            ]
        return citation

    def _snippet_id(self, evidence: Evidence) -> str:
        place = shown(evidence)
        key = (place.page_id, place.view.value, place.start, place.end)
        return self._numbers.setdefault(key, f"snp_{len(self._numbers) + 1:03d}")


def proposal(result: FieldResult) -> Candidate | None:
    """The candidate offered for review of a field that was not published."""
    return next(iter(result.proposed.candidates if result.proposed else ()), None)


def signature(
    record: Record, result: FieldResult, decisions: Iterable[Decision]
) -> Decision | None:
    """The decision that stood behind a value when its record was made."""
    made, plain = record.generated_at, value_to_json(result.value)
    signing = [
        decision
        for decision in decisions
        if decision.field == result.field
        and decision.action is not DecisionAction.REJECT
        and decision.value == plain
        and decision.decided_at <= made
        and (decision.undone_at is None or decision.undone_at >= made)
    ]
    return signing[-1] if signing else None


def shown_candidates(result: FieldResult) -> list[Candidate]:
    """Where sources differ, one candidate per distinct value and source."""
    differing = result.value is not None and any(g.value != result.value for g in result.weighed)
    if len(result.weighed) < 2 and not differing:
        return []
    seen: dict[tuple[int, str], Candidate] = {}
    for number, group in enumerate(result.weighed):
        for candidate in group.candidates:
            seen.setdefault((number, host_without_www(candidate.evidence.url)), candidate)
    return list(seen.values())
