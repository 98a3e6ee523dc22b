"""Stored knowledge of hosts: policies, templates, healing events, proxies."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .healing_events import HealingCount, Healings
    from .host_policies import HostPolicies, Hosts
    from .learning_notes import LearningNotes, PageNote
    from .proxies import Proxies
    from .template_counts import TemplateWatch
    from .templates import Templates, template_number
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
