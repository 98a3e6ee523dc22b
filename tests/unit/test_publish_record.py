"""The ProductRecord and the ledger, as they are written."""

from __future__ import annotations

from dataclasses import replace

import jsonschema_rs
import pytest

from specfactory.errors import RecordInvalid
from specfactory.model import (
    Agreement,
    Attempt,
    Budget,
    CheckResult,
    Decision,
    DecisionAction,
    FieldResult,
    Money,
    ReviewKind,
    Spent,
    UnknownReason,
    Weighed,
)
from specfactory.publish import (
    LEDGER_SCHEMA,
    RECORD_SCHEMA,
    check_record,
    ledger_json,
    record_json,
    with_passage,
)
from specfactory.publish.schemas import SchemaCheck
from tests.sample import (
    CONTRACT,
    candidate,
    factory_page,
    known,
    lab_page,
    sample_fields,
    sample_record,
    unknown,
)


def test_the_record_tells_whose_it_is_and_when_it_was_made() -> None:
    document = record_json(sample_record(), CONTRACT)

    assert {k: v for k, v in document.items() if k not in ("fields", "metrics")} == {
        "product_id": "mouse-razer-viper",
        "category": "mouse",
        "version": "1.0.3",
        "generated_at": "2026-02-12T10:35:00Z",
        "run_id": "run_20260212_001",
        "contract_version": "1.2.0",
        "identity": {
            "brand": "Razer",
            "model": "Viper V3 Pro",
            "variant": "Wireless",
            "identity_confidence": 0.98,
            "hard_ids": {"asin": "B0D5CDZBJB", "sku": "RZ01"},
        },
        "review_flags": [
            {"field": "click_latency", "reason": "source_dependent — the labs disagree"}
        ],
    }


def test_a_known_field_has_its_value_and_its_proof() -> None:
    views = factory_page()
    weight = with_passage(candidate(views, "weight", 54, "Weight", "54 g"), views)
    result = replace(
        known((54, (weight,)), agreement=Agreement.SINGLE),
        checks=(CheckResult("plausible", True, ("weight",)), CheckResult("skipped", None, ())),
    )

    written = record_json(sample_record({"weight": result}), CONTRACT)["fields"]["weight"]

    proof = written.pop("provenance")
    assert written == {
        "value": 54,
        "confidence": 0.9,
        "candidates_count": 1,
        "agreement": "single_source",
        "cross_validation": {"passed": True, "checks": ["plausible"]},
    }
    assert views.text[proof["start"] : proof["end"]] == proof["quote"] == "Weight\t54 g"
    assert proof == {
        "url": "https://www.razer.com/viper-v3-pro",
        "snippet_id": "snp_001",
        "quote": "Weight\t54 g",
        "tier": "tier1_manufacturer",
        "extraction_method": "spec_table_match",
        "page_id": "page_factory",
        "view": "text",
        "view_version": 1,
        "start": proof["start"],
        "end": proof["end"],
        "retrieved_at": "2026-02-02T02:40:00Z",
    }


def test_words_that_stand_far_apart_are_joined_by_an_ellipsis_and_listed() -> None:
    filler = b"<p>" + b"other words " * 20 + b"</p>"
    body = b"<body><p>Weight</p>" + filler + b"<p>54 g</p></body>"
    views = factory_page(body)
    far = with_passage(candidate(views, "weight", 54, "Weight", "54 g"), views)
    result = known((54, (far,)), agreement=Agreement.SINGLE)

    proof = record_json(sample_record({"weight": result}), CONTRACT)["fields"]["weight"][
        "provenance"
    ]

    assert proof["quote"] == "Weight … 54 g"
    assert [part["quote"] for part in proof["parts"]] == ["Weight", "54 g"]
    assert all(views.text[p["start"] : p["end"]] == p["quote"] for p in proof["parts"])


def test_a_phrase_that_holds_its_value_is_quoted_once() -> None:
    views = factory_page(b"<p>It weighs only 54 g today.</p>")
    inside = candidate(views, "weight", 54, "weighs only 54 g", "54 g")
    result = known((54, (with_passage(inside, views),)), agreement=Agreement.SINGLE)

    proof = record_json(sample_record({"weight": result}), CONTRACT)["fields"]["weight"][
        "provenance"
    ]

    assert proof["quote"] == "weighs only 54 g"
    assert "parts" not in proof


