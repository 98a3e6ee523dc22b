"""What a page says, told from what surrounds it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from specfactory.proof.substance import substance_hash
from specfactory.proof.substance_masks import without_counters
from tests.pages import page_views

WORDS = st.text("abcdefghij klmn0123456789.,-/äß", min_size=1, max_size=20).filter(str.strip)
TOKEN = st.text("abcdef0123456789", min_size=8, max_size=40)


@dataclass(frozen=True)
class Shop:
    """A product page with all that surrounds one."""

    name: str = "Viper V3 Pro"
    price: str = "159.99"
    specs: tuple[tuple[str, str], ...] = (("Weight", "54 g"), ("Sensor", "Focus Pro 35K"))
    prose: str = "A pleasure to use every day."
    stated_price: str = "159.99"  # in JSON-LD
    sku: str = "RZ01"  # in page state
    alt: str = "Viper in black"
    rating: str = "4.5 out of 5"
    aside: str = "Ships in 2 days"
    nonce: str = "d41d8cd98f00"
    csrf: str = "b204e9800998"
    menu: tuple[str, ...] = ("Mice", "Keyboards 2026", "Sale")
    footer: str = "All about us"
    looking: int = 17
    clock: str = "10:35:07"
    related: tuple[tuple[str, str], ...] = (("/a", "Basilisk $59"), ("/b", "Cobra $39"))
    analytics: str = "window.t=1700000000;"
    extra: str = field(default="", repr=False)

    def html(self) -> str:
        specs = "".join(f"<tr><th>{k}</th><td>{v}</td></tr>" for k, v in self.specs)
        menu = "".join(f"<li><a href='/{n}'>{words}</a></li>" for n, words in enumerate(self.menu))
        related = "".join(f"<a href='{to}'>{words}</a>" for to, words in self.related)
        stated = json.dumps(
            {"@type": "Product", "name": self.name,
             "offers": {"@type": "Offer", "price": self.stated_price, "priceCurrency": "USD"}}
        )  # fmt: skip
        return f"""<!doctype html><html lang=en><head><title>{self.name}</title>
<meta name="csrf-token" content="{self.csrf}"><link rel=stylesheet href="/s.{self.nonce}.css">
<script nonce="{self.nonce}">{self.analytics}</script>
<script type="application/ld+json">{stated}</script>
<script>window.state = {{"sku": "{self.sku}", "session": "{self.csrf}"}}</script></head>
<body class="b-{self.nonce}"><header><ul>{
            "".join(f"<li><a href=/{w}>{w}</a></li>" for w in ("Help", "Login"))
        }</ul></header><nav><ul>{menu}</ul></nav>
