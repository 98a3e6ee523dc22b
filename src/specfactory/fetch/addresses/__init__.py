"""Addresses that may be fetched; hosts, domains and logins."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.fetch.addresses.gate import (
        GatePolicy,
        Target,
        check_address,
        check_url,
        is_local_name,
        parse_url,
        without_password,
        without_passwords,
    )
    from specfactory.fetch.addresses.hosts import domain_of, typed_host
    from specfactory.fetch.addresses.logins import NO_LOGINS, Logins, read_logins
    from specfactory.fetch.addresses.redirects import headers_for, redirect_url
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "NO_LOGINS", "GatePolicy", "Logins", "Target", "check_address", "check_url", "domain_of",
    "headers_for", "is_local_name", "parse_url", "read_logins", "redirect_url", "typed_host",
    "without_password", "without_passwords",
]  # fmt: skip
