"""Readers: pages are read where reading can be ended, and nothing of it reaches the worker."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from specfactory.adapters.readers import ReaderPool, read_within
from specfactory.errors import ReaderFailed, Unreadable
from specfactory.model import Cause
from specfactory.ports import Shared
from specfactory.settings import ReaderSettings
from tests import work_for_readers as work

PAGE = Shared("page", b"x" * 100)
LIMITS = ReaderSettings(processes=1, memory_mb=150, cpu_seconds=1.0, deadline_seconds=60.0)


@pytest.fixture(autouse=True)
def findable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture
async def readers() -> AsyncIterator[ReaderPool]:
    pool = ReaderPool(LIMITS)
    yield pool
    await pool.close()


async def test_work_is_done_in_another_process(readers: ReaderPool) -> None:
    found = await readers.run(work.count, PAGE)

    assert found.letters == 100
    assert found.process != os.getpid()


async def test_a_reader_is_used_again(readers: ReaderPool) -> None:
    first, second = await readers.run(work.count, PAGE), await readers.run(work.count, PAGE)

    assert first.process == second.process


async def test_a_small_page_is_looked_at_right_here(readers: ReaderPool) -> None:
    found = await readers.run(work.count, PAGE, quick=True)

    assert found.process == os.getpid()


@pytest.mark.parametrize("body", [b"<b>" * 5_000, b"x" * 100_000])
async def test_what_may_take_long_is_not_looked_at_here(readers: ReaderPool, body: bytes) -> None:
    found = await readers.run(work.count, Shared("page", body), quick=True)

    assert found.process != os.getpid()


async def test_without_processes_everything_is_read_here() -> None:
    found = await ReaderPool(ReaderSettings(processes=0)).run(work.count, PAGE)

    assert found.process == os.getpid()


@pytest.mark.parametrize(
    ("hostile", "cause"),
    [
        (work.fill_memory, Cause.READER_MEMORY),
        (work.spin, Cause.READER_TIME),
        (work.die, Cause.READER_DIED),
        (work.nest, Cause.READER_DEPTH),
        (work.lie, Cause.READER_DIED),
        (work.say_much, Cause.READER_MEMORY),
    ],
)
async def test_what_ends_a_reader_is_said_and_the_next_page_is_read(
    readers: ReaderPool, hostile: object, cause: Cause
) -> None:
    with pytest.raises(Unreadable) as problem:
        await readers.run(hostile, PAGE)  # type: ignore[arg-type]

    assert problem.value.cause == cause
    assert (await readers.run(work.count, PAGE)).letters == 100


async def test_a_page_has_a_deadline(readers: ReaderPool) -> None:
    await readers.run(work.count, PAGE)  # it has loaded what it needs

    with pytest.raises(Unreadable, match=r"within 0\.2 s") as problem:
        await readers.run(work.wait, PAGE, deadline_seconds=0.2)

    assert problem.value.cause == Cause.READER_TIME


async def test_an_error_of_ours_is_no_fault_of_the_page(readers: ReaderPool) -> None:
    with pytest.raises(ReaderFailed, match="a bug of ours"):
        await readers.run(work.fail, PAGE)


async def test_what_a_reader_cannot_load_is_no_fault_of_the_page(readers: ReaderPool) -> None:
    with pytest.raises(ReaderFailed, match="no number"):
        await readers.run(work.count, work.Unloadable())


async def test_what_cannot_be_sent_is_an_error_and_the_next_page_is_read(
    readers: ReaderPool,
) -> None:
    with pytest.raises(AttributeError, match="lambda"):
        await readers.run(work.count, lambda: None)

    assert (await readers.run(work.count, PAGE)).letters == 100


async def test_readers_know_no_secret(readers: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "hush")

    assert "SHOP_PASSWORD" not in await readers.run(work.environment, PAGE)


async def test_readers_write_no_files(readers: ReaderPool, tmp_path: Path) -> None:
    assert await readers.run(work.write_file, str(tmp_path / "left")) == "refused"


async def test_a_stop_of_the_whole_service_ends_no_reader(readers: ReaderPool) -> None:
    assert await readers.run(work.ignore_signals, PAGE) == "alive"


async def test_a_reader_outlives_whoever_was_cancelled(readers: ReaderPool) -> None:
    first = await readers.run(work.count, PAGE)
    asked = asyncio.ensure_future(readers.run(work.count, Shared("other", b"y" * 1_000_000)))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked

    assert (await readers.run(work.count, PAGE)).process == first.process


async def test_one_reader_serves_all_until_a_page_has_waited_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = ReaderPool(ReaderSettings(processes=2))
    both = (pool.run(work.count, PAGE), pool.run(work.count, PAGE))
    first, second = await asyncio.gather(*both)
    monkeypatch.setattr("specfactory.adapters.readers.pool._PATIENCE_SECONDS", 0.0)
    busy = asyncio.ensure_future(pool.run(work.wait, PAGE))
    await asyncio.sleep(0)

    other = await pool.run(work.count, PAGE)

    assert first.process == second.process != other.process
    await pool.close()
    with pytest.raises(asyncio.CancelledError):
        await busy


async def test_a_worker_that_is_killed_leaves_no_reader() -> None:
    program = "import asyncio; from tests.work_for_readers import be_a_worker as it"
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", f"{program}; asyncio.run(it())", stdout=asyncio.subprocess.PIPE
    )
    assert worker.stdout is not None
    assert int(await worker.stdout.readline()) != worker.pid

    worker.kill()

    async with asyncio.timeout(60):
        await worker.stdout.read()  # ends when the last process that has it is gone
    await worker.wait()


async def test_a_closed_pool_leaves_no_process() -> None:
    pool = ReaderPool(LIMITS)
    found = await pool.run(work.count, PAGE)
    busy = asyncio.ensure_future(pool.run(work.wait, PAGE))
    await asyncio.sleep(0)

    await pool.close()

    with pytest.raises(asyncio.CancelledError):
        await busy
    with pytest.raises(ProcessLookupError):
        os.kill(found.process, 0)


async def test_a_reader_that_somebody_killed_is_replaced(readers: ReaderPool) -> None:
    first = await readers.run(work.count, PAGE)
    os.kill(first.process, signal.SIGKILL)

    await asyncio.to_thread(os.waitid, os.P_PID, first.process, os.WEXITED | os.WNOWAIT)

    assert (await readers.run(work.count, PAGE)).process != first.process


def test_a_library_call_ends_in_time_and_goes_on_afterwards() -> None:
    assert read_within(60.0, LIMITS, work.count, PAGE).letters == 100

    with pytest.raises(Unreadable):
        read_within(0.2, LIMITS, work.wait, PAGE)

    assert read_within(60.0, LIMITS, work.count, PAGE).letters == 100


@pytest.mark.parametrize(
    ("loaded", "unwanted"),
    [
        ("specfactory.orchestrate.attempts.attempt", "specfactory.extract.page"),
        ("specfactory.orchestrate.attempts.attempt", "specfactory.proof.visibility"),
        ("specfactory.orchestrate.pages.product_reading", "asyncio"),
    ],
)
def test_workers_load_no_extraction_and_readers_no_network(loaded: str, unwanted: str) -> None:
    script = f"import sys, {loaded}; print({unwanted!r} in sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"
