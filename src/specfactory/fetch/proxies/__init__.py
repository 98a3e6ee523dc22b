"""The pool of proxies and their health."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .health import PROXY_FAULT, Checked
    from .list_formats import MOST_BYTES, ProxyList, make_proxy, read_list
    from .pool import ROTATOR_TIER, ProxyPool
    from .proxy_truth import is_same_page
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
