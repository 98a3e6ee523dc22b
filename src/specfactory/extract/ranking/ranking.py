"""Ranking of all values that a page offers for a field, those without a label included."""

from collections.abc import Hashable, Mapping
from dataclasses import replace

from msgspec import Struct, field

from specfactory.contract import CompiledContract
from specfactory.extract.learned import Group, ranking
from specfactory.extract.page import FIXED, CandidateMaker, RegionKind
from specfactory.extract.ranking.groups import Grouping, Groups
from specfactory.extract.unlabelled import Places
from specfactory.model import Candidate, Method, ViewName

_MAX_GROUPS = 6  # values kept per field
_UNRANKED = 0.3  # likelihood of an unlabelled value where no ranking is shipped


class Ranked(Struct):
    """A page's candidates with likelihoods; the floors and the reasons of what was ranked."""

    candidates: list[Candidate]
    floors: dict[str, float] = field(default_factory=dict)
    reasons: dict[tuple[str, Hashable], tuple[str, ...]] = field(default_factory=dict)


def rank_values(maker: CandidateMaker, places: Places) -> Ranked:
    """Add values without a label and give every candidate of a ranked field its likelihood."""
    roles = _ranked_fields(maker.compiled)
    ranked = Ranked([one for one in maker.candidates if not _is_ranked(one, roles)])
    for name, groups in offered_values(maker, places).items():
        weights = ranking().get(roles[name])
        if weights is None:
            for group in groups.values():
                fallback = [replace(group.candidates[0], likelihood=_UNRANKED)]
                ranked.candidates += _labelled(group) or fallback
            continue
        ranked.floors[name] = weights.floor
        likely = weights.likelihoods(list(groups.values()))
        order = sorted(zip(likely, groups.items(), strict=True), key=lambda one: -one[0])
        for at, (likelihood, (key, group)) in enumerate(order):
            shown = _labelled(group)
            if at < _MAX_GROUPS:
                ranked.reasons[name, key] = weights.reasons(group)
                # Of those without a label, the one that stands best is quoted.
                sums = [weights.sum_of(place) for place in group.places]
                best = sums.index(max(sums)) if len(sums) == len(group.candidates) else 0
                shown = shown or [group.candidates[best]]
            ranked.candidates += [replace(one, likelihood=likelihood) for one in shown]
    return ranked


def offered_values(maker: CandidateMaker, places: Places) -> dict[str, Groups]:
    """The groups of values that a page offers for each field that is ranked."""
    roles, fields = _ranked_fields(maker.compiled), maker.compiled.contract.fields
    by_field: dict[str, list[Candidate]] = {name: [] for name in roles}
    for candidate in maker.candidates:
        if _is_ranked(candidate, roles):
            by_field[candidate.field].append(candidate)
    grouping = Grouping(maker, places)
    return {
        name: grouping.groups(fields[name], role, by_field[name]) for name, role in roles.items()
    }


def _ranked_fields(compiled: CompiledContract) -> dict[str, str]:
    return {name: role.ranked_as for name, role in compiled.roles.items() if role.ranked_as}


def _is_ranked(candidate: Candidate, roles: Mapping[str, str]) -> bool:
    return candidate.field in roles and candidate.evidence.method not in FIXED


def _labelled(group: Group) -> list[Candidate]:
    return [one for one in group.candidates if one.evidence.method is not Method.VISIBLE]


def for_the_line(ranked: Ranked, compiled: CompiledContract, places: Places) -> list[Candidate]:
    """The candidates that may go down the line, where other stations settle identity.

    An unlabelled value only when it is the likeliest of its field, likely enough, and stands
    in the page's own part, where no label gives it to another field. A code without a label
    does not say whose it is.
    """
    taken = {_end(one) for one in ranked.candidates if one.evidence.method is not Method.VISIBLE}
    best: dict[str, float] = {}
    for one in ranked.candidates:
        best[one.field] = max(best.get(one.field, 0.0), one.likelihood or 0.0)
    kept = []
    for one in ranked.candidates:
        if one.field in ranked.floors and one.evidence.method is Method.VISIBLE:
            first = one.evidence.values[0]
            if (
                (one.likelihood or 0.0) < max(best[one.field], ranked.floors[one.field])
                or compiled.roles[one.field].family == "id"
                or _end(one) in taken
            ):
                continue
            in_text = first.view is ViewName.TEXT
            if in_text and places.kind(places.at(first.start, first.end)) is not RegionKind.OWN:
                continue
        kept.append(one)
    return kept


def _end(candidate: Candidate) -> tuple[ViewName, int]:
    last = candidate.evidence.values[-1]
    return last.view, last.end
