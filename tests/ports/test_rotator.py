"""A rotator as a process of ours: started, watched, started anew, ended."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from benchmarks.golden import free_ports
from specfactory.adapters.http.rotator import RotatorProcess
from specfactory.adapters.memory.clock import SystemClock
from specfactory.assembly import open_factory
from specfactory.errors import SettingError
from specfactory.model import Outcome
from specfactory.settings import FetchSettings, ProxySettings, Settings
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.ports.test_proxies_on_the_wire import PAGE, page_server
from tests.proxy_server import ProxyServer, running

SCRIPT = Path(__file__).parents[1] / "proxy_server.py"


def free_port() -> int:
    """A port that no outgoing connection is given while it is not taken yet."""
    return free_ports(1)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(40):
        while not true():  # noqa: ASYNC110 - another process has no event to wait for
            await asyncio.sleep(0.02)


@asynccontextmanager
async def watched(process: RotatorProcess) -> AsyncIterator[None]:
    task = asyncio.create_task(process.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def rotator(command: str, live: Path, answers, said: list[str]) -> RotatorProcess:
    return RotatorProcess(command, live, answers, SystemClock(), said.append, look_seconds=0.05)


async def silent() -> bool:
    return False


async def test_pages_come_through_a_rotator_that_was_started_for_them(tmp_path):
    port = free_port()
    command = f"{sys.executable} {SCRIPT} -a 127.0.0.1:{port} -f {{live_proxies}}"
    async with page_server() as (page, _), running(ProxyServer()) as server:
        settings = Settings(
            database_url="sqlite:///:memory:",
            fetch=FetchSettings(allow_loopback=ANY_LOOPBACK),
            proxy=ProxySettings(
                urls=(server.url,),
                live_folder=str(tmp_path),
                rotator_url=f"http://127.0.0.1:{port}",
                rotator_command=command,
                check_seconds=2.0,
            ),
        )
        async with open_factory(settings) as bench:
            desk, said = bench.proxies, []
            live = tmp_path / "live_proxies.txt"
            process = rotator(command, live, desk.rotator_answers, said)
            async with watched(process):
                await desk.refresh()  # the rotator is not there yet: it rests
                await until(lambda: any("rotating 1 proxies" in line for line in said))
                await until(lambda: not desk.pool.health(desk.pool.proxies[0]).rests)
                chosen = await desk.pool.choose("shop.example")
                request = request_to(f"http://127.0.0.1:{page}/mouse", proxy=chosen.url)
                response = await bench.fetch._ways.http.fetch(request)
                pid = process.pid

    assert chosen.tier == "rotator"
    assert response.body == PAGE
    assert server.asked[-1].startswith(f"GET http://127.0.0.1:{page}/mouse")
    assert not is_alive(pid)


async def test_one_that_answers_already_is_not_started(tmp_path):
    looks = []

    async def answers() -> bool:
        looks.append(1)
        return True

    process = rotator("false", tmp_path / "live.txt", answers, [])
    async with watched(process):
        await until(lambda: len(looks) > 3)
        assert process.pid is None


async def test_it_waits_for_the_file_that_it_needs(tmp_path):
    said, looks = list[str](), list[int]()
    live = tmp_path / "live.txt"

    async def answers() -> bool:
        looks.append(1)
        return False

    async with watched(rotator("cat {live_proxies}", live, answers, said)):
        await until(lambda: len(looks) > 3)
        assert said == []
        live.write_text("http://ann:hidden@1.2.3.4:80\n")
        await until(lambda: any("1.2.3.4:80" in line for line in said))

    assert "hidden" not in "".join(said)


async def test_a_password_at_the_end_of_a_long_line_is_not_told(tmp_path):
    said: list[str] = []
    live = tmp_path / "live.txt"
    live.write_text(f"{'x' * 480} http://ann:hidden-password@1.2.3.4:80\n")
    async with watched(rotator("cat {live_proxies}", live, silent, said)):
        await until(lambda: any("xxx" in line for line in said))

    assert "hidden" not in "".join(said)


async def test_one_that_dies_is_started_anew_after_a_pause(tmp_path, monkeypatch):
    monkeypatch.setattr("specfactory.adapters.http.rotator.FIRST_BACKOFF_SECONDS", 0.02)
    said: list[str] = []
    process = rotator("sleep 60", tmp_path / "live.txt", silent, said)
    async with watched(process):
        await until(lambda: process.pid is not None)
        first = process.pid
        os.kill(first, signal.SIGKILL)
        await until(lambda: process.pid not in (None, first))
        second = process.pid

    assert "ended with -9" in said
    assert not is_alive(second)


async def test_one_that_hangs_is_ended(tmp_path):
    said: list[str] = []
    process = rotator("sleep 60", tmp_path / "live.txt", silent, said)
    async with watched(process):
        await until(lambda: any("no answer" in line for line in said))
        await until(lambda: any("ended with" in line for line in said))


async def test_a_command_that_is_not_there_is_told(tmp_path):
    said: list[str] = []
    async with watched(rotator("no-such-rotator -x", tmp_path / "live.txt", silent, said)):
        await until(lambda: bool(said))

    assert said[0].startswith("no-such-rotator cannot be started")


@pytest.mark.parametrize("command", ["", "  ", "'unfinished"])
def test_what_is_no_command_is_refused(command, tmp_path):
    with pytest.raises(SettingError, match=r"proxy\.rotator_command"):
        rotator(command, tmp_path, silent, [])


async def test_a_rotator_that_is_away_is_the_proxys_fault():
    settings = Settings(
        database_url="sqlite:///:memory:",
        fetch=FetchSettings(allow_loopback=ANY_LOOPBACK),
        proxy=ProxySettings(rotator_url=f"http://127.0.0.1:{free_port()}"),
    )
    async with open_factory(settings) as bench:
        chosen = await bench.proxies.pool.choose("shop.example")
        request = request_to("http://127.0.0.1:80/", proxy=chosen.url)
        response = await bench.fetch._ways.http.fetch(request)

    assert response.failure is Outcome.NETWORK_ERROR
    assert response.failure_detail.startswith("proxy: no connection")
