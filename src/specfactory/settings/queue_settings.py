"""Settings of the queue: retries, leases, heartbeats, retention."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class QueueSettings(Frozen):
    """Claims, retries and retention of jobs."""

    max_attempts: int = setting(3, "tries at a job before it is a dead letter", 1, 100)
    retry_first_seconds: float = setting(2.0, "pause after the first failure", 0, 86_400)
    retry_factor: float = setting(2.0, "each further pause is this many times longer", 1, 100)
    retry_longest_seconds: float = setting(3600.0, "longest pause between tries", 0, 604_800)
    cooldown_seconds: float = setting(
        0.0, "least pause before a product that failed is tried again", 0, 604_800
    )
    lease_seconds: float = setting(300.0, "a silent worker loses its jobs after this", 1, 86_400)
    heartbeat_seconds: float = setting(30.0, "pause between two renewals of leases", 0.1, 3600)
    lost_after_heartbeats: int = setting(
        3, "a worker that missed this many heartbeats counts as lost", 1, 1_000
    )
    claim_batch: int = setting(100, "most jobs claimed at once", 1, 10_000)
    poll_seconds: float = setting(1.0, "longest pause before looking for jobs again", 0.05, 60)
    keep_complete: int = setting(
        -1, "completed jobs kept in full, of older ones only counts; -1: all", -1, 10_000_000
    )
    keep_failed: int = setting(
        -1, "dead letters kept in full, of older ones only counts; -1: all", -1, 10_000_000
    )
    monitored_brands: tuple[str, ...] = setting(
        (), "brands whose new products come in at priority 2"
    )

    @property
    def lost_after_seconds(self) -> float:
        """A worker that is silent for longer counts as lost."""
        return self.lost_after_heartbeats * self.heartbeat_seconds
