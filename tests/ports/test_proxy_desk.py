"""The pool looked after: lists, checks, live files, waiting, jobs; on real proxies."""

import asyncio
import json
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from specfactory.assembly import open_factory
from specfactory.errors import ProxiesMissing, SettingError
from specfactory.model import JobKind, JobStatus
from specfactory.model.transitions import Action
from specfactory.orchestrate import Workbench, Worker, WorkerPlan, standard_handlers
from specfactory.orchestrate.kinds.proxies import ProxyRounds
from specfactory.settings import FetchSettings, ProxySettings, Settings
from specfactory.testing import ANY_LOOPBACK
from tests.ports.test_proxies_on_the_wire import page_server
from tests.proxy_server import ProxyServer, running


@asynccontextmanager
async def proxies(count: int, **kinds: str) -> AsyncIterator[list[ProxyServer]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(running(ProxyServer(**kinds))) for _ in range(count)]


@asynccontextmanager
async def factory(folder: Path, *, loopback: bool = True, **given) -> AsyncIterator[Workbench]:
    given = {"live_folder": str(folder / "live"), "check_seconds": 2.0, **given}
    settings = Settings(
        database_url=f"sqlite:///{folder / 'f.db'}",
        fetch=FetchSettings(allow_loopback=ANY_LOOPBACK if loopback else ()),
        proxy=ProxySettings(**given),
    )
    async with open_factory(settings) as bench:
        yield bench


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


async def test_a_refresh_reads_settings_file_and_list_and_checks_them_all(tmp_path):
    async with proxies(3) as (first, second, third), page_server() as (page, _):
        filed = tmp_path / "proxies.txt"
        filed.write_text(f"{second.place} residential\n127.0.0.1:{closed_port()}\nwhat?\n")
        listing = json.dumps([third.url]).encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(listing)
        async with (
            page_server(head + listing) as (lister, _),
            factory(
                tmp_path,
                urls=(first.url,),
                file=str(filed),
                list_url=f"http://127.0.0.1:{lister}/list",
                check_url=f"http://127.0.0.1:{page}/",
            ) as bench,
        ):
            told = bench.state.subscribe()
            done = await bench.proxies.refresh()

            assert (done.total, done.live, done.skipped, done.problem) == (4, 3, 1, "")
            assert {p.place for p in bench.proxies.pool.live()} == {
                first.place, second.place, third.place
            }  # fmt: skip
            assert {(await anext(told)).name, (await anext(told)).name} == {
                "proxies.refreshed", "proxy.rested"
            }  # fmt: skip
    assert all(server.asked for server in (first, second, third))


async def test_live_files_hold_what_a_rotator_needs_and_only_we_can_read_them(tmp_path):
    async with (
        proxies(1, user="ann", password="secret") as (server,),
        factory(tmp_path, urls=(f"{server.url} mobile",)) as bench,
    ):
        await bench.proxies.refresh()
    entry, *others = json.loads((tmp_path / "live/live_proxies.json").read_text())
    lines = (tmp_path / "live/live_proxies.txt").read_text()

    assert (lines, others) == (f"{server.url}\n", [])
    assert (entry["url"], entry["host"], entry["port"]) == (server.url, "127.0.0.1", server.port)
    assert (entry["protocol"], entry["tier"]) == ("http", "mobile")
    assert entry["latency_ms"] > 0
    assert entry["checked_at"]
    for file in (tmp_path / "live").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_proxy_that_lists_of_others_place_on_our_network_is_never_asked(tmp_path):
    async with proxies(1) as (inner,):
        listing = f"{inner.place}\n10.0.0.7:3128\nlocalhost:{inner.port}\n".encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(listing)
        async with (
            page_server(head + listing) as (lister, _),
            factory(
                tmp_path, loopback=False, list_url=f"http://127.0.0.1:{lister}/", check_seconds=0.5
            ) as bench,
        ):
            done = await bench.proxies.refresh()

    assert (done.total, done.live, done.skipped) == (0, 0, 3)
    assert inner.headers == []


async def test_an_operators_proxy_may_be_on_our_network(tmp_path):
    async with (
        proxies(1) as (inner,),
        factory(tmp_path, loopback=False, urls=(inner.url,)) as bench,
    ):
        assert (await bench.proxies.refresh()).live == 1


