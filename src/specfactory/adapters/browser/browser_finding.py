"""Finds a Chromium: the one that the settings name, else the first that is installed."""

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


def is_root() -> bool:
    """True for root, for whom Chromium refuses to run with its sandbox."""
    return os.name == "posix" and os.geteuid() == 0
