"""A page through a proxy: the one that was asked for, or the proxy's own."""

import pytest

from specfactory.fetch.proxies.proxy_truth import is_same_page

OWN = b"<html><title>Welcome to our proxy</title><h1>Buy premium access today</h1></html>"


@pytest.mark.parametrize(
    ("direct", "proxied"),
    [
        (b"198.51.100.7\n", b"203.0.113.9\n"),
        (b'{"origin": "198.51.100.7"}', b'{"origin": "203.0.113.9"}'),
        (b"success\n", b"success\n"),
        (b"", b""),
        (b"<h1>Example Domain</h1>", b"<script>advert()</script><h1>Example Domain</h1>"),
        (b"<title>Suche</title><script>var window, document;</script>",
         b"<title>Search</title><script>var window, document;</script>"),
    ],
)  # fmt: skip
def test_pages_that_differ_by_address_language_or_advertisement_are_the_same(direct, proxied):
    assert is_same_page(direct, proxied)


@pytest.mark.parametrize(
    "direct",
    [
        b"198.51.100.7\n",
        b'{"origin": "198.51.100.7"}',
        b"success\n",
        b"",
        b"<h1>Example Domain</h1>",
    ],
)
def test_a_page_of_the_proxys_own_is_another(direct):
    assert not is_same_page(direct, OWN)
