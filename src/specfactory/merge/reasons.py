"""How a confidence came about, line by line, for a person to read."""

from __future__ import annotations

from specfactory.merge.clusters import Cluster, Voice
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
    best: dict[str, Voice] = {}
    for voice in cluster.voices:
        best.setdefault(voice.host, voice)
    hosts = _by_strength(cluster) if len(best) > 1 else best
    return tuple([_host_line(best[host], cluster) for host in hosts])


def _host_line(voice: Voice, cluster: Cluster) -> str:
    evidence = voice.candidate.evidence
    host = voice.host
    if host in cluster.copies:
        return f"{host}: not counted, {cluster.copies[host]}"
    shown = f", {cluster.standings[host]}" if host in cluster.standings else ""
    share = share_of(cluster.hosts[host])
    return f"{host}: {evidence.tier}, {evidence.method}{shown} → {share:.2f}"


def result_reasons(
    top: Cluster,
    ranked: list[Cluster],
    hosts: tuple[str, ...],
    confidence: float,
    knowledge: MergeKnowledge,
) -> tuple[str, ...]:
    """The lines of the value that leads, and those of the values against it."""
    lines = [*hosts]
    if len(top.independent) > 1:
        lines.append(f"{len(top.independent)} independent sources agree on {words(top.value)}")
    for rival in ranked:
        if rival is not top:
            weights = f"weight {rival.weight:.2f} to {top.weight:.2f}"
            lines.append(f"against it: {words(rival.value)} from {sources(rival)}, {weights}")
    lines.append(f"confidence {confidence:.3f}{_taught(knowledge)}")
    return tuple(lines)


def _taught(knowledge: MergeKnowledge) -> str:
    """What the weighing rests on besides judgement."""
    taught = []
    if knowledge.weights.observed:
        taught.append(f"weighed by {knowledge.weights.observed} verified voices")
    if knowledge.lessons:
        taught.append(f"calibrated on {knowledge.lessons} verified values")
    return f" ({', '.join(taught)})" if taught else ""


def _by_strength(cluster: Cluster) -> list[str]:
    return sorted(cluster.hosts, key=lambda host: (-cluster.hosts[host], host))