<main><h1>{self.name}</h1><p class=price>${self.price}</p><img src="/i.jpg?v={self.nonce}"
alt="{self.alt}"><span aria-label="{self.rating}"></span><table>{specs}</table>
<p>{self.prose}</p><p>{self.looking} people are looking at this</p>
<form><input type=hidden name=token value="{self.csrf}"><button>Add to cart</button></form></main>
<div class="related-products"><h2>Related products</h2>{related}</div>
<aside><p>{self.aside}</p></aside>
<footer><p>{self.footer}</p><p>Page generated at {self.clock}</p>
<p>© 20{self.clock[:2]} Shop</p></footer>{self.extra}<!-- {self.nonce} --></body></html>"""


def named(shop: Shop) -> str:
    return substance_hash(page_views(shop.html()))


PLAIN = named(Shop())


def test_the_same_page_has_the_same_name_which_tells_its_version() -> None:
    assert named(Shop()) == PLAIN
    assert PLAIN.startswith("s1:")


def _says_more(one: str, other: str) -> bool:
    return " ".join(one.split()) != " ".join(other.split())


@given(WORDS, st.sampled_from(["name", "prose", "sku", "alt", "rating"]))
def test_words_that_change_change_the_name(words: str, where: str) -> None:
    assume(_says_more(words, str(getattr(Shop(), where))))

    assert named(replace(Shop(), **{where: words})) != PLAIN  # type: ignore[arg-type]


@given(st.decimals(0, 10_000, places=2).map(str), st.sampled_from(["price", "stated_price"]))
def test_a_price_that_changes_changes_the_name(price: str, where: str) -> None:
    assume(price != "159.99")

    assert named(replace(Shop(), **{where: price})) != PLAIN  # type: ignore[arg-type]


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6), st.data())
def test_any_specification_that_changes_changes_the_name(
    specs: list[tuple[str, str]], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(specs) - 1))
    value = data.draw(WORDS)
    assume(_says_more(value, specs[at][1]))
    changed = [*specs[:at], (specs[at][0], value), *specs[at + 1 :]]

    before = named(replace(Shop(), specs=tuple(specs)))
    assert named(replace(Shop(), specs=tuple(changed))) != before


@given(TOKEN, TOKEN, st.integers(0, 99_999), st.lists(st.text("abc 123", min_size=1), max_size=5))
def test_what_surrounds_the_page_may_change(
    nonce: str, csrf: str, looking: int, menu: list[str]
) -> None:
    other = replace(
        Shop(),
        nonce=nonce,
        csrf=csrf,
        looking=looking,
        menu=tuple(menu),
        analytics=f"window.t={looking};track('{nonce}')",
        clock=f"{looking % 24:02d}:35:07",
        footer="Rather about them",
        related=(("/c", f"Deathadder ${looking}"), ("/d", "Orochi $49")),
    )

    assert named(other) == PLAIN


@pytest.mark.parametrize(
    "extra",
    [
        "<aside>Now 129.99</aside>",
        "<footer>Weight: 54 g</footer>",
        "<footer><p>Country:</p><p>United Arab Emirates</p></footer>",
        "<header>Viper from $99</header>",
        "<aside><a href=/buy>Buy for $129</a></aside>",
        "<aside><dl><dt>Colour</dt><dd>Black</dd></dl></aside>",
        "<nav>Battery 90 hours</nav>",
        "<nav class=breadcrumb><a href=/m>Trackballs</a></nav>",
        "<div class=related-specs><table><tr><th>Weight<td>54 g</table></div>",
        "<div class=similar><a href=/x>Viper</a> weighs 54 g</div>",
        "<p>17 people can sit at it</p>",
        "<p>Warranty expires in 2 years</p>",
        "<p>Playing time 02:15:30</p>",
        "<span data-price=129></span>",
        "<input type=hidden name=price value=129>",
        '<script>{"latitude": 52.5}</script>',
        "<div itemscope itemtype=https://schema.org/Offer><meta itemprop=price content=129></div>",
        "<div hidden>in stock</div>",
    ],
)
def test_what_may_be_a_value_counts_wherever_it_stands(extra: str) -> None:
    assert named(replace(Shop(), extra=extra)) != PLAIN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("17 people are looking at this", "1,234 people are looking at this"),
        ("Only today: 5 other customers have this in their cart", None),
        ("12 sold in the last 24 hours", "7 sold in the last 24 hours"),
        ("updated 3 minutes ago", "updated 14 minutes ago"),
        ("vor 3 Minuten", "vor 59 Minuten"),
        ("Order within 3 hrs 24 mins", "Order within 2 hrs 1 mins"),
        ("Sale ends in 02:14:55", "Sale ends in 00:00:01"),
        ("Page generated in 0.123 s", "Page generated in 0.4 s"),
        ("Server time: 2026-02-12 10:35:07", "Server time: 2027-03-01 00:00:00"),
        ("23 Personen sehen sich das gerade an", "4 Personen sehen sich das gerade an"),
    ],
)
def test_counters_and_clocks_are_covered(one: str, other: str | None) -> None:
    assert without_counters(one) == without_counters(other or one.replace("5", "6"))


@pytest.mark.parametrize(
    "line",
    [
        "Weight 54 g",
        "$129 17 g",
        "Capacity: 4 people",
        "Battery 40 hours",
        "17 reviews",
        "Only 3 left in stock",
        "Published 3 days ago",
        "Runs 10:30:00",
    ],
)
def test_values_are_never_covered(line: str) -> None:
    assert without_counters(line) == line


def test_a_price_beside_a_counter_stays() -> None:
    covered = without_counters("$129 17 people are looking at this")

    assert covered == "$129 # people are looking at this"
    late = without_counters("Order within 3 hrs 5 mins, weight 54 g")
    assert late.endswith("weight 54 g")


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7 \x00", b"\x00\x01\x02" * 50])
def test_what_is_no_markup_has_no_name(body: bytes) -> None:
    assert substance_hash(page_views(body)) == ""


@given(
    st.binary(max_size=400)
    | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace"))
)
def test_garbage_does_no_harm(body: bytes) -> None:
    assert substance_hash(page_views(body)) == substance_hash(page_views(body))
