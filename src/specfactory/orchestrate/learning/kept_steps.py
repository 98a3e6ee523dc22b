"""Steps of learning in the database, written from the thread that learns."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager

import specfactory
from specfactory.learn import Lesson
from specfactory.model import Contract
from specfactory.ports import Database
from specfactory.store.sites import LearningNotes


class KeptSteps:
    """Results of a learning's steps; they hold for the same pages and the same program only."""

    def __init__(
        self,
        database: Database,
        host: str,
        contract: Contract,
        prefix: str,
        known: dict[str, bytes],
    ) -> None:
        self._database, self._host, self._contract = database, host, contract
        self._prefix, self._known = prefix, known
        self._loop = asyncio.get_running_loop()
        self._writing: list[Future[None]] = []

    def get(self, key: str) -> bytes | None:
        """Find the result of a step."""
        return self._known.get(self._prefix + key)

    def put(self, key: str, result: bytes) -> None:
        """Have the result of a step written; learning does not wait for it."""
        saving = self._save(self._prefix + key, result)
        self._writing.append(asyncio.run_coroutine_threadsafe(saving, self._loop))

    async def written(self) -> None:
        """Wait until all results are written."""
        await asyncio.gather(*map(asyncio.wrap_future, self._writing))

    async def _save(self, step: str, result: bytes) -> None:
        async with self._database.transaction() as tx:
            await LearningNotes(self._database).save(tx, self._host, self._contract, step, result)


@asynccontextmanager
async def kept_steps(
    database: Database, host: str, contract: Contract, lessons: Sequence[Lesson]
) -> AsyncIterator[KeptSteps]:
    """Steps of learning a host from these pages; all are written at the end, whatever it is."""
    hashes = "".join(sorted(one.views.page.content_hash for one in lessons))
    digest = hashlib.sha256((specfactory.__version__ + hashes).encode()).hexdigest()[:16]
    known = await LearningNotes(database).of(host, contract)
    steps = KeptSteps(database, host, contract, f"step {digest} ", known)
    try:
        yield steps
    finally:
        await steps.written()
