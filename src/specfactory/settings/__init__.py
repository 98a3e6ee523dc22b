"""One Settings: defaults < specfactory.yaml < environment < flags.

Each setting is declared once, with its default, what is allowed and what it means; the
commented file of ``spec init`` and the reference in the docs are written from here.
In the environment a setting is ``SPEC_`` and its path: ``SPEC_FETCH_HOST_DELAY_SECONDS``.
"""

from .all_settings import Settings
from .browser_settings import BrowserSettings
from .daemon_settings import DaemonSettings, LogSettings
from .fetch_settings import FetchSettings
from .heal_settings import HealSettings, ProfileSettings
from .learn_settings import LearnSettings
from .loading import FILE_NAME, SettingInfo, describe, load
from .model_settings import ModelSettings
from .monitor_settings import MonitorSettings
from .product_settings import BudgetSettings, PlanSettings
from .proxy_settings import ProxySettings
from .queue_settings import QueueSettings
from .reader_settings import ReaderSettings
