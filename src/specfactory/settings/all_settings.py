"""All settings together: what stands at the top, and every section."""

from collections.abc import Mapping
from typing import Any

from specfactory.model import Frozen
from specfactory.settings.browser_settings import BrowserSettings
from specfactory.settings.daemon_settings import (
    DaemonSettings,
    LogSettings,
    ProcessingSettings,
    ScheduleSettings,
)
from specfactory.settings.declaring import setting
from specfactory.settings.fetch_settings import FetchSettings
from specfactory.settings.heal_settings import HealSettings, ProfileSettings
from specfactory.settings.learn_settings import LearnSettings
from specfactory.settings.model_settings import ModelSettings
from specfactory.settings.monitor_settings import MonitorSettings
from specfactory.settings.product_settings import (
    BudgetSettings,
    PlanSettings,
    PublishSettings,
    SearchSettings,
)
from specfactory.settings.proxy_settings import ProxySettings
from specfactory.settings.queue_settings import QueueSettings
from specfactory.settings.reader_settings import ReaderSettings


class Settings(Frozen):
    """Everything an operator can set."""

    database_url: str = setting(
        "sqlite:///specfactory-data/factory.db",
        "where the truth is kept: sqlite:///FILE or postgresql://USER@HOST/NAME",
        discreet=True,
    )
    contracts_dir: str = setting("contracts", "folder of your own contracts, one file a category")
    state_url: str = setting(
        "",
        "Redis for limits shared by many processes: redis://HOST:PORT/0; empty: this process",
        discreet=True,
    )
    products_at_once: int = setting(3, "products worked on at the same time", 1, 100)
    fetch: FetchSettings = FetchSettings()
    readers: ReaderSettings = ReaderSettings()
    browser: BrowserSettings = BrowserSettings()
    proxy: ProxySettings = ProxySettings()
    heal: HealSettings = HealSettings()
    profile: ProfileSettings = ProfileSettings()
    budget: BudgetSettings = BudgetSettings()
    plan: PlanSettings = PlanSettings()
    publish: PublishSettings = PublishSettings()
    search: SearchSettings = SearchSettings()
    model: ModelSettings = ModelSettings()
    queue: QueueSettings = QueueSettings()
    daemon: DaemonSettings = DaemonSettings()
    processing: ProcessingSettings = ProcessingSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    monitor: MonitorSettings = MonitorSettings()
    learn: LearnSettings = LearnSettings()
    log: LogSettings = LogSettings()
    contract_sources: bool = setting(True, "ask the contract's own sources too, not only these")
    sources: tuple[Mapping[str, Any], ...] = setting(
        (), "more sources: host, tier, and as in a contract; category limits one to a category"
    )
