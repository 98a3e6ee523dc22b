"""From the recent visits of a host to a diagnosis. Pure: history in, diagnosis out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from statistics import median

from specfactory.heal.signs_of_visits import (
    OF_PAGES,
    WELL,
    is_bad,
    own_failures,
    seconds_of,
    sign_of,
)
from specfactory.model import Diagnosis, Frozen, HostCare, Json, Outcome, Problem, Sign, Visit
from specfactory.settings import HealSettings

QUICK = 3  # visits in a row that are enough where the sign is clear
MOST = 0.6  # share of visits that speaks for all of them
MAX_QUOTED = 120

CLEAR: Mapping[Sign, Problem] = {
    Sign.DNS: Problem.DNS_FAILURE,
    Sign.CAPTCHA: Problem.SOFT_BLOCK,
    Sign.REGION: Problem.GEO_BLOCKED,
    Sign.TLS: Problem.TLS_FAILURE,
    Sign.LOOP: Problem.REDIRECT_LOOP,
    Sign.PACKING: Problem.BROKEN_COMPRESSION,
    Sign.UNREADABLE: Problem.CHANGED_ENCODING,
    Sign.LOGIN: Problem.EXPIRED_LOGIN,
    Sign.SCRIPT: Problem.CONTENT_BLOCK,
    Sign.MAINTENANCE: Problem.MAINTENANCE,
    Sign.WAITING: Problem.WAITING_ROOM,
    Sign.ADDRESS: Problem.FORBIDDEN_REDIRECT,
    Sign.PROXY: Problem.STALE_PROXY,
    Sign.BROWSER: Problem.BROWSER_CRASHED,
}
"""Signs that leave no doubt: a few in a row are enough."""

DOUBTFUL: Mapping[Sign, Problem] = {
    Sign.RATE: Problem.RATE_LIMITED,
    Sign.REFUSAL: Problem.BLOCKED,
    Sign.TIMEOUT: Problem.SLOW_HOST,
    Sign.CONNECTION: Problem.CONNECTION_FAILURE,
    Sign.CUT_OFF: Problem.BROKEN_TRANSFER,
    Sign.SERVER: Problem.SERVER_ERRORS,
    Sign.EMPTY: Problem.EMPTY_PAGES,
    Sign.LARGE: Problem.TOO_LARGE,
}
"""Signs that single pages may show too: only ``heal.failures_in_a_row`` of them count."""

OF_PROXIES = frozenset(
    {Sign.PROXY, Sign.REFUSAL, Sign.TIMEOUT, Sign.CONNECTION, Sign.CUT_OFF, Sign.SERVER}
)
UNSTEADY = frozenset({Sign.SERVER, Sign.CONNECTION, Sign.CUT_OFF, Sign.TIMEOUT})


class Observation(Frozen):
    """A visit and its sign."""

    visit: Visit
    sign: Sign

    @property
    def is_well(self) -> bool:
        """True if the page was there."""
        return self.sign in WELL


class Observations(Frozen):
    """The visits of a host that say something, the newest first."""

    all: Sequence[Observation]
    settings: HealSettings
    least: int  # visits that a doubtful sign needs

    @property
    def quick(self) -> int:
        """Visits that a clear sign needs."""
        return min(QUICK, self.least)

    @property
    def of_host(self) -> list[Observation]:
        """Those that say something about the host, not only about single pages."""
        return [one for one in self.all if one.sign not in OF_PAGES]

    def well_before(self, row: Sequence[Observation]) -> list[Observation]:
        """Visits that were well before the first of a row."""
        began = min(one.visit.at for one in row)
        return [one for one in self.all if one.visit.at < began and one.is_well]


def diagnose(
    visits: Sequence[Visit],
    care: HostCare,
    settings: HealSettings,
    *,
    least: int | None = None,
    proxies_too: bool = True,
) -> Diagnosis | None:
    """Find the cause of a host's failures by its visits, the newest first; None: nothing shows.

    ``least`` failures are enough instead of the usual number, where the host is known to fail;
    without ``proxies_too`` the proxy is not considered.
    """
    seen = observe(visits, care, settings, least)
    checks: tuple[Callable[[Observations], Diagnosis | None], ...] = (
        _rate_limited, _failing, _all_gone, _moved, _changed_encoding, _changed_layout, _slow,
    )  # fmt: skip
    if proxies_too:  # first: a proxy's failures look like its host's
        checks = (_stale_proxy, *checks)
    return next((found for check in checks if (found := check(seen)) is not None), None)


def observe(
    visits: Sequence[Visit], care: HostCare, settings: HealSettings, least: int | None = None
) -> Observations:
    """Visits with their signs, without those that say nothing about the host."""
    signed = (Observation(visit, sign_of(visit, care, settings)) for visit in visits)
    known = [one for one in signed if one.sign is not Sign.NEUTRAL]
    of_pages = own_failures([(one.visit.url, one.sign) for one in known])
    known = [one for place, one in enumerate(known) if place not in of_pages]
    return Observations(known, settings, least or settings.failures_in_a_row)


def in_a_row(visits: Sequence[Visit]) -> str:
    """Say how a row of visits ended: "5 visits ended as blocked (HTTP 403)"."""
    endings = list(dict.fromkeys(visit.outcome for visit in visits))
    said = shortened(visits[0].evidence, MAX_QUOTED)
    count = "1 visit" if len(visits) == 1 else f"the last {len(visits)} visits"
    how = ", ".join(endings[:3])
    return f"{count} ended as {how}" + (f" ({said})" if said else "")


def shortened(text: str, most: int) -> str:
    """Cut a text to a number of characters, at the end of a word."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    whole = cut if text[most - 1] == " " else cut.rpartition(" ")[0]
    return f"{(whole or cut).rstrip()} …"


