"""The demo shops: the same for a seed, true to their pages, and as awkward as real ones."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlsplit

import pytest

from specfactory.demo import Answer
from specfactory.demo.shops import (
    Mall,
    build_shops,
    not_counted,
    true_products,
    true_sections,
    write_shops_truth,
)

SMALL = {"products": 240, "sections": 36}
SEEDS = (3, 8)


@pytest.fixture(scope="module", params=SEEDS)
def mall(request: pytest.FixtureRequest) -> Mall:
    return build_shops(request.param, **SMALL)


class Visitor:
    """A plain crawler of one shop: follows redirects, remembers what it has opened."""

    def __init__(self, mall: Mall, host: str, relaunched: bool = False) -> None:
        self._ask = mall.redrawn if relaunched else mall.page
        self.host, self._opened = host, dict[str, Answer]()

    def open(self, path: str) -> Answer:
        while path not in self._opened:
            answer = self._ask(self.host, path)
            if answer.status != 301:
                self._opened[path] = answer
                break
            path = self.path_of(answer.headers["Location"])
        return self._opened[path]

    def path_of(self, url: str) -> str:
        parts = urlsplit(url)
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def canonical(self, path: str) -> str:
        """The canonical address of the page at a path; empty for a page that is not there."""
        answer = self.open(path)
        found = re.search(rb'rel="canonical" href="([^"]+)"', answer.body)
        return unescape(found[1].decode()) if found and answer.status == 200 else ""

    def listed(self, path: str) -> Iterator[str]:
        """Every link of a section's list, page after page, whatever brings the next one."""
        following: str | None = path
        while following:
            answer = self.open(following)
            if "json" in answer.headers["Content-Type"]:
                more = json.loads(answer.body)
                following = more["next"]
                yield from [item["url"] for item in more.get("items", ())]
                yield from links(more.get("html", ""))
            else:
                text = main_part(answer)
                step = re.search(r'rel="next" href="([^"]+)"', text)
                script = re.search(r'u=("[^"]+"),busy', text)
                following = unescape(step[1]) if step else script and json.loads(script[1])
                yield from links(text)


def main_part(answer: Answer) -> str:
    text = answer.body.decode()
    return text[text.index("<main") : text.index("</main>")]


def links(text: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'href="([^"]+)"', text)]


def hosts_of(mall: Mall) -> list[str]:
    return [shop.site.host for shop in mall.shops]


def test_the_same_seed_gives_the_same_shops_and_another_seed_others(mall: Mall) -> None:
    again, other = build_shops(mall.seed, **SMALL), build_shops(mall.seed + 1, **SMALL)

    assert list(true_products(again)) == list(true_products(mall))
    assert again.sites == mall.sites != other.sites
    for host in hosts_of(mall):
        for path in ("/", "/robots.txt", *list(mall.presses[host].paths.sections)[:5]):
            assert again.page(host, path) == mall.page(host, path)


def test_the_full_size_has_ten_thousand_products_in_a_hundred_and_twenty_sections() -> None:
    mall = build_shops(20_261)
    sold_by = Counter(len(row["sites"]) for row in true_products(mall))
    sections = list(true_sections(mall))

    assert sum(sold_by.values()) == 10_000
    assert sold_by[2] > 300
    assert sold_by[3] > 10
    assert len(sections) == 120
    assert {row["kind"] for row in sections} == {"product", "gender", "featured", "brand"}
    assert any(row["parent"] is not None for row in sections)
    assert 3 <= sum(not row["products"] and not row["landing"] for row in sections) <= 20
    assert {row["paging"] for row in sections} == {"numbers", "next", "offset", "more", "scroll"}
    assert {shop.sitemap for shop in mall.shops} >= {"complete", "partial"}


def test_following_the_lists_of_a_section_gives_its_products_and_no_others(mall: Mall) -> None:
    wanted: dict[tuple[str, int], set[str]] = {}
    for row in true_products(mall):
        for site, offer in row["sites"].items():
            for number in offer["sections"]:
                wanted.setdefault((site, number), set()).add(offer["url"])
    for shop in mall.shops:
        visitor, press = Visitor(mall, shop.site.host), mall.presses[shop.site.host]
        for section in shop.sections:
            found = {
                visitor.canonical(link)
                for link in visitor.listed(press.paths.section(section))
                if press.paths.find(link.partition("?")[0])
                or press.paths.find_moved(link.partition("?")[0])
            }
            assert found == wanted.get((shop.site.name, section.number), set()), section


