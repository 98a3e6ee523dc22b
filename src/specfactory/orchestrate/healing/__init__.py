"""Carries out what heal/ decides: remedies, pauses, questions, jobs that wait or come back."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import SelfHealing
    from .defer import page_end, trouble_visit, until_asked, wait_after, was_asked
    from .heal_host import after_visit, ease_all, undo
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
