"""Copies are one voice, on whatever hosts; shops that write for themselves are several."""

import random
import re

import pytest

from specfactory.merge import MergeKnowledge, PageText, around_values, merge, passages
from specfactory.model import (
    Agreement,
    Candidate,
    Evidence,
    FieldResult,
    Method,
    Snippet,
    Tier,
    UnknownReason,
    ViewName,
)
from tests.unit.test_merge_fields import COMPILED, NOW, candidate, merged

FEED = (
    "The Acme X100 brings a whole new way of pointing to your desk, with a shell that weighs "
    "next to nothing and a sensor that keeps up with the fastest hands in the world. Its cable "
    "is as soft as a shoelace, and its feet glide on any surface that you put them on.\n"
)
TERMS = "We ship all orders within a day, and you may send back whatever you do not like. " * 5
NAMES = ("Acme", "X100")
ROWS = {
    "weight": ("Weight", "64 g"), "sensor": ("Sensor model", "PAW 3395 optical"),
    "n0": ("Number of buttons", "6"), "n1": ("Polling rate of the mouse", "1000 Hz"),
    "n2": ("Highest resolution", "26000 dpi"), "n3": ("Battery life in hours", "70"),
    "n4": ("Length of the cable", "180 cm"), "n5": ("Warranty in months", "24"),
}  # fmt: skip
VALUES = {"weight": 64, "sensor": "PAW 3395 optical"} | {f"n{i}": i for i in range(6)}


def said(text):
    return PageText(passages(text, NAMES))


def page(host: str, text: str, tier: Tier = Tier.RETAILER) -> tuple[list[Candidate], PageText]:
    """The candidates of a page that lists some of ROWS, and its fingerprints."""
    found = []
    for field in ROWS:
        row = re.search(rf"^<{field}>(.*?)\t(.*)$", text, re.M)
        if row is None:
            continue
        spans = [Snippet(host, ViewName.TEXT, 1, *row.span(n), row[n]) for n in (1, 2)]
        evidence = Evidence(
            host, f"https://{host}/p", tier, Method.TABLE, (spans[1],), spans[0], NOW
        )
        found.append(Candidate(field, VALUES[field], evidence))
    return found, PageText(passages(text, NAMES), around_values(text, found))


def listing(rows: dict[str, tuple[str, str]] = ROWS, top: str = "Acme X100", end: str = "") -> str:
    lines = (f"<{field}>{label}\t{value}" for field, (label, value) in rows.items())
    return "\n".join([top, *lines, end])


def record(*pages: tuple[list[Candidate], PageText], field: str = "weight") -> FieldResult:
    candidates = [one for found, _ in pages for one in found]
    texts = {found[0].evidence.page_id: text for found, text in pages if found}
    results = merge(COMPILED, candidates, {}, MergeKnowledge(), {}, 0.7, NOW, texts=texts)
    return results[field]


def changed(text: str, share: float, seed: int) -> str:
    """The text with a share of its words replaced; the values stay."""
    draw = random.Random(seed)

    def word(found: re.Match[str]) -> str:
        return found[0] if draw.random() > share else "".join(draw.sample("bcdfgmnprst", 5))

    return re.sub(r"(?<![<\w])[a-z]{3,}(?![\w>])", word, text)


def maker() -> tuple[list[Candidate], PageText]:
    evidence = candidate("maker", 54)
    return [evidence], PageText()


# --- one feed ---------------------------------------------------------------------------


def test_two_shops_that_show_one_feed_count_once():
    told = {
        "page-shop": said(f"Weight\t54 g\n{FEED}"),
        "page-shop2": said(f"Buy it now!\n{FEED}\n{TERMS}"),
    }
    both = candidate("shop", 54), candidate("shop2", 54)

    found = merged(*both, texts=told)

    assert found.agreement is Agreement.SINGLE
    assert found.confidence == merged(both[0]).confidence
    assert any("both show the text of one feed" in reason for reason in found.reasons)
    assert "2 hosts say 54, of which 1 independent" in found.reasons


def test_feed_with_some_words_changed_is_still_one():
    other = FEED.replace("whole new", "completely new").replace("soft as a", "soft as any")

    found = merged(candidate("shop", 54), candidate("shop2", 54),
                   texts={"page-shop": said(FEED), "page-shop2": said(other)})  # fmt: skip

    assert found.agreement is Agreement.SINGLE


def test_shops_with_the_same_terms_of_delivery_are_two_sources():
    told = {f"page-{name}": said(f"Acme X100\n{TERMS}") for name in ("shop", "shop2")}

    found = merged(candidate("shop", 54), candidate("shop2", 54), texts=told)

    assert found.agreement is Agreement.UNANIMOUS


def test_a_feed_is_one_source_only_where_both_say_the_same():
    told = dict.fromkeys(("page-shop", "page-shop2"), said(FEED))

    found = merged(candidate("shop", 54), candidate("shop2", 64), texts=told)

    assert found.unknown_reason is UnknownReason.CONFLICT_UNRESOLVED


# --- copies and near copies --------------------------------------------------------------


