"""What all work stands on: stores, stations, adapters, the desks that share them, their health."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .budgets import exhausted, used
    from .factory_health import FactoryHealth
    from .host_alarm import HostAlarm
    from .learning_time import OF_THIS_PROCESS, LearningTime
    from .model_calls import Answered, BudgetSpent, ModelDesk, Payer
    from .proxy_refresh import ProxyDesk
    from .proxy_sources import LIVE_TXT, named_proxies, uses_proxies
    from .workbench import Network, Workbench, source_at
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
