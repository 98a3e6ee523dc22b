"""When a host may be asked next."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .request_limits import BreakerRule, Politeness
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