def test_where_sources_differ_all_of_them_are_listed() -> None:
    latency = record_json(sample_record(), CONTRACT)["fields"]["click_latency"]

    assert latency["agreement"] == "source_dependent"
    assert [
        {key: listed[key] for key in ("value", "source", "tier")}
        for listed in latency["all_candidates"]
    ] == [
        {"value": 0.2, "source": "razer.com", "tier": "tier1_manufacturer"},
        {"value": 0.3, "source": "rtings.com", "tier": "tier2_lab"},
    ]


def test_where_sources_agree_none_is_listed() -> None:
    assert "all_candidates" not in record_json(sample_record(), CONTRACT)["fields"]["weight"]


def test_an_unknown_field_says_why_and_what_was_tried() -> None:
    assert record_json(sample_record(), CONTRACT)["fields"]["encoder_brand"] == {
        "value": "unk",
        "unknown_reason": "not_publicly_disclosed",
        "attempt_trace": {
            "rounds_attempted": 3,
            "sources_checked": ["razer.com", "rtings.com"],
            "parse_attempts": 2,
            "llm_attempts": 1,
        },
    }


def test_a_field_nobody_tried_is_unknown_too() -> None:
    fields = record_json(sample_record(), CONTRACT)["fields"]

    assert list(fields) == list(CONTRACT.fields)
    assert fields["cable"]["unknown_reason"] == "not_found_after_search"


def test_a_value_that_awaits_review_is_proposed_with_its_proof() -> None:
    weight = candidate(factory_page(), "weight", 54, "Weight", "54 g")
    waiting = unknown(
        "weight", UnknownReason.AWAITING_REVIEW, confidence=0.5,
        weighed=(Weighed(54, 1.0, (weight,)),), flags=("low confidence",),
    )  # fmt: skip

    document = record_json(sample_record({"weight": waiting}), CONTRACT)

    written = document["fields"]["weight"]
    assert (written["value"], written["proposed"]) == ("unk", 54)
    assert written["proposed_provenance"]["url"] == "https://www.razer.com/viper-v3-pro"
    assert document["metrics"]["fields_needing_review"] == 1


def test_an_override_is_signed() -> None:
    override = FieldResult("weight", 55, 1.0, Agreement.OVERRIDE, reasons=("a person said so",))
    decision = Decision(
        7, ReviewKind.FIELD, "mouse-razer-viper", "weight", DecisionAction.OVERRIDE, 55,
        "weighed it", "eve", 1_770_892_400_000,
    )  # fmt: skip
    record = sample_record({"weight": override})

    unsigned = record_json(record, CONTRACT)["fields"]["weight"]
    signed = record_json(record, CONTRACT, [decision])["fields"]["weight"]

    assert unsigned["provenance"]["reason"] == "a person said so"
    assert (signed["agreement"], signed["provenance"]) == (
        "override",
        {
            "extraction_method": "override",
            "reason": "weighed it",
            "decision_id": 7,
            "decided_by": "eve",
            "decided_at": "2026-02-12T10:33:20Z",
        },
    )


def test_an_override_shows_what_the_sources_say_instead() -> None:
    weight = candidate(factory_page(), "weight", 54, "Weight", "54 g")
    override = FieldResult(
        "weight", 55, 1.0, Agreement.OVERRIDE, weighed=(Weighed(54, 1.0, (weight,)),)
    )

    written = record_json(sample_record({"weight": override}), CONTRACT)["fields"]["weight"]

    assert [listed["value"] for listed in written["all_candidates"]] == [54]


def test_prices_and_lists_are_written_as_json() -> None:
    price = candidate(factory_page(), "price", Money(159.99, "USD"), "Price", "$159.99")
    result = known((price.value, (price,)), agreement=Agreement.SINGLE)

    fields = record_json(sample_record({"price": result}), CONTRACT)["fields"]

    assert fields["price"]["value"] == {"amount": 159.99, "currency": "USD"}


def test_the_metrics_count_what_is_there() -> None:
    failed = CheckResult("too_light", False, ("weight",))
    fields = sample_fields()
    fields["weight"] = replace(fields["weight"], checks=(failed,))
    fields["sensor"] = replace(fields["sensor"], checks=(failed,))

    document = record_json(replace(sample_record(fields), accuracy=0.97), CONTRACT)

    assert document["fields"]["weight"]["cross_validation"]["passed"] is False
    assert document["metrics"] == {
        "total_fields": 6,
        "filled_fields": 3,
        "unknown_fields": 3,
        "coverage": 0.5,
        "avg_confidence": 0.9,
        "fields_needing_review": 0,
        "cross_validation_warnings": 1,
        "processing_time_s": 142.25,
        "llm_cost_usd": 0.087,
        "sources_used": 2,
        "rounds_completed": 3,
        "accuracy": 0.97,
    }