async def test_the_last_list_holds_while_its_server_is_away(tmp_path):
    async with proxies(1) as (server,):
        listing = server.place.encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(listing)
        async with page_server(head + listing) as (lister, _):
            given = {"list_url": f"http://127.0.0.1:{lister}/?key=hidden"}
            async with factory(tmp_path, **given) as bench:
                await bench.proxies.refresh()
        async with factory(tmp_path, **given) as bench:
            done = await bench.proxies.refresh()

    assert (done.total, done.live) == (1, 1)
    assert done.problem.startswith("no connection")
    assert "hidden" not in repr(done)


async def test_a_run_waits_until_enough_proxies_work(tmp_path):
    async with (
        proxies(2, fault="drop") as servers,
        factory(tmp_path, urls=tuple(s.url for s in servers), rest_minutes=0.01) as bench,
    ):
        said: list[str] = []

        def mend(line: str) -> None:
            said.append(line)
            if len(said) == 2:
                for server in servers:
                    server.fault = ""

        clock = _Quick(bench.clock)
        bench.proxies._clock = bench.proxies.pool._clock = bench.state._clock = clock
        await asyncio.wait_for(bench.proxies.wait_until_ready(mend), 30)

        assert said[0] == "0 of 2 proxies work; refreshing them"
        assert len(said) >= 2
        assert len(bench.proxies.pool.live()) == 2


class _Quick:
    """A clock whose sleeps take no time, but let time pass."""

    def __init__(self, clock) -> None:
        self._clock, self._ahead = clock, 0.0

    def now(self) -> int:
        return self._clock.now() + round(self._ahead * 1000)

    def monotonic(self) -> float:
        return self._clock.monotonic() + self._ahead

    async def sleep(self, seconds: float) -> None:
        self._ahead += seconds
        await asyncio.sleep(0)


async def test_a_run_does_not_start_without_them(tmp_path):
    dead = f"http://ann:hidden@127.0.0.1:{closed_port()}"
    async with factory(tmp_path, urls=(dead,), wait_seconds=0) as bench:
        with pytest.raises(ProxiesMissing, match=r"0 of 1 proxies work.*proxy\.minimum") as refused:
            await bench.proxies.wait_until_ready(lambda line: None)

    assert "hidden" not in str(refused.value)


async def test_one_who_is_told_to_stop_waits_no_longer(tmp_path):
    said: list[str] = []
    async with factory(tmp_path, urls=(f"127.0.0.1:{closed_port()}",)) as bench:
        await bench.proxies.wait_until_ready(said.append, lambda: True)

    assert said == []


async def test_no_more_is_waited_for_than_there_can_be(tmp_path):
    async with factory(tmp_path, urls=("127.0.0.1:1", "127.0.0.1:2")) as bench:
        assert bench.proxies.needed == 2
    async with factory(tmp_path, list_url="http://127.0.0.1:1/") as bench:
        assert bench.proxies.needed == 10
    async with factory(tmp_path, rotator_url="http://127.0.0.1:8089") as bench:
        assert bench.proxies.needed == 0
    async with factory(tmp_path) as bench:
        assert bench.proxies is None


@pytest.mark.parametrize("minimum", [0, 10])
async def test_a_file_without_a_line_of_use_does_not_pass_for_proxies(tmp_path, minimum):
    (tmp_path / "proxies.txt").write_text("socks5://ann:hidden@b:1\n# none\nnot one\n")
    given = {"file": str(tmp_path / "proxies.txt"), "wait_seconds": 9, "minimum": minimum}
    said: list[str] = []
    async with factory(tmp_path, **given) as bench:
        assert bench.proxies.is_short
        bench.proxies._clock = bench.state._clock = _Quick(bench.clock)
        if not minimum:
            await bench.proxies.wait_until_ready(said.append)
            return
        with pytest.raises(ProxiesMissing, match="0 of 1"):
            await bench.proxies.wait_until_ready(said.append)

    assert said[1] == "none of the 2 entries is a proxy that can be used"
    assert "hidden" not in " ".join(said)


@pytest.mark.parametrize("page", ["http://nowhere.invalid/", "http://10.0.0.1/"])
async def test_no_proxy_is_blamed_for_a_check_page_that_cannot_be_asked_for(tmp_path, page):
    async with (
        proxies(1) as (server,),
        factory(tmp_path, urls=(server.url,), check_url=page) as bench,
    ):
        await bench.proxies.refresh()

        assert [proxy.place for proxy in bench.proxies.pool.live()] == [server.place]


