"""The pool of proxies and their health."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.fetch.proxies.health import PROXY_FAULT, Checked
    from specfactory.fetch.proxies.list_formats import MOST_BYTES, ProxyList, make_proxy, read_list
    from specfactory.fetch.proxies.pool import ROTATOR_TIER, ProxyPool
    from specfactory.fetch.proxies.proxy_truth import is_same_page
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "MOST_BYTES", "PROXY_FAULT", "ROTATOR_TIER", "Checked", "ProxyList", "ProxyPool",
    "is_same_page", "make_proxy", "read_list",
]  # fmt: skip
