"""Learns a host: sample pages, knowledge of other sources, templates proposed and adopted."""

from .learn_host import DomainLearner, LearnResult, OnStep