def test_snippets_are_numbered_in_the_order_of_the_contract_and_each_place_once() -> None:
    first, second = (record_json(sample_record(), CONTRACT) for _ in range(2))

    ids = [f["provenance"]["snippet_id"] for f in first["fields"].values() if "provenance" in f]
    listed = first["fields"]["click_latency"]["all_candidates"]
    assert ids == ["snp_001", "snp_002", "snp_003"]
    assert [c["snippet_id"] for c in listed] == ["snp_003", "snp_004"]
    assert first == second


def test_a_record_that_does_not_fit_is_refused_with_the_place() -> None:
    sure = replace(sample_fields()["weight"], confidence=1.5)

    with pytest.raises(RecordInvalid, match=r"fields/weight.*1\.5.*not published"):
        check_record(sample_record({"weight": sure}), CONTRACT)


def test_a_record_without_a_model_is_refused() -> None:
    record = sample_record()

    check_record(replace(record, product=replace(record.product, brand="")), CONTRACT)
    with pytest.raises(RecordInvalid, match="identity/model"):
        check_record(replace(record, product=replace(record.product, model="")), CONTRACT)


def test_a_value_without_evidence_or_decision_is_not_called_cited() -> None:
    bare = FieldResult("weight", 54, 0.9, Agreement.SINGLE)

    written = record_json(sample_record({"weight": bare}), CONTRACT)["fields"]["weight"]

    assert "url" not in written["provenance"]


def test_what_the_schema_does_not_name_is_refused() -> None:
    document = record_json(sample_record(), CONTRACT)
    document["fields"]["weight"]["provenance"]["note"] = "stray"

    with pytest.raises(RecordInvalid, match=r"fields/weight/provenance.*note"):
        SchemaCheck(RECORD_SCHEMA)(document)


def test_both_schemas_are_schemas() -> None:
    for schema in (RECORD_SCHEMA, LEDGER_SCHEMA):
        assert jsonschema_rs.meta.is_valid(schema)


def test_the_ledger_is_the_budget_and_what_was_spent() -> None:
    spent = Spent(
        7, 11, {"Gemini-Flash": 4, "deepseek": 1},
        {"Gemini-Flash": (12_000, 3_000), "deepseek": (8_000, 2_000)}, 0.087, 142.0, 3,
    )  # fmt: skip

    assert ledger_json(Attempt("run_1", "mouse-x", Budget(), 5, spent=spent)) == {
        "run_id": "run_1",
        "product_id": "mouse-x",
        "budget": {
            "max_pages": 12,
            "max_llm_calls": 10,
            "max_llm_cost_usd": 0.5,
            "max_wall_clock_s": 300.0,
        },
        "actual": {
            "pages_fetched": 7,
            "llm_calls": {"gemini_flash": 4, "deepseek": 1, "total": 5},
            "llm_cost": {
                "gemini_flash_input_tokens": 12_000,
                "gemini_flash_output_tokens": 3_000,
                "deepseek_input_tokens": 8_000,
                "deepseek_output_tokens": 2_000,
                "total_usd": 0.087,
            },
            "wall_clock_s": 142.0,
            "rounds_completed": 3,
        },
        "budget_utilization": {"pages": 0.58, "llm_calls": 0.5, "cost": 0.17, "time": 0.47},
    }


def test_a_budget_of_nothing_is_not_divided_by() -> None:
    attempt = Attempt("run_1", "mouse-x", Budget(max_model_calls=0, max_model_cost_usd=0.0), 5)

    ledger = ledger_json(attempt)

    assert ledger["budget_utilization"] == {"pages": 0, "llm_calls": 0, "cost": 0, "time": 0}
    assert ledger["actual"]["llm_calls"] == {"total": 0}


def test_the_lab_page_is_cited_by_its_own_words() -> None:
    views = lab_page()
    slow = with_passage(candidate(views, "click_latency", 0.3, "Click latency", "0.3 ms"), views)

    assert slow.evidence.passage is not None
    assert slow.evidence.passage.quote == "Click latency\n0.3 ms"
