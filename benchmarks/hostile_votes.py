"""Staged pages that vote more than once, speak for another host or are about another thing.

Honest counterparts stand beside each trick: shops that agree in their own words still count.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.hostile_staged import LAB, MAKER, SHOPS, Served, Staged, moved, page_of, table_of
from specfactory.demo.drawing.pdf import PdfLine, write_pdf
from specfactory.model import Tier
from specfactory.testing import answer

NAME = "Acme Nova 5"
RIGHT, WRONG = 54, 99
_WORDS = ("alpha", "bravo", "cedar", "delta", "ember", "flint", "grove", "heron", "iris", "juno")
STRANGERS = tuple(f"{word}-deals.example" for word in _WORDS)
ROWS = {
    "sensor": "PAW3950", "max_dpi": "30000", "polling_rate": "8000 Hz", "length": "125 mm",
    "width": "63 mm", "height": "39 mm", "max_ips": "750", "buttons": "6", "cable_length": "1.8 m",
}  # fmt: skip
BLURB = (
    f"<p>The {NAME} was made for hands that never rest: its shell is thinner than a coin, and its "
    f"feet run over cloth and glass alike. Inside the {NAME} a sensor of the latest generation "
    "follows every move without a single skipped count, even on the fastest swipes.</p>"
)


def shown(weight: int, rows: Mapping[str, str] = ROWS, *, name: str = NAME, **parts: str) -> str:
    """A page that lists a weight and other rows; ``top`` and ``end`` stand around them."""
    table = table_of(weight=f"{weight} g", **rows)
    return page_of(name, parts.get("top", ""), table, parts.get("end", ""))


def honest(weight: int = RIGHT) -> list[str]:
    """The same facts as three shops write them, each in its own words, units and order."""
    return [
        page_of(f"{NAME} gaming mouse", "<ul><li>Sensor: PixArt PAW3950</li><li>Resolution: up to "
                f"30,000 dpi</li><li>Net weight: {weight} grams</li></ul>", "<p>In stock.</p>"),
        page_of(NAME, "<h2>Technical data</h2>", "<dl><dt>Report rate</dt><dd>8 kHz</dd>"
                f"<dt>Mouse weight</dt><dd>{weight} g (without cable)</dd></dl>"),
        page_of(f"{NAME} | Gaming", f"<p>Acme's {NAME} weighs just {weight} g and is sold with a "
                "spare set of feet.</p>", table_of(width="63.0 mm", item_weight=f"{weight} g")),
    ]  # fmt: skip


def at(hosts: Iterable[str], pages: Iterable[Served], path: str = "nova-5") -> dict[str, Served]:
    """Pages by URL, one for each host."""
    return {f"https://{host}/{path}": page for host, page in zip(hosts, pages, strict=False)}


NO_TIERS: Mapping[str, Tier] = {}
MAKERS_OWN = at([MAKER], [shown(RIGHT)])


def staged(
    trick: str, wording: str, pages: Mapping[str, Served],
    beside: Mapping[str, Served] = MAKERS_OWN, given: Sequence[str] = (),
    tiers: Mapping[str, Tier] = NO_TIERS,
) -> Staged:  # fmt: skip
    """A case whose pages say WRONG, beside others that say RIGHT."""
    both = {**beside, **pages}
    return Staged(
        trick, wording, both, {"weight": [WRONG]}, {"weight": RIGHT}, given=given, tiers=tiers
    )


def alone(trick: str, wording: str, name: str) -> Staged:
    """A case of one page with a name that is not the product's: nothing may come of it."""
    pages = at(SHOPS[:1], [shown(WRONG, name=name)], "p-1")
    return Staged(trick, wording, pages, dict.fromkeys(("weight", "sensor", "max_dpi"), ()))


def _changed(page: str, seed: int, share: float = 0.1) -> str:
    """The page with some of its words replaced, markup and numbers kept."""
    draw = random.Random(seed)

    def word(found: re.Match[str]) -> str:
        keep = draw.random() > share or found[0] in ("Acme", "Nova", "Weight")
        return found[0] if keep else "".join(draw.sample("bdfgklmnprst", 6))

    parts = re.split(r"(<[^>]*>)", page)
    return "".join(p if p.startswith("<") else re.sub("[A-Za-z]{4,}", word, p) for p in parts)


