"""Shops: structured data on a bare page, prices with small cents, imperial units, a script."""

import json
from html import escape
from typing import Any

from specfactory.demo.drawing.prose import customer_posts, injection, phrase
from specfactory.demo.drawing.scene import Scene, shown
from specfactory.demo.drawing.shell import anchor
from specfactory.demo.truth import Mouse
from specfactory.model import Json

_IN_OFFER = {"price": "price", "availability": "availability"}
_DIRECT = {"gtin": "gtin13", "mpn": "mpn", "sku": "sku", "color": "color"}


def bare_page(scene: Scene) -> str:
    """Everything in JSON-LD, hardly anything to read."""
    main_item = json.dumps(_item(scene), indent=1)
    parts = [f'<script type="application/ld+json">{_safe(main_item)}</script>']
    if scene.staging.rivals:
        other = json.dumps(_other_item(scene, scene.staging.rivals[0]))
        parts.append(f'<script type="application/ld+json">{_safe(other)}</script>')
    if scene.staging.hostile == "comment":
        parts.append(f'<!-- <script type="application/ld+json">{_fake(scene)}</script> -->')
    main = (
        f"<h1>{escape(scene.title)}</h1><button>Add to cart</button>"
        '<p>Free returns within 30 days.</p><div id="gallery" data-images="12"></div>'
    )
    title = f"{scene.title} | {scene.site.title}"
    return scene.look.page(title, main, "\n".join(parts), name=scene.mouse.name)


def _item(scene: Scene) -> dict[str, Any]:
    item: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": scene.mouse.name,
        "brand": {"@type": "Brand", "name": scene.mouse.product.brand},
        "url": f"{scene.site.origin}{scene.shelf.path(scene.mouse)}",
    }
    more = []
    for line in scene.statements:
        if line.field in _DIRECT:
            item[_DIRECT[line.field]] = line.words
        elif line.field not in ("price", "availability", "rating", "review_count", "brand"):
            more.append({"@type": "PropertyValue", "name": line.label, "value": line.words})
    item["offers"] = _offer(scene.value_of(scene.mouse, "price"))
    item["additionalProperty"] = more
    return item


def _offer(price: Json) -> dict[str, Any]:
    if not price:
        return {}
    return {
        "@type": "Offer",
        "price": f"{price['amount']:.2f}",
        "priceCurrency": price["currency"],
        "availability": "https://schema.org/InStock",
        "itemCondition": "https://schema.org/NewCondition",
    }


def _other_item(scene: Scene, other: Mouse) -> dict[str, Any]:
    """A related product, in structured data of its own beside the main one."""
    return {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": other.name,
        "additionalProperty": [
            {
                "@type": "PropertyValue",
                "name": scene.label("weight"),
                "value": scene.words(other, "weight"),
            }
        ],
        "offers": _offer(scene.value_of(other, "price")),
    }


def _fake(scene: Scene) -> str:
    fake = {"@type": "Product", "name": scene.mouse.name, "weight": "12 g"}
    return _safe(json.dumps(fake))


def _safe(text: str) -> str:
    return text.replace("</", "<\\/")


def cents_page(scene: Scene) -> str:
    """Small cents, an old price, instalments, shipping, and others' prices beside."""
    rows = "".join(
        f"<tr><td>{escape(s.label)}</td><td>{shown(s)}</td></tr>"
        for s in scene.statements
        if s.field != "price"
    )
    main = (
        f"<h1>{escape(scene.title)}</h1>{_price_box(scene)}"
        f'<h2>Details</h2><table class="{scene.look.cls("details")}">{rows}</table>'
        f"{_related(scene)}{_customers(scene)}"
    )
    title = f"{scene.title} at {scene.site.title}"
    return scene.look.page(title, main, crumbs=scene.crumbs(), name=scene.mouse.name)


