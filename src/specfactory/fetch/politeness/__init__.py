"""When a host may be asked next."""

from .turns import BreakerRule, Politeness
