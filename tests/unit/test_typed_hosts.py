"""The host that a person means, however it is typed."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import UsageError
from specfactory.fetch.addresses import typed_host


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("shop.example", "shop.example"),
        ("  Shop.EXAMPLE. ", "shop.example"),
        ("shop.example:8080", "shop.example:8080"),
        ("shop.example:443", "shop.example"),
        ("shop.example:80", "shop.example"),
        ("https://Shop.example/mice?page=2#top", "shop.example"),
        ("https://shop.example:8443/mice", "shop.example:8443"),
        ("http://shop.example:443/", "shop.example:443"),
        ("shop.example/mice", "shop.example"),
        ("Bücher.example", "xn--bcher-kva.example"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("::1", "[::1]"),
        ("[::1]:8080", "[::1]:8080"),
        ("factory", "factory"),
    ],
)
def test_host_is_known_however_it_is_typed(typed, meant):
    assert typed_host(typed) == meant
    assert typed_host(meant) == meant or meant.endswith(":443")


@pytest.mark.parametrize(
    "typed", ["", "https://", "two words", "user:password@shop.example", "a..b"]
)
def test_what_is_no_host_is_told_in_one_line(typed):
    with pytest.raises(UsageError) as told:
        typed_host(typed)
    assert "is no host" in str(told.value)
    assert "secret" not in str(told.value)


@given(st.text(max_size=60))
def test_anything_is_a_host_or_misuse(typed):
    with suppress(UsageError):
        assert typed_host(typed)
