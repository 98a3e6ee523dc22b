"""Hosts as a person types them."""

from urllib.parse import urlsplit

from specfactory.errors import UsageError
from specfactory.fetch.addresses.gate import parse_url

_USUAL_PORTS = (":80", ":443")  # whoever names one means the host as it usually answers
_MOST_SHOWN = 100


def typed_host(text: str) -> str:
    """The host that a person means, in any case and script, with or without a port, or as a URL.

    It comes back as pages, visits and sources name it.
    """
    given = text.strip()
    bare_v6 = given.count(":") > 1 and not given.startswith("[")
    url = given if "://" in given else f"http://[{given}]" if bare_v6 else f"http://{given}"
    try:
        host = parse_url(f"{url.partition('://')[0]}://{urlsplit(url).netloc}").netloc
    except ValueError as problem:
        shown = given.rpartition("@")[2][:_MOST_SHOWN]  # what stands before may be a password
        raise UsageError(f"{shown!r} is no host: {problem}") from None
    if "://" not in given and host.endswith(_USUAL_PORTS):
        host = host.rpartition(":")[0]
    return host
