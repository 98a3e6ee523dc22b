"""Finds a Chromium: the one that the settings name, else the first installed one that works."""

import asyncio
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from specfactory.settings import BrowserSettings

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_DOWNLOADED = (
    "chromium_headless_shell-*/chrome-*/headless_shell*",
    "chromium_headless_shell-*/chrome-*/chrome-headless-shell*",
    "chromium-*/chrome-*/chrome",
    "chromium-*/chrome-*/chrome.exe",
    "chromium-*/chrome-*/*.app/Contents/MacOS/*",
)
ANSWER_SECONDS = 10.0
_MOST_BYTES = 4096
_MOST_WORDS = 120
_VERSION = re.compile(r"\b\d+(?:\.\d+){3}\b")  # only Chromium and its kin count in four numbers
_NAMESPACES = {  # without namespaces of its own an ordinary user's browser has no sandbox
    "/proc/sys/kernel/unprivileged_userns_clone": "0",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
    "/proc/sys/user/max_user_namespaces": "0",
}


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


def find_browser(settings: BrowserSettings) -> str:
    """Path of an installed Chromium; "" when there is none."""
    return next(_found(settings), "")


async def usable_browser(settings: BrowserSettings, beside: str = "") -> str:
    """First installed Chromium that really is one: some systems ship a stub of it."""
    for path in _found(settings):
        if path != beside and not await why_no_browser(path):
            return path
    return ""


def _found(settings: BrowserSettings) -> Iterator[str]:
    for name in (settings.executable,) if settings.executable else BROWSERS:
        if path := shutil.which(name):
            yield path
    if settings.executable:
        return
    # what ``playwright install`` downloaded, the newest first
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    caches = {"darwin": "Library/Caches", "win32": "AppData/Local"}
    cache = Path.home() / caches.get(sys.platform, ".cache") / "ms-playwright"
    folder = Path(given) if given else cache
    for pattern in _DOWNLOADED:
        for file in sorted((p for p in folder.glob(pattern) if p.is_file()), reverse=True):
            if os.access(file, os.X_OK):
                yield str(file)


def name_browser(settings: BrowserSettings, executable: str) -> str:
    """A browser in words, with the setting that named it."""
    return f"{'browser.executable' if settings.executable else 'the browser'} ({executable})"


def why_no_sandbox() -> str:
    """Why Chromium runs without its sandbox here; "" where it has one."""
    if is_root():
        return "as root starts it"
    for name, off in _NAMESPACES.items():
        with suppress(OSError):
            if Path(name).read_text(encoding="ascii").strip() == off:
                return f"as {name} is {off}"
    return ""


def is_root() -> bool:
    """True for root, for whom Chromium refuses to run with its sandbox."""
    return os.name == "posix" and os.geteuid() == 0
