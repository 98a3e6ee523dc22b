"""Detect copies: hosts of one owner, or with one text, one feed or shared mistakes, count once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations

from msgspec import Struct, field

from specfactory.contract.text import normal
from specfactory.hosts import owner_of
from specfactory.merge.clusters import Cluster, Vote
from specfactory.merge.feeds import PageText, alike
from specfactory.merge.weights import SELF_CONTRADICTION, TIER_PLACES
from specfactory.model import Frozen, Method, Tier

SHARED_MISTAKES = 2  # two independent sources seldom make the same two
SHARED_SENTENCES = 4
SENTENCE = 25  # characters from which on an identical quote is no accident
LONG_TEXT = 200  # characters from which on one identical quote shows that a feed is behind it
# Rows whose label and value are written alike: shops that write for themselves share less than
# half of them (measured on cameras), and eight hardly ever.
SHARED_ROWS, SAME_ROWS = 8, 0.9
_REPEATERS = (Tier.AGGREGATOR, Tier.COMMUNITY)  # one shared mistake is enough for these

Pair = tuple[str, str]


class Shared(Struct):
    """Common traits of two hosts."""

    mistakes: list[str] = field(default_factory=list)
    sentences: int = 0
    rows: int = 0  # fields of which both have a row
    same_rows: int = 0  # of these, label and value are written alike
    text: str = ""  # in which way their pages are one text
    differences: int = 0


class Copy(Frozen):
    """Why one host counts as a copy of another."""

    why: str
    is_mirror: bool = False  # of a better source: where it differs, it is old or altered


Copies = Mapping[str, Mapping[str, Copy]]
"""Copying host → the host it copies → why."""


def find_copies(fields: Mapping[str, list[Cluster]], texts: Mapping[str, PageText]) -> Copies:
    """The hosts that are no voice of their own, over all fields of a product.

    ``texts`` are the fingerprints of each page, by its id.
    """
    tiers: dict[str, int] = {}
    names: dict[str, set[str]] = defaultdict(set)
    pages: dict[str, set[str]] = defaultdict(set)
    for name, clusters in fields.items():
        for vote in (vote for cluster in clusters for vote in cluster.votes):
            place = TIER_PLACES[vote.candidate.evidence.tier]
            tiers[vote.host] = min(place, tiers.get(vote.host, place))
            names[vote.host].add(name)
            pages[vote.host].add(vote.candidate.evidence.page_id)
    if len(names) < 2:
        return {}
    shared: dict[Pair, Shared] = defaultdict(Shared)
    _add_mistakes(fields, shared)
    _add_sentences(fields, shared)
    _add_rows(fields, shared)
    for pair in combinations(sorted(names), 2):
        said = [[texts[page] for page in sorted(pages[host]) if page in texts] for host in pair]
        if why := next((why for a in said[0] for b in said[1] if (why := alike(a, b))), ""):
            shared[pair].text = why
    if shared:
        _add_differences(fields, shared)
    copies: dict[str, dict[str, Copy]] = defaultdict(dict)
    for pair in combinations(sorted(names), 2):
        # Of two hosts the one of the better tier, then with more fields, is the original.
        original, copy = sorted(pair, key=lambda host: (tiers[host], -len(names[host]), host))
        if owner_of(copy) == owner_of(original):
            copies[copy][original] = Copy(f"both belong to {owner_of(copy)}")
        elif pair in shared and (why := _why(shared[pair], list(Tier)[tiers[copy]])):
            better = bool(shared[pair].text) and tiers[copy] > tiers[original]
            copies[copy][original] = Copy(why, better)
    return copies


def mark_copies(clusters: Iterable[Cluster], copies: Copies) -> None:
    """Leave out copies wherever the host they copy says the same, and count the others.

    A copy of a better source that says something else is believed like a source that
    contradicts itself.
    """
    clusters = list(clusters)
    speaking = {host for cluster in clusters for host in cluster.hosts} if copies else set[str]()
    for cluster in clusters:
        for host in cluster.hosts if copies else ():
            of = copies.get(host, {})
            originals = sorted(o for o in of if o in cluster.hosts)
            mirrored = sorted(o for o in of if of[o].is_mirror and o in speaking)
            if originals:
                cluster.copies[host] = f"copies {originals[0]} ({of[originals[0]].why})"
            elif mirrored:
                cluster.hosts[host] += SELF_CONTRADICTION[-1]
                cluster.agreements[host] = f"differs from {mirrored[0]}, which it copies"
        cluster.settle()


def _why(shared: Shared, tier: Tier) -> str:
    mistakes = len(shared.mistakes)
    repeats = tier in _REPEATERS and mistakes and not shared.differences
    if repeats or mistakes >= max(SHARED_MISTAKES, shared.differences):
        named = ", ".join(sorted(shared.mistakes)[:3])
        return f"both have values that better sources contradict: {named}"
    if shared.sentences >= max(SHARED_SENTENCES, shared.differences):
        return f"word for word the same in {shared.sentences} fields"
    if shared.text:  # whose own values differ is counted there
        return shared.text
    if shared.same_rows >= max(SHARED_ROWS, SAME_ROWS * shared.rows):
        return f"{shared.same_rows} of {shared.rows} rows are written alike"
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
            shared[pair].text = "both show the text of one feed"
    for pair, count in counts.items():
        if count >= SHARED_SENTENCES:
            shared[pair].sentences = count


def _add_rows(fields: Mapping[str, list[Cluster]], shared: dict[Pair, Shared]) -> None:
    """Add the number of fields of which both hosts have a row, and of those written alike."""
    rows: dict[str, set[str]] = defaultdict(set)  # the fields of each host
    counts: dict[Pair, int] = defaultdict(int)
    for name, clusters in fields.items():
        hosts: dict[str, set[str]] = defaultdict(set)
        for vote in (vote for cluster in clusters for vote in cluster.votes):
            if row := _row(vote):
                hosts[row].add(vote.host)
                rows[vote.host].add(name)
        for pair in {p for group in hosts.values() for p in combinations(sorted(group), 2)}:
            counts[pair] += 1
    for pair, count in counts.items():
        if count >= SHARED_ROWS:
            shared[pair].same_rows = count
            shared[pair].rows = len(rows[pair[0]] & rows[pair[1]])


def _row(vote: Vote) -> str:
    """The label and the value of a vote as they are written; "" where the markup names it."""
    evidence = vote.candidate.evidence
    if evidence.label is None or evidence.method is Method.STRUCTURED:
        return ""
    return normal(" ".join(part.quote for part in (evidence.label, *evidence.values)))


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
