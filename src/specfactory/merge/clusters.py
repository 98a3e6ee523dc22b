"""Candidates of one field, grouped by the value they name."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from specfactory.contract import FIELD_TYPES, CompiledContract
from specfactory.contract.text import tokens
from specfactory.hosts import names_domain, owner_of
from specfactory.merge.weights import SELF_CONTRADICTION, TIER_PLACES, Scale, contest
from specfactory.model import (
    Candidate,
    Field,
    Frozen,
    Money,
    Tier,
    Value,
    field,
    host_without_www,
    replace,
)

OWN_WORDS = 0.25  # share of a name's words that no other host may confirm
_LONG = 4  # digits of a number that a shop gives out
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Vote(Frozen):
    """One candidate with its host and strength."""

    candidate: Candidate
    host: str
    strength: float


class Cluster(Struct):
    """Candidates that name the same value; ``value`` is always one of theirs."""

    votes: list[Vote]  # strongest first
    lead: Candidate  # stands for all
    hosts: dict[str, float] = field(default_factory=dict)  # host -> its strength here
    copies: dict[str, str] = field(default_factory=dict)  # host -> whom it copies, and why
    agreements: dict[str, str] = field(default_factory=dict)  # host -> its record so far, in words
    independent: list[float] = field(default_factory=list)  # of hosts that count, strongest first
    weight: float = 0.0  # among competing values

    @property
    def anchor(self) -> Value:
        """The value that others are compared with: the strongest vote's."""
        return self.votes[0].candidate.value

    @property
    def value(self) -> Value:
        """The value of the candidate that stands for all."""
        return self.lead.value

    def settle(self) -> None:
        """Count the sources, now that copies are known."""
        counted = [s for host, s in self.hosts.items() if host not in self.copies]
        self.independent = sorted(counted, reverse=True)
        self.weight = contest(self.independent)


Naming = Callable[[str], int | None]
"""Words of the thing's identity that a name has; None if it names something else or nothing."""


def gather(
    candidates: Iterable[Candidate],
    wanted: Field,
    compiled: CompiledContract,
    scale: Scale,
    naming: Naming | None = None,
) -> list[Cluster]:
    """Group equal values; numbers within the tolerance of a cluster's strongest vote.

    Where sources may differ, within that of every vote: a value between two does not make them
    agree. Candidates are sorted first, so that the order they came in does not matter. Texts that
    name the thing by ``naming`` agree, whatever their lengths; others are then no rivals.
    """
    votes = [
        Vote(c, host_without_www(c.evidence.url), scale.strength(c, wanted)) for c in candidates
    ]
    if len(votes) > 1:
        votes.sort(key=_rank)
    if naming is not None and compiled.roles[wanted.name].is_name:
        named = [vote for vote in votes if naming(str(vote.candidate.value)) is not None]
        if named:
            return [_of_names(named, naming, wanted, scale)]
    clusters: list[Cluster] = []
    for vote in votes:
        home = _home(clusters, vote.candidate.value, wanted, compiled)
        if home is None:
            clusters.append(Cluster([vote], vote.candidate))
        else:
            home.votes.append(vote)
    for cluster in clusters:
        _add_hosts(cluster)
        if len(cluster.votes) > 1:
            sure = [vote for vote in cluster.votes if not vote.candidate.doubt]
            cluster.lead = _representative(sure or cluster.votes, wanted)
    if len(clusters) > 1:
        _reduce_contradictions(clusters)
    return clusters


def _add_hosts(cluster: Cluster) -> None:
    for vote in cluster.votes:
        known = cluster.hosts.get(vote.host)
        if known is None or vote.strength > known:
            cluster.hosts[vote.host] = vote.strength


