"""From the recent visits of a host to what is wrong with it. Pure: history in, diagnosis out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from statistics import median

from specfactory.heal.ailments import Ailment
from specfactory.heal.signs import PASSES_BY, is_bad, seconds_of, sign_of
from specfactory.heal.single_pages import own_troubles
from specfactory.heal.words import in_a_row, where_from
from specfactory.model import Diagnosis, Frozen, HostCare, Json, Outcome, Sign, Visit
from specfactory.settings import HealSettings

QUICK = 3  # visits in a row that are enough where the sign is clear
MOST = 0.6  # share of visits that speaks for all of them

CLEAR: Mapping[Sign, Ailment] = {
    Sign.DNS: Ailment.DNS_FAILURE,
    Sign.CAPTCHA: Ailment.SOFT_BLOCK,
    Sign.REGION: Ailment.GEO_BLOCKED,
    Sign.TLS: Ailment.TLS_FAILURE,
    Sign.LOOP: Ailment.REDIRECT_LOOP,
    Sign.PACKING: Ailment.BROKEN_COMPRESSION,
    Sign.UNREADABLE: Ailment.CHANGED_ENCODING,
    Sign.LOGIN: Ailment.EXPIRED_LOGIN,
    Sign.SCRIPT: Ailment.CONTENT_BLOCK,
    Sign.MAINTENANCE: Ailment.MAINTENANCE,
    Sign.WAITING: Ailment.WAITING_ROOM,
    Sign.ADDRESS: Ailment.FORBIDDEN_REDIRECT,
    Sign.PROXY: Ailment.STALE_PROXY,
    Sign.BROWSER: Ailment.BROWSER_CRASHED,
}
"""Signs that leave no doubt: a few in a row are enough."""

DOUBTFUL: Mapping[Sign, Ailment] = {
    Sign.RATE: Ailment.RATE_LIMITED,
    Sign.REFUSAL: Ailment.BLOCKED,
    Sign.TIMEOUT: Ailment.SLOW_HOST,
    Sign.CONNECTION: Ailment.CONNECTION_FAILURE,
    Sign.CUT_OFF: Ailment.BROKEN_TRANSFER,
    Sign.SERVER: Ailment.SERVER_ERRORS,
    Sign.EMPTY: Ailment.EMPTY_PAGES,
    Sign.LARGE: Ailment.TOO_LARGE,
}
"""Signs that single pages may show too: only ``heal.failures_in_a_row`` of them count."""

OF_PROXIES = frozenset(
    {Sign.PROXY, Sign.REFUSAL, Sign.TIMEOUT, Sign.CONNECTION, Sign.CUT_OFF, Sign.SERVER}
)
UNSTEADY = frozenset({Sign.SERVER, Sign.CONNECTION, Sign.CUT_OFF, Sign.TIMEOUT})


class Seen(Frozen):
    """A visit and what it shows."""

    visit: Visit
    sign: Sign


class Chart(Frozen):
    """The visits of a host that say something, the newest first."""

    seen: Sequence[Seen]
    settings: HealSettings
    least: int  # visits that a doubtful sign needs

    @property
    def quick(self) -> int:
        """Visits that a clear sign needs."""
        return min(QUICK, self.least)

    @property
    def telling(self) -> list[Seen]:
        """Those that tell of the host and not of single pages only."""
        return [one for one in self.seen if one.sign not in PASSES_BY]

    def well_before(self, row: Sequence[Seen]) -> list[Seen]:
        """Visits that were well before the first of a row."""
        began = min(one.visit.at for one in row)
        return [one for one in self.seen if one.visit.at < began and _is_well(one)]


def diagnose(
    visits: Sequence[Visit],
    care: HostCare,
    settings: HealSettings,
    *,
    least: int | None = None,
    proxies_too: bool = True,
) -> Diagnosis | None:
    """What is wrong with a host by its visits, the newest first; None: nothing that shows.

    ``least`` failures are enough instead of the usual number, where a host is known to ail;
    without ``proxies_too`` the proxy is not held responsible.
    """
    chart = chart_of(visits, care, settings, least)
    looks: tuple[Callable[[Chart], Diagnosis | None], ...] = (
        _stale_proxy if proxies_too else _nothing,
        _rate_limited, _failing, _all_gone, _moved, _changed_encoding, _changed_layout, _slow,
    )  # fmt: skip
    return next((found for look in looks if (found := look(chart)) is not None), None)


def chart_of(
    visits: Sequence[Visit], care: HostCare, settings: HealSettings, least: int | None = None
) -> Chart:
    """The visits with what they show."""
    signs = (Seen(visit, sign_of(visit, care, settings)) for visit in visits)
    known = [one for one in signs if one.sign is not Sign.NEUTRAL]
    of_pages = own_troubles([(one.visit.url, one.sign) for one in known])
    known = [one for place, one in enumerate(known) if place not in of_pages]
    return Chart(known, settings, least or settings.failures_in_a_row)


def _nothing(chart: Chart) -> None:
    return None


def _is_well(one: Seen) -> bool:
    return not is_bad(one.sign) and one.sign not in PASSES_BY


def _row(seen: Sequence[Seen]) -> list[Seen]:
    return list(takewhile(lambda one: is_bad(one.sign), seen))


def _made(
    ailment: Ailment,
    chart: Chart,
    row: Sequence[Seen],
    certainty: float,
    *more: str,
    facts: Mapping[str, Json] | None = None,
) -> Diagnosis:
    """A diagnosis with its reasons in words."""
    before = chart.well_before(row)
    earlier = f"before that, {len(before)} visits were well" if before else "never seen well before"
    visits = [one.visit for one in row]
    reasons = (in_a_row(visits), *more, where_from(visits), earlier)
    return Diagnosis(ailment, visits[0].outcome, round(certainty, 2), reasons, facts or {})


def _stale_proxy(chart: Chart) -> Diagnosis | None:
    """Failures in a row through one proxy, whatever came through others in between."""
    newest = next(iter(chart.telling), None)
    if newest is None or not newest.visit.proxy:
        return None
    proxy = newest.visit.proxy
    through_it = [one for one in chart.telling if one.visit.proxy == proxy]
    row = list(takewhile(lambda one: one.sign in OF_PROXIES, through_it))
    if len(row) < chart.least:
        return None
    began = row[-1].visit.at
    others = [o for o in chart.telling if o.visit.proxy != proxy and o.visit.at >= began]
    if sum(map(_is_well, others)) * 2 < len(others):  # the others fare no better: not the proxy
        return None
    well = sum(map(_is_well, others))
    beside = f"meanwhile {well} of {len(others)} visits without it were well" if others else ""
    return _made(
        Ailment.STALE_PROXY,
        chart,
        row,
        0.9 if others else 0.7,
        *filter(None, [beside]),
        facts={"proxy": proxy},
    )


def _rate_limited(chart: Chart) -> Diagnosis | None:
    """Two refusals for asking too often are enough, also with pages that came in between."""
    window = chart.telling[: max(chart.least, 2)]
    limited = [one for one in window if one.sign is Sign.RATE]
    if len(limited) < 2 or window[0].sign is not Sign.RATE:
        return None
    return _made(Ailment.RATE_LIMITED, chart, limited, max(len(limited) / len(window), 0.8))


def _failing(chart: Chart) -> Diagnosis | None:
    """A row of failures, or many within few visits; what most of them show is the reason."""
    row = _row(chart.telling)
    if len(row) < chart.quick:
        row = _many(chart)
    if not row:
        return None
    sign, count = Counter(one.sign for one in row[: chart.least]).most_common(1)[0]
    looked_at = len(row[: chart.least])
    if sign in CLEAR and count >= max(chart.quick, MOST * looked_at):
        return _made(_with_past(CLEAR[sign], chart, row), chart, row, count / looked_at)
    if len(row) < chart.least:
        return None
    if count < MOST * looked_at and all(one.sign in UNSTEADY for one in row[: chart.least]):
        return _made(Ailment.SERVER_ERRORS, chart, row, 0.6, "it fails in several ways")
    ailment = CLEAR.get(sign) or DOUBTFUL[sign]
    return _made(_with_past(ailment, chart, row), chart, row, count / looked_at)


def _many(chart: Chart) -> list[Seen]:
    """Failures that are most of the latest visits, though some were well in between."""
    window = chart.telling[: 2 * chart.least]
    bad = [one for one in window if is_bad(one.sign)]
    enough = len(window) == 2 * chart.least and len(bad) >= MOST * len(window)
    return bad if enough and is_bad(window[0].sign) else []


def _with_past(ailment: Ailment, chart: Chart, row: Sequence[Seen]) -> Ailment:
    """A login is expired only where there was one."""
    if ailment is Ailment.EXPIRED_LOGIN and not chart.well_before(row):
        return Ailment.LOGIN_WALL
    return ailment


def _all_gone(chart: Chart) -> Diagnosis | None:
    """Page after page is missing where pages were: gone, or hidden from us."""
    row = list(takewhile(lambda one: one.sign in (Sign.GONE, Sign.HIDDEN), chart.seen))
    if len({one.visit.url for one in row}) < chart.least:
        return None
    if not chart.well_before(row) and chart.least >= chart.settings.failures_in_a_row:
        return None
    hidden = sum(one.sign is Sign.HIDDEN for one in row)
    share = max(hidden, len(row) - hidden) / len(row)
    ailment = Ailment.SOFT_BLOCK if 2 * hidden >= len(row) else Ailment.SITE_GONE
    return _made(ailment, chart, row, 0.8 * share)


def _moved(chart: Chart) -> Diagnosis | None:
    """Most good pages came from another host, always the same one."""
    window = [one for one in chart.telling if _is_well(one)][: chart.least + 1]
    row = [one for one in window if one.sign is Sign.MOVED]
    if len(row) < chart.least or row[0] is not window[0]:
        return None
    place, count = Counter(one.visit.landed for one in row).most_common(1)[0]
    if count < chart.least:
        return None
    share = count / len(window)
    return _made(
        Ailment.MOVED_SITE,
        chart,
        row,
        share,
        f"{count} of them led to {place}",
        facts={"place": place},
    )


def _changed_encoding(chart: Chart) -> Diagnosis | None:
    """Good pages are garbled, and were not before."""
    window = [one for one in chart.telling if _is_well(one)]
    recent, earlier = window[: chart.least], window[chart.least :]
    row = [one for one in recent if one.sign is Sign.GARBLED]
    if len(row) < max(chart.quick, MOST * len(recent)) or recent[0].sign is not Sign.GARBLED:
        return None
    if 2 * sum(one.sign is Sign.GARBLED for one in earlier) > len(earlier):
        return None  # it has always been so
    share = max(one.visit.garbled for one in row)
    words = f"up to {share:.1%} of the characters are garbled"
    facts: dict[str, Json] = {"page_id": row[0].visit.page_id}
    return _made(Ailment.CHANGED_ENCODING, chart, row, len(row) / len(recent), words, facts=facts)


def _changed_layout(chart: Chart) -> Diagnosis | None:
    """Good pages give much less than the host's pages used to."""
    read = [
        one for one in chart.telling
        if one.visit.outcome is Outcome.OK and one.visit.confidence is not None
    ]  # fmt: skip
    usual = _usual_before_fall(read, chart)
    if usual is None:
        return None
    recent = read[: chart.quick]
    now, floor = _confidence(recent), usual * (1 - chart.settings.confidence_drop)
    words = f"confidence fell from {usual:.2f} to {now:.2f}, by {1 - now / usual:.0%}"
    return _made(
        Ailment.LAYOUT_CHANGE,
        chart,
        recent,
        min(1.0, 1 - now / usual + 0.5),
        words,
        facts={"floor": round(floor, 4)},
    )


def _usual_before_fall(read: Sequence[Seen], chart: Chart) -> float | None:
    """The confidence that was usual until it fell for good, however many pages ago; else None."""
    least, gap = chart.settings.failures_in_a_row, chart.least - chart.quick
    for since in range(chart.quick, len(read) - gap - least + 1):
        usual = _confidence(read[since + gap :])
        floor = usual * (1 - chart.settings.confidence_drop)
        if all((one.visit.confidence or 0.0) < floor for one in read[:since]):
            return usual
    return None


def _confidence(seen: Sequence[Seen]) -> float:
    return median(one.visit.confidence or 0.0 for one in seen)


def _slow(chart: Chart) -> Diagnosis | None:
    """Good pages take very long, one after the other."""
    timed = [one for one in chart.telling if _is_well(one) and one.visit.timings_ms]
    row = list(takewhile(lambda one: one.sign is Sign.SLOW, timed))[: chart.least]
    if len(row) < chart.least:
        return None
    usual = median(seconds_of(one.visit) for one in row)
    return _made(Ailment.SLOW_HOST, chart, row, 0.8, f"a page takes {usual:.1f} s")
