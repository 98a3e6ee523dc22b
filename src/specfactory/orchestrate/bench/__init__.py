"""What all work stands on: stores, stations, adapters, the desks that share them, their health."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.bench.budgets import exhausted, used
    from specfactory.orchestrate.bench.factory_health import FactoryHealth
    from specfactory.orchestrate.bench.host_alarm import HostAlarm
    from specfactory.orchestrate.bench.model_calls import (
        AWAY,
        Answered,
        BudgetSpent,
        ModelDesk,
        Payer,
    )
    from specfactory.orchestrate.bench.proxy_refresh import ProxyDesk
    from specfactory.orchestrate.bench.proxy_sources import LIVE_TXT, named_proxies, uses_proxies
    from specfactory.orchestrate.bench.workbench import Workbench, source_at
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "AWAY", "LIVE_TXT", "Answered", "BudgetSpent", "FactoryHealth", "HostAlarm", "ModelDesk",
    "Payer", "ProxyDesk", "Workbench", "exhausted", "named_proxies", "source_at", "used",
    "uses_proxies",
]  # fmt: skip