def test_every_section_is_reached_by_links_from_the_front_page(mall: Mall) -> None:
    for shop in mall.shops:
        visitor, known = (
            Visitor(mall, shop.site.host),
            set(mall.presses[shop.site.host].paths.sections),
        )
        reached, waiting = set[str](), ["/"]
        while waiting:
            path = waiting.pop()
            for link in links(visitor.open(path).body.decode()):
                if link not in reached and (
                    link in known or link == mall.presses[shop.site.host].paths.brands
                ):
                    reached.add(link)
                    waiting.append(link)
        assert known <= reached


def test_a_product_page_shows_what_the_truth_says(mall: Mall) -> None:
    for row in true_products(mall):
        for offer in row["sites"].values():
            parts = urlsplit(offer["url"])
            text = unescape(mall.page(parts.netloc, parts.path).body.decode())
            values = offer["values"]
            for name in ("name", "brand", "sku", "gtin", "mpn"):
                assert values.get(name, "") in text, (name, offer["url"])
            amount = f"{values['price']['amount']:.2f}"
            shown = re.sub(r"<[^>]+>", "", text)
            assert amount in shown or amount.replace(".", ",") in shown


def test_products_have_several_addresses_and_one_canonical_address(mall: Mall) -> None:
    for shop in mall.shops:
        press, visitor = mall.presses[shop.site.host], Visitor(mall, shop.site.host)
        for place, offer in enumerate(shop.offers[:20]):
            url = shop.site.origin + press.paths.product(offer)
            within = [shop.sections[number] for number in shop.within[place]]
            ways = [press.paths.product(offer, section) for section in within]
            for path in (*ways, f"{press.paths.product(offer)}?utm_source=mail&color=red"):
                assert visitor.canonical(path) == url


def test_moved_products_redirect_and_removed_ones_are_gone_or_say_so_with_200(mall: Mall) -> None:
    whys = set()
    for row in not_counted(mall):
        if "url" in row:
            parts = urlsplit(row["url"])
            whys.add(row["why"])
            assert mall.page(parts.netloc, parts.path).status == row["status"]
            assert "canonical" not in mall.page(parts.netloc, parts.path).body.decode()
    moved = [o for row in true_products(mall) for o in row["sites"].values() if "moved_from" in o]
    for offer in moved:
        parts = urlsplit(offer["moved_from"])
        answer = mall.page(parts.netloc, parts.path)
        assert (answer.status, answer.headers["Location"]) == (301, offer["url"])

    assert moved
    assert whys <= {"removed", "soft_404"}


def test_one_shop_answers_everything_with_200(mall: Mall) -> None:
    statuses = [mall.page(host, "/no/such/page-1.html").status for host in hosts_of(mall)]

    assert sorted(statuses) == [200, 404, 404]


def test_facets_calendars_and_sessions_never_end(mall: Mall) -> None:
    for host in hosts_of(mall):
        press, visitor = mall.presses[host], Visitor(mall, host)
        section = next(s for s in press.shop.sections if len(press.shop.listed[s.number]) > 3)
        path, seen = press.paths.section(section), set[str]()
        for _ in range(12):
            seen.add(path)
            deeper = [link for link in links(main_part(visitor.open(path))) if "=0.0&" in link]
            path = min(deeper, key=lambda link: float(re.findall(r"=([\d.]+)", link)[-1]))
            assert path not in seen
        assert len(visitor.open(press.paths.events + "2030-01").body) > 500
        month = press.paths.events + "2026-11"
        for _ in range(30):
            month = next(
                link for link in links(main_part(visitor.open(month)))[::-1] if link != month
            )
        assert month.endswith("2029-05")
    bag = next(shop for shop in mall.shops if shop.sessions)
    first = links(main_part(mall.page(bag.site.host, "/cart")))[-1]
    assert "sid=" in first
    assert links(main_part(mall.page(bag.site.host, first)))[-1] != first


def test_sitemaps_are_complete_partial_or_missing(mall: Mall) -> None:
    for shop in mall.shops:
        host, paths = shop.site.host, mall.presses[shop.site.host].paths
        products = {shop.site.origin + paths.product(offer) for offer in shop.offers}
        found = (
            set(_sitemap(mall, host, "/sitemap.xml"))
            if shop.sitemap in ("complete", "partial")
            else set()
        )
        named = (
            f"Sitemap: {shop.site.origin}/sitemap.xml"
            in mall.page(host, "/robots.txt").body.decode()
        )
        moved = {shop.site.origin + paths.product(o) for o in shop.offers if o.old_slug}
        assert named == (shop.sitemap == "complete")
        if shop.sitemap == "complete":
            assert products - found == moved
        else:
            assert len(products & found) < 0.7 * len(products)