def _made(
    kind: Problem,
    seen: Observations,
    row: Sequence[Observation],
    certainty: float,
    *more: str,
    facts: Mapping[str, Json] | None = None,
) -> Diagnosis:
    """Make a diagnosis with its reasons in words."""
    visits = [one.visit for one in row]
    proxies = sorted({visit.proxy for visit in visits})
    way = "in the browser" if any(v.rung.uses_browser for v in visits) else "over plain HTTP"
    if proxies == [""]:
        way += ", without a proxy"
    else:
        way += f", through the proxy {', '.join(proxy or 'none' for proxy in proxies[:4])}"
    before = seen.well_before(row)
    earlier = f"before that, {len(before)} visits were well" if before else "never seen well before"
    reasons = (in_a_row(visits), *more, way, earlier)
    return Diagnosis(kind, visits[0].outcome, round(certainty, 2), reasons, facts or {})


def _stale_proxy(seen: Observations) -> Diagnosis | None:
    """Failures in a row through one proxy, whatever came through others in between."""
    about_host = seen.of_host
    if not about_host or not about_host[0].visit.proxy:
        return None
    proxy = about_host[0].visit.proxy
    through_it = [one for one in about_host if one.visit.proxy == proxy]
    row = list(takewhile(lambda one: one.sign in OF_PROXIES, through_it))
    if len(row) < seen.least:
        return None
    began = row[-1].visit.at
    others = [one for one in about_host if one.visit.proxy != proxy and one.visit.at >= began]
    well = sum(one.is_well for one in others)
    if well * 2 < len(others):  # the others do no better: not the proxy
        return None
    facts: dict[str, Json] = {"proxy": proxy}
    if not others:
        return _made(Problem.STALE_PROXY, seen, row, 0.7, facts=facts)
    beside = f"meanwhile {well} of {len(others)} visits without it were well"
    return _made(Problem.STALE_PROXY, seen, row, 0.9, beside, facts=facts)


def _rate_limited(seen: Observations) -> Diagnosis | None:
    """Two refusals for asking too often are enough, also with good pages in between."""
    window = seen.of_host[: max(seen.least, 2)]
    limited = [one for one in window if one.sign is Sign.RATE]
    if len(limited) < 2 or window[0].sign is not Sign.RATE:
        return None
    return _made(Problem.RATE_LIMITED, seen, limited, max(len(limited) / len(window), 0.8))


def _failing(seen: Observations) -> Diagnosis | None:
    """A row of failures, or many within few visits; the most frequent sign is the reason."""
    about_host = seen.of_host
    row = list(takewhile(lambda one: is_bad(one.sign), about_host))
    if len(row) < seen.quick:
        # A few good pages in between do not hide a host that fails most of the time.
        window = about_host[: 2 * seen.least]
        row = [one for one in window if is_bad(one.sign)]
        if len(window) < 2 * seen.least or len(row) < MOST * len(window):
            return None
        if not is_bad(window[0].sign):
            return None
    latest = row[: seen.least]
    sign, count = Counter(one.sign for one in latest).most_common(1)[0]
    is_clear = sign in CLEAR and count >= max(seen.quick, MOST * len(latest))
    if not is_clear and len(row) < seen.least:
        return None
    mixed = count < MOST * len(latest) and all(one.sign in UNSTEADY for one in latest)
    if not is_clear and mixed:
        return _made(Problem.SERVER_ERRORS, seen, row, 0.6, "it fails in several ways")
    kind = CLEAR.get(sign) or DOUBTFUL[sign]
    if kind is Problem.EXPIRED_LOGIN and not seen.well_before(row):
        kind = Problem.LOGIN_WALL  # a login expires only where there was one
    return _made(kind, seen, row, count / len(latest))


