"""One Settings: defaults < specfactory.yaml < environment < flags.

Each setting is declared once, with its default, what is allowed and what it means; the
commented file of ``spec init`` and the reference in the docs are written from here.
In the environment a setting is ``SPEC_`` and its path: ``SPEC_FETCH_HOST_DELAY_SECONDS``.
"""

from .declared import (
    BudgetSettings,
    DaemonSettings,
    LearnSettings,
    LogSettings,
    ModelSettings,
    MonitorSettings,
    PlanSettings,
    QueueSettings,
    Settings,
)
from .declared_network import (
    BrowserSettings,
    FetchSettings,
    HealSettings,
    ProfileSettings,
    ProxySettings,
    ReaderSettings,
)
from .loading import FILE_NAME, SettingInfo, describe, load
