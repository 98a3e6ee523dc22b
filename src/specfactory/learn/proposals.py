"""Proposed templates: one per layout of a source, with its figures and doubts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.templates import Applied, Shape, apply_template, shape_of
from specfactory.learn.layouts import common_shape, find_copies, find_layouts
from specfactory.learn.page_labels import PAGE, PERSON, Conflict, Labelled
from specfactory.learn.rules import Trial, learn_and_try, same_words
from specfactory.learn.samples import Sample
from specfactory.learn.unlabelled import NOTHING_KNOWN, Knowledge, Taught, label_layout
from specfactory.model import (
    Ballot,
    Candidate,
    FieldFigures,
    FieldType,
    Frozen,
    Template,
    field,
    lower_bound,
    replace,
)
from specfactory.proof import reading
from specfactory.validate import validate

LEAST_TRIED = 3  # pages that must state a field before a template may have it
_HALF = 0.5  # accuracy below which a field is not even proposed
_MAX_QUOTES = 2
_MAX_QUOTE = 80

Step = Callable[[str], None]


class TemplateProposal(Frozen):
    """Template for one layout; ``doubts`` are reasons for a person's review."""

    template: Template
    figures: tuple[FieldFigures, ...]
    accuracy: float
    lower_bound: float
    sample_count: int
    doubts: tuple[str, ...] = ()


