"""The only place that chooses adapters: settings in, a workbench out."""

from specfactory.assembly.choices import (
    choose_clock,
    choose_database,
    choose_state,
    choose_wakeup,
    endpoint_fetcher,
    examine_browser,
    heartbeat_database,
    look_at_state,
    look_for_browser,
    name_database,
    name_state,
)
from specfactory.assembly.factory import open_factory
from specfactory.assembly.proxies import rotators

__all__ = [
    "choose_clock", "choose_database", "choose_state", "choose_wakeup", "endpoint_fetcher",
    "examine_browser", "heartbeat_database", "look_at_state", "look_for_browser", "name_database",
    "name_state", "open_factory", "rotators",
]  # fmt: skip
