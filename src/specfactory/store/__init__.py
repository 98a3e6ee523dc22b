"""What is known, written once over the Database port: one class per noun.

Takes values of the model and a Transaction to write in; gives them back, read from the Database.
"""

from specfactory.store.base.outbox import Batch, Outbox
from specfactory.store.host_policies import HostPolicies
from specfactory.store.pages.page_readings import PageReading, PageReadings, ReadPage
from specfactory.store.pages.pages import Pages
from specfactory.store.pages.readings import Reading, Readings
from specfactory.store.pages.visits import Visits
from specfactory.store.products.attempts import Attempts
from specfactory.store.products.contracts import Contracts
from specfactory.store.products.products import Products
from specfactory.store.products.records import Published, Records
from specfactory.store.products.reviews import Reviews
from specfactory.store.products.source_yields import Yields
from specfactory.store.products.truth import Goldens, SourceVerdict
from specfactory.store.queue.job_adding import Added
from specfactory.store.queue.job_changes import Pruned
from specfactory.store.queue.jobs import JobCount, Jobs, Stats, Summary
from specfactory.store.queue.runs import Runs, config_hash
from specfactory.store.queue.workers import Workers
from specfactory.store.sites.healing_events import HealingCount, Healings
from specfactory.store.sites.template_counts import TemplateWatch
from specfactory.store.sites.templates import Templates, template_number

__all__ = [
    "Added",
    "Attempts",
    "Batch",
    "Contracts",
    "Goldens",
    "HealingCount",
    "Healings",
    "HostPolicies",
    "JobCount",
    "Jobs",
    "Outbox",
    "PageReading",
    "PageReadings",
    "Pages",
    "Products",
    "Pruned",
    "Published",
    "ReadPage",
    "Reading",
    "Readings",
    "Records",
    "Reviews",
    "Runs",
    "SourceVerdict",
    "Stats",
    "Summary",
    "TemplateWatch",
    "Templates",
    "Visits",
    "Workers",
    "Yields",
    "config_hash",
    "template_number",
]