class Learning(Frozen):
    """Result of learning: proposals, samples left out by reason, and contradictions."""

    proposals: tuple[TemplateProposal, ...]
    left_out: dict[str, int]
    conflicts: tuple[Conflict, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)  # fields of layouts without a template


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

    ``knowledge`` of other sources gives labels where the pages have none themselves.
    """
    copies = set(find_copies([page.sample.page for page in pages]))
    kept = [page for at, page in enumerate(pages) if at not in copies]
    shapes = [shape_of(page.views.outline) for page in kept]
    layouts = find_layouts(shapes)
    left_out = Counter({"says the same as another page": len(copies)})
    left_out["has nothing to read"] = len(kept) - sum(map(len, layouts))
    conflicts = tuple(conflict for page in kept for conflict in page.conflicts)
    proposals, refused = [], dict[str, str]()
    for group in layouts:
        if len(group) < least_pages:
            left_out["its layout has too few pages"] += len(group)
            continue
        on_step(f"layout with {len(group)} pages")
        shape = common_shape([shapes[at] for at in group])
        taught = label_layout([kept[at] for at in group], knowledge, compiled)
        layout = _Layout(host, taught, compiled, adopt_at)
        made = layout.propose(shape)
        if made is None:
            left_out["nothing on its layout could be learned"] += len(group)
            refused = layout.refused | refused
        else:
            proposals.append(made)
    counts = {why: count for why, count in left_out.items() if count}
    return Learning(tuple(proposals), counts, conflicts, refused)


class _Layout:
    """Pages of one layout, from which a template is proposed."""

    def __init__(
        self, host: str, taught: Taught, compiled: CompiledContract, adopt_at: float
    ) -> None:
        self._host, self._pages, self._beliefs = host, taught.pages, taught.beliefs
        self._compiled, self._adopt_at = compiled, adopt_at
        self.refused: dict[str, str] = {}  # fields with the reason, where none was learned

    def propose(self, shape: Shape) -> TemplateProposal | None:
        """Try every field on pages left out; keep those that do well, and learn from all."""
        counts = Counter(name for page in self._pages for name in page.sample.labels)
        stated = Counter(n for page in self._pages for n, v in page.sample.labels.items() if v)
        rare = {name: stated[name] for name in counts if stated[name] < LEAST_TRIED}
        fields = self._compiled.contract.fields
        single = {name for name, one in fields.items() if one.type is not FieldType.LIST}
        template, tried = learn_and_try(self._host, self._samples(rare), self._same, single)
        # Where no field is accurate enough to adopt, those worth a person's look are kept.
        believed = (trial.accuracy * self._beliefs.get(trial.field, 1.0) for trial in tried)
        good = any(accuracy >= self._adopt_at for accuracy in believed)
        least = self._adopt_at if good else _HALF
        trials = {trial.field: trial for trial in tried}
        figures = list(self._figures(template, trials, rare, least))
        template = without_fields(template, {f.field for f in figures if f.left_out})
        if not template.fields:
            self.refused = {one.field: one.left_out for one in figures}
            return None
        doubts = [
            f"{one.field} was labelled by a person, but {one.left_out}"
            for one in figures
            if one.left_out and PERSON in one.origins and stated[one.field]
        ]
        conflicts = sorted({c.field for page in self._pages for c in page.conflicts})
        doubts += [f"persons contradict each other about {name}" for name in conflicts]
        kept = [one for one in figures if not one.left_out]
        right, count = sum(one.right for one in kept), sum(one.tried for one in kept)
        return TemplateProposal(
            replace(template, shape=tuple(sorted(shape))),
            tuple(sorted(figures, key=lambda one: (bool(one.left_out), one.field))),
            right / count if count else 0.0,
            lower_bound(right, count),
            len(self._pages),
            tuple(doubts),
        )

    def _samples(self, without: Mapping[str, int]) -> list[Sample]:
        origins: dict[str, set[str]] = {}
        for page in self._pages:
            for name, origin in page.origins.items():
                origins.setdefault(name, set()).add(origin)
        # Where pages always label a field, a missing label means a missing value.
        labelled = frozenset(name for name, several in origins.items() if several == {PAGE})
        return [
            replace(
                page.sample,
                labels={
                    **{n: v for n, v in page.sample.labels.items() if n not in without},
                    **dict.fromkeys(sorted(labelled - page.found - without.keys()), ()),
                },
            )
            for page in self._pages
        ]

    def _same(self, field: str, found: str, known: Collection[str]) -> bool:
        """Compare words by the values that they give, too."""
        compiled = self._compiled
        if same_words(field, found, known):
            return True
        if field not in compiled.contract.fields:
            return False
        try:
            value = compiled.derive(field, found)
            return any(compiled.same(field, value, compiled.derive(field, k)) for k in known)
        except NotDerivable:
            return False

    def _figures(
        self, template: Template, trials: dict[str, Trial], rare: dict[str, int], least: float
    ) -> Iterator[FieldFigures]:
        applied = Applied(template)
        # What the template finds on its own samples is later expected of it at work.
        on_pages: list[dict[str, tuple[Candidate, bool]]] = []
        for page in self._pages:
            candidates, _ = apply_template(applied, page.views, self._compiled)
            valid = {c.field: (c, validate(c, self._compiled) is None) for c in candidates}
            on_pages.append(valid)
        for name in dict.fromkeys([*trials, *rare]):
            trial, belief = trials.get(name), self._beliefs.get(name, 1.0)
            found = [page[name] for page in on_pages if name in page]
            texts = (" ".join(map(reading, one.evidence.values))[:_MAX_QUOTE] for one, _ in found)
            figures = FieldFigures(
                name,
                right=round(trial.right * belief) if trial else 0,
                tried=trial.tried if trial else 0,
                pages=len(on_pages),
                filled=len(found),
                valid=sum(valid for _, valid in found),
                quotes=tuple(dict.fromkeys(texts))[:_MAX_QUOTES],
                origins=tuple(
                    dict.fromkeys(p.origins[name] for p in self._pages if name in p.origins)
                ),
            )
            why = _unsound(figures, rare.get(name), least)
            if why and belief < least:
                why = f"what other sources say makes its place only {belief:.0%} likely"
            yield replace(figures, left_out=why)


def _unsound(figures: FieldFigures, seldom: int | None, least: float) -> str:
    """Reason why a field cannot be used; empty when it can.

    ``seldom`` is the number of pages that state it, where they are too few.
    """
    if seldom is not None:
        if seldom > 1:
            return f"only {seldom} pages say it"
        return f"{'one' if seldom else 'no'} page says it"
    if figures.tried < LEAST_TRIED:
        return f"only {figures.tried} pages could be tried"
    if figures.accuracy < least:
        return f"it was wrong on {figures.tried - figures.right} of {figures.tried} pages left out"
    if not figures.filled:
        return "it gives no value of the contract on any sample"
    if figures.valid < least * figures.filled:
        return f"{figures.filled - figures.valid} of {figures.filled} values do not hold"
    return ""


def without_fields(template: Template, names: Collection[str]) -> Template:
    """Remove fields from a template, and the features that only they need."""
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
