"""The settings of everything that goes to the network: fetching, browser, proxies, healing."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from specfactory.model import FetchRequest, Frozen
from specfactory.settings.declaring import HEADER, setting


class FetchSettings(Frozen):
    """Fetching of pages."""

    user_agent: str = setting(
        "SpecFactory/0.1 (+https://github.com/specfactory)",
        "how we introduce ourselves to servers and to robots.txt",
        form=HEADER,
    )
    respect_robots: bool = setting(True, "obey robots.txt")
    host_delay_seconds: float = setting(2.0, "pause between two requests to one host", 0, 3600)
    latency_factor: float = setting(
        1.0, "the pause is at least this many times the host's usual answer time", 0, 100
    )
    longest_delay_seconds: float = setting(
        60.0, "longest pause that a slow host or a robots.txt may ask for", 0, 3600
    )
    domain_delay_seconds: float = setting(
        0.0, "pause between two requests to one domain, all its hosts together", 0, 3600
    )
    requests_per_second: float = setting(
        0.0, "most requests a second, all hosts together; 0: no limit", 0, 1_000_000
    )
    breaker_failures: int = setting(
        5, "failures in a row after which a host is left alone for a while", 1, 1_000
    )
    breaker_window_seconds: float = setting(
        600.0, "a failure longer ago than this does not count", 1, 86_400
    )
    breaker_seconds: float = setting(
        60.0,
        "how long a host that kept failing is left alone; then one request tries it",
        0,
        86_400,
    )
    timeout_seconds: float = setting(
        30.0, "longest time for one page, redirects included", 0.1, 600
    )
    max_bytes: int = setting(10_000_000, "largest page, after decompression", 1_000, 1_000_000_000)
    max_ratio: float = setting(200.0, "largest decompressed to received size", 1, 100_000)
    max_redirects: int = setting(5, "longest chain of redirects", 0, 20)
    allow_loopback: bool = setting(False, "let pages on this machine be fetched (demo and tests)")
    robots_hours: float = setting(24.0, "how long a robots.txt is believed", 0, 168)
    logins: tuple[Mapping[str, Any], ...] = setting(
        (),
        "pages behind a login: host, and headers and cookies whose values are names of "
        "environment variables, such as {host: shop.example, cookies: {session: SHOP_SESSION}}",
    )

    def request(
        self, url: str, headers: Mapping[str, str] | None = None, **given: Any
    ) -> FetchRequest:
        """A request within these limits, but for what is given."""
        usual = FetchRequest(
            url, headers or {},
            self.max_bytes, self.max_ratio, self.timeout_seconds, self.max_redirects,
        )  # fmt: skip
        return replace(usual, **given)


class ReaderSettings(Frozen):
    """Reading of fetched bytes: the processes that do it, and what one page may take."""

    processes: int = setting(
        2, "processes that read pages; 0: this process reads them, and nothing limits it", 0, 64
    )
    memory_mb: int = setting(
        300,
        "memory that a reader may take for a large page; a small one may take less",
        100,
        100_000,
    )
    cpu_seconds: float = setting(10.0, "processor time that one page may take", 1, 3600)
    deadline_seconds: float = setting(60.0, "longest time for reading one page", 0.1, 3600)
    small_bytes: int = setting(
        65_536, "a page up to this size is looked at without a reader", 0, 1_000_000
    )


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


class ProxySettings(Frozen):
    """Proxies, for hosts that refuse us without one."""

    urls: tuple[str, ...] = setting((), "proxies: http://[USER:PASSWORD@]HOST:PORT, …")
    file: str = setting("", "a file of proxies, one a line; a line may end in a tier")
    list_url: str = setting("", "a web address that gives such a list")
    check_url: str = setting("", "a page that a working proxy can fetch; empty: the proxy answers")
    check_seconds: float = setting(10.0, "longest time for a check", 0.1, 600)
    refresh_minutes: float = setting(30.0, "pause between two refreshes of the pool", 0.1, 100_000)
    minimum: int = setting(10, "working proxies before a run that needs them starts", 0, 100_000)
    wait_seconds: float = setting(
        600.0, "longest wait for them; then the run does not start", 0, 86_400
    )
    rest_minutes: float = setting(
        10.0, "first rest of an unhealthy proxy; it doubles", 0.01, 10_000
    )
    live_folder: str = setting("specfactory-data", "where live_proxies.json and .txt are written")
    rotator_url: str = setting("", "a rotator such as mubeng, used as one proxy; empty: none")
    rotator_command: str = setting("", "how to start the rotator; empty: it is started elsewhere")


class HealSettings(Frozen):
    """Diagnosis of failing hosts, and trials of remedies."""

    enabled: bool = setting(True, "diagnose failing hosts and apply remedies")
    failures_in_a_row: int = setting(5, "refusals or time-outs in a row: a diagnosis", 2, 1000)
    confidence_drop: float = setting(0.30, "drop of a host's confidence: a changed layout", 0.01, 1)
    history: int = setting(50, "visits of a host that a diagnosis looks at", 5, 10_000)
    check_pages: int = setting(3, "visits after which a remedy has helped or is undone", 1, 1000)
    first_pause_seconds: float = setting(60.0, "first pause of a host that is down", 0.1, 86_400)
    longest_pause_seconds: float = setting(3600.0, "longest pause; pauses double", 1, 604_800)
    slow_seconds: float = setting(10.0, "usual answer time of a slow host", 0.1, 600)
    garbled_share: float = setting(
        0.002, "share of characters decoded wrongly: a changed encoding", 0.0001, 1
    )
    ease_hours: float = setting(
        24.0, "hours of health after which a cheaper treatment is tried", 0.001, 10_000
    )
    give_up_hours: float = setting(
        72.0, "hours after which jobs of a host that stays ill become dead letters", 0.001, 10_000
    )
    keep_days: float = setting(30.0, "how long visits and healing events are kept", 0.1, 3650)


class ProfileSettings(Frozen):
    """Timings of pages."""

    sample: float = setting(1.0, "share of pages whose timings are stored", 0, 1)
