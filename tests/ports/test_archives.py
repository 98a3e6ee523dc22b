"""Web archives: ours and others', good and hostile, on every database."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from specfactory.assembly import open_factory
from specfactory.errors import UsageError
from specfactory.model import ARCHIVED, Outcome, Page, Rung, Tier
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.pages.web_archives import Imported, PageImporter, export_pages
from specfactory.proof import PageViews
from specfactory.proof.text import UNSEEN_MARK
from specfactory.settings import FetchSettings, Settings
from specfactory.store.pages.pages import PageLists
from specfactory.store.warc.page_records import PageWriter
from specfactory.store.warc.reader import WarcReader

HTML = b"<!doctype html><title>Viper</title><h1>Viper V3 Pro</h1>" + b"<p>It weighs 54 g.</p>" * 40
DOM = HTML.replace(b"54 g", b"54 grams")
URL = "https://shop.example/viper"
SOURCES = ({"host": "shop.example", "tier": "tier1_manufacturer"},)


@pytest.fixture
async def bench(database_url: str) -> AsyncIterator[Workbench]:
    async with open_factory(Settings(database_url=database_url, sources=SOURCES)) as opened:
        yield opened


@pytest.fixture
async def other() -> AsyncIterator[Workbench]:
    ours = Settings(database_url="sqlite:///:memory:", sources=SOURCES)
    async with open_factory(ours) as opened:
        yield opened


@pytest.fixture
async def stranger() -> AsyncIterator[Workbench]:
    async with open_factory(Settings(database_url="sqlite:///:memory:")) as opened:
        yield opened


def sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def page(number: int = 1, body: bytes = HTML, **more: Any) -> Page:
    plain = Page(
        id=f"page-{number:023x}",
        url=f"{URL}?n={number}",
        final_url=f"{URL}?n={number}",
        host="shop.example",
        tier=Tier.MANUFACTURER,
        fetched_at=1_767_225_600_123 + number,
        outcome=Outcome.OK,
        outcome_evidence="HTTP 200",
        status=200,
        headers={"content-type": "text/html", "content-encoding": "br", ":redirects": "a b"},
        content_hash=sha(body) if body else "",
        media_type="text/html",
        size_bytes=len(body),
        timings_ms={"dns": 1.5},
        confirmed_at=1_767_225_700_000,
        substance_hash="s1:0123",
    )
    return replace(plain, **more)


async def save(bench: Workbench, *pages: tuple[Page, bytes, bytes]) -> None:
    async with bench.database.transaction() as tx:
        for one, body, response in pages:
            await bench.pages.save(tx, one, body, response)


async def export(bench: Workbench, *, packed: bool = True) -> bytes:
    out = io.BytesIO()
    pages = PageLists(bench.database).walk()
    await export_pages(bench, out, pages, gzip=packed, on_page=lambda: None)
    return out.getvalue()


async def take(bench: Workbench, archive: bytes) -> Imported:
    return await PageImporter(bench).take(io.BytesIO(archive), lambda: None)


async def everything(bench: Workbench) -> dict[str, tuple[Page, bytes, bytes]]:
    return {
        one.id: (one, await bench.pages.body(one), await bench.pages.response(one))
        async for one in PageLists(bench.database).walk()
    }


@pytest.mark.parametrize(
    ("stated", "given", "lowered"),
    [(Tier.MANUFACTURER, Tier.RETAILER, 1), (Tier.COMMUNITY, Tier.COMMUNITY, 0)],
)
async def test_an_archive_raises_no_tier(
    bench: Workbench, stranger: Workbench, stated: Tier, given: Tier, lowered: int
) -> None:
    await save(bench, (page(1, tier=stated), HTML, b""))

    taken = await take(stranger, await export(bench))

    [(stored, body, _)] = (await everything(stranger)).values()
    assert (stored.tier, body, taken.lowered) == (given, HTML, lowered)


async def test_a_source_of_ours_says_how_far_its_pages_are_trusted(bench: Workbench) -> None:
    claims = replace(page(1), tier=Tier.COMMUNITY)
    await save(bench, (claims, HTML, b""), (page(2), HTML, b""))
    archive = await export(bench)
    lab = Settings(
        database_url="sqlite:///:memory:", sources=({"host": "shop.example", "tier": "tier2_lab"},)
    )

    async with open_factory(lab) as opened:
        await take(opened, archive)
        tiers = sorted(one.tier for one, _, _ in (await everything(opened)).values())

    assert tiers == [Tier.LAB, Tier.COMMUNITY]


SHELF = (
    (page(1), HTML, b""),
    (page(2), HTML, b""),  # the same bytes again: a revisit
    (page(3, b"\x00%PDF\r\n\r\nWARC/1.1\r\n", media_type="application/pdf"),
     b"\x00%PDF\r\n\r\nWARC/1.1\r\n", b""),
    (page(4, DOM, rung=Rung.BROWSER, response_hash=sha(b"<div id=app>")), DOM, b"<div id=app>"),
    (page(5, b"", outcome=Outcome.DNS_FAILURE, status=0, headers={}), b"", b""),
    (page(6, b"no", outcome=Outcome.NOT_FOUND, status=404), b"no", b""),
    (page(7, DOM, rung=Rung.BROWSER, response_hash=""), DOM, b""),  # the answer was not kept
    (page(8, DOM, rung=Rung.BROWSER_PROXY, response_hash=sha(HTML)), DOM, HTML),
)  # fmt: skip


@pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])
async def test_pages_come_back_as_they_were_and_say_that_they_came_out_of_an_archive(
    bench: Workbench, other: Workbench, packed: bool
) -> None:
    await save(bench, *SHELF)

    taken = await take(other, await export(bench, packed=packed))
    assert (taken.pages, taken.duplicates, taken.skipped) == (len(SHELF), 0, {})
    marks = {"substance_hash": "", "confirmed_at": None}
    archived = {
        name: (replace(one, headers={**one.headers, ARCHIVED: "yes"}, **marks), *rest)
        for name, (one, *rest) in (await everything(bench)).items()
    }
    assert await everything(other) == archived


async def test_an_archive_cannot_forge_what_a_browser_saw(
    bench: Workbench, other: Workbench
) -> None:
    markup = f"<html {UNSEEN_MARK}=''><h1>Viper</h1><p style='display:none'>It weighs 1 g.</p>"
    dom = markup.encode() + HTML
    rendered = page(1, dom, rung=Rung.BROWSER, response_hash=sha(HTML))
    await save(bench, (rendered, dom, HTML))

    await take(other, await export(bench))

    [(stored, body, _)] = (await everything(other)).values()
    views = PageViews(stored, body)
    at = views.text.index("1 g")
    assert views.unseen.hides((at, at + 3))
    assert not PageViews(rendered, dom).unseen.hides((at, at + 3))  # our own browser is believed


async def test_a_second_import_finds_everything_known(bench: Workbench) -> None:
    await save(bench, *SHELF)

    taken = await take(bench, await export(bench))
    assert (taken.pages, taken.duplicates) == (0, len(SHELF))


async def test_others_tools_read_our_archives(bench: Workbench, tmp_path: Any) -> None:
    await save(bench, *SHELF)
    for name, packed in (("a.warc.gz", True), ("a.warc", False)):
        place = tmp_path / name
        place.write_bytes(await export(bench, packed=packed))
        with place.open("rb") as file:
            records = [
                (r.rec_type, r.rec_headers.get_header("WARC-Target-URI"),
                 r.http_headers, r.content_stream().read())
                for r in ArchiveIterator(file, check_digests="raise")
            ]  # fmt: skip
        kinds = [kind for kind, *_ in records]
        assert kinds[0] == "warcinfo"
        assert {"response", "request", "revisit", "conversion", "metadata", "resource"} < {*kinds}
        first = records[1]
        assert first[0] == "response"
        assert first[1] == f"{URL}?n=1"
        assert first[3] == HTML
        assert first[2].get_header("Content-Length") == str(len(HTML))
        assert first[2].get_header("Content-Encoding") is None
        assert first[2].get_header("X-Archive-Orig-content-encoding") == "br"

        class Command:
            inputs, verbose = [str(place)], False

        checker = Checker(Command())
        checker.process_all()
        assert checker.exit_value == 0


def test_nothing_in_a_page_adds_a_line_to_a_record() -> None:
    odd = "https://shop.example/ü b?q=\ud800\r\nWARC-Type: resource\r\n\r\nWARC/1.1"
    headers = {"x-odd": "ü\r\nX-More: 1", "bad name": "1", "x-half": "\ud800"}
    out = io.BytesIO()
    writer = PageWriter(out, gzip=False)
    writer.add(page(1, final_url=odd, headers=headers, media_type="a\r\nb: c"), HTML, DOM)

    out.seek(0)
    records = [
        (r.rec_type, [name for name, _ in r.http_headers.headers] if r.http_headers else [])
        for r in ArchiveIterator(out, check_digests="raise")
    ]
    assert records == [
        ("response", ["x-odd", "x-half", "Content-Length"]),
        ("request", ["Host"]),
        ("conversion", []),
        ("metadata", []),
    ]


def foreign(
    *answers: tuple[str, bytes, dict[str, str]], version: str = "1.0", packed: bool = True
) -> bytes:
    """An archive as another tool writes it, with requests and other records in it."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed, warc_version=version)
    writer.write_record(writer.create_warcinfo_record("x.warc", {"software": "another"}))
    for url, body, headers in answers:
        status = headers.pop(":status", "200 OK")
        given = StatusAndHeaders(status, list(headers.items()), protocol="HTTP/1.1")
        date = {"WARC-Date": "2024-05-06T07:08:09Z"}
        response = writer.create_warc_record(
            url, "response", payload=io.BytesIO(body), http_headers=given, warc_headers_dict=date
        )
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "x")], is_http_request=True)
        request = writer.create_warc_record(url, "request", http_headers=asked)
        writer.write_request_response_pair(request, response)
    return out.getvalue()


