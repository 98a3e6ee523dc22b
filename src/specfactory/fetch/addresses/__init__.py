"""Addresses that may be fetched; hosts, domains and logins."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .gate import (
        GatePolicy,
        Target,
        check_address,
        check_url,
        is_local_name,
        parse_url,
        policy_for_pages,
    )
    from .hosts import typed_host
    from .logins import NO_LOGINS, Logins, read_logins
    from .redirects import headers_for, over_limit, redirect_url
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
