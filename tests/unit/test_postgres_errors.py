"""What PostgreSQL says, in our words."""

from __future__ import annotations

import pytest
from asyncpg import exceptions

from specfactory.adapters.postgres.errors import problem
from specfactory.errors import StorageFull


@pytest.mark.parametrize("words", ["No space left on device", "Disk quota exceeded",
                                   "File too large"])  # fmt: skip
def test_no_room_for_a_file_is_a_full_disk_whoever_set_the_limit(words: str) -> None:
    error = exceptions.InternalServerError(f'could not extend file "base/5/16537": {words}')
    error.hint = "Check free disk space."

    told = problem(error, "postgresql://h/d", "append_events")

    assert isinstance(told, StorageFull)
    assert "no space is left" in str(told)
