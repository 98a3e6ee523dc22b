"""The policy of a host: one value, with a part for each that writes it."""

from collections.abc import Mapping

from specfactory.model.base import Frozen, Instant, field
from specfactory.model.healing import Climb, HostCare
from specfactory.model.page import Rung

PATIENCE_SECONDS = 30.0  # a longer Retry-After is reported, not waited for


class RungRecord(Frozen):
    """Results of one rung of the ladder at a host; earlier pages weigh less."""

    good: float = 0.0
    tries: float = 0.0
    seconds: float = 0.0  # usual time of a try, without the wait for its turn

    @property
    def rate(self) -> float:
        """Estimated share of tries that give a page."""
        return (self.good + 1.0) / (self.tries + 1.5)


class LadderMemory(Frozen):
    """The ladder's memory of a host; empty as long as plain HTTP just works."""

    rungs: Mapping[Rung, RungRecord] = field(default_factory=dict)
    pages: int = 0  # good pages since the cheapest rung was tried
    at: Instant = 0  # when it was
    climb: Climb | None = None  # the latest page that needed a higher rung


class HostPolicy(Frozen):
    """The policy by which a host is asked, as the fetch station reads it."""

    care: HostCare = HostCare()  # healing: remedies in force; kept in the database
    memory: LadderMemory = LadderMemory()  # the ladder; kept in the shared state
    retry_at: Instant = 0  # the server's own wish (Retry-After); kept in the shared state
    closed_until: Instant = 0  # the breaker: not asked before this; kept in the shared state

    def outlasts_patience(self, now: Instant) -> bool:
        """True when the server wants to be left alone for longer than a request may wait."""
        return self.retry_at - now > PATIENCE_SECONDS * 1000
