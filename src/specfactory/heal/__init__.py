"""Healing: the recent history of a host in, a diagnosis and remedies as values out. Pure."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .climbs import climb_event, is_by_ladder
    from .diagnoses import QUICK, Observation, diagnose
    from .figures import TOP, Figures, RemedyCounts, figures_of
    from .remedies import Resources, apply, before_change, plain_care, take_back
    from .remedy_plans import FACTORY
    from .signs_of_visits import is_bad, sign_of
    from .trials import (
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
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
