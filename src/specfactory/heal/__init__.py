"""Healing: the recent history of a host in, a diagnosis and remedies as values out. Pure."""

from specfactory.heal.ailments import FACTORY, MEANINGS, Ailment
from specfactory.heal.course import (
    GIVEN_UP,
    OPEN,
    Case,
    Judged,
    Plan,
    Prescription,
    Verdict,
    ease_of,
    fails,
    is_ease,
    last_proxy,
    plan_for,
    since_healed,
)
from specfactory.heal.diagnoses import QUICK, Seen, diagnose
from specfactory.heal.encoding import garbled_share, written_in
from specfactory.heal.figures import TOP, Ends, Figures, figures_of
from specfactory.heal.ladder_cures import cure_of, is_by_ladder
from specfactory.heal.remedies import Means, apply, before_change, plain_care, take_back
from specfactory.heal.signs import is_bad, sign_of

__all__ = [
    "FACTORY",
    "GIVEN_UP",
    "MEANINGS",
    "OPEN",
    "QUICK",
    "TOP",
    "Ailment",
    "Case",
    "Ends",
    "Figures",
    "Judged",
    "Means",
    "Plan",
    "Prescription",
    "Seen",
    "Verdict",
    "apply",
    "before_change",
    "cure_of",
    "diagnose",
    "ease_of",
    "fails",
    "figures_of",
    "garbled_share",
    "is_bad",
    "is_by_ladder",
    "is_ease",
    "last_proxy",
    "plain_care",
    "plan_for",
    "sign_of",
    "since_healed",
    "take_back",
    "written_in",
]
