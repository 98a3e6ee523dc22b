"""Pages that the ladder got another way, as healing events: recorded once, as news. Pure.

The ladder goes up at the first page that does not come on the cheap rung, long before there is
history enough for a diagnosis. Its events stand beside the remedies and change nothing in them.
"""

from collections.abc import Sequence

from specfactory.heal.diagnoses import CLEAR, DOUBTFUL, OF_PROXIES, in_a_row
from specfactory.heal.signs_of_visits import sign_of
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
ONCE_MS = 24 * 3_600_000  # where only some pages need another rung, once a day is enough


def is_by_ladder(event: HealingEvent) -> bool:
    """True if the ladder got the page another way, without a remedy."""
    return event.params.get("by") == LADDER


def climb_event(
    climb: Climb,
    good: Visit,
    events: Sequence[HealingEvent],
    visits: Sequence[Visit],
    settings: HealSettings,
) -> HealingEvent | None:
    """Make a healing event of a climb; None where it is known, or says nothing about the host.

    ``good`` is the page that came in the end; events and visits have the newest first.
    """
    failed = Visit(
        good.host, good.url, climb.at, climb.outcome, climb.evidence, climb.status, climb.began,
        cause=climb.cause,
    )  # fmt: skip
    sign = sign_of(failed, HostCare(), settings)
    kind = CLEAR.get(sign) or DOUBTFUL.get(sign)
    maybe_proxy = climb.began.uses_proxy and sign in OF_PROXIES  # it may be the one that refused
    if kind is None or maybe_proxy:
        return None
    known = (e for e in events if is_by_ladder(e) and e.params.get("rung") == climb.reached)
    if (last := next(known, None)) is not None:
        # News again only a day later, and if the cheaper rung has worked since.
        worked = any(
            visit.at > last.created_at and visit.rung is climb.began and visit.outcome is Outcome.OK
            for visit in visits
        )
        if climb.at - last.created_at < ONCE_MS or not worked:
            return None
    browser = climb.reached.uses_browser and not climb.began.uses_browser
    remedy = RemedyKind.USE_BROWSER if browser else RemedyKind.USE_PROXY
    reasons = (
        in_a_row([failed]),
        f"the ladder went up from {climb.began} to {climb.reached}, and the page came",
    )
    way = {"by": LADDER, "from": climb.began.value, "rung": climb.reached.value}
    return HealingEvent(
        0, good.host, climb.outcome, kind, remedy, HealingStatus.HELPED, climb.at, True,
        max(good.at, climb.at), reasons, way,
    )  # fmt: skip
