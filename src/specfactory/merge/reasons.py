"""The derivation of a confidence, line by line, for a person to read."""

from specfactory.merge.clusters import Cluster, Vote
from specfactory.merge.weights import MergeKnowledge, share_of
from specfactory.model import Money, Value


def words(value: Value | None) -> str:
    """A value as a person writes it."""
    if isinstance(value, Money):
        return f"{value.amount:.2f} {value.currency}"
    if isinstance(value, tuple):
        return ", ".join(map(words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)[:80]


def sources(cluster: Cluster) -> str:
    """The hosts that count, the strongest first."""
    counted = [host for host in _by_strength(cluster) if host not in cluster.copies]
    more = f" and {len(counted) - 2} more" if len(counted) > 2 else ""
    return ", ".join(counted[:2]) + more


def cluster_reasons(cluster: Cluster) -> tuple[str, ...]:
    """One line per host that names the value."""
    best: dict[str, Vote] = {}
    for vote in cluster.votes:
        best.setdefault(vote.host, vote)
    lines = []
    for host in _by_strength(cluster) if len(best) > 1 else best:
        if host in cluster.copies:
            lines.append(f"{host}: not counted, {cluster.copies[host]}")
            continue
        evidence = best[host].candidate.evidence
        shown = f", {cluster.agreements[host]}" if host in cluster.agreements else ""
        share = share_of(cluster.hosts[host])
        lines.append(f"{host}: {evidence.tier}, {evidence.method}{shown} → {share:.2f}")
    return tuple(lines)


def result_reasons(
    top: Cluster,
    ranked: list[Cluster],
    hosts: tuple[str, ...],
    confidence: float,
    knowledge: MergeKnowledge,
) -> tuple[str, ...]:
    """The lines of the value that leads, and those of the values against it."""
    lines = [*hosts]
    if top.copies:
        counted = f"{len(top.hosts)} hosts say {words(top.value)}"
        lines.append(f"{counted}, of which {len(top.independent)} independent")
    if len(top.independent) > 1:
        lines.append(f"{len(top.independent)} independent sources agree on {words(top.value)}")
    for rival in ranked:
        if rival is not top:
            weights = f"weight {rival.weight:.2f} to {top.weight:.2f}"
            lines.append(f"against it: {words(rival.value)} from {sources(rival)}, {weights}")
    learned = []
    if knowledge.weights.observed:
        learned.append(f"weighed by {knowledge.weights.observed} verified voices")
    if knowledge.lessons:
        learned.append(f"calibrated on {knowledge.lessons} verified values")
    based_on = f" ({', '.join(learned)})" if learned else ""
    lines.append(f"confidence {confidence:.3f}{based_on}")
    return tuple(lines)


def _by_strength(cluster: Cluster) -> list[str]:
    return sorted(cluster.hosts, key=lambda host: (-cluster.hosts[host], host))
