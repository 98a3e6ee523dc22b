"""Checks that an executable is a Chromium by asking for its version, with a deadline."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress

ANSWER_SECONDS = 10.0
_MOST_BYTES = 4096
_MOST_WORDS = 120
_VERSION = re.compile(r"\b\d+(?:\.\d+){3}\b")  # only Chromium and its kin count in four numbers


class BrowserUnusable(Exception):
    """No browser can be used on this machine; the text says why."""


async def why_no_browser(executable: str, seconds: float = ANSWER_SECONDS) -> str:
    """Say what is wrong with an executable as a browser, to follow its name; "": nothing."""
    if os.name != "posix":  # elsewhere a browser that is asked for its version opens a window
        return ""
    try:
        status, said = await _ask_version(executable, seconds)
    except TimeoutError:
        return f"does not say its version within {seconds:g} s"
    except OSError as problem:
        return f"cannot be run: {problem.strerror or problem}"
    if status == 0 and _VERSION.search(said):
        return ""
    words = next((line.strip() for line in said.splitlines() if line.strip()), "")[:_MOST_WORDS]
    quoted = f": it says {words!r}" if words else ""
    if status:
        return f"ends with {status} when asked for its version{quoted}"
    return f"is no Chromium{quoted or ': it does not say its version'}"


async def _ask_version(executable: str, seconds: float) -> tuple[int, str]:
    asked = await asyncio.create_subprocess_exec(
        executable, "--version", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    assert asked.stdout is not None
    said = b""
    try:
        async with asyncio.timeout(seconds):
            while len(said) < _MOST_BYTES and (piece := await asked.stdout.read(_MOST_BYTES)):
                said += piece
            status = await asked.wait() if len(said) < _MOST_BYTES else 0
    finally:  # the whole group: a wrapper script may have started others
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(asked.pid, signal.SIGKILL)
        await asked.wait()
    return status, said.decode("utf-8", "replace")