def _reordered(seed: int) -> str:
    names = list(ROWS)
    random.Random(seed).shuffle(names)
    return shown(WRONG, {name: ROWS[name] for name in names})


def _framed(host: str) -> str:
    own = " ".join(f"{host.split('-')[0]}{number}" for number in range(80))
    return shown(WRONG, top=f"<nav>{own}</nav><p>Welcome to {host}!</p>", end=f"<p>{own}</p>")


def _structured(host: str) -> str:
    data = (
        '{"@context": "https://schema.org", "@type": "Product", "name": "%s", "brand": "Acme", '
        '"weight": {"@type": "QuantitativeValue", "value": %d, "unitCode": "GRM"}}'
    )
    script = f'<script type="application/ld+json">{data % (NAME, WRONG)}</script>'
    return page_of(NAME, "<p>The best mouse for the money, sent to you within a day.</p>",
                   f"<p>Weight: {WRONG} g</p>", head=script)  # fmt: skip


def _sheet(weight: int) -> Served:
    rows = [PdfLine("Weight", f"{weight} g"), PdfLine("Sensor", "PAW3950")]
    body = write_pdf(f"{NAME} data sheet", rows, "Acme")
    return answer(body, headers={"Content-Type": "application/pdf"})


COPIES = (
    *(staged("identical copies", f"on {count} hosts",
             at(STRANGERS[:count], [shown(WRONG, end=BLURB)] * count)) for count in (2, 3, 5, 10)),
    staged("identical copies", "at shops that settings name", at(SHOPS, [shown(WRONG)] * 3)),
    staged("identical copies", "of a page with one row",
           at(STRANGERS, [page_of(NAME, table_of(weight=f"{WRONG} g"))] * 7)),
    staged("identical copies", "with structured data",
           at(STRANGERS, [_structured(host) for host in STRANGERS[:7]])),
    staged("identical copies", "as data sheets", at(STRANGERS, [_sheet(WRONG)] * 7, "nova-5.pdf")),
    staged("identical copies", "against three honest shops", at(STRANGERS, [shown(WRONG)] * 7),
           at(SHOPS, honest())),
    staged("near copies", "every tenth word changed",
           at(STRANGERS, [_changed(shown(WRONG, end=BLURB), n) for n in range(7)])),
    staged("near copies", "rows in another order", at(STRANGERS, map(_reordered, range(7)))),
    staged("near copies", "in frames of their own", at(STRANGERS, map(_framed, STRANGERS[:7]))),
    staged("near copies", "in frames, with words changed",
           at(STRANGERS, [_changed(_framed(host), n) for n, host in enumerate(STRANGERS[:7])])),
    staged("near copies", "some rows left out", at(
        STRANGERS, [shown(WRONG, dict(list(ROWS.items())[: 9 - n % 3])) for n in range(7)])),
    staged("near copies", "another text before one table", at(
        STRANGERS, [shown(WRONG, top=f"<p>{_changed(BLURB, n, 1)}</p>") for n in range(7)])),
    staged("feed copies", "one text, tables of their own", at(
        STRANGERS, [page.replace("<main>", f"<main>{BLURB}") for page in honest(WRONG)])),
    staged("feed copies", "some words of it changed", at(
        STRANGERS, [page.replace("<main>", f"<main>{_changed(BLURB, n, 0.05)}")
                    for n, page in enumerate(honest(WRONG))])),
)  # fmt: skip


def owned(hosts: Sequence[str]) -> dict[str, Served]:
    """Hosts of one owner, each with words of its own."""
    return at(hosts, honest(WRONG))


OWNERS = (
    staged("hosts of one owner", "subdomains",
           owned(["a.deals.example", "b.deals.example", "c.deals.example"])),
    staged("hosts of one owner", "www and the bare domain",
           owned(["deals.example", "www.deals.example", "m.deals.example"])),
    staged("hosts of one owner", "under a suffix of two parts",
           owned(["a.deals.co.uk", "b.deals.co.uk", "c.b.deals.co.uk"])),
    staged("hosts of one owner", "ports",
           owned(["deals.example", "deals.example:8443", "deals.example:8080"])),
    staged("a brand in a host", "as the canonical address", at(["evil.example"], [
        shown(WRONG).replace("</title>", f'</title><link rel="canonical" href="https://{MAKER}/n">'
                             f'<meta property="og:url" content="https://{MAKER}/n">')])),
    staged("hosts of one owner", "three pages of one host",
           {f"https://deals.example/nova-5-{n}": page for n, page in enumerate(honest(WRONG))}),
)  # fmt: skip

