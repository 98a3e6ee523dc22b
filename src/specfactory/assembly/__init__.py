"""The only place that chooses adapters: settings in, a workbench out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .choices import (
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
    from .factory import open_factory
    from .proxies import rotators
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