def _all_gone(seen: Observations) -> Diagnosis | None:
    """Page after page is missing where pages were: gone, or hidden from us."""
    row = list(takewhile(lambda one: one.sign in (Sign.GONE, Sign.HIDDEN), seen.all))
    if len({one.visit.url for one in row}) < seen.least:
        return None
    if not seen.well_before(row) and seen.least >= seen.settings.failures_in_a_row:
        return None
    hidden = sum(one.sign is Sign.HIDDEN for one in row) / len(row)
    kind = Problem.SOFT_BLOCK if hidden >= 0.5 else Problem.SITE_GONE
    return _made(kind, seen, row, 0.8 * max(hidden, 1 - hidden))


def _moved(seen: Observations) -> Diagnosis | None:
    """Most good pages came from another host, always the same one."""
    window = [one for one in seen.of_host if one.is_well][: seen.least + 1]
    row = [one for one in window if one.sign is Sign.MOVED]
    if len(row) < seen.least or row[0] is not window[0]:
        return None
    place, count = Counter(one.visit.landed for one in row).most_common(1)[0]
    if count < seen.least:
        return None
    said, facts = f"{count} of them led to {place}", {"place": place}
    return _made(Problem.MOVED_SITE, seen, row, count / len(window), said, facts=facts)


def _changed_encoding(seen: Observations) -> Diagnosis | None:
    """Good pages are garbled, and were not before."""
    window = [one for one in seen.of_host if one.is_well]
    recent, earlier = window[: seen.least], window[seen.least :]
    row = [one for one in recent if one.sign is Sign.GARBLED]
    if len(row) < max(seen.quick, MOST * len(recent)) or recent[0].sign is not Sign.GARBLED:
        return None
    if 2 * sum(one.sign is Sign.GARBLED for one in earlier) > len(earlier):
        return None  # it has always been so
    share = max(one.visit.garbled for one in row)
    said = f"up to {share:.1%} of the characters are garbled"
    facts: dict[str, Json] = {"page_id": row[0].visit.page_id}
    certainty = len(row) / len(recent)
    return _made(Problem.CHANGED_ENCODING, seen, row, certainty, said, facts=facts)


def _changed_layout(seen: Observations) -> Diagnosis | None:
    """Good pages give much less than the host's pages used to."""
    read = [
        one for one in seen.of_host
        if one.visit.outcome is Outcome.OK and one.visit.confidence is not None
    ]  # fmt: skip
    kept = 1 - seen.settings.confidence_drop
    # The fall may be any number of pages ago: every page since then must be below the floor that
    # the pages before it set. Those around the fall itself are left out.
    least, gap = seen.settings.failures_in_a_row, seen.least - seen.quick
    for since in range(seen.quick, len(read) - gap - least + 1):
        usual = _confidence(read[since + gap :])
        if all((one.visit.confidence or 0.0) < usual * kept for one in read[:since]):
            break
    else:
        return None
    recent = read[: seen.quick]
    now = _confidence(recent)
    said = f"confidence fell from {usual:.2f} to {now:.2f}, by {1 - now / usual:.0%}"
    certainty, facts = min(1.0, 1 - now / usual + 0.5), {"floor": round(usual * kept, 4)}
    return _made(Problem.LAYOUT_CHANGE, seen, recent, certainty, said, facts=facts)


def _confidence(seen: Sequence[Observation]) -> float:
    return median(one.visit.confidence or 0.0 for one in seen)


def _slow(seen: Observations) -> Diagnosis | None:
    """Good pages take very long, one after the other."""
    timed = [one for one in seen.of_host if one.is_well and one.visit.timings_ms]
    row = list(takewhile(lambda one: one.sign is Sign.SLOW, timed))[: seen.least]
    if len(row) < seen.least:
        return None
    usual = median(seconds_of(one.visit) for one in row)
    return _made(Problem.SLOW_HOST, seen, row, 0.8, f"a page takes {usual:.1f} s")