BRAND_HOSTS = {
    "as a subdomain": "acme.evil.example",
    "as the subdomain www.acme.com": "www.acme.com.evil.example",
    "with a word behind it": "acme-official.example",
    "without a hyphen": "acmestore.example",
    "under another ending": "acme.top",
    "under an open suffix": "acme.github.io",
    "as a blog": "acme.blogspot.com",
    "as a shop of a platform": "acme.myshopify.com",
}
BRANDS = (
    *(staged("a brand in a host", how, at([host], [shown(WRONG)]))
      for how, host in BRAND_HOSTS.items()),
    staged("a brand in a host", "in the path", at(["evil.example"], [shown(WRONG)], "acme/nova-5")),
    staged("a brand in a host", "without a maker among the sources",
           at(["acme.evil.example", "acme-shop.example"], [shown(WRONG)] * 2),
           at([LAB, SHOPS[0], SHOPS[1]], honest())),
)  # fmt: skip


def sent_on(host: str, to: str, status: int = 302, path: str = "go") -> dict[str, Served]:
    """A redirect from a host to a page of another."""
    return {f"https://{host}/{path}": moved(f"https://{to}/nova-5", status),
            f"https://{to}/nova-5": shown(WRONG)}  # fmt: skip


def _redirect(wording: str, pages: Mapping[str, Served], given: Sequence[str]) -> Staged:
    beside = at(SHOPS, honest())
    return staged("a redirect from a trusted host", wording, pages, beside, [*beside, *given])


REDIRECTS = (
    *(_redirect(f"by {status}", sent_on(MAKER, "evil.example", status), [f"https://{MAKER}/go"])
      for status in (301, 302, 303, 307, 308)),
    _redirect("to a host with the brand in it", sent_on(MAKER, "acme.evil.example"),
              [f"https://{MAKER}/go"]),
    _redirect("through two others", {
        **sent_on("hop.example", "evil.example"),
        f"https://{MAKER}/go": moved("https://hop.example/go"),
    }, [f"https://{MAKER}/go"]),
    _redirect("from the maker and the lab to one page",
              {**sent_on(MAKER, "evil.example"), f"https://{LAB}/go": moved("https://evil.example/nova-5")},
              [f"https://{MAKER}/go", f"https://{LAB}/go"]),
    _redirect("from many hosts to one page", {
        "https://evil.example/nova-5": shown(WRONG),
        **{f"https://{host}/go": moved("https://evil.example/nova-5") for host in STRANGERS[:6]},
    }, [f"https://{host}/go" for host in STRANGERS[:6]]),
)  # fmt: skip

_RESULTS = page_of("Search", f'<a href="/nova-5">{NAME}</a>')
SEARCHES = tuple(
    Staged(
        "a redirect from a trusted host", f"of its search, to {to}",
        {
            **at(SHOPS, honest()),
            f"https://{MAKER}/search?q=Acme%20Nova%205": moved(f"https://{to}/search"),
            f"https://{to}/search": _RESULTS, f"https://{to}/nova-5": shown(WRONG),
        },
        {"weight": [WRONG]}, {"weight": RIGHT},
        searches={MAKER: f"https://{MAKER}/search?q={{query}}"}, given=tuple(at(SHOPS, honest())),
    )
    for to in ("evil.example", "acme.evil.example")
)  # fmt: skip

MIRRORS = (
    *(staged("a stale mirror", f"on {count} hosts", at(STRANGERS[:count], [shown(WRONG)] * count))
      for count in (1, 2, 4)),
    staged("a stale mirror", "of an archive", at(["archive.example"], [shown(WRONG)],
           f"web/2019/https/{MAKER}/nova-5")),
    staged("a stale mirror", "of the lab", at(STRANGERS[:3], [shown(WRONG, end=BLURB)] * 3),
           {**MAKERS_OWN, **at([LAB], [shown(RIGHT, end=BLURB)])}),
)  # fmt: skip

