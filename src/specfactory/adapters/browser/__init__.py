"""Pages in Chromium, behind our own proxy."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.adapters.browser.fetcher import BrowserFetcher
    from specfactory.adapters.browser.find import (
        find_browser,
        is_root,
        name_browser,
        usable_browser,
        why_no_browser,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "BrowserFetcher", "find_browser", "is_root", "name_browser", "usable_browser",
    "why_no_browser",
]  # fmt: skip
