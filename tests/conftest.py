"""What every kind of test may use: the servers that the test run starts."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.servers import PostgresServer, shared_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The quick PostgreSQL server of this test run; never restart it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with shared_postgres(run) as server:
        yield server
