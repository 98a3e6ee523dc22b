"""Learns a host: sample pages, knowledge of other sources, templates proposed and adopted."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .learn_host import DomainLearner, LearnResult, OnStep
    from .pace import Pace
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
