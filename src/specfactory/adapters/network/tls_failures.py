"""Failures of TLS and of certificates, as our own client and as Chromium tells them."""

import ssl

from specfactory.model import Cause

_IN_NAMES = ("CERT_", "SSL_", "TLS")


def tls_cause(problem: Exception | str) -> Cause:
    """The cause of an error, or of the name that Chromium gives it; none where it is not TLS."""
    if isinstance(problem, str):
        is_tls = any(part in problem for part in _IN_NAMES)
    else:
        is_tls = isinstance(problem, ssl.SSLError)  # those of aiohttp are, too
    return Cause.TLS if is_tls else Cause.NONE
