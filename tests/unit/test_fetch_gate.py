"""Which URLs and addresses the gate lets through."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.errors import AddressRefused, SettingError
from specfactory.fetch import GatePolicy, check_address, check_url
from specfactory.fetch.addresses import policy_for_pages
from specfactory.testing import ANY_LOOPBACK

PAGES = GatePolicy()
ALL = policy_for_pages(ANY_LOOPBACK)
DEMO = policy_for_pages(["shop.localhost:8601", "127.0.0.1:8602", "[::1]:8603"])


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://Example.COM", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:8080/a?b=c#d", "http://example.com:8080/a?b=c"),
        ("https://bücher.example/ä?q=ü x", "https://xn--bcher-kva.example/%C3%A4?q=%C3%BC%20x"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("http://example.com./a", "http://example.com/a"),
        ("http://example.com/a/../b/./c%20d", "http://example.com/b/c%20d"),
        ("http://example.com/a/%2E%2e/secret", "http://example.com/secret"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://[2606:4700::1111]:8443/x", "http://[2606:4700::1111]:8443/x"),
        ("http://[64:ff9b::808:808]/", "http://[64:ff9b::808:808]/"),
    ],
)
def test_public_urls_pass_in_one_canonical_form(url, canonical):
    assert check_url(url, PAGES).url == canonical


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com/", "not ftp"),
        ("file:///etc/passwd", "not file"),
        ("javascript:alert(1)", "not javascript"),
        ("//example.com/", "without scheme"),
        ("http://user@example.com/", "user name"),
        ("http://user:pass@example.com/", "user name"),
        ("http://example.com:22/", "port 22"),
        ("http://example.com:0/", "port 0"),
        ("http://example.com:99999/", "ort"),
        ("http:///path", "no host"),
        ("http://exa mple.com/", "characters"),
        ("http://example.com\\@10.0.0.1/", "characters"),
        ("http://127%2e0.0.1/", "percent"),
        ("http://[fe80::1%25eth0]/", "zone"),
        ("http://[::1/", ""),
        ("http://1.2.3.4.5/", "not an address"),
        ("http://256.1.1.1/", "not an address"),
        ("http://1.2.3.09/", "not an address"),
        ("http://-bad.example/", "not a name"),
        ("http://a..b/", "not a name"),
        ("http://" + "a" * 64 + ".example/", "not a name"),
        ("http://example.com/" + "a" * 5000, "characters"),
    ],
)
def test_malformed_and_foreign_urls_are_refused_with_a_reason(url, reason):
    with pytest.raises(AddressRefused) as refused:
        check_url(url, PAGES)

    assert reason in refused.value.reason


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
        "017700000001", "0x7f.1", "①②⑦.0.0.1", "１２７.0.0.1", "127。0。0。1", "127.0.0.1.",
        "0", "0x", "0.0.0.0",
        "localhost", "LOCALHOST", "shop.localhost", "localhost.", "ｌｏｃａｌｈｏｓｔ",
        "10.0.0.1", "10.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
        "100.100.100.200", "169.254.169.254", "169.254.1.1", "0xa9fea9fe", "2852039166",
        "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9",
        "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1",
        "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]",
        "[::127.0.0.1]", "[::8.8.8.8]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]",
        "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::8.8.8.8]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]",
        "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]",
        "[fec0::1]", "[ff02::1]", "[2001:db8::1]", "[100::1]", "[::ffff:0:127.0.0.1]", "[5f00::1]",
    ],
)  # fmt: skip
def test_inner_addresses_are_refused_however_they_are_written(host):
    with pytest.raises(AddressRefused):
        check_url(f"http://{host}/", PAGES)


@pytest.mark.parametrize(
    "url",
    ["http://localhost:8601/", "http://shop.localhost:8601/", "http://127.0.0.1:5/",
     "http://127.1:8601/", "http://[::1]:8601/", "http://[::ffff:127.0.0.1]:8601/"],
)  # fmt: skip
def test_tests_open_this_machine_on_any_port(url):
    assert check_url(url, ALL)


@pytest.mark.parametrize(
    "url",
    ["http://shop.localhost:8601/", "http://SHOP.localhost.:8601/x", "http://127.0.0.1:8602/",
     "http://127.1:8602/", "http://[::1]:8603/", "http://[0:0::1]:8603/"],
)  # fmt: skip
def test_named_places_on_this_machine_are_open(url):
    assert check_url(url, DEMO)


@pytest.mark.parametrize(
    "url",
    ["http://shop.localhost:8602/", "http://shop.localhost/", "http://other.localhost:8601/",
     "http://localhost:8601/", "http://127.0.0.1:8601/", "http://127.0.0.2:8602/",
     "http://[::ffff:127.0.0.1]:8602/", "http://[::1]:8602/", "http://shop.example:8601/",
     "http://127.0.0.1:6379/", "http://localhost:5432/"],
)  # fmt: skip
def test_no_other_place_on_this_machine_is(url):
    with pytest.raises(AddressRefused):
        check_url(url, DEMO)


@pytest.mark.parametrize(
    ("ip", "port", "host"),
    [("127.0.0.1", 8601, "shop.example"), ("127.0.0.1", 8602, "shop.example"),
     ("127.0.0.1", 8080, "shop.example"), ("127.0.0.1", 8602, "shop.localhost"),
     ("10.0.0.1", 8601, "shop.localhost"), ("93.184.215.14", 8601, "shop.localhost")],
)  # fmt: skip
def test_a_name_that_leads_to_this_machine_is_not_the_place_that_was_named(ip, port, host):
    check_address("127.0.0.1", 8601, DEMO, "shop.localhost")

    with pytest.raises(AddressRefused):
        check_address(ip, port, DEMO, host)


@pytest.mark.parametrize("name", ["shop.example:8601", "10.0.0.1:80", "0.0.0.0:80", "a b:1"])
def test_only_places_on_this_machine_can_be_named(name):
    with pytest.raises(SettingError, match="allow_loopback"):
        policy_for_pages([name])


@pytest.mark.parametrize(
    "url",
    ["http://10.0.0.1/", "http://169.254.169.254/", "http://192.168.1.1:8080/", "http://0.0.0.0/",
     "http://[64:ff9b::7f00:1]/", "http://[::127.0.0.1]/", "http://8.8.8.8:8601/"],
)  # fmt: skip
def test_allowing_loopback_opens_nothing_else(url):
    with pytest.raises(AddressRefused):
        check_url(url, ALL)


def test_name_on_an_odd_port_is_decided_by_its_address_when_all_is_open():
    assert check_url("http://shop.example:8601/", ALL).port == 8601
    check_address("127.0.0.1", 8601, ALL, "shop.example")

    with pytest.raises(AddressRefused, match="port 8601"):
        check_address("93.184.215.14", 8601, ALL, "shop.example")


def test_trusted_pair_passes_exactly_as_named():
    policy = GatePolicy(trusted=frozenset({("10.0.0.5", 9000), ("search.corp", 8888)}))

    assert check_url("http://10.0.0.5:9000/x", policy)
    assert check_url("http://SEARCH.corp:8888/x", policy)
    check_address("10.9.9.9", 8888, policy, "search.corp")
    for url in ("http://10.0.0.5/", "http://10.0.0.6:9000/", "http://search.corp:8889/"):
        with pytest.raises(AddressRefused):
            check_url(url, policy)
    for ip, port, host in (("10.9.9.9", 8888, "other.corp"), ("10.9.9.9", 8889, "search.corp")):
        with pytest.raises(AddressRefused):
            check_address(ip, port, policy, host)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_is_judged_alike_in_every_notation(number):
    plain = str(IPv4Address(number))
    octets = plain.split(".")
    spellings = [
        plain, str(number), hex(number), oct(number).replace("0o", "0"),
        ".".join(hex(int(octet)) for octet in octets),
        ".".join("0" + oct(int(octet))[2:] for octet in octets),
        f"[::ffff:{plain}]", f"[64:ff9b::{plain}]",
    ]  # fmt: skip

    assert len({_passes(f"http://{spelling}/") for spelling in spellings}) == 1


@settings(deadline=None)
@given(st.ip_addresses())
def test_no_address_passes_that_python_calls_private(address):
    if _address_passes(str(address)):
        assert not address.is_private or _is_nat64_of_public(address)
        assert not address.is_loopback
        assert not address.is_link_local
        assert not address.is_multicast


@settings(deadline=None)
@given(st.text(max_size=60))
def test_whatever_is_written_is_passed_or_refused_and_never_breaks(text):
    for url in (text, f"http://{text}", f"http://example.com/{text}"):
        if _passes(url):
            target = check_url(url, PAGES)
            assert check_url(target.url, PAGES) == target


def _passes(url: str) -> bool:
    try:
        check_url(url, PAGES)
    except AddressRefused:
        return False
    return True


def _address_passes(ip: str) -> bool:
    try:
        check_address(ip, 443, PAGES)
    except AddressRefused:
        return False
    return True


def _is_nat64_of_public(address: IPv4Address | IPv6Address) -> bool:
    return int(address) >> 32 == int(ip_address("64:ff9b::")) >> 32
