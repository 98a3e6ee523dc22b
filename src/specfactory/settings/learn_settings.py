"""Settings of learning, adoption and watching of templates."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class LearnSettings(Frozen):
    """Learning, adoption and watching of templates."""

    after_pages: int = setting(10, "good pages without a template before learning", 3, 100_000)
    cpu_share: float = setting(
        0.1, "share of a worker's processor time that learning may take", 0.001, 1
    )
    wait_minutes: float = setting(
        10.0, "longest wait for a quiet moment before learning begins", 0, 100_000
    )
    samples: int = setting(20, "pages that a source is learned from", 5, 500)
    least_pages: int = setting(5, "fewest pages of a layout that make a template", 3, 100)
    adopt_at: float = setting(0.90, "lower bound of accuracy to adopt a template", 0.5, 1)
    trial_pages: int = setting(10, "pages to try a new template beside the old", 1, 10_000)
    drift_pages: int = setting(10, "pages before a template is checked for drift", 3, 10_000)
    drift_drop: float = setting(0.30, "relative drop of a field that is a drift", 0.01, 1)
    drift_certainty: float = setting(0.99, "certainty that it is no accident", 0.5, 0.999999)
