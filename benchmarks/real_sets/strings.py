"""Prices, quantities, ratings, brands and breadcrumbs as found on pages, each read by itself.

A price is right when its amount is, and its currency: the sign as written, or another sign of
the same currency. A quantity is right when its number and its unit are (F1 over all texts).
A trail of breadcrumbs is right when every crumb has its name and its address, in their order.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.node_values import read_brand, read_rating_of
from benchmarks.real_sets._pages import half
from benchmarks.report import Report
from specfactory.contract.values.composed_units import parse_unit
from specfactory.contract.values.currencies import currencies_of, fold_sign
from specfactory.contract.values.prices import read_price
from specfactory.contract.values.running_text import FoundQuantity, find_quantities
from specfactory.proof.structured import Markup, read_trail
from specfactory.proof.text import read_text

Row = dict[str, Any]
_CLOSE = 1e-6


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """All figures of a folder of strings."""
    made = Report("real strings")
    prices = _rows(folder, "prices", given)
    easy = [row for row in prices if not row["known_hard"]]
    hard = [row for row in prices if row["known_hard"]]
    ratings, brands = _rows(folder, "rating_values", given), _rows(folder, "brand_values", given)
    quantities = _rows(folder, "quantities", given)
    trails = _rows(folder, "breadcrumbs", given)
    made.at_least("prices", _share(easy, _price_right), 1.0)
    made.at_least("prices_hard", _share(hard, _price_right), 0.5)
    made.at_least("quantities", _quantities_f1(quantities), 0.90)
    made.at_least("ratings", _share(ratings, _rating_right), 0.97)
    made.at_least("brands", _share(brands, _brand_right), 0.97)
    made.at_least("breadcrumbs", _share(trails, _trail_right), 0.95)
    for name in "ab":
        made.notes.append(f"half {name}: " + ", ".join(_of_half(name, folder, given)))
    made.notes.append(
        f"{len(easy)} prices, {len(hard)} hard, {len(quantities)} texts with quantities, "
        f"{len(ratings)} ratings, {len(brands)} brands, {len(trails)} trails"
    )
    made.notes.append(_peer(easy, hard))
    if given.wrong:
        made.notes += _wrong(prices, quantities, ratings, brands, trails)
    return made


def _rows(folder: Path, name: str, given: argparse.Namespace) -> list[Row]:
    lines = (folder / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if not given.half or _half(row) == given.half]


def _half(row: Row) -> str:
    return half(str(row.get("text") or row.get("html")))


def _of_half(name: str, folder: Path, given: argparse.Namespace) -> Iterator[str]:
    prices = [row for row in _rows(folder, "prices", given) if _half(row) == name]
    kinds = (
        ("prices", [row for row in prices if not row["known_hard"]], _price_right),
        ("prices_hard", [row for row in prices if row["known_hard"]], _price_right),
        ("ratings", _rows(folder, "rating_values", given), _rating_right),
        ("brands", _rows(folder, "brand_values", given), _brand_right),
        ("breadcrumbs", _rows(folder, "breadcrumbs", given), _trail_right),
    )
    for figure, rows, is_right in kinds:
        yield f"{figure} {_share([row for row in rows if _half(row) == name], is_right):.4f}"
    quantities = [row for row in _rows(folder, "quantities", given) if _half(row) == name]
    yield f"quantities {_quantities_f1(quantities):.4f}"


def _share(rows: list[Row], is_right: Callable[[Row], bool]) -> float:
    return sum(map(is_right, rows)) / len(rows) if rows else 1.0


def _price_right(row: Row) -> bool:
    read = read_price(row["text"], row["currency_hint"], row["decimal_separator_hint"])
    return _same_price(row, read.amount, read.sign)


def _same_price(row: Row, amount: Decimal | None, sign: str | None) -> bool:
    wanted = None if row["amount"] is None else Decimal(row["amount"])
    return amount == wanted and _same_currency(row["currency"], sign)


def _same_currency(wanted: str | None, sign: str | None) -> bool:
    if wanted is None or sign is None:
        return wanted is sign
    alike = not set(currencies_of(wanted)).isdisjoint(currencies_of(sign))
    return alike or fold_sign(wanted) == fold_sign(sign)


def _node(html: str) -> LexborNode:
    """The element of a fragment; the body around it when it has several."""
    body = LexborHTMLParser(f"<body>{html}</body>").body
    assert body is not None
    children = list(body.iter(include_text=True))
    return children[0] if len(children) == 1 and children[0].is_element_node else body


def _rating_right(row: Row) -> bool:
    value = read_rating_of(_node(row["html"])).value
    return bool(value == row["ratingValue"])


def _brand_right(row: Row) -> bool:
    return bool(read_brand(_node(row["html"])) == row["value"])


def _trail_right(row: Row) -> bool:
    outline = read_text(LexborHTMLParser(_in_a_row(row["html"])))
    body = outline.tagged("body")[0]
    crumbs = read_trail(Markup("row", row["html"], [], outline), body, row["base_url"])
    wanted = [(crumb.get("name"), crumb.get("url")) for crumb in row["expected"]]
    return [(crumb.name or None, crumb.url or None) for crumb in crumbs] == wanted


def _in_a_row(html: str) -> str:
    """A cell needs its table: without one, a parser drops its tag."""
    return f"<table><tr>{html}</tr></table>" if html.lstrip().startswith("<td") else html


def _matched(row: Row) -> tuple[int, list[FoundQuantity]]:
    """How many quantities of a text were found, and all that were given."""
    given = find_quantities(row["text"])
    left, right = list(given), 0
    for wanted in row["quantities"]:
        unit = parse_unit(wanted["unit"])
        close = _CLOSE * max(abs(wanted["value"]), 1e-3)
        for found in left:
            if abs(found.value - wanted["value"]) <= close and unit and found.unit.is_same(unit):
                left.remove(found)
                right += 1
                break
    return right, given


def _quantities_f1(rows: list[Row]) -> float:
    right = given = asked = 0
    for row in rows:
        mine, found = _matched(row)
        right, given, asked = right + mine, given + len(found), asked + len(row["quantities"])
    return 2 * right / max(given + asked, 1)


def _peer(easy: list[Row], hard: list[Row]) -> str:
    """What price-parser makes of the same prices."""
    try:
        from price_parser import Price  # type: ignore[import-not-found]
    except ImportError:
        return "price-parser: peer not installed: make peers"

    def right(row: Row) -> bool:
        hints = {"currency_hint": row["currency_hint"]}
        read = Price.fromstring(
            row["text"], decimal_separator=row["decimal_separator_hint"], **hints
        )
        return _same_price(row, read.amount, read.currency)

    return f"price-parser: prices {_share(easy, right):.4f}, prices_hard {_share(hard, right):.4f}"


def _wrong(prices: list[Row], quantities: list[Row], *others: list[Row]) -> Iterator[str]:
    for row in prices:
        if not _price_right(row):
            read = read_price(row["text"], row["currency_hint"], row["decimal_separator_hint"])
            yield f"price {row['text']!r}: {read}, truth {row['amount']} {row['currency']}"
    for row in quantities:
        right, found = _matched(row)
        if not right == len(found) == len(row["quantities"]):
            said = [(one.value, row["text"][one.start : one.end]) for one in found]
            yield f"quantities {row['text']!r}: {said}"
    for rows, is_right in zip(others, (_rating_right, _brand_right, _trail_right), strict=True):
        yield from (f"{row['html'][:120]!r}" for row in rows if not is_right(row))