TYPE = {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": "secret=1"}
ENCODED: dict[str, tuple[bytes, dict[str, str]]] = {
    "plain": (HTML, {}),
    "gzip": (gzip.compress(HTML), {"Content-Encoding": "gzip"}),
    "deflate": (zlib.compress(HTML), {"Content-Encoding": "deflate"}),
    "chunked": (
        b"10\r\n" + HTML[:16] + b"\r\n" + f"{len(HTML) - 16:x};x=y".encode() + b"\r\n"
        + HTML[16:] + b"\r\n0\r\n\r\n",
        {"Transfer-Encoding": "chunked"},
    ),
    "undone": (HTML, {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"}),
}  # fmt: skip


@pytest.mark.parametrize("how", ENCODED)
@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])
async def test_others_pages_are_taken_in_with_their_encodings_undone(
    other: Workbench, how: str, version: str, packed: bool
) -> None:
    body, headers = ENCODED[how]
    archive = foreign((URL, body, {**TYPE, **headers}), version=version, packed=packed)

    taken = await take(other, archive)
    assert (taken.pages, taken.skipped) == (1, {})
    stored = await other.pages.latest(URL)
    assert stored is not None
    assert await other.pages.body(stored) == HTML
    assert (stored.outcome, stored.status, stored.media_type) == (Outcome.OK, 200, "text/html")
    assert stored.fetched_at == 1_714_979_289_000
    assert stored.headers["content-type"] == TYPE["Content-Type"]
    assert "set-cookie" not in stored.headers


@pytest.mark.parametrize(
    ("named", "kept"),
    [("tier5_community", Tier.COMMUNITY), ("tier1_manufacturer", Tier.LAB), (None, Tier.LAB)],
)
async def test_others_pages_have_at_most_the_tier_of_their_host(
    named: str | None, kept: Tier
) -> None:
    sources = ({"host": "shop.example", "tier": named},) if named else ()
    settings = Settings(database_url="sqlite:///:memory:", sources=sources)
    archive = foreign(("https://shop.example/p", HTML, dict(TYPE)))

    async with open_factory(settings) as opened:
        await PageImporter(opened, Tier.LAB).take(io.BytesIO(archive), lambda: None)
        [(stored, _, _)] = (await everything(opened)).values()

    assert stored.tier is kept


async def test_others_pages_are_judged_like_fetched_ones(other: Workbench) -> None:
    archive = foreign(
        (URL, HTML, dict(TYPE)),
        (URL, HTML, dict(TYPE)),
        (URL + "/gone", b"<p>Not found", {**TYPE, ":status": "404 Not Found"}),
        (URL + "/moved", b"", {"Location": "/x", ":status": "301 Moved"}),
        (URL + "/logo", b"\x89PNG", {"Content-Type": "image/png"}),
        ("dns:shop.example", b"1.2.3.4", {"Content-Type": "text/dns"}),
        ("file:///etc/passwd", HTML, dict(TYPE)),
        ("https://10.0.0.1/../../etc/passwd", HTML, dict(TYPE)),
    )

    taken = await take(other, archive)
    assert (taken.pages, taken.duplicates) == (3, 1)
    assert taken.by_outcome == {"ok": 2, "not_found": 1}
    assert taken.skipped == {"a redirect": 1, "no page but image": 1, "no web address": 2}
    again = await take(other, archive)
    assert (again.pages, again.duplicates) == (0, 4)


async def test_a_revisit_of_others_has_the_bytes_of_what_it_revisits(other: Workbench) -> None:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    given = StatusAndHeaders("200 OK", list(TYPE.items()), protocol="HTTP/1.1")
    first = writer.create_warc_record(URL, "response", payload=io.BytesIO(HTML), http_headers=given)
    writer.write_record(first)
    digest = first.rec_headers.get_header("WARC-Payload-Digest")
    for target, said in (("/again", digest), ("/unknown", "sha1:AAAA")):
        writer.write_record(
            writer.create_revisit_record(
                URL + target, said, URL, "2024-05-06T07:08:09Z", http_headers=given
            )
        )

    taken = await take(other, out.getvalue())
    assert taken.pages == 2
    assert taken.skipped == {"a revisit of what is not there": 1}
    again = await other.pages.latest(URL + "/again")
    assert again is not None
    assert await other.pages.body(again) == HTML


# --- hostile archives ----------------------------------------------------------------


def record_bytes(kind: str, fields: Iterable[tuple[str, str]], block: bytes) -> bytes:
    """A record made by hand, as no library would write some of them."""
    digest = base64.b32encode(hashlib.sha1(block).digest()).decode()
    more = (("WARC-Block-Digest", f"sha1:{digest}"), ("Content-Length", str(len(block))))
    head = "".join(f"{name}: {value}\r\n" for name, value in (("WARC-Type", kind), *fields, *more))
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def gzipped(record: bytes) -> bytes:
    return gzip.compress(record, mtime=0)


def response(url: str = URL, body: bytes = HTML, **fields: str) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    named = [("WARC-Target-URI", url), ("WARC-Record-ID", f"<urn:x:{sha(url.encode())[:8]}>")]
    return record_bytes("response", [*named, *fields.items()], block)


def lying(record: bytes, change: Callable[[int], int]) -> bytes:
    """A record whose length is not its length, and whose digest is gone."""
    head, _, rest = record.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"WARC-Block-Digest")]
    at = next(n for n, line in enumerate(lines) if line.startswith(b"Content-Length"))
    lines[at] = b"Content-Length: %d" % change(int(lines[at].split()[-1]))
    return b"\r\n".join(lines) + b"\r\n\r\n" + rest


