"""Healing: the recent history of a host in, a diagnosis and remedies as values out. Pure."""

from specfactory.heal.ailments import FACTORY, MEANINGS, Ailment
from specfactory.heal.course import Case, Plan, Verdict, ease_of, plan_for
from specfactory.heal.diagnoses import diagnose
from specfactory.heal.remedies import Means, apply, before_change, take_back

__all__ = [
    "FACTORY",
    "MEANINGS",
    "Ailment",
    "Case",
    "Means",
    "Plan",
    "Verdict",
    "apply",
    "before_change",
    "diagnose",
    "ease_of",
    "plan_for",
    "take_back",
]
