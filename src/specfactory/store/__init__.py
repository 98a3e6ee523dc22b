"""What is known, written once over the Database port: one class per noun.

Takes values of the model and a Transaction to write in; gives them back, read from the Database.
"""

from specfactory.store.attempts import Attempts
from specfactory.store.contracts import Contracts
from specfactory.store.goldens import Goldens, SourceVerdict
from specfactory.store.healing import HealingCount, Healings
from specfactory.store.host_policies import HostPolicies
from specfactory.store.job_adding import Added
from specfactory.store.job_changes import Pruned
from specfactory.store.jobs import JobCount, Jobs, Stats, Summary
from specfactory.store.outbox import Batch, Outbox
from specfactory.store.page_readings import PageReading, PageReadings, ReadPage
from specfactory.store.pages import Pages
from specfactory.store.products import Products
from specfactory.store.readings import Reading, Readings
from specfactory.store.records import Published, Records
from specfactory.store.reviews import Reviews
from specfactory.store.runs import Runs, config_hash
from specfactory.store.template_watch import TemplateWatch
from specfactory.store.templates import Templates, template_number
from specfactory.store.visits import Visits
from specfactory.store.workers import Workers
from specfactory.store.yields import Yields

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
