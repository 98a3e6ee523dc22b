"""Proposed templates: one per layout of a source, with its figures and doubts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.templates import Applied, Shape, apply_template
from specfactory.learn.comparison import Contest, compare_answers, words_of
from specfactory.learn.layouts import common_shape, find_copies, find_layouts
from specfactory.learn.page_labels import LAYOUT, PAGE, PERSON, Conflict, Labelled
from specfactory.learn.rules import Trial, learn_and_try, move_features, same_words, shown_pages
from specfactory.learn.samples import Labels, Sample
from specfactory.learn.steps import step
from specfactory.learn.unlabelled import NOTHING_KNOWN, Knowledge, Taught, label_layout
from specfactory.model import (
    Candidate,
    FieldFigures,
    FieldType,
    Frozen,
    Template,
    field,
    lower_bound,
    replace,
)
from specfactory.validate import validate

LEAST_TRIED = 3  # pages that must state a field before a template may have it
_UNSAID = "no page of the layout says it clearly, and no other source tells where it stands"
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
    shapes = [page.shape for page in kept]
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
        taught = _taught([kept[at] for at in group], knowledge, compiled)
        made = _Layout(host, taught, compiled, adopt_at).propose(shape)
        if made.template.fields:
            proposals.append(made)
            continue
        left_out["nothing on its layout could be learned"] += len(group)
        why_not = {one.field: one.left_out for one in made.figures}
        refused = {name: why_not.get(name, _UNSAID) for name in compiled.contract.fields} | refused
    counts = {why: count for why, count in left_out.items() if count}
    return Learning(tuple(proposals), counts, conflicts, refused)


class _Labels(Frozen):
    """Labels of all pages of a layout, as ``Taught`` has them."""

    pages: list[tuple[Labels, Mapping[str, str]]]  # with their origins
    beliefs: Mapping[str, float]


def _taught(pages: Sequence[Labelled], knowledge: Knowledge, compiled: CompiledContract) -> Taught:
    """Label the pages of a layout, as one step of learning."""

    def work() -> _Labels:
        taught = label_layout(pages, knowledge, compiled)
        labels = [(one.sample.labels, one.origins) for one in taught.pages]
        return _Labels(labels, taught.beliefs)

    known = [(p.views.page.content_hash, p.sample.labels, p.origins, p.matched) for p in pages]
    made = step(_Labels, (known, knowledge.names, knowledge.sources), work)
    labelled = [
        replace(page, sample=replace(page.sample, labels=labels), origins=origins)
        for page, (labels, origins) in zip(pages, made.pages, strict=True)
    ]
    return Taught(labelled, made.beliefs)


class _Layout:
    """Pages of one layout, from which a template is proposed."""

    def __init__(
        self, host: str, taught: Taught, compiled: CompiledContract, adopt_at: float
    ) -> None:
        self._host, self._pages, self._beliefs = host, taught.pages, taught.beliefs
        self._compiled, self._adopt_at = compiled, adopt_at

    def propose(self, shape: Shape) -> TemplateProposal:
        """Try every field on pages left out; keep those that do well, and learn from all."""
        counts = Counter(name for page in self._pages for name in page.sample.labels)
        stated = Counter(n for page in self._pages for n, v in page.sample.labels.items() if v)
        rare = {name: stated[name] for name in counts if stated[name] < LEAST_TRIED}
        fields = self._compiled.contract.fields
        single = {name for name, one in fields.items() if one.type is not FieldType.LIST}
        samples = self._samples(rare)
        template, tried = learn_and_try(self._host, samples, self._same, single)
        # Where no field is accurate enough to adopt, those worth a person's look are kept.
        believed = (trial.accuracy * self._beliefs.get(trial.field, 1.0) for trial in tried)
        good = any(accuracy >= self._adopt_at for accuracy in believed)
        least = self._adopt_at if good else _HALF
        trials = {trial.field: trial for trial in tried}
        shown = {name: shown_pages(name, samples) for name in trials}
        figures = list(self._figures(template, trials, rare, least, shown))
        if good:
            figures = sound_together(figures, self._adopt_at)
            sure = [one for one in figures if not one.left_out]
            if lower_bound(sum(f.right for f in sure), sum(f.tried for f in sure)) < self._adopt_at:
                # A person is asked anyway, and may want more of it.
                figures = list(self._figures(template, trials, rare, _HALF, shown))
        template = calibrate(template, figures)
        doubts = [
            f"{one.field} was labelled by a person, but {one.left_out}"
            for one in figures
            if one.left_out and PERSON in one.origins and stated[one.field]
            if one.worse <= one.better  # else the page itself reads it better: nothing is amiss
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
        labelled = frozenset(name for name, some in origins.items() if some <= {PAGE, LAYOUT})
        return [
            replace(
                page.sample,
                labels={
                    **dict.fromkeys(sorted(labelled - page.found - without.keys()), ()),
                    **{n: v for n, v in page.sample.labels.items() if n not in without},
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
        self,
        template: Template,
        trials: dict[str, Trial],
        rare: dict[str, int],
        least: float,
        shown: Mapping[str, Collection[int]],
    ) -> Iterator[FieldFigures]:
        applied = Applied(template)
        # What the template finds on its own samples is later expected of it at work.
        on_pages: list[dict[str, tuple[Candidate, bool]]] = []
        for page in self._pages:
            candidates, _ = apply_template(applied, page.views, self._compiled)
            page.views.forget()
            valid = {c.field: (c, validate(c, self._compiled) is None) for c in candidates}
            on_pages.append(valid)
        for name in dict.fromkeys([*trials, *rare]):
            trial, belief = trials.get(name), self._beliefs.get(name, 1.0)
            found = [page[name] for page in on_pages if name in page]
            texts = (words_of(one)[:_MAX_QUOTE] for one, _ in found)
            contest = Contest()
            for at, (page, own) in enumerate(zip(self._pages, on_pages, strict=True)):
                if at not in shown.get(name, ()) and name not in rare:
                    given = own[name][0] if name in own else None
                    contest = contest.plus(
                        compare_answers(name, page, given, self._compiled, self._same)
                    )
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
                better=contest.better,
                worse=contest.worse,
            )
            why = _unsound(figures, rare.get(name), least) or _outdone(contest)
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


def _outdone(contest: Contest) -> str:
    """Reason why the pages are read better without the template; empty when they are not."""
    if contest.contradicted > contest.confirmed:
        count = contest.contradicted + contest.confirmed
        return (
            f"records of the same things say otherwise on {contest.contradicted} of {count} pages"
        )
    if contest.worse > contest.better:
        return (
            f"the pages give it better without a template: {contest.worse} left out became worse, "
            f"{contest.better} better"
        )
    return ""


def sound_together(figures: Sequence[FieldFigures], least: float) -> list[FieldFigures]:
    """Leave out the least accurate fields, where all together are not sure enough to adopt."""
    kept = sorted((one for one in figures if not one.left_out), key=lambda one: one.accuracy)
    weak: set[str] = set()
    while len(kept) > 1 and kept[0].accuracy < 1:
        right, tried = sum(one.right for one in kept), sum(one.tried for one in kept)
        if lower_bound(right, tried) >= least or PERSON in kept[0].origins:
            break
        weak.add(kept.pop(0).field)
    right, tried = sum(one.right for one in kept), sum(one.tried for one in kept)
    if lower_bound(right, tried) < least:
        return list(figures)  # nothing is gained: all of them are shown to a person
    why = "its {} of {} right answers on pages left out are too few beside the other fields"
    return [
        replace(one, left_out=why.format(one.right, one.tried)) if one.field in weak else one
        for one in figures
    ]


def calibrate(template: Template, figures: Sequence[FieldFigures]) -> Template:
    """Keep the sound fields, each with the likelihood that pages left out give it."""
    kept = without_fields(template, {one.field for one in figures if one.left_out})
    by_field = {one.field: one for one in figures}
    fields = (
        replace(
            one,
            likelihood=round(by_field[one.field].likelihood, 4),
            leads=by_field[one.field].better > by_field[one.field].worse,
        )
        for one in kept.fields
    )
    return replace(kept, fields=tuple(fields))


def without_fields(template: Template, names: Collection[str]) -> Template:
    """Remove fields from a template, and the features that only they need."""
    fields = [one for one in template.fields if one.field not in names]
    ballots = [ballot for one in fields for ballot in (one.one, *one.parts)]
    used = sorted({at for ballot in ballots for rule in ballot.rules for at in rule.features})
    places = {old: new for new, old in enumerate(used)}
    moved = partial(move_features, places=places)
    return replace(
        template,
        features=tuple(template.features[at] for at in used),
        fields=tuple(
            replace(one, one=moved(one.one), parts=tuple(map(moved, one.parts))) for one in fields
        ),
    )
