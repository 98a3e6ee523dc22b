"""Small pages and a small contract, for tests of proof and extraction."""

from __future__ import annotations

from specfactory.contract import CompiledContract, compile_contract, parse_contract
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews

CONTRACT = """
category: mouse
version: "1.0.0"
title: Mouse
components:
  sensor:
    "Focus Pro 35K": [Razer Focus Pro 35K]
fields:
  product_name: {group: name, type: text, labels: {en: [Product name]}, structured: [name]}
  weight:
    group: body
    type: number
    unit: g
    range: [1, 500]
    labels: {en: [Weight, Mouse weight], de: [Gewicht]}
    structured: [weight]
    patterns: ["weighs [just|only] {value}", "weight is {value}"]
  length: {group: body, type: number, unit: mm, labels: {en: [Length], de: [Länge]}}
  cable_length:
    {group: cable, type: number, unit: m, labels: {en: [Cable length, "Cable > Length"]}}
  polling_rate:
    {group: sensor, type: number, unit: Hz, labels: {en: [Polling rate], de: [Abtastrate]}}
  sensor: {group: sensor, type: text, component: sensor, labels: {en: [Sensor]}}
  software: {group: software, type: text, labels: {en: [Software]}}
  wireless: {group: body, type: boolean, labels: {en: [Wireless]}}
  colors: {group: body, type: list, labels: {en: [Colors]}}
  price: {group: offer, type: price, labels: {en: [Price], de: [Preis]}, structured: [offers.price]}
  brand: {group: name, type: text, labels: {en: [Brand]}, structured: [brand]}
  gtin: {group: name, type: text, labels: {en: [EAN]}, structured: [gtin13, gtin]}
"""


def small_contract() -> CompiledContract:
    """A dozen fields of a mouse."""
    return compile_contract(parse_contract(CONTRACT, "mouse.yaml"))


def page_views(
    body: str | bytes,
    *,
    tier: Tier = Tier.RETAILER,
    media_type: str = "text/html",
    headers: dict[str, str] | None = None,
) -> PageViews:
    """The views of a page with this body."""
    url = "https://shop.example/p/1"
    page = Page(
        "page-1", url, url, "shop.example", tier, 1000, Outcome.OK, "", 200, headers or {},
        media_type=media_type,
    )  # fmt: skip
    return PageViews(page, body.encode() if isinstance(body, str) else body)


def tiny_pdf(lines: list[list[tuple[int, str]]]) -> bytes:
    """A PDF of one page: lines of (x, words), drawn from the last to the first."""
    drawn = [
        f"BT /F1 10 Tf {x} {780 - 16 * row} Td ({words}) Tj ET"
        for row, cells in enumerate(lines)
        for x, words in cells
    ]
    content = "\n".join(reversed(drawn)).encode("cp1252")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, made in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, made)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + (
        b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF" % (table, len(body))
    )
