"""Healing: the recent history of a host in, a diagnosis and remedies as values out. Pure."""

from specfactory.heal.climbs import climb_event, is_by_ladder
from specfactory.heal.diagnoses import QUICK, Observation, diagnose
from specfactory.heal.encoding import garbled_share, written_in
from specfactory.heal.figures import TOP, Figures, RemedyCounts, figures_of
from specfactory.heal.remedies import Resources, apply, before_change, plain_care, take_back
from specfactory.heal.remedy_plans import FACTORY, MEANINGS
from specfactory.heal.signs import is_bad, sign_of
from specfactory.heal.trials import (
    GIVEN_UP,
    OPEN,
    HostHistory,
    Judged,
    Plan,
    Prescribed,
    TrialVerdict,
    ease_of,
    fails,
    is_ease,
    last_proxy,
    plan_for,
    since_healed,
)

__all__ = [
    "FACTORY", "GIVEN_UP", "MEANINGS", "OPEN", "QUICK", "TOP", "Figures", "HostHistory", "Judged",
    "Observation", "Plan", "Prescribed", "RemedyCounts", "Resources", "TrialVerdict",
    "apply", "before_change", "climb_event", "diagnose", "ease_of", "fails", "figures_of",
    "garbled_share", "is_bad", "is_by_ladder", "is_ease", "last_proxy", "plain_care", "plan_for",
    "sign_of", "since_healed", "take_back", "written_in",
]  # fmt: skip