def _sitemap(mall: Mall, host: str, path: str) -> Iterator[str]:
    body = mall.page(host, path).body
    text = (gzip.decompress(body) if path.endswith(".gz") else body).decode()
    for url in re.findall(r"<loc>([^<]+)</loc>", text):
        if "<sitemapindex" in text:
            yield from _sitemap(mall, host, urlsplit(url).path)
        else:
            yield url


def test_platforms_have_their_endpoints_and_they_agree_with_the_lists(mall: Mall) -> None:
    shopify, woo, _ = mall.shops
    section = max(shopify.sections, key=lambda s: len(shopify.listed[s.number]))
    found = []
    for page in range(1, 9):
        path = f"/collections/{section.slug}/products.json?limit=50&page={page}"
        found += json.loads(mall.page(shopify.site.host, path).body)["products"]
    category = max(woo.sections, key=lambda s: len(woo.listed[s.number]))
    path = f"/wp-json/wc/store/v1/products?category={category.number + 15}&per_page=5"
    answer = mall.page(woo.site.host, path)

    assert len(found) == len(shopify.listed[section.number])
    assert int(answer.headers["X-WP-Total"]) == len(woo.listed[category.number])
    assert len(json.loads(answer.body)) == 5


def test_a_relaunch_says_the_same_in_other_markup_and_redirects_old_addresses(mall: Mall) -> None:
    moved = 0
    for shop in mall.shops:
        host, later = shop.site.host, Visitor(mall, shop.site.host, relaunched=True)
        paths, after = mall.presses[host].paths, mall.relaunched(host).paths
        offer = next(o for o in shop.offers if not o.old_slug)
        before, now = mall.page(host, paths.product(offer)), later.open(paths.product(offer))
        moved += paths.product(offer) != after.product(offer)
        assert now.status == 200
        assert offer.name in unescape(now.body.decode())
        assert re.findall(rb'class="([^"]+)"', now.body) != re.findall(
            rb'class="([^"]+)"', before.body
        )
        assert later.canonical(paths.product(offer)) == shop.site.origin + after.product(offer)
        section = max(shop.sections, key=lambda s: len(shop.listed[s.number]))
        found = {
            later.canonical(link)
            for link in later.listed(paths.section(section))
            if after.find(link.partition("?")[0]) or after.find_moved(link.partition("?")[0])
        }
        assert len(found) == len(shop.listed[section.number])
    assert moved >= 1


def test_robots_forbid_the_dealers_place_that_every_footer_links_to(mall: Mall) -> None:
    for row in not_counted(mall):
        if row["why"] == "forbidden":
            parts = urlsplit(row["begins"])
            rules = mall.page(parts.netloc, "/robots.txt").body.decode()
            assert f"Disallow: {parts.path}\n" in rules
            assert f'href="{parts.path}"' in mall.page(parts.netloc, "/").body.decode()


def test_search_finds_products_by_their_words(mall: Mall) -> None:
    for shop in mall.shops:
        press = mall.presses[shop.site.host]
        offer = shop.offers[0]
        words = "+".join(offer.name.split())
        found = links(main_part(mall.page(shop.site.host, press.paths.search + words)))
        assert press.paths.product(offer) in found


def test_visits_are_counted_by_shop_and_address() -> None:
    mall = build_shops(1, products=30, sections=15)
    host = hosts_of(mall)[0]
    for path in ("/", "/", "/cart"):
        mall.page(host, path)

    name = mall.shops[0].site.name
    assert mall.visits == {(name, "/"): 2, (name, "/cart"): 1}


def test_kept_pages_are_the_same_pages() -> None:
    mall, kept = build_shops(2, products=30, sections=15), build_shops(2, products=30, sections=15)
    kept.keep_pages()

    for shop in mall.shops:
        for offer in shop.offers:
            path = mall.presses[shop.site.host].paths.product(offer)
            assert kept.page(shop.site.host, path) == mall.page(shop.site.host, path)


def test_truth_is_written_as_json_lines(mall: Mall, tmp_path) -> None:
    write_shops_truth(mall, tmp_path)

    rows = (tmp_path / "products.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(row) for row in rows] == list(true_products(mall))
    assert json.loads((tmp_path / "shops.json").read_text())["seed"] == mall.seed
    assert len((tmp_path / "sections.jsonl").read_text().splitlines()) == SMALL["sections"]
