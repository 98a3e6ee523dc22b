"""What is known, written once over the Database port: one class per noun.

Takes values of the model and a Transaction to write in; gives them back, read from the Database.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Batch, Outbox
    from .pages import PageReading, Pages, Reading, Readings, ReadPage, Visits
    from .products import (
        Attempts,
        Contracts,
        Goldens,
        Products,
        Published,
        Records,
        Reviews,
        SourceVerdict,
        Yields,
    )
    from .queue import (
        MANY,
        Added,
        HostTurns,
        JobCount,
        Jobs,
        Runs,
        Stats,
        Summary,
        Workers,
        config_hash,
    )
    from .sites import (
        HealingCount,
        Healings,
        HostPolicies,
        Templates,
        TemplateWatch,
        template_number,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
