"""What is known, written once over the Database port: one class per noun.

Takes values of the model and a Transaction to write in; gives them back, read from the Database.
"""

from specfactory.store.base import Batch, Outbox
from specfactory.store.pages import PageReading, Pages, Reading, Readings, ReadPage, Visits
from specfactory.store.products import (
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
from specfactory.store.queue import (
    Added,
    JobCount,
    Jobs,
    Pruned,
    Runs,
    Stats,
    Summary,
    Workers,
    config_hash,
)
from specfactory.store.sites import (
    HealingCount,
    Healings,
    HostPolicies,
    Templates,
    TemplateWatch,
    template_number,
)

__all__ = [
    "Added", "Attempts", "Batch", "Contracts", "Goldens", "HealingCount", "Healings",
    "HostPolicies", "JobCount", "Jobs", "Outbox", "PageReading", "Pages", "Products", "Pruned",
    "Published", "ReadPage", "Reading", "Readings", "Records", "Reviews", "Runs", "SourceVerdict",
    "Stats", "Summary", "TemplateWatch", "Templates", "Visits", "Workers", "Yields", "config_hash",
    "template_number",
]  # fmt: skip
