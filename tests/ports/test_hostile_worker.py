"""A real worker among hostile servers and pages: it lives, every job ends, the loop goes on."""

from __future__ import annotations

from benchmarks.hostile_servers import GROWN, SERVERS, hostile_web, product_page
from benchmarks.hostile_worker import meet
from tests.yardstick import yard

CHOSEN = ("silence", "endless-headers", "tiny-chunks", "redirects", "empty-members", "lying-type",
          "no-charset-small", "nested-pdf", "robots-of-segments", "page-of-options")  # fmt: skip
SMALL = ("heading_pairs", "nested_unclosed", "links", "charset_words", "json_arrays")
PRODUCTS = ("spans", "links")  # thousands of values for one field; thousands of addresses


def test_worker_outlives_hostile_servers_and_its_loop_is_never_held():
    assert set(SERVERS).issuperset(CHOSEN)
    assert set(GROWN).issuperset({*SMALL, *PRODUCTS})
    with hostile_web(CHOSEN) as web:
        good = web["good"]
        urls = [web[name] for name in CHOSEN]
        urls += [good.replace("/thing", f"/{name}") for name in SMALL]
        products = {name: product_page(good, name) for name in PRODUCTS}

        met = meet(urls, good, timeout_seconds=2.0, products=products)

    assert met.killed == 0, met.loop_by
    assert met.left == []
    assert [url for url, outcome in met.ends.items() if not outcome] == []
    assert met.ends.keys() == {*urls, *products.values()}
    assert met.ends[web["nested-pdf"]] == "unreadable"
    assert met.loop_ms <= 1_000 * 1.5 * yard(), met.loop_by
    assert met.memory_mb < 600
