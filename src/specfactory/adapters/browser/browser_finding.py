"""Where a Chromium is to be found: the one that is named, else the first that is installed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from specfactory.adapters.browser.find import why_no_browser
from specfactory.settings import BrowserSettings

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_DOWNLOADED = (
    "chromium_headless_shell-*/chrome-*/headless_shell*",
    "chromium_headless_shell-*/chrome-*/chrome-headless-shell*",
    "chromium-*/chrome-*/chrome",
    "chromium-*/chrome-*/chrome.exe",
    "chromium-*/chrome-*/*.app/Contents/MacOS/*",
)


def find_browser(settings: BrowserSettings) -> str:
    """The path of a Chromium that is installed here; empty when there is none."""
    return next(_found(settings), "")


async def usable_browser(settings: BrowserSettings, beside: str = "") -> str:
    """The first of those installed here that is one; a system may keep a mere stub of it."""
    for path in _found(settings):
        if path != beside and not await why_no_browser(path):
            return path
    return ""


def _found(settings: BrowserSettings) -> Iterator[str]:
    for name in (settings.executable,) if settings.executable else BROWSERS:
        if path := shutil.which(name):
            yield path
    if not settings.executable:
        yield from (str(path) for path in _downloaded() if os.access(path, os.X_OK))


def name_browser(settings: BrowserSettings, executable: str) -> str:
    """A browser, with the setting that named it."""
    return f"{'browser.executable' if settings.executable else 'the browser'} ({executable})"


def is_root() -> bool:
    """Whether Chromium would refuse to run with its sandbox."""
    return os.name == "posix" and os.geteuid() == 0


def _downloaded() -> Iterator[Path]:
    """What ``playwright install`` has brought, the newest first."""
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    caches = {"darwin": "Library/Caches", "win32": "AppData/Local"}
    folder = Path(given) if given else Path.home() / caches.get(sys.platform, ".cache")
    for pattern in _DOWNLOADED:
        place = folder if given else folder / "ms-playwright"
        yield from sorted((p for p in place.glob(pattern) if p.is_file()), reverse=True)