def _of_names(votes: list[Vote], naming: Naming, wanted: Field, scale: Scale) -> Cluster:
    """One cluster of names, led by the one that identifies the thing best.

    It has most words of the identity, then stands on the best tier, does not hold the name of
    its site or a long number that no other host has (the shop's own), and uses few words that
    no other host uses (the heading of a section, praise); of those the shortest.
    """
    words = [set(tokens(str(vote.candidate.value))) for vote in votes]

    def rank(at: int) -> tuple[int, int, bool, bool, bool, int]:
        vote, text = votes[at], str(votes[at].candidate.value)
        others = [w for w, other in zip(words, votes, strict=True) if other.host != vote.host]
        own = words[at].difference(*others)
        few = len(own) <= OWN_WORDS * len(words[at])
        numbered = bool(others) and any(sum(map(str.isdigit, word)) >= _LONG for word in own)
        site = max(vote.host.partition(":")[0].split(".")[:-1], key=len, default=vote.host)
        letters = "".join(filter(str.isalnum, text.casefold()))
        bears_site = site in letters or names_domain(text)
        tier = TIER_PLACES[vote.candidate.evidence.tier]
        return -(naming(text) or 0), tier, bears_site, numbered, not few, len(words[at])

    lead = votes[min(range(len(votes)), key=rank)].candidate
    # What names the thing is its name: doubt about the reading is settled.
    sure = [
        replace(vote, strength=scale.strength(replace(vote.candidate, likelihood=None), wanted))
        for vote in votes
    ]
    cluster = Cluster(sorted(sure, key=_rank), lead)
    _add_hosts(cluster)
    return cluster


def _rank(vote: Vote) -> tuple[Any, ...]:
    """Strongest first, and then everything that distinguishes two candidates."""
    candidate, evidence = vote.candidate, vote.candidate.evidence
    spans = [(s.view, s.start, s.end, s.quote) for s in evidence.values]
    rest = (evidence.method, -evidence.seen_at, evidence.page_id, candidate.subject or "")
    return (-vote.strength, vote.host, evidence.url, spans, *rest, repr(candidate.value))


def _home(
    clusters: list[Cluster], value: Value, wanted: Field, compiled: CompiledContract
) -> Cluster | None:
    # Equal values are by far the most common case and need no contract.
    for cluster in clusters:
        anchor = cluster.anchor
        if type(anchor) is type(value) and anchor == value:
            return cluster
    for cluster in clusters:
        votes = cluster.votes if wanted.source_dependent else cluster.votes[:1]
        if all(compiled.same(wanted.name, vote.candidate.value, value) for vote in votes):
            return cluster
    return None


def _reduce_contradictions(clusters: list[Cluster]) -> None:
    """Reduce the strength of owners of hosts that name several values."""
    alone, equal, weaker = SELF_CONTRADICTION
    hosts = {host for cluster in clusters for host in cluster.hosts}
    owners: dict[str, set[str]] = {}
    for host in hosts:
        owners.setdefault(owner_of(host) if len(hosts) > 1 else host, set()).add(host)
    for own in owners.values():
        homes = [cluster for cluster in clusters if not own.isdisjoint(cluster.hosts)]
        if len(homes) < 2:
            continue
        strengths = [max(c.hosts[host] for host in own & c.hosts.keys()) for c in homes]
        best = max(strengths)
        shift_best = alone if strengths.count(best) == 1 else equal
        for cluster, strength in zip(homes, strengths, strict=True):
            for host in own & cluster.hosts.keys():
                cluster.hosts[host] += shift_best if strength == best else weaker


def _representative(votes: list[Vote], wanted: Field) -> Candidate:
    """Best tier, as written rather than converted, most digits; then the strongest."""
    tiers = [vote.candidate.evidence.tier for vote in votes]
    # The field's preferred tiers come before all others.
    places = [
        wanted.tiers.index(tier) - len(Tier) if tier in wanted.tiers else TIER_PLACES[tier]
        for tier in tiers
    ]
    best = min(places)
    able = [v.candidate for v, place in zip(votes, places, strict=True) if place == best]
    if all(type(c.value) is type(able[0].value) and c.value == able[0].value for c in able):
        return next((c for c in able if as_written(c)), able[0])
    return min(able, key=lambda c: (not as_written(c), -_digits(c.value, wanted)))


def as_written(candidate: Candidate) -> bool:
    """True if the value's number stands in its quote, so that no unit was converted."""
    value = candidate.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    words = " ".join(snippet.quote for snippet in candidate.evidence.values)
    for text in _NUMBER.findall(words):
        plain = text.replace(",", ".")  # a decimal comma; else separators group digits
        if plain.count(".") <= 1 and float(plain) == value:
            return True
        if float(re.sub(r"[.,]", "", text)) == value:
            return True
    return False


def _digits(value: Value, wanted: Field) -> int:
    """The precision of a number or a date."""
    if isinstance(value, Money):
        value = value.amount
    if FIELD_TYPES[wanted.type].may_be_prefix:
        return len(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return sum(char.isdigit() for char in f"{value:.10g}".strip("0"))
