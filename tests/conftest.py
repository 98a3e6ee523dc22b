"""What every kind of test may use: the servers that the test run starts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from specfactory.assembly import choices
from tests.kept_readers import KeepingPool, end_kept
from tests.redis_servers import RedisServer, redis_server
from tests.servers import PostgresServer, shared_postgres

# Tests press Ctrl-C; a shell that started them in the background would have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

# `make test` draws the same examples each time, `make fuzz` new ones.
_UNHURRIED: dict[str, Any] = {  # the machine may be busy
    "deadline": None,
    "suppress_health_check": [hypothesis.HealthCheck.too_slow],
}
hypothesis.settings.register_profile("same", derandomize=True, **_UNHURRIED)
hypothesis.settings.register_profile("fuzz", print_blob=True, **_UNHURRIED)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="session", autouse=True)
def _kept_readers() -> Iterator[None]:
    """Factories of one test process share their readers, each of which takes long to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choices, "ReaderPool", KeepingPool)
        yield
    end_kept()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The quick PostgreSQL server of this test run; never restart it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with shared_postgres(run) as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """The Redis of this process; never restart it, and take a namespace of your own."""
    with redis_server() as server:
        yield server
