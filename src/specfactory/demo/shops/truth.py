"""The truth about the demo shops: products, sections, and addresses that must not be counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from specfactory.demo.shops.mall import Mall
from specfactory.demo.shops.pages import Press
from specfactory.demo.shops.values import Offer
from specfactory.model import Json

Row = dict[str, Json]


def true_products(mall: Mall) -> Iterator[Row]:
    """One row per product: per shop its canonical address, its sections and what its page says."""
    sold: dict[int, dict[str, Row]] = {}
    goods = {}
    for host, press in mall.presses.items():
        later = mall.relaunched(host)
        for place, offer in enumerate(press.shop.offers):
            goods[offer.good.number] = offer.good
            row = _offer(press, later, place, offer)
            sold.setdefault(offer.good.number, {})[press.shop.site.name] = row
    for number in sorted(sold):
        good = goods[number]
        yield {
            "id": number, "brand": good.brand, "model": good.model, "type": good.type,
            "gtin": good.gtin, "sites": sold[number],
        }  # fmt: skip


def _offer(press: Press, later: Press, place: int, offer: Offer) -> Row:
    shop = press.shop
    row: Row = {
        "url": shop.site.origin + press.paths.product(offer),
        "sections": list(shop.within[place]),
        "values": press.values(offer),
    }
    if offer.old_slug:
        row["moved_from"] = shop.site.origin + press.paths.old(offer)
    if (path := later.paths.product(offer)) != press.paths.product(offer):
        row["relaunched_url"] = shop.site.origin + path
    return row


def true_sections(mall: Mall) -> Iterator[Row]:
    """One row per section; its number is that of its shop."""
    for press in mall.presses.values():
        for section in press.shop.sections:
            yield {
                "site": press.shop.site.name, "section": section.number, "name": section.name,
                "kind": section.kind, "parent": section.parent,
                "url": press.shop.site.origin + press.paths.section(section),
                "products": len(press.shop.listed[section.number]), "paging": section.paging,
                "landing": section.landing,
            }  # fmt: skip


def not_counted(mall: Mall) -> Iterator[Row]:
    """Addresses that are no product or section: removed ones, and places without an end."""
    for press in mall.presses.values():
        shop, paths, origin = press.shop, press.paths, press.shop.site.origin
        for name, status in shop.removed.items():
            why = "soft_404" if status == 200 else "removed"
            yield {
                "site": shop.site.name,
                "why": why,
                "url": origin + paths.removed(name),
                "status": status,
            }
        places = {"calendar": paths.events, "search": paths.search, "forbidden": paths.trade,
                  "account": "/account", "cart": "/cart"}  # fmt: skip
        for why, path in places.items():
            yield {"site": shop.site.name, "why": why, "begins": origin + path}
        yield {"site": shop.site.name, "why": "facet", "parameters": list(press.lists.parameters)}


def write_shops_truth(mall: Mall, folder: Path) -> None:
    """Write ``products.jsonl``, ``sections.jsonl``, ``not_counted.jsonl`` and ``shops.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "products.jsonl", true_products(mall))
    _write(folder / "sections.jsonl", true_sections(mall))
    _write(folder / "not_counted.jsonl", not_counted(mall))
    shops = [
        {
            "site": shop.site.name, "origin": shop.site.origin, "platform": shop.platform,
            "language": shop.site.language, "currency": shop.currency, "sitemap": shop.sitemap,
            "products": len(shop.offers), "sections": len(shop.sections),
            "paging": sorted({section.paging for section in shop.sections}),
        }
        for shop in mall.shops
    ]  # fmt: skip
    content = {"seed": mall.seed, "shops": shops}
    (folder / "shops.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _write(file: Path, rows: Iterable[Row]) -> None:
    with file.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