def imperial_page(scene: Scene) -> str:
    """Ounces and inches, microdata; a customer's review pretends to be a data sheet."""
    rows = "".join(
        f'<li><span class="{scene.look.cls("n")}">{escape(s.label)}</span> '
        f'<span class="{scene.look.cls("v")}">{shown(s)}</span></li>'
        for s in scene.statements
    )
    main = (
        '<div itemscope itemtype="https://schema.org/Product">'
        f'<meta itemprop="name" content="{escape(scene.mouse.name)}">'
        f"<h1>{escape(scene.title)}</h1><h2>Product details</h2><ul>{rows}</ul></div>"
        f"{_related(scene)}{_customers(scene)}"
    )
    title = f"{scene.title} - {scene.site.title}"
    return scene.look.page(title, main, crumbs=scene.crumbs(), name=scene.mouse.name)


def script_page(scene: Scene) -> str:
    """An empty shell: the values come by script only."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(scene.site.title)}</title>{scene.look.style}{scene.look.scripts}</head>"
        "<body><noscript>You need to enable JavaScript to run this app.</noscript>"
        '<div id="root"></div><script src="/static/app.js" defer></script></body></html>\n'
    )


def script_values(scene: Scene) -> bytes:
    """What the script asks for: the values as JSON."""
    rows = [{"label": s.label, "value": s.words} for s in scene.statements]
    return json.dumps({"name": scene.mouse.name, "specs": rows}).encode()


SCRIPT_BUNDLE = (
    b'fetch("/api"+location.pathname+".json").then(r=>r.json()).then(p=>{'
    b'const root=document.getElementById("root");const h=document.createElement("h1");'
    b'h.textContent=p.name;root.append(h);const t=document.createElement("table");'
    b"for(const s of p.specs){const r=t.insertRow();r.insertCell().textContent=s.label;"
    b"r.insertCell().textContent=s.value}root.append(t)});\n"
)


def shop_prices(amount: float) -> dict[str, float]:
    """The other prices that stand around a price."""
    return {
        "old_price": round(amount * 1.25 + 0.01, 2),
        "instalment": round(amount / 12, 2),
        "shipping": 4.95,
    }


def sup_price(amount: float) -> str:
    """Dollars with small cents."""
    whole, cents = f"{amount:.2f}".split(".")
    return f"${whole}<sup>{cents}</sup>"


def _price_box(scene: Scene) -> str:
    price = scene.value_of(scene.mouse, "price")
    if not price:
        return ""
    around = shop_prices(price["amount"])
    return (
        f'<div class="{scene.look.cls("buy")}"><del>${around["old_price"]:.2f}</del> '
        f'<span class="{scene.look.cls("price")}">{escape(scene.label("price"))}: '
        f"{sup_price(price['amount'])}</span>"
        f"<p>or 12 payments of ${around['instalment']:.2f}</p>"
        f"<p>Shipping: ${around['shipping']:.2f}</p><button>Buy now</button></div>"
    )


def _related(scene: Scene) -> str:
    """Other products with their prices and weights."""
    boxes = []
    for mouse in scene.staging.rivals:
        price = scene.value_of(mouse, "price")
        cost = f"<p>{sup_price(price['amount'])}</p>" if price else ""
        boxes.append(
            f'<div class="{scene.look.cls("card")}">{anchor(scene.link(mouse))}{cost}'
            f"<p>{escape(scene.label('weight'))}: {escape(scene.words(mouse, 'weight'))}</p></div>"
        )
    return f"<aside><h2>{phrase(scene, 'related')}</h2>{''.join(boxes)}</aside>"


def _customers(scene: Scene) -> str:
    posts = "".join(
        f"<blockquote><cite>{escape(post['who'])}</cite><p>{escape(post['text'])}</p></blockquote>"
        for post in customer_posts(scene.rng, 6)
    )
    return f"<section><h2>{phrase(scene, 'reviews')}</h2>{posts}{_hostile(scene)}</section>"


def _hostile(scene: Scene) -> str:
    """What a bad customer wrote: an instruction, a false table, a hidden one."""
    label = escape(scene.label("weight"))
    table = f"<table><tr><td>{label}</td><td>12 g</td></tr></table>"
    return {
        "injection": f"<blockquote><p>{escape(injection(scene.rng))}</p></blockquote>",
        "false_table": f"<blockquote><p>The real data:</p>{table}</blockquote>",
        "script": f"<script>document.write('{label}: 12 g')</script>",
        "hidden_table": f'<div style="display:none">{table}</div>',
    }.get(scene.staging.hostile, "")
