"""The ladder: HTTP → HTTP through a proxy → browser → browser through a proxy.

The rung to begin with is learned from what worked at a host and at what cost; the next one is
chosen by evidence only. Only fetches that end with a good page teach (rule 3): its own rung
worked, those tried before it did not. Pure; what is learned is part of the host's policy.
"""

from collections.abc import Collection, Sequence, Set
from dataclasses import replace

from specfactory.model import Instant, LadderMemory, OutcomeFacts, Rung, RungNeed, RungRecord

RUNGS = tuple(Rung)
TURN_SECONDS = 2.0  # every try also costs a turn at the host
RETRY_PAGES = 20  # good pages higher up before the cheapest rung is tried again
RETRY_SECONDS = 6 * 3600.0
_WINDOW = 0.9  # weight of earlier pages against the next one
_PACE = 0.3  # weight of the latest page in the usual time
# seconds of a page, before anything is known
_USUAL = {Rung.HTTP: 1.0, Rung.HTTP_PROXY: 3.0, Rung.BROWSER: 6.0, Rung.BROWSER_PROXY: 9.0}


def rung_with(*, browser: bool, proxy: bool) -> Rung:
    """The rung with exactly these means."""
    return RUNGS[2 * browser + proxy]


def both(one: Rung, other: Rung) -> Rung:
    """The lowest rung that has the means of either."""
    return rung_with(
        browser=one.uses_browser or other.uses_browser, proxy=one.uses_proxy or other.uses_proxy
    )


def begin_at(memory: LadderMemory, available: Set[Rung], least: Rung, now: Instant) -> Rung:
    """The rung to begin with: the one with the lowest expected cost of a good page."""
    if not memory.rungs and least is Rung.HTTP and least in available:
        return least  # nothing was learned, as at most hosts
    usable = [rung for rung in RUNGS if rung in available and both(rung, least) is rung]
    if not usable:  # the highest rung that has no means beyond those wanted
        fitting = [rung for rung in RUNGS if rung in available and both(rung, least) is least]
        return fitting[-1] if fitting else Rung.HTTP
    cheapest = usable[0]
    known = [rung for rung in usable[1:] if rung in memory.rungs]
    is_due = memory.pages >= RETRY_PAGES or now - memory.at >= RETRY_SECONDS * 1000
    if not known or is_due:
        return cheapest
    return min((cheapest, *known), key=lambda rung: _cost(rung, known, memory))


def _cost(rung: Rung, known: Sequence[Rung], memory: LadderMemory) -> float:
    """Expected seconds until a good page, counting the fallbacks above this rung."""
    tried = memory.rungs.get(rung, RungRecord())
    own = (tried.seconds or _USUAL[rung]) + TURN_SECONDS
    above = [other for other in known if RUNGS.index(other) > RUNGS.index(rung)]
    rest = min((_cost(other, known, memory) for other in above), default=own / tried.rate)
    return own + (1.0 - min(tried.rate, 1.0)) * rest


def next_rung(rung: Rung, facts: OutcomeFacts, left: Collection[Rung] = RUNGS) -> Rung | None:
    """The rung to try next, by what a try has shown; None when none that is left would help."""
    return next((each for each in _wanted(rung, facts) if each in left), None)


def _wanted(rung: Rung, facts: OutcomeFacts) -> Sequence[Rung]:
    """Rungs that may help, the likeliest first."""
    if facts.needs is RungNeed.BROWSER and not rung.uses_browser:
        same = rung_with(browser=True, proxy=rung.uses_proxy)
        return tuple(dict.fromkeys((same, Rung.BROWSER, Rung.BROWSER_PROXY)))
    if facts.needs is RungNeed.ANY:
        return RUNGS[RUNGS.index(rung) + 1 :]
    if facts.needs is RungNeed.PROXY and not rung.uses_proxy:
        return (rung_with(browser=rung.uses_browser, proxy=True),)
    return ()


def learned(
    memory: LadderMemory, tries: Sequence[tuple[Rung, float]], now: Instant
) -> LadderMemory | None:
    """The memory after a good page, whose last try was the good one; None: nothing new."""
    if not memory.rungs and len(tries) == 1 and tries[0][0] is Rung.HTTP:
        return None
    rungs = dict(memory.rungs)
    for number, (rung, seconds) in enumerate(tries):
        known = rungs.get(rung, RungRecord())
        usual = known.seconds + _PACE * (seconds - known.seconds) if known.tries else seconds
        good = number == len(tries) - 1
        rungs[rung] = RungRecord(known.good * _WINDOW + good, known.tries * _WINDOW + 1, usual)
    lowest = min(rungs, key=RUNGS.index)
    if tries[0][0] is not lowest:
        return replace(memory, rungs=rungs, pages=memory.pages + 1)
    # the cheapest worked: try it again at once, so that it soon is the usual one
    pages = RETRY_PAGES if len(tries) == 1 else 0
    return replace(memory, rungs=rungs, pages=pages, at=now)
