"""Pages in Chromium, behind our own proxy."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .fetcher import BrowserFetcher
    from .find import find_browser, name_browser, usable_browser, why_no_browser, why_no_sandbox
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