LOOK_ALIKES = {
    "a Cyrillic letter": f"{NAME} \u0420ro", "a Greek letter": f"{NAME} \u03a1ro",
    "small capitals": f"{NAME} \u1d18\u0280\u1d0f", "full width": f"{NAME} \uff30\uff52\uff4f",
    "a word of Cyrillic capitals": f"{NAME} \u0421\u0415",
    "mathematical letters": f"{NAME} \U0001d40f\U0001d42b\U0001d428",
    "letters in squares": f"{NAME} \U0001f17f\U0001f181\U0001f17e",
    "a Cherokee letter": f"{NAME} \u13e2ro", "an i without a dot": f"{NAME} m\u0131ni",
    "a Cyrillic letter in the model": "Acme N\u043eva 5",
    "a Cyrillic letter in the brand": "\u0410cme Nova 5",
    "a version in Cyrillic": f"{NAME} \u04252",
}  # fmt: skip
OTHER_THINGS = {
    "an accessory": ("Case for {}", "Grip tape compatible with {}", "Hülle für {}",
                     "Tasche kompatibel mit {}", "Housse pour {}", "Étui compatible avec {}",
                     "Funda para {}", "Custodia compatibile con {}", "Hoesje geschikt voor {}",
                     "Etui do {}", "Чехол для {}", "{} 用ケース", "适用于 {} 保护套"),
    "a part": ("{} replacement feet", "Replacement cable for {}", "{} Ersatzakku",
               "Pièce détachée pour {}", "Repuesto de {}", "Ricambio di {}"),
    "a copy": ("Clone of the {}", "{} replica", "Nachbau der {}", "Copie de la {}",
               "Imitación de {}", "Alternative to {}", "{} compatible mouse"),
    "several at once": ("Set of 3 {}", "{} 2-pack", "2x {}", "Lot de 2 {}", "Juego de 2 {}",
                        "{} (2 Stück)", "{} + mouse pad bundle"),
}  # fmt: skip
NAMES = (
    *(alone("look-alike letters", how, name) for how, name in LOOK_ALIKES.items()),
    *(alone(f"{what} of it", name.format("X"), name.format(NAME))
      for what, names in OTHER_THINGS.items() for name in names),
)  # fmt: skip


def good(wording: str, pages: Mapping[str, Served], **more: Sequence[str]) -> Staged:
    """A case without any trick: what the pages agree on is published."""
    return Staged("honest", wording, pages, {}, {"weight": RIGHT}, **more)  # type: ignore[arg-type]


PLATFORM = [f"{name}.myshopify.com" for name in ("mousehouse", "clickers", "deskworks")]
HONEST = (
    good("three shops in their own words", at(SHOPS, honest())),
    good("three shops against a lone one",
         {**at(SHOPS, honest()), **at(STRANGERS[:1], [shown(WRONG)])}),
    good("three shops on one platform against a lone one",
         {**at(PLATFORM, honest()), **at(STRANGERS[:1], [shown(WRONG)])}),
    good("the maker's own redirect", {
        "https://acme.example/n5": moved(f"https://{MAKER}/nova-5"), **MAKERS_OWN,
        **at(STRANGERS[:1], [shown(WRONG)]),
    }, given=["https://acme.example/n5", f"https://{STRANGERS[0]}/nova-5"]),
    good("a short link to the maker's page", {
        "https://sho.example/x1": moved(f"https://{MAKER}/nova-5"), **MAKERS_OWN,
        **at(STRANGERS[:1], [shown(WRONG)]),
    }, given=["https://sho.example/x1", f"https://{STRANGERS[0]}/nova-5"]),
    *(good(f"a title in {language}", at(SHOPS[:1], [shown(RIGHT, name=title)])) for language, title
      in {"Russian": f"Мышь {NAME} беспроводная", "Japanese": f"ゲーミングマウス {NAME} ブラック",
          "Greek": f"Ποντίκι {NAME} ασύρματο", "Chinese": f"{NAME} 无线鼠标"}.items()),
    good("a title that says what comes with it",
         at(SHOPS[:1], [shown(RIGHT, name=f"{NAME} with carrying case")])),
    good("a title that says what it works with",
         at(SHOPS[:1], [shown(RIGHT, name=f"{NAME}, compatible with Windows")])),
)  # fmt: skip

LONE = staged("a lone voice", "one shop says otherwise", at(SHOPS[:1], honest(WRONG)))
CASES: Sequence[Staged] = (
    LONE, *COPIES, *OWNERS, *BRANDS, *REDIRECTS, *SEARCHES, *MIRRORS, *NAMES, *HONEST,
)  # fmt: skip
