"""A small product with real pages, for the tests of what is published."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from specfactory.model import (
    Agreement,
    AttemptTrace,
    Candidate,
    CheckResult,
    Contract,
    Evidence,
    Field,
    FieldResult,
    FieldType,
    Identity,
    Level,
    Method,
    Outcome,
    Page,
    Product,
    Record,
    Spent,
    Tier,
    Tolerance,
    UnknownReason,
    Value,
    Verdict,
    ViewName,
    Weighed,
)
from specfactory.proof import PageViews, snippet

PRODUCT = Product(
    "mouse", "Razer", "Viper V3 Pro", "Wireless", {"sku": "RZ01"}, "mouse-razer-viper"
)

FACTORY = b"""<!doctype html><html lang="en"><title>Viper V3 Pro</title><body>
<table><tr><th>Weight</th><td>54 g</td></tr>
<tr><th>Sensor</th><td>Focus Pro 35K</td></tr>
<tr><th>Click latency</th><td>0.2 ms</td></tr>
<tr><th>Price</th><td>$159.99</td></tr></table></body></html>"""
LAB = b"""<!doctype html><html lang="en"><title>Viper V3 Pro review</title><body>
<dl><dt>Click latency</dt><dd>0.3 ms</dd><dt>Weight</dt><dd>54 g</dd></dl></body></html>"""


def _field(name: str, kind: FieldType, label: str, **more: object) -> Field:
    return Field(name, kind, labels={"en": (label,)}, **more)  # type: ignore[arg-type]


CONTRACT = Contract(
    "mouse",
    "1.2.0",
    "Computer mouse",
    {
        field.name: field
        for field in (
            _field("weight", FieldType.NUMBER, "Weight", unit="g", level=Level.REQUIRED,
                   low=20.0, high=250.0, tolerance=Tolerance(1.0)),
            _field("sensor", FieldType.TEXT, "Sensor"),
            _field("click_latency", FieldType.NUMBER, "Click latency", unit="ms",
                   source_dependent=True),
            _field("price", FieldType.PRICE, "Price"),
            _field("encoder_brand", FieldType.TEXT, "Encoder brand"),
            _field("cable", FieldType.BOOLEAN, "Cable"),
        )
    },
    digest="sample-1",
)  # fmt: skip


def page_views(name: str, host: str, tier: Tier, body: bytes) -> PageViews:
    url = f"https://{host}/viper-v3-pro"
    return PageViews(
        Page(
            name, url, url, host, tier, 1_770_000_000_000, Outcome.OK, "200", 200,
            content_hash=hashlib.sha256(body).hexdigest(), media_type="text/html",
            size_bytes=len(body),
        ),
        body,
    )  # fmt: skip


def factory_page(body: bytes = FACTORY) -> PageViews:
    return page_views("page_factory", "www.razer.com", Tier.MANUFACTURER, body)


def lab_page(body: bytes = LAB) -> PageViews:
    return page_views("page_lab", "www.rtings.com", Tier.LAB, body)


def candidate(views: PageViews, field: str, value: Value, label: str, words: str) -> Candidate:
    """A candidate for words that stand after their label in the text of a page."""
    at = views.text.index(label)
    start = views.text.index(words, at)
    page = views.page
    evidence = Evidence(
        page.id, page.url, page.tier, Method.TABLE,
        (snippet(views, ViewName.TEXT, start, start + len(words)),),
        snippet(views, ViewName.TEXT, at, at + len(label)),
        page.fetched_at,
    )  # fmt: skip
    return Candidate(field, value, evidence)


def known(*weighed: tuple[Value, tuple[Candidate, ...]], agreement: Agreement) -> FieldResult:
    """A filled field; the first value is the one that was chosen."""
    value, candidates = weighed[0]
    groups = tuple(Weighed(v, 1.0, found, ("because",)) for v, found in weighed)
    return FieldResult(
        candidates[0].field, value, 0.9, agreement, candidates[0], groups, reasons=("two agree",)
    )


def unknown(field: str, reason: UnknownReason, **more: object) -> FieldResult:
    trace = AttemptTrace(3, ("www.razer.com", "www.rtings.com"), 2, 1)
    return FieldResult(field, None, unknown_reason=reason, trace=trace, **more)  # type: ignore[arg-type]


def sample_fields() -> dict[str, FieldResult]:
    factory, lab = factory_page(), lab_page()
    weights = tuple(candidate(v, "weight", 54, "Weight", "54 g") for v in (factory, lab))
    fast = candidate(factory, "click_latency", 0.2, "Click latency", "0.2 ms")
    slow = candidate(lab, "click_latency", 0.3, "Click latency", "0.3 ms")
    sensor = candidate(factory, "sensor", "Focus Pro 35K", "Sensor", "Focus Pro 35K")
    latency = known((0.2, (fast,)), (0.3, (slow,)), agreement=Agreement.SOURCE_DEPENDENT)
    check = CheckResult("weight_plausibility", True, ("weight",))
    return {
        "weight": replace(known((54, weights), agreement=Agreement.UNANIMOUS), checks=(check,)),
        "sensor": known(("Focus Pro 35K", (sensor,)), agreement=Agreement.SINGLE),
        "click_latency": replace(latency, remarks=("source_dependent — the labs disagree",)),
        "price": unknown("price", UnknownReason.BUDGET_EXHAUSTED),
        "encoder_brand": unknown("encoder_brand", UnknownReason.NOT_PUBLICLY_DISCLOSED),
    }


def sample_record(fields: Mapping[str, FieldResult] | None = None, version: int = 3) -> Record:
    identity = Identity(Verdict.SAME, 0.98, ("model tokens agree",), {"asin": "B0D5CDZBJB"})
    return Record(
        PRODUCT, version, "run_20260212_001", 1_770_892_500_000, CONTRACT.version,
        CONTRACT.digest, identity, sample_fields() if fields is None else fields,
        Spent(7, 11, {"gemini-flash": 4}, {"gemini-flash": (12_000, 3_000)}, 0.087, 142.25, 3),
        sources_used=2,
    )  # fmt: skip
