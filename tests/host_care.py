"""What must hold of the remedies in force at a host, whatever happened there."""

from specfactory.heal.remedies import MOST_TIMEOUT_FACTOR
from specfactory.model import HostCare


def contradictions(care: HostCare, host: str) -> list[str]:
    """Contradictions among the remedies in force; there must never be any."""
    found = []
    if bool(care.paused_until) != bool(care.paused_for):
        found.append("paused without a reason, or a reason without a pause")
    if care.moved_to == host:
        found.append("moved to itself")
    if care.delay_seconds < 0 or not 1.0 <= care.timeout_factor <= MOST_TIMEOUT_FACTOR:
        found.append("a delay or a patience out of range")
    return found
