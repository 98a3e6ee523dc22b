"""A user shares limits through Redis and logs in where a site wants it; ``spec doctor`` tells."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.redis_servers import RedisServer
from tests.stories.conftest import Workspace

LOGIN = "fetch:\n  logins:\n    - {host: shop.example, cookies: {session: SHOP_SESSION}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def finding(folder: Workspace, check: str) -> dict[str, str]:
    found = folder.spec("doctor", "--json", check=False).json
    return {each["check"]: each for each in found}[check]


def test_doctor_says_where_limits_are_shared(folder: Workspace, redis: RedisServer) -> None:
    folder.settings.write_text(f"state_url: {redis.url}?namespace=doctor\n")

    found = finding(folder, "shared state")
    assert found["state"] == "ok"
    assert f"Redis 127.0.0.1:{redis.port}/0, shared by 0 processes" in found["found"]


def test_doctor_warns_of_a_redis_that_is_away_and_keeps_its_password(folder: Workspace) -> None:
    folder.settings.write_text("state_url: redis://:geheim@127.0.0.1:1/0\n")

    found = finding(folder, "shared state")
    assert found["state"] == "warn"
    assert "127.0.0.1:1" in found["found"]
    assert "geheim" not in str(found)


def test_worker_does_not_start_while_a_login_is_missing(folder: Workspace) -> None:
    folder.settings.write_text(LOGIN)

    assert finding(folder, "logins")["found"] == "shop.example: SHOP_SESSION not set"
    refused = folder.spec("worker", "--drain", check=False)
    assert refused.code == 2
    assert "SHOP_SESSION" in refused.err
    assert folder.spec("queue", "list").code == 0  # what fetches nothing needs no login


def test_login_that_is_set_is_named_and_never_shown(folder: Workspace) -> None:
    folder.settings.write_text(LOGIN)
    done = subprocess.run(
        folder.command("doctor"), cwd=folder.folder, capture_output=True, text=True, timeout=60,
        env={**os.environ, "SHOP_SESSION": "s3cret"},
    )  # fmt: skip

    assert "shop.example" in done.stdout
    assert "s3cret" not in done.stdout + done.stderr
