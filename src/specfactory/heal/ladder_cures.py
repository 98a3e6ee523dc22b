"""What the ladder cured by itself: told once, so that the operator reads that it is over. Pure.

The ladder goes up at the first page that does not come on the cheap rung, long before a history
could speak for a diagnosis. Its cures stand beside the course of an illness and change nothing
in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.heal.diagnoses import CLEAR, DOUBTFUL, OF_PROXIES
from specfactory.heal.signs import sign_of
from specfactory.heal.words import in_a_row
from specfactory.model import (
    Climb,
    HealingEvent,
    HealingStatus,
    HostCare,
    Outcome,
    RemedyKind,
    Visit,
)
from specfactory.settings import HealSettings

LADDER = "ladder"
ONCE_MS = 24 * 3_600_000  # where only some pages want another way, it is told once a day


def is_by_ladder(event: HealingEvent) -> bool:
    """Whether nobody was treated: the ladder had the page in another way."""
    return event.params.get("by") == LADDER


def cure_of(
    climb: Climb,
    good: Visit,
    events: Sequence[HealingEvent],
    visits: Sequence[Visit],
    settings: HealSettings,
) -> HealingEvent | None:
    """A climb as a healing event; None where it is known, or says nothing of the host.

    ``good`` is the page that came in the end; events and visits have the newest first.
    """
    failed = Visit(
        good.host, good.url, climb.at, climb.outcome, climb.evidence, climb.status, climb.began,
        cause=climb.cause,
    )  # fmt: skip
    sign = sign_of(failed, HostCare(), settings)
    ailment = CLEAR.get(sign) or DOUBTFUL.get(sign)
    its_proxy = climb.began.uses_proxy and sign in OF_PROXIES  # it may be the one that refused
    if ailment is None or its_proxy or not _is_news(climb, events, visits):
        return None
    browser = climb.reached.uses_browser and not climb.began.uses_browser
    remedy = RemedyKind.USE_BROWSER if browser else RemedyKind.USE_PROXY
    reasons = (
        in_a_row([failed]),
        f"the ladder went up from {climb.began} to {climb.reached}, and the page came",
    )
    way = {"by": LADDER, "from": climb.began.value, "rung": climb.reached.value}
    return HealingEvent(
        0, good.host, climb.outcome, ailment, remedy, HealingStatus.HELPED, climb.at, True,
        max(good.at, climb.at), reasons, way,
    )  # fmt: skip


def _is_news(climb: Climb, events: Sequence[HealingEvent], visits: Sequence[Visit]) -> bool:
    """Whether the same was not told before, or the cheaper way has worked since."""
    told = (event for event in events if is_by_ladder(event))
    last = next((event for event in told if event.params.get("rung") == climb.reached), None)
    if last is None:
        return True
    if climb.at - last.created_at < ONCE_MS:
        return False
    return any(
        visit.at > last.created_at and visit.rung is climb.began and visit.outcome is Outcome.OK
        for visit in visits
    )
