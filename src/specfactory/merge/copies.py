"""Detect copies: hosts that share mistakes, whole sentences or a feed count once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

from msgspec import Struct, field

from specfactory.merge.clusters import Cluster
from specfactory.merge.feeds import same_feed
from specfactory.merge.weights import TIER_PLACES
from specfactory.model import Tier

SHARED_MISTAKES = 2  # two independent sources seldom make the same two
SHARED_SENTENCES = 4
SENTENCE = 25  # characters from which on an identical quote is no accident
LONG_TEXT = 200  # characters from which on one identical quote shows that a feed is behind it
_REPEATERS = (Tier.AGGREGATOR, Tier.COMMUNITY)  # one shared mistake is enough for these

Pair = tuple[str, str]


class Shared(Struct):
    """Common traits of two hosts."""

    mistakes: list[str] = field(default_factory=list)
    sentences: int = 0
    passages: int = 0  # of the pages' running text
    differences: int = 0


def find_copies(
    fields: Mapping[str, list[Cluster]], texts: Mapping[str, Collection[str]]
) -> dict[str, dict[str, str]]:
    """Copying host → the host it copies → why, over all fields of a product.

    ``texts`` are the fingerprints of each host's running text.
    """
    shared: dict[Pair, Shared] = defaultdict(Shared)
    _add_mistakes(fields, shared)
    _add_sentences(fields, shared)
    for pair, count in same_feed(texts).items():
        shared[pair].passages += count
    if not shared:
        return {}
    _add_differences(fields, shared)
    # Of two hosts the one of the better tier, then with more fields, is the original.
    tiers: dict[str, int] = {}
    names: dict[str, set[str]] = defaultdict(set)
    for name, clusters in fields.items():
        for vote in (vote for cluster in clusters for vote in cluster.votes):
            place = TIER_PLACES[vote.candidate.evidence.tier]
            tiers[vote.host] = min(place, tiers.get(vote.host, place))
            names[vote.host].add(name)
    copies: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in sorted(pair for pair in shared if names.keys() >= set(pair)):
        original, copy = sorted(pair, key=lambda host: (tiers[host], -len(names[host]), host))
        if why := _why(shared[pair], list(Tier)[tiers[copy]]):
            copies[copy][original] = why
    return copies


def mark_copies(clusters: Iterable[Cluster], copies: Mapping[str, Mapping[str, str]]) -> None:
    """Leave out copies wherever the host they copy says the same, and count the others."""
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
    if shared.passages:  # whose own values differ is counted there
        return "both show the text of one feed"
    return ""


def _add_mistakes(fields: Mapping[str, list[Cluster]], shared: dict[Pair, Shared]) -> None:
    """Add the fields in which both hosts of a pair are contradicted by a better source."""
    for name, clusters in fields.items():
        if len(clusters) < 2:
            continue
        best = [min(TIER_PLACES[v.candidate.evidence.tier] for v in c.votes) for c in clusters]
        for cluster, tier in zip(clusters, best, strict=True):
            if len(cluster.hosts) > 1 and tier > min(best):
                for pair in combinations(sorted(cluster.hosts), 2):
                    shared[pair].mistakes.append(name)


def _add_sentences(fields: Mapping[str, list[Cluster]], shared: dict[Pair, Shared]) -> None:
    """Add the number of fields in which the hosts of a pair share a long quote."""
    counts: dict[Pair, int] = defaultdict(int)
    for clusters in fields.values():
        hosts: dict[str, set[str]] = {}
        for vote in (vote for cluster in clusters for vote in cluster.votes):
            for snippet in vote.candidate.evidence.values:
                if len(snippet.quote) >= SENTENCE:
                    hosts.setdefault(" ".join(snippet.quote.split()), set()).add(vote.host)
        for pair in {p for group in hosts.values() for p in combinations(sorted(group), 2)}:
            counts[pair] += 1
        long = [group for text, group in hosts.items() if len(text) >= LONG_TEXT]
        for pair in {p for group in long for p in combinations(sorted(group), 2)}:
            shared[pair].passages += 1
    for pair, count in counts.items():
        if count >= SHARED_SENTENCES:
            shared[pair].sentences = count


def _add_differences(fields: Mapping[str, list[Cluster]], shared: dict[Pair, Shared]) -> None:
    """Count the fields in which the hosts of a pair name different values: a copy does not."""
    for clusters in fields.values():
        if len(clusters) < 2:
            continue
        homes = [set(cluster.hosts) for cluster in clusters]
        for (a, b), found in shared.items():
            of_a, of_b = [a in home for home in homes], [b in home for home in homes]
            apart = not any(x and y for x, y in zip(of_a, of_b, strict=True))
            found.differences += apart and any(of_a) and any(of_b)
