"""Who copied whom: hosts that share mistakes, or whole sentences, count once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from msgspec import Struct, field

from specfactory.merge.clusters import Cluster
from specfactory.model import Tier

SHARED_MISTAKES = 2  # two independent sources seldom make the same two
SHARED_SENTENCES = 4
SENTENCE = 25  # characters from which on an identical quote is no accident
_TIERS = {tier: place for place, tier in enumerate(Tier)}
_REPEATERS = (Tier.AGGREGATOR, Tier.COMMUNITY)  # one shared mistake is enough for these

Pair = tuple[str, str]


class Shared(Struct):
    """What two hosts have in common."""

    mistakes: list[str] = field(default_factory=list)
    sentences: int = 0
    differences: int = 0


def find_copies(fields: Mapping[str, list[Cluster]]) -> dict[str, dict[str, str]]:
    """Copying host → the host it copies → why, over all fields of a product."""
    shared = _mistakes(fields)
    for pair, count in _sentences(fields).items():
        shared[pair].sentences = count
    if not shared:
        return {}
    standing = _standings(fields)
    _count_differences(fields, shared)
    copies: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in sorted(shared):
        original, copy = sorted(pair, key=lambda host: (standing[host], host))
        why = _why(shared[pair], Tier(list(Tier)[standing[copy][0]]))
        if why:
            copies[copy][original] = why
    return copies


def mark_copies(clusters: Iterable[Cluster], copies: Mapping[str, Mapping[str, str]]) -> None:
    """Silence the copies wherever the host they copy says the same, and count the others."""
    for cluster in clusters:
        for host in cluster.hosts if copies else ():
            originals = sorted(o for o in copies.get(host, ()) if o in cluster.hosts)
            if originals:
                cluster.copies[host] = f"copies {originals[0]} ({copies[host][originals[0]]})"
        cluster.settle()


def _why(shared: Shared, tier: Tier) -> str:
    mistakes = len(shared.mistakes)
    repeats = tier in _REPEATERS and mistakes and not shared.differences
    if repeats or mistakes >= max(SHARED_MISTAKES, shared.differences):
        named = ", ".join(sorted(shared.mistakes)[:3])
        return f"both have values that better sources contradict: {named}"
    if shared.sentences >= max(SHARED_SENTENCES, shared.differences):
        return f"word for word the same in {shared.sentences} fields"
    return ""


def _standings(fields: Mapping[str, list[Cluster]]) -> dict[str, tuple[int, int]]:
    """Host → its tier and, negated, the number of its fields: the better one is the original."""
    tiers: dict[str, int] = {}
    counts: dict[str, set[str]] = defaultdict(set)
    for name, clusters in fields.items():
        for voice in (voice for cluster in clusters for voice in cluster.voices):
            place = _TIERS[voice.candidate.evidence.tier]
            tiers[voice.host] = min(place, tiers.get(voice.host, place))
            counts[voice.host].add(name)
    return {host: (place, -len(counts[host])) for host, place in tiers.items()}


def _mistakes(fields: Mapping[str, list[Cluster]]) -> dict[Pair, Shared]:
    """Pairs of hosts, with the fields in which both are contradicted by a better source."""
    shared: dict[Pair, Shared] = defaultdict(Shared)
    for name, clusters in fields.items():
        if len(clusters) < 2:
            continue
        best = [_best_tier(cluster) for cluster in clusters]
        for cluster, tier in zip(clusters, best, strict=True):
            if len(cluster.hosts) > 1 and tier > min(best):
                for pair in combinations(sorted(cluster.hosts), 2):
                    shared[pair].mistakes.append(name)
    return shared


def _best_tier(cluster: Cluster) -> int:
    return min(_TIERS[voice.candidate.evidence.tier] for voice in cluster.voices)


def _sentences(fields: Mapping[str, list[Cluster]]) -> dict[Pair, int]:
    """Pairs of hosts, with the number of fields in which they share a long quote."""
    counts: dict[Pair, int] = defaultdict(int)
    for clusters in fields.values():
        hosts: dict[str, set[str]] = {}
        for quote, host in _long_quotes(clusters):
            hosts.setdefault(quote, set()).add(host)
        for pair in {p for group in hosts.values() for p in combinations(sorted(group), 2)}:
            counts[pair] += 1
    return {pair: count for pair, count in counts.items() if count >= SHARED_SENTENCES}


def _long_quotes(clusters: Iterable[Cluster]) -> Iterator[tuple[str, str]]:
    for cluster in clusters:
        for voice in cluster.voices:
            for snippet in voice.candidate.evidence.values:
                if len(snippet.quote) >= SENTENCE:
                    yield " ".join(snippet.quote.split()), voice.host


def _count_differences(fields: Mapping[str, list[Cluster]], shared: Mapping[Pair, Shared]) -> None:
    """How often hosts of a pair name different values: a copy does not."""
    for clusters in fields.values():
        if len(clusters) < 2:
            continue
        homes = [set(cluster.hosts) for cluster in clusters]
        for (a, b), found in shared.items():
            of_a, of_b = [a in home for home in homes], [b in home for home in homes]
            apart = not any(x and y for x, y in zip(of_a, of_b, strict=True))
            found.differences += apart and any(of_a) and any(of_b)
