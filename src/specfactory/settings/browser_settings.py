"""Settings of the browser."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class BrowserSettings(Frozen):
    """The browser, for pages that need scripts."""

    enabled: bool = setting(True, "use a browser where a page needs one and one is installed")
    executable: str = setting("", "path of a Chromium; empty: the installed one is found")
    pages_at_once: int = setting(2, "pages open at the same time", 1, 100)
    timeout_seconds: float = setting(45.0, "longest time for one page in the browser", 1, 600)
    settle_seconds: float = setting(1.0, "a page is done when it has been quiet so long", 0, 60)
    accept_consent: bool = setting(False, "accept consent walls that cannot be refused")
    max_requests: int = setting(200, "requests that one page may make", 1, 10_000)
    recycle_pages: int = setting(100, "pages after which the browser is started anew", 1, 100_000)
    recycle_megabytes: int = setting(1_500, "memory at which it is started anew", 100, 100_000)
