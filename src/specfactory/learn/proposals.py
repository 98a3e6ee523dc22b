"""Proposals: a template per layout of a source, with its figures and what speaks against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.templates import Applied, Shape, apply_template, shape_of
from specfactory.learn.rules import Same, Trial, learn_and_try, same_words
from specfactory.learn.samples import (
    PAGE,
    PERSON,
    Conflict,
    Labelled,
    Sample,
    common_shape,
    find_copies,
    find_layouts,
)
from specfactory.learn.unlabelled import NOTHING_KNOWN, Knowledge, Taught, label_layout
from specfactory.model import Ballot, Candidate, FieldFigures, FieldType, Template, lower_bound
from specfactory.proof import reading
from specfactory.validate import validate

LEAST_TRIED = 3  # pages that must say a field before a template may have it
_HALF = 0.5  # a field that is wrong more often than that is not even proposed
_MAX_QUOTES = 2
_MAX_QUOTE = 80

Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A template for one layout; ``doubts`` are reasons why a person should look at it."""

    template: Template
    shape: Shape
    figures: tuple[FieldFigures, ...]
    accuracy: float
    lower_bound: float
    sample_count: int
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learning:
    """What learning came to: proposals, the samples left out and why, and contradictions."""

    proposals: tuple[Proposal, ...]
    left_out: dict[str, int]
    conflicts: tuple[Conflict, ...] = ()


def propose_templates(
    host: str,
    pages: Sequence[Labelled],
    compiled: CompiledContract,
    *,
    knowledge: Knowledge = NOTHING_KNOWN,
    adopt_at: float,
    least_pages: int,
    on_step: Step = lambda _: None,
) -> Learning:
    """Learn a template for every layout that has enough different pages.

    ``knowledge`` is what other sources say; it teaches where the pages do not speak themselves.
    """
    copies = set(find_copies([page.sample.page for page in pages]))
    kept = [page for at, page in enumerate(pages) if at not in copies]
    shapes = [shape_of(page.views.outline) for page in kept]
    layouts = find_layouts(shapes)
    left_out = Counter({"says the same as another page": len(copies)})
    left_out["has nothing to read"] = len(kept) - sum(map(len, layouts))
    conflicts = tuple(conflict for page in kept for conflict in page.conflicts)
    proposals = []
    for group in layouts:
        if len(group) < least_pages:
            left_out["its layout has too few pages"] += len(group)
            continue
        on_step(f"layout with {len(group)} pages")
        shape = common_shape([shapes[at] for at in group])
        taught = label_layout([kept[at] for at in group], knowledge, compiled)
        desk = _Layout(host, taught, compiled, adopt_at)
        made = desk.propose(shape)
        if made is None:
            left_out["nothing on its layout could be learned"] += len(group)
        else:
            proposals.append(made)
    return Learning(tuple(proposals), {k: n for k, n in left_out.items() if n}, conflicts)


