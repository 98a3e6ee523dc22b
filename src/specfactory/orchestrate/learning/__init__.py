"""Learns a host: sample pages, knowledge of other sources, templates proposed and adopted."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.learning.learn_host import DomainLearner, LearnResult, OnStep
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["DomainLearner", "LearnResult", "OnStep"]