async def test_a_proxy_that_answers_with_a_page_of_its_own_is_rested(tmp_path):
    async with proxies(2) as (honest, liar), page_server() as (page, _):
        liar.fault = "lie"
        given = {"urls": (honest.url, liar.url), "check_url": f"http://127.0.0.1:{page}/"}
        async with factory(tmp_path, **given) as bench:
            await bench.proxies.refresh()
            pool = bench.proxies.pool

            assert [proxy.place for proxy in pool.live()] == [honest.place]
            assert [pool.health(p).note for p in pool.proxies if p.place == liar.place] == [
                "answers with a page of its own"
            ]


async def test_a_rotator_alone_is_enough_while_it_works(tmp_path):
    async with proxies(1) as (server,), factory(tmp_path, rotator_url=server.url) as bench:
        before = bench.proxies.is_short
        await bench.proxies.refresh()

        assert (before, bench.proxies.is_short) == (True, False)


@pytest.mark.parametrize(
    "given",
    [
        {"urls": ("http://ann:hidden@nowhere",)},
        {"urls": ("socks5://ann:hidden@h:1",)},
        {"file": "no/such/file"},
        {"list_url": "ftp://ann:hidden@h/"},
        {"rotator_url": "ann:hidden@"},
    ],
)
async def test_a_bad_setting_is_named_without_its_password(tmp_path, given):
    with pytest.raises(SettingError, match=f"proxy.{next(iter(given))}") as refused:
        async with factory(tmp_path, **given) as bench:
            bench.network()

    assert "hidden" not in str(refused.value)


async def test_a_worker_refreshes_the_pool_and_queues_the_next_refresh(tmp_path):
    async with proxies(1) as (server,), factory(tmp_path, urls=(server.url,)) as bench:
        plan = WorkerPlan("w", "here", 1, ("proxies",), 2, until_empty=True)
        settings = replace(bench.settings.queue, poll_seconds=0.05)
        quick = replace(bench, settings=replace(bench.settings, queue=settings))
        await ProxyRounds(quick, quick.proxies).look()
        end = await asyncio.wait_for(Worker(quick, standard_handlers(), plan).run(), 30)

        jobs = await bench.jobs.list(kind=JobKind.PROXIES)
        now = bench.clock.now()
        assert (end.done, end.failed) == (1, 0)
        assert [job.status for job in jobs] == [JobStatus.COMPLETE, JobStatus.QUEUED]
        assert jobs[-1].due_at > now + 25 * 60_000
        assert [p.place for p in bench.proxies.pool.live()] == [server.place]


async def test_looking_twice_queues_one_refresh(tmp_path):
    async with factory(tmp_path, urls=("127.0.0.1:1",)) as bench:
        rounds = ProxyRounds(bench, bench.proxies)
        await rounds.look()
        await rounds.look()

        assert len(await bench.jobs.list(kind=JobKind.PROXIES)) == 1


async def test_a_refresh_that_waits_is_brought_forward_when_too_few_work(tmp_path):
    async with proxies(1) as (server,), factory(tmp_path, urls=(server.url,)) as bench:
        rounds = ProxyRounds(bench, bench.proxies)
        await bench.proxies.refresh()
        await rounds.look()
        (waiting,) = await bench.jobs.list(kind=JobKind.PROXIES)
        await bench.proxies.pool.rest(bench.proxies.pool.proxies[0], "gone")
        await rounds.look()
        (hastened,) = await bench.jobs.list(kind=JobKind.PROXIES)

        now = bench.clock.now()
        assert waiting.due_at > now >= hastened.due_at
        assert hastened.id == waiting.id


async def test_a_refresh_that_failed_is_not_queued_at_once_again(tmp_path):
    async with factory(tmp_path, urls=("127.0.0.1:1",)) as bench:
        rounds = ProxyRounds(bench, bench.proxies)
        await rounds.look()
        async with bench.database.transaction() as tx:
            (first,) = await bench.jobs.list(kind=JobKind.PROXIES)
            await bench.jobs.act(tx, first.id, Action.SKIP, bench.clock.now())
        await rounds.look()

        later = [j for j in await bench.jobs.list(kind=JobKind.PROXIES) if j.id != first.id]
        assert [job.due_at > bench.clock.now() for job in later] == [True]


async def test_a_file_that_has_vanished_fails_the_job_not_the_worker(tmp_path):
    filed = tmp_path / "proxies.txt"
    filed.write_text("127.0.0.1:1\n")
    async with factory(tmp_path, file=str(filed)) as bench:
        filed.unlink()
        with pytest.raises(SettingError, match=r"proxy\.file"):
            await bench.proxies.refresh()
