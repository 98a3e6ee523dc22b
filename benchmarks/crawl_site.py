"""The site that is crawled: product pages of about 50 KB, made from a seed, served with keep-alive.

Pages are made as shops make them: inline style and state, menus, breadcrumbs, a buy box, ids, a
specification table, prose, reviews, neighbours with prices of their own, and a footer.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

SEED = 20_260
SPAWN = multiprocessing.get_context("spawn")
START_SECONDS = 60.0


def word_list(words: str) -> list[str]:
    """Words by the line."""
    return words.split()


# The ten hand-written selectors; everybody has the same ones.
SELECTORS: Mapping[str, str] = {
    "title": "h1.product-title",
    "brand": "a.product-brand",
    "price": "div.buy-box span.price-now",
    "availability": "div.buy-box p.availability",
    "sku": "dl.product-ids dd.sku",
    "gtin": "dl.product-ids dd.gtin",
    "rating": "div.review-summary span.rating-value",
    "review_count": "div.review-summary span.rating-count",
    "weight": "table.specs tr.spec-weight td",
    "battery_life": "table.specs tr.spec-battery td",
}

_BRANDS = ("Aurelix", "Borealis", "Cendra", "Dovetail", "Eventide", "Foxglove", "Halcyon", "Ionic")
_THINGS = ("Headphones", "Keyboard", "Mouse", "Speaker", "Webcam", "Monitor Light", "Microphone")
_ADJECTIVES = ("wireless", "quiet", "compact", "sturdy", "bright", "balanced", "light", "precise")
_WORDS = word_list(
    "the battery lasts through a whole week of work and charges quickly over the supplied cable "
    "while its soft surface stays clean even after long days on the desk and the switch on the "
    "side changes between three profiles that can be set in the companion app without an account"
)
_LABELS = (
    "Colour", "Material", "Connection", "Range", "Charging time", "Buttons", "Warranty", "Origin",
    "Cable length", "Operating systems", "Package contents", "Noise level", "Certification",
)  # fmt: skip


def truth_of(number: int) -> dict[str, str]:
    """The ten values of one page, as its words give them."""
    random = Random(SEED + number)
    brand, thing = random.choice(_BRANDS), random.choice(_THINGS)
    model = f"{random.choice('ABCDEFGH')}{random.randint(10, 99)}-{number:04d}"
    return {
        "title": f"{brand} {model} {thing}",
        "brand": brand,
        "price": f"€{random.randint(19, 899)}.{random.choice(('00', '49', '90', '99'))}",
        "availability": random.choice(("In stock", "Out of stock", "Available in 3 days")),
        "sku": f"SKU-{number:06d}-{random.randint(100, 999)}",
        "gtin": _gtin(4_000_000_000_00 + number * 7),
        "rating": f"{random.randint(20, 50) / 10:.1f}",
        "review_count": str(random.randint(3, 4_000)),
        "weight": f"{random.randint(40, 1_900)} g",
        "battery_life": f"{random.randint(8, 120)} hours",
    }


def page_of(number: int) -> bytes:
    """One page, in UTF-8."""
    random, truth = Random(SEED * 7 + number), truth_of(number)
    parts = [_head(truth, number), _menu(), _product(truth, random), _specs(truth, random)]
    parts += [_reviews(random), _neighbours(random, number), _footer()]
    return "".join(parts).encode()


def _gtin(stem: int) -> str:
    digits = f"{stem:012d}"[:12]
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-weighted % 10)


def _sentences(random: Random, count: int) -> str:
    found = []
    for _ in range(count):
        words = random.choices(_WORDS, k=random.randint(9, 19))
        found.append(" ".join(words).capitalize() + ".")
    return " ".join(found)


def _head(truth: Mapping[str, str], number: int) -> str:
    rules = "".join(
        f".c{n}{{display:flex;margin:{n % 9}px;padding:{n % 7}px;color:#{n * 4099 % 0xFFFFFF:06x}}}"
        for n in range(70)
    )
    item = {
        "@context": "https://schema.org", "@type": "Product", "name": truth["title"],
        "sku": truth["sku"], "gtin13": truth["gtin"], "brand": {"name": truth["brand"]},
        "offers": {"@type": "Offer", "price": truth["price"][1:], "priceCurrency": "EUR"},
    }  # fmt: skip
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{truth['title']} | Everyday Shop</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta property="og:title" content="{truth["title"]}">\n'
        f'<link rel="canonical" href="/product/{number}">\n<style>{rules}</style>\n'
        f'<script type="application/ld+json">{json.dumps(item)}</script>\n</head>\n'
        '<body class="page page-product">\n'
    )


def _menu() -> str:
    entries = []
    for group in range(12):
        links = "".join(
            f'<li class="menu-item level-2"><a href="/c/{group}/{n}" data-track="menu-{group}-{n}">'
            f"{_THINGS[n % 7]} &amp; {_LABELS[(group + n) % 13]}</a></li>"
            for n in range(9)
        )
        entries.append(
            f'<li class="menu-item level-1"><a href="/c/{group}">{_LABELS[group]}</a>'
            f'<ul class="submenu">{links}</ul></li>\n'
        )
    menu = "".join(entries)
    return f'<header class="site-header"><nav><ul class="menu">{menu}</ul></nav></header>\n'


def _product(truth: Mapping[str, str], random: Random) -> str:
    pictures = "".join(
        f'<li class="thumb"><img src="/img/{random.getrandbits(40):010x}.jpg" '
        f'alt="{truth["title"]} view {n}" width="80" height="80" loading="lazy"></li>'
        for n in range(8)
    )
    prose = "".join(f"<p>{_sentences(random, 4)}</p>\n" for _ in range(5))
    return (
        '<main class="product">\n<nav class="breadcrumbs"><a href="/">Home</a> &rsaquo; '
        f'<a href="/c/1">Electronics</a> &rsaquo; <span>{truth["title"]}</span></nav>\n'
        f'<div class="gallery"><ul>{pictures}</ul></div>\n<div class="summary">\n'
        f'<h1 class="product-title">{truth["title"]}</h1>\n'
        f'<p class="by">by <a class="product-brand" href="/b/{truth["brand"].lower()}">'
        f'{truth["brand"]}</a></p>\n<div class="review-summary">'
        f'<span class="rating-value">{truth["rating"]}</span> of 5 '
        f'(<span class="rating-count">{truth["review_count"]}</span> reviews)</div>\n'
        f'<div class="buy-box"><span class="price-was"><del>€999.00</del></span> '
        f'<span class="price-now">{truth["price"]}</span>\n'
        f'<p class="availability">{truth["availability"]}</p>\n'
        '<form action="/cart" method="post"><button class="buy">Add to cart</button></form></div>\n'
        f'<dl class="product-ids"><dt>Item number</dt><dd class="sku">{truth["sku"]}</dd>'
        f'<dt>EAN</dt><dd class="gtin">{truth["gtin"]}</dd></dl>\n</div>\n'
        f'<section class="description"><h2>Description</h2>\n{prose}</section>\n'
    )


def _specs(truth: Mapping[str, str], random: Random) -> str:
    rows = [
        f'<tr class="spec-weight"><th>Weight</th><td>{truth["weight"]}</td></tr>\n',
        f'<tr class="spec-battery"><th>Battery life</th><td>{truth["battery_life"]}</td></tr>\n',
    ]
    for label in _LABELS:
        words = " ".join(random.choices(_WORDS, k=4))
        rows.append(f'<tr class="spec-row"><th scope="row">{label}</th><td>{words}</td></tr>\n')
    random.shuffle(rows)
    table = "".join(rows)
    return (
        '<section class="specifications"><h2>Specifications</h2>\n'
        f'<table class="specs"><tbody>\n{table}</tbody></table></section>\n'
    )


def _reviews(random: Random) -> str:
    found = []
    for n in range(24):
        stars = random.randint(1, 5)
        found.append(
            f'<article class="review" id="review-{random.getrandbits(32):08x}">'
            f'<div class="stars" aria-label="{stars} of 5">{"★" * stars}</div>'
            f"<h3>{_sentences(random, 1)}</h3>"
            f'<p class="meta">Reader {n} wrote in <time>20{random.randint(18, 25)}</time></p>'
            f"<p>{_sentences(random, 5)}</p></article>\n"
        )
    return f'<section class="reviews"><h2>Reviews</h2>\n{"".join(found)}</section>\n'


def _neighbours(random: Random, number: int) -> str:
    cards = []
    for n in range(16):
        other = truth_of((number * 31 + n * 17) % 100_000)
        cards.append(
            f'<li class="card"><a href="/product/{number + n}"><img src="/img/{n}.jpg" alt="">'
            f'<span class="card-title">{other["title"]}</span></a>'
            f'<span class="card-price">{other["price"]}</span>'
            f'<p class="card-text">{random.choice(_ADJECTIVES)} and {random.choice(_ADJECTIVES)}'
            "</p></li>\n"
        )
    return f'</main>\n<aside class="related"><h2>Related</h2><ul>{"".join(cards)}</ul></aside>\n'


def _footer() -> str:
    links = "".join(
        f'<li><a class="footer-link" href="/help/{n}">Help on {_LABELS[n % 13].lower()}</a></li>'
        for n in range(60)
    )
    state = json.dumps({f"flag_{n}": {"on": n % 3 == 0, "share": n / 100} for n in range(120)})
    return (
        f'<footer class="site-footer"><ul>{links}</ul></footer>\n'
        f"<script>window.__STATE__ = {state};</script>\n</body>\n</html>\n"
    )


@contextmanager
def served(pages: int) -> Iterator[str]:
    """The site in a process of its own; gives its address."""
    ours, theirs = SPAWN.Pipe()
    server = SPAWN.Process(target=_serve, args=(pages, theirs), daemon=True)
    server.start()
    try:
        if not ours.poll(START_SECONDS):
            raise SystemExit("the site did not start")
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        server.kill()
        server.join()


def _serve(pages: int, ready: Any) -> None:
    answers = {b"/product/%d" % n: _answer(page_of(n)) for n in range(pages)}
    asyncio.run(_listen(answers, ready))


async def _listen(answers: Mapping[bytes, bytes], ready: Any) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Talk(answers), "127.0.0.1", 0)
    ready.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def _answer(body: bytes) -> bytes:
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: shop\r\n"
        b"Cache-Control: max-age=600\r\nContent-Length: %d\r\n\r\n"
    )
    return head % len(body) + body


_MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class _Talk(asyncio.Protocol):
    """One connection: GET after GET, answered at once, kept open."""

    def __init__(self, answers: Mapping[bytes, bytes]) -> None:
        self._answers, self._received = answers, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            self._transport.write(self._answers.get(path, _MISSING))
