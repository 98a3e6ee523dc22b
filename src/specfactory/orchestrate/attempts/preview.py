"""The plan of an attempt, before anything is fetched: what ``spec run --dry-run`` shows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from specfactory.discover import Lead, chance, plan_round, sources_for
from specfactory.model import Attempt, Coverage, Frozen, Level, PlannedSource, Product, Tier
from specfactory.orchestrate.attempts.coverage import open_fields
from specfactory.orchestrate.attempts.rounds import Round, Stop, next_round, round_of
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import load_evidence, source_of
from specfactory.orchestrate.bench import Workbench

PAGE_SECONDS = 1.0  # a first guess at a page's own time, besides the pause between requests
REQUESTS_PER_SOURCE = 2  # one to search, one to fetch


class PlannedRound(Frozen):
    """One round that would probably be made."""

    round: Round
    steps: tuple[PlannedSource, ...]
    expected_filled: float  # fields filled when it ends


class Preview(Frozen):
    """What an attempt would probably do and cost."""

    product: Product
    already_filled: int
    total_fields: int
    rounds: tuple[PlannedRound, ...]
    stop_reason: str
    pages: int
    seconds: float
    cost_usd: float
    fresh_hosts: tuple[str, ...]


async def preview_attempt(
    bench: Workbench, product: Product, urls: Sequence[str] = (), max_pages: int | None = None
) -> Preview:
    """Plan all rounds on expectations alone; nothing is fetched and nothing is written."""
    compiled = bench.contract(product.category)
    budget = bench.settings.budget.budget()
    named = bench.sources(product.category)
    sources = sources_for(product, named)
    tally = Tally(product, compiled, Attempt("preview", product.id, budget, 0), sources)
    tally.leads += [Lead(source_of(url, product, named), url, "given", given=True) for url in urls]
    await load_evidence(bench, tally, refresh=False)
    state = tally.merge(bench.settings.publish.min_confidence, bench.clock.now())
    rounds, reason = _imagine(bench, tally, state, max_pages or budget.max_pages)
    pages = sum(len(planned.steps) for planned in rounds)
    delay = bench.settings.fetch.host_delay_seconds
    at_once = bench.settings.plan.sources_at_once
    seconds = pages * (PAGE_SECONDS + delay * (REQUESTS_PER_SOURCE - 1)) / at_once
    return Preview(
        product,
        state.filled,
        state.total,
        tuple(rounds),
        reason,
        pages,
        seconds,
        0.0,
        tuple(sorted(tally.fresh)),
    )


class _Course(Struct):
    """How far the rounds are imagined."""

    missing: dict[str, float]  # field -> the chance that it is still open
    rounds: list[PlannedRound] = field(default_factory=list)
    finished: int | None = None
    gained: float = 0.0  # by the last round

    @property
    def pages(self) -> int:
        """The pages of all rounds so far."""
        return sum(len(planned.steps) for planned in self.rounds)

    @property
    def still_open(self) -> list[str]:
        """The fields that are likelier open than filled."""
        return [name for name, left in self.missing.items() if left > 0.5]


def _imagine(
    bench: Workbench, tally: Tally, state: Coverage, max_pages: int
) -> tuple[list[PlannedRound], str]:
    course = _Course(dict.fromkeys(open_fields(state), 1.0))
    while True:
        following = _following(bench, tally, course, max_pages)
        if isinstance(following, Stop):
            return course.rounds, following.reason
        if course.pages >= max_pages:
            return course.rounds, "the budget of pages is spent"
        steps = _steps(tally, course, following, max_pages)
        if not steps and following.number > 1:
            return course.rounds, "no source is left that may know more"
        _make(tally, course, following, steps)


def _following(bench: Workbench, tally: Tally, course: _Course, max_pages: int) -> Round | Stop:
    settings, share = bench.settings.plan, course.pages / max_pages
    following = next_round(
        course.finished, _expected(tally, course), round(course.gained), share, settings,
        bool(tally.readings),
    )  # fmt: skip
    if isinstance(following, Stop) and tally.due_leads():
        return round_of(3 if course.finished is None else course.finished + 1, settings)
    return following


def _steps(tally: Tally, course: _Course, following: Round, max_pages: int) -> list[PlannedSource]:
    steps = plan_round(
        tally.compiled.contract,
        tally.untried(),
        tally.open_leads(),
        course.still_open,
        tally.yields,
        following.tiers,
        min(following.sources, max_pages - course.pages),
    )
    if following.number == 0:
        return [step for step in steps if step.source.tier is Tier.MANUFACTURER]
    return steps


def _make(tally: Tally, course: _Course, made: Round, steps: Sequence[PlannedSource]) -> None:
    """Go on as if the round had been made and had brought what may be expected."""
    contract, before = tally.compiled.contract, sum(course.missing.values())
    for step in steps:
        tally.hosts[step.source.host] = "planned"
        tally.leads = [lead for lead in tally.leads if lead.url != step.url]
        past = tally.yields.get(step.source.host)
        for name in course.missing:
            course.missing[name] *= 1.0 - chance(contract, step.source, past, name)
    left = sum(course.missing.values())
    course.gained, course.finished = before - left, made.number
    if steps:
        course.rounds.append(PlannedRound(made, tuple(steps), len(contract.fields) - left))


def _expected(tally: Tally, course: _Course) -> Coverage:
    """The coverage one may expect: a field counts as filled when that is likelier than not."""
    fields, still = tally.compiled.contract.fields, course.still_open
    by_level = {
        level: tuple(name for name in still if fields[name].level is level) for level in Level
    }
    return Coverage(len(fields), len(fields) - len(still), by_level)
