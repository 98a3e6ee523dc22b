"""Failures of TLS are known by their kind, or by the name that Chromium gives them."""

from __future__ import annotations

import ssl

import aiohttp
import pytest

from specfactory.adapters.network import tls_cause
from specfactory.model import Cause


@pytest.mark.parametrize(
    "problem",
    [
        "CERT_DATE_INVALID",
        "SSL_PROTOCOL_ERROR",
        "BAD_SSL_CLIENT_AUTH_CERT",
        "TLS13_DOWNGRADE_DETECTED",
        ssl.SSLError(1, "wrong version"),
        ssl.SSLCertVerificationError(1, "certificate has expired"),
    ],
)
def test_a_failure_of_tls_is_known(problem: Exception | str) -> None:
    assert tls_cause(problem) is Cause.TLS


@pytest.mark.parametrize(
    "kind", [aiohttp.ClientConnectorSSLError, aiohttp.ClientConnectorCertificateError]
)
def test_those_that_our_client_raises_are_known(kind: type[Exception]) -> None:
    assert tls_cause(kind.__new__(kind)) is Cause.TLS


@pytest.mark.parametrize("problem", ["NAME_NOT_RESOLVED", "TIMED_OUT", "", OSError("TLS")])
def test_another_failure_is_none_of_tls(problem: Exception | str) -> None:
    assert tls_cause(problem) is Cause.NONE
