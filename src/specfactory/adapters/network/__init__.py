"""Names, addresses and proxies on the wire; shared by HTTP and the browser."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .http_heads import MAX_HEAD, BadHead, Head, LongHead, read_basic, read_head
    from .proxy_failures import (
        ProxyFault,
        Upstream,
        fault_in,
        fault_said,
        policy_for,
        read_upstream,
    )
    from .resolver import NameResolver, NoName, ProxyTargets, allowed_addresses
    from .tls_failures import tls_cause
    from .trail import FetchFailed, Trail, end_of, joined_headers
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
