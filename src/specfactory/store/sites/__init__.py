"""Stored knowledge of hosts: policies, templates, healing events, proxies."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.store.sites.healing_events import HealingCount, Healings
    from specfactory.store.sites.host_policies import HostPolicies, Hosts
    from specfactory.store.sites.proxies import Proxies
    from specfactory.store.sites.template_counts import TemplateWatch
    from specfactory.store.sites.templates import Templates, template_number
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "HealingCount", "Healings", "HostPolicies", "Hosts", "Proxies", "TemplateWatch", "Templates",
    "template_number",
]  # fmt: skip