BEFORE, AFTER = response(URL + "/before"), response(URL + "/after")
HOSTILE = {
    "longer": lying(response(), lambda n: n + 50),
    "much longer": lying(response(), lambda n: n + 2_000),
    "endless": lying(response(), lambda n: 10**17),
    "too long a number": lying(response(), lambda n: 10**30),
    "shorter": lying(response(), lambda n: n - 50),
    "negative": lying(response(), lambda n: -5),
    "no length": response().replace(b"Content-Length", b"Content-Langth"),
    "garbage": b"\x00\xff" * 5_000,
    "another digest": response().replace(b"54 g", b"55 g"),
    "endless head": b"WARC/1.1\r\n" + b"X-More: y\r\n" * 5_000 + b"\r\n",
    "endless line": b"WARC/1.1\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
    "endless first line": b"WARC/" * 40_000 + b"\r\n\r\n",
    "no answer": record_bytes("response", [("WARC-Target-URI", URL)], b"hello there"),
    "no address": response("\x00\x01 :// "),
    "bad port": response("http://a.example:99999999/x"),
    "false page": record_bytes(
        "metadata", [], b'{"specfactory_page": {"id": "page-1", "url": 5, "tier": "x"}}'
    ),
    "path": record_bytes("resource", [("WARC-Target-URI", "file:///../../x"),
                                      ("WARC-Filename", "../../x")], b"boo"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_broken_record_is_passed_over_and_the_others_are_read(
    other: Workbench, name: str
) -> None:
    for archive in (
        BEFORE + HOSTILE[name] + b"\r\n" + AFTER,
        gzipped(BEFORE) + gzipped(HOSTILE[name]) + gzipped(AFTER),
    ):
        taken = await take(other, archive)
        assert taken.pages + taken.duplicates == 2, (taken, archive[:2])
    assert await other.pages.latest(URL + "/before")
    assert await other.pages.latest(URL + "/after")
    assert await other.pages.latest(URL) is None


@pytest.mark.parametrize(
    "broken",
    [gzipped(response())[:-30], gzipped(response())[:50] + b"\x00" * 50, b"\x1f\x8b\x08" * 500],
    ids=["cut off", "damaged", "no gzip"],
)
async def test_a_broken_member_is_passed_over(other: Workbench, broken: bytes) -> None:
    taken = await take(other, gzipped(BEFORE) + broken + gzipped(AFTER))

    assert taken.pages == 2
    assert taken.skipped["broken"] >= 1


async def test_an_archive_packed_as_a_whole_is_read(other: Workbench) -> None:
    taken = await take(other, gzip.compress(BEFORE + response() + AFTER))

    assert (taken.pages, taken.skipped) == (3, {})


async def test_bombs_take_neither_memory_nor_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specfactory.store.warc.streams.MAX_PASSED_OVER", 60_000_000)
    bomb = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    head = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 100000000\r\n\r\n"
    outer = bomb.compress(head) + b"".join(bomb.compress(b"\x00" * 1_000_000) for _ in range(100))
    inner = response(body=gzip.compress(b"<p>" * 20_000_000)).replace(
        b"Content-Type: text/html\r\n", b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n", 1
    )
    inner = lying(inner, lambda n: n + len("Content-Encoding: gzip\r\n"))
    small = Settings(database_url="sqlite:///:memory:", fetch=FetchSettings(max_bytes=1_000_000))
    archive = gzipped(BEFORE) + outer + bomb.flush() + gzipped(inner) + gzipped(AFTER)

    async with open_factory(small) as factory:
        tracemalloc.start()
        taken = await take(factory, archive)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert taken.pages == 2
        assert taken.skipped["too large when unpacked"] == 1
        assert peak < 30_000_000


async def test_a_record_that_is_too_large_is_left_out(other: Workbench) -> None:
    small = Settings(database_url="sqlite:///:memory:", fetch=FetchSettings(max_bytes=2_000))
    large = response(URL, b"<p>" + b"x" * 3_000_000)
    async with open_factory(small) as factory:
        for archive in (BEFORE + large + AFTER, gzipped(BEFORE) + gzipped(large) + gzipped(AFTER)):
            taken = await take(factory, archive)
            assert taken.skipped == {"too large": 1}
            assert taken.pages + taken.duplicates == 2


async def test_a_page_that_is_not_what_it_says_is_not_taken_for_ours(
    bench: Workbench, other: Workbench
) -> None:
    await save(bench, (page(1), HTML, b""))
    archive = await export(bench, packed=False)
    forged = archive.replace(sha(HTML).encode(), sha(b"other").encode())
    head, _, rest = forged.rpartition(b"WARC-Block-Digest: ")
    forged = head + b"X-Gone: " + rest

    taken = await take(other, forged)
    assert taken.pages == 0
    assert taken.skipped == {"bytes that are not those of the page": 1}


async def test_no_page_is_taken_for_one_of_another_host(bench: Workbench, other: Workbench) -> None:
    maker = "maker.example"
    await save(bench, (page(1, host=maker), HTML, b""), (page(5, b"", host=maker), b"", b""))

    taken = await take(other, await export(bench))
    assert taken.skipped == {"a host that is not its address's": 2}
    assert [one.host async for one in PageLists(other.database).walk(maker)] == []


async def test_no_page_comes_out_of_the_future(bench: Workbench, other: Workbench) -> None:
    late = bench.clock.now() + 30 * 86_400_000
    await save(
        bench, (page(1, fetched_at=late), HTML, b""), (page(5, b"", fetched_at=late), b"", b"")
    )
    theirs = response(**{"WARC-Date": "2999-01-01T00:00:00Z"})

    ours = await take(other, await export(bench))
    assert ours.skipped == {"dated in the future": 2}
    await take(other, theirs)
    stored = await other.pages.latest(URL)
    assert stored is not None
    assert stored.fetched_at <= other.clock.now()


@pytest.mark.parametrize("start", [b"", b"hello", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"\x1f\x8b"])
def test_what_is_no_archive_is_said_to_be_none(start: bytes) -> None:
    with pytest.raises(UsageError, match="no web archive"):
        WarcReader(io.BytesIO(start), 1_000)


RECORDS = BEFORE + response() + AFTER
PACKED = gzipped(BEFORE) + gzipped(response()) + gzipped(AFTER)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data(), st.sampled_from([RECORDS, PACKED]))
def test_no_damage_makes_the_reader_fail(data: st.DataObject, whole: bytes) -> None:
    at = data.draw(st.integers(5, len(whole) - 1))
    size = data.draw(st.integers(0, 300))
    noise = data.draw(st.binary(max_size=300))

    records = list(WarcReader(io.BytesIO(whole[:at] + noise + whole[at + size :]), 100_000))
    assert len(records) <= 5
    assert all(len(record.block) <= 100_000 for record in records)
