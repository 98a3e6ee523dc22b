"""Settings of proxies."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class ProxySettings(Frozen):
    """Proxies, for hosts that refuse us without one."""

    urls: tuple[str, ...] = setting(
        (), "proxies: http://[USER:PASSWORD@]HOST:PORT, …", discreet=True
    )
    file: str = setting("", "a file of proxies, one a line; a line may end in a tier")
    list_url: str = setting("", "a web address that gives such a list", discreet=True)
    check_url: str = setting(
        "", "a page that a working proxy can fetch; empty: the proxy answers", discreet=True
    )
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
    rotator_url: str = setting(
        "", "a rotator such as mubeng, used as one proxy; empty: none", discreet=True
    )
    rotator_command: str = setting(
        "", "how to start the rotator; empty: it is started elsewhere", discreet=True
    )
