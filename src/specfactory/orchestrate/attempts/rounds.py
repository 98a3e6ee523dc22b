"""Rounds: go on or stop, as a pure function of what is filled and what is spent.

0 identity    the manufacturer's page, one page
1 core        tiers 1 and 2; then stop when every required and critical field is filled
2 deep        any source for the gaps; then stop when enough is filled or spent
3+ gaps       a few targeted sources; stop when a round fills too few fields
"""

from specfactory.model import Coverage, Frozen, Level, Tier
from specfactory.settings import PlanSettings

CORE = (Level.REQUIRED, Level.CRITICAL)


class Round(Frozen):
    """One plan-fetch-identify-extract-validate-merge cycle: how many sources, of which tiers."""

    number: int
    name: str
    sources: int
    tiers: tuple[Tier, ...]


class Stop(Frozen):
    """The end of the rounds, with the reason in words."""

    reason: str


def round_of(number: int, settings: PlanSettings) -> Round:
    """The shape of the round with this number."""
    if number == 0:
        return Round(0, "identity", 1, (Tier.MANUFACTURER,))
    if number == 1:
        return Round(1, "core specs", settings.core_sources, (Tier.MANUFACTURER, Tier.LAB))
    if number == 2:
        return Round(2, "deep fill", settings.deep_sources, tuple(Tier))
    return Round(number, "gap closure", settings.gap_sources, tuple(Tier))


def next_round(
    finished: int | None,
    state: Coverage,
    gained: int,
    used: float,
    settings: PlanSettings,
    evidence: bool = False,
) -> Round | Stop:
    """Choose the next round, or stop with the reason.

    ``finished`` is the number of the last round, None before the first; ``gained`` the fields
    it filled; ``used`` the furthest used share of the budget; ``evidence`` whether earlier
    attempts have left any: when it already fills enough, nothing needs to be asked.
    """
    if finished is None:
        if evidence and state.share >= settings.stop_coverage:
            return Stop(f"coverage {state.share:.0%} is enough, and all of it is fresh")
        return round_of(0, settings)
    if state.filled == state.total:
        return Stop("every field is filled")
    if finished == 1 and not any(state.missing.get(level) for level in CORE):
        return Stop("every required and critical field is filled")
    if finished == 2 and state.share >= settings.stop_coverage:
        return Stop(f"coverage {state.share:.0%} is enough")
    if finished == 2 and used >= settings.stop_budget:
        return Stop(f"{used:.0%} of the budget is used")
    if finished >= 3 and gained < settings.stop_gain:
        return Stop(f"the last round filled only {gained} more")
    if finished + 1 >= settings.max_rounds:
        return Stop(f"{settings.max_rounds} rounds are done")
    return round_of(finished + 1, settings)
