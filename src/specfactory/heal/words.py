"""A history in words, for reasons that a person can follow."""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.model import Visit

MAX_QUOTED = 120


def in_a_row(visits: Sequence[Visit]) -> str:
    """How a row of visits ended: "5 visits ended as blocked (HTTP 403)"."""
    endings = list(dict.fromkeys(visit.outcome for visit in visits))
    said = shortened(visits[0].evidence, MAX_QUOTED)
    count = "1 visit" if len(visits) == 1 else f"the last {len(visits)} visits"
    how = ", ".join(endings[:3])
    return f"{count} ended as {how}" + (f" ({said})" if said else "")


def shortened(text: str, most: int) -> str:
    """So many characters of a text at most; it ends with a whole word, where it is cut."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    whole = cut if text[most - 1] == " " else cut.rpartition(" ")[0]
    return f"{(whole or cut).rstrip()} …"


def where_from(visits: Sequence[Visit]) -> str:
    """How they were made: directly, or through which proxy, by browser or not."""
    proxies = sorted({visit.proxy for visit in visits})
    browser = any(visit.rung.uses_browser for visit in visits)
    way = "in the browser" if browser else "over plain HTTP"
    if proxies == [""]:
        return f"{way}, without a proxy"
    named = ", ".join(proxy or "none" for proxy in proxies[:4])
    return f"{way}, through the proxy {named}"