def test_seven_identical_pages_do_not_outvote_the_maker():
    copies = [page(f"shop-{n}.example", listing()) for n in range(7)]

    found = record(maker(), *copies)

    assert (found.value, found.agreement) == (54, Agreement.MAJORITY)
    assert found.confidence == record(maker(), copies[0]).confidence
    losing = found.weighed[1].reasons
    assert sum("not counted, copies shop-0.example (the same page)" in line for line in losing) == 6


def test_copies_in_frames_of_their_own_with_words_changed_are_one_voice():
    copies = [
        page(f"shop-{n}.example", changed(
            listing(top=f"Shop {n} sells the Acme X100\n" + f"greeting{n} " * 40,
                    end=f"imprint{n} terms{n} " * 60), 0.1, n))
        for n in range(7)
    ]  # fmt: skip

    found = record(maker(), *copies)

    assert found.value == 54
    assert any("nearly the same page" in line for line in found.weighed[1].reasons)


def test_copies_with_their_rows_in_another_order_are_one_voice():
    names = list(ROWS)
    copies = []
    for n in range(7):
        random.Random(n).shuffle(names)
        copies.append(page(f"shop-{n}.example", listing({name: ROWS[name] for name in names})))

    found = record(maker(), *copies)

    assert found.value == 54
    assert any("8 of 8 rows are written alike" in line for line in found.weighed[1].reasons)


OWN_LABELS = (
    {},
    {"n0": ("Buttons", "6 programmable"), "n1": ("Report rate", "1 kHz"),
     "n2": ("Resolution", "up to 26,000 dpi"), "n3": ("Runtime", "70 h"),
     "n5": ("Guarantee", "2 years")},
    {"weight": ("Mass", "64 grams"), "n0": ("Keys", "six"), "n2": ("DPI", "26000"),
     "n3": ("Battery", "70 hours"), "n4": ("Cable", "1.8 m"), "sensor": ("Sensor", "PAW 3395")},
)  # fmt: skip


def test_shops_that_list_the_same_facts_in_their_own_words_are_several_voices():
    shops = [
        page(f"shop-{n}.example", listing({**ROWS, **own}, top=f"Acme X100 at shop {n}"))
        for n, own in enumerate(OWN_LABELS)
    ]

    found = record(*shops)

    assert not any("not counted" in line for line in found.reasons)
    assert "3 independent sources agree on 64" in found.reasons
    assert record(maker(), *shops).value != 54  # three of them are heard against the maker


def test_mirror_that_differs_from_its_original_is_hardly_heard():
    original = page("maker.example", listing(), Tier.MANUFACTURER)
    mirrors = [page(f"old-{n}.example", listing()) for n in range(2)]
    stale = [([replace_value(c, 99) if c.field == "weight" else c for c in found], text)
             for found, text in mirrors]  # fmt: skip

    found = record(original, *stale)

    assert found.value == 64
    assert any("differs from maker.example, which it copies" in line
               for line in found.weighed[1].reasons)  # fmt: skip


def replace_value(one: Candidate, value: int) -> Candidate:
    return Candidate(one.field, value, one.evidence)


# --- hosts of one owner ------------------------------------------------------------------


def at(host: str, value: int, tier: Tier = Tier.RETAILER) -> Candidate:
    snippet = Snippet(host, ViewName.TEXT, 1, 0, 2, str(value))
    return Candidate("weight", value, Evidence(host, f"https://{host}/p", tier, Method.TABLE,
                                               (snippet,), seen_at=NOW))  # fmt: skip


@pytest.mark.parametrize(
    "hosts",
    [
        ["a.evil.example", "b.evil.example", "evil.example", "c.d.evil.example"],
        ["a.evil.co.uk", "b.evil.co.uk", "evil.co.uk:8443"],
        ["203.0.113.7:81", "203.0.113.7:82", "203.0.113.7"],
    ],
)
def test_hosts_of_one_owner_count_once(hosts):
    found = merged(*[at(host, 54) for host in hosts])

    assert found.agreement is Agreement.SINGLE
    assert found.confidence == merged(at(hosts[0], 54)).confidence
    assert any("both belong to" in line for line in found.reasons)


@pytest.mark.parametrize(
    "hosts",
    [
        ["one.github.io", "two.github.io"],
        ["one.myshopify.com", "two.myshopify.com"],
        ["one.co.uk", "two.co.uk"],
        ["one.localhost:8609", "two.localhost:8609"],
        ["127.0.0.1:8001", "127.0.0.1:8002"],
    ],
)
def test_names_under_an_open_suffix_have_owners_of_their_own(hosts):
    assert merged(*[at(host, 54) for host in hosts]).agreement is Agreement.UNANIMOUS


def test_hosts_of_one_owner_that_differ_contradict_themselves():
    apart = merged(at("a.one.example", 54), at("b.one.example", 64), at("two.example", 64))
    same = merged(at("one.example", 54), at("one.example", 64), at("two.example", 64))

    assert [one.weight for one in apart.weighed] == [one.weight for one in same.weighed]
