"""When a host may be asked next."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .breaker_rule import BreakerRule
    from .request_limits import Politeness
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