class _Layout:
    """The pages of one layout, and what can be made of them."""

    def __init__(
        self, host: str, taught: Taught, compiled: CompiledContract, adopt_at: float
    ) -> None:
        self._host, self._pages, self._beliefs = host, taught.pages, taught.beliefs
        self._compiled, self._adopt_at = compiled, adopt_at

    def propose(self, shape: Shape) -> Proposal | None:
        """Try every field on pages left out; keep those that do well, and learn from all."""
        rare = self._rare()
        samples, fields = self._samples(rare), self._compiled.contract.fields
        single = {name for name, one in fields.items() if one.type is not FieldType.LIST}
        template, tried = learn_and_try(self._host, samples, self._same(), single)
        trials = {trial.field: trial for trial in tried}
        least = self._least(tried)
        figures = {f.field: f for f in self._figures(template, trials, rare, least)}
        template = without_fields(template, {f.field for f in figures.values() if f.left_out})
        if not template.fields:
            return None
        return self._proposal(replace(template, shape=tuple(sorted(shape))), shape, figures)

    def _proposal(
        self, template: Template, shape: Shape, figures: dict[str, FieldFigures]
    ) -> Proposal:
        kept = [one for one in figures.values() if not one.left_out]
        right, tried = sum(one.right for one in kept), sum(one.tried for one in kept)
        return Proposal(
            template,
            shape,
            tuple(sorted(figures.values(), key=lambda one: (bool(one.left_out), one.field))),
            right / tried if tried else 0.0,
            lower_bound(right, tried),
            len(self._pages),
            tuple(self._doubts(figures.values())),
        )

    def _doubts(self, figures: Collection[FieldFigures]) -> list[str]:
        doubts = [
            f"{one.field} was labelled by a person, but {one.left_out}"
            for one in figures
            if one.left_out and PERSON in one.origins and self._is_said(one.field)
        ]
        fields = sorted({c.field for page in self._pages for c in page.conflicts})
        return doubts + [f"persons contradict each other about {name}" for name in fields]

    def _is_said(self, name: str) -> bool:
        """Whether any page says it; what persons found nowhere leaves no doubt."""
        return any(page.sample.labels.get(name) for page in self._pages)

    def _rare(self) -> dict[str, int]:
        """Fields that too few pages say, with how many do."""
        counts = Counter(name for page in self._pages for name in page.sample.labels)
        told = Counter(
            name for page in self._pages for name, values in page.sample.labels.items() if values
        )
        return {name: told[name] for name in counts if told[name] < LEAST_TRIED}

    def _samples(self, without: Mapping[str, int]) -> list[Sample]:
        absent = self._absent()
        return [
            replace(
                page.sample,
                labels={
                    **{n: v for n, v in page.sample.labels.items() if n not in without},
                    **dict.fromkeys(sorted(absent - page.found - without.keys()), ()),
                },
            )
            for page in self._pages
        ]

    def _absent(self) -> frozenset[str]:
        """Fields that these pages always label: where the label is missing, so is the value."""
        origins: dict[str, set[str]] = {}
        for page in self._pages:
            for name, origin in page.origins.items():
                origins.setdefault(name, set()).add(origin)
        return frozenset(name for name, several in origins.items() if several == {PAGE})

    def _same(self) -> Same:
        """Words that give the same value are as right as the very words."""
        compiled = self._compiled

        def same(field: str, found: str, known: Collection[str]) -> bool:
            if same_words(field, found, known):
                return True
            if field not in compiled.contract.fields:
                return False
            try:
                value = compiled.derive(field, found)
                return any(compiled.same(field, value, compiled.derive(field, k)) for k in known)
            except NotDerivable:
                return False

        return same

    def _least(self, trials: Collection[Trial]) -> float:
        """The accuracy that a field needs; where none has it, what makes it worth a look."""
        believed = (trial.accuracy * self._beliefs.get(trial.field, 1.0) for trial in trials)
        good = any(accuracy >= self._adopt_at for accuracy in believed)
        return self._adopt_at if good else _HALF

    def _figures(
        self, template: Template, trials: dict[str, Trial], rare: dict[str, int], least: float
    ) -> Iterator[FieldFigures]:
        baseline = _Baseline(Applied(template), self._pages, self._compiled)
        for name in dict.fromkeys([*trials, *rare]):
            trial, belief = trials.get(name), self._beliefs.get(name, 1.0)
            figures = replace(
                baseline.of(name),
                right=round(trial.right * belief) if trial else 0,
                tried=trial.tried if trial else 0,
                origins=self._origins(name),
            )
            why = _seldom(rare[name]) if name in rare else _unsound(figures, least)
            if why and belief < least:
                why = f"what other sources say makes its place only {belief:.0%} likely"
            yield replace(figures, left_out=why)

    def _origins(self, name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(p.origins[name] for p in self._pages if name in p.origins))


def _seldom(pages: int) -> str:
    return f"only {pages} pages say it" if pages > 1 else f"{'one' if pages else 'no'} page says it"


def _unsound(figures: FieldFigures, least: float) -> str:
    """Why a field cannot be used; empty when it can."""
    if figures.tried < LEAST_TRIED:
        return f"only {figures.tried} pages could be tried"
    if figures.accuracy < least:
        return f"it was wrong on {figures.tried - figures.right} of {figures.tried} pages left out"
    if not figures.filled:
        return "it gives no value of the contract on any sample"
    if figures.valid < least * figures.filled:
        return f"{figures.filled - figures.valid} of {figures.filled} values do not hold"
    return ""


class _Baseline:
    """What a template finds on its own samples: what is later expected of it at work."""

    def __init__(
        self, applied: Applied, pages: Sequence[Labelled], compiled: CompiledContract
    ) -> None:
        self._found = [_found_on(applied, page, compiled) for page in pages]

    def of(self, name: str) -> FieldFigures:
        """The figures of one field, without those of the trial."""
        found = [page[name] for page in self._found if name in page]
        quotes = dict.fromkeys(_quote(candidate) for candidate, _ in found)
        return FieldFigures(
            name,
            pages=len(self._found),
            filled=len(found),
            valid=sum(valid for _, valid in found),
            quotes=tuple(quotes)[:_MAX_QUOTES],
        )


def _found_on(
    applied: Applied, page: Labelled, compiled: CompiledContract
) -> dict[str, tuple[Candidate, bool]]:
    candidates, _ = apply_template(applied, page.views, compiled)
    return {one.field: (one, validate(one, compiled) is None) for one in candidates}


def _quote(candidate: Candidate) -> str:
    return " ".join(map(reading, candidate.evidence.values))[:_MAX_QUOTE]


def without_fields(template: Template, names: Collection[str]) -> Template:
    """The template without some of its fields, and without the features that only they need."""
    fields = [one for one in template.fields if one.field not in names]
    ballots = [ballot for one in fields for ballot in (one.one, *one.parts)]
    used = sorted({at for ballot in ballots for rule in ballot.rules for at in rule.features})
    places = {old: new for new, old in enumerate(used)}

    def moved(ballot: Ballot) -> Ballot:
        rules = (
            replace(rule, features=tuple(places[at] for at in rule.features))
            for rule in ballot.rules
        )
        return replace(ballot, rules=tuple(rules))

    return replace(
        template,
        features=tuple(template.features[at] for at in used),
        fields=tuple(
            replace(one, one=moved(one.one), parts=tuple(map(moved, one.parts))) for one in fields
        ),
    )
