"""Settings of fetching: delays, limits, sizes, logins."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from specfactory.model import FetchRequest, Frozen
from specfactory.settings.declaring import HEADER, PLACES, setting


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
    allow_loopback: tuple[str, ...] = setting(
        (),
        "places on this machine whose pages may be fetched: HOST:PORT, …, exactly as in their URLs",
        form=PLACES,
    )
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
