"""The plan of an attempt, before anything is fetched: what ``spec run --dry-run`` shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from specfactory.discover import Lead, chance, plan_round, sources_for
from specfactory.model import Attempt, Coverage, Level, PlannedSource, Product, Tier
from specfactory.orchestrate.coverage import open_fields
from specfactory.orchestrate.evidence import load_evidence, source_of
from specfactory.orchestrate.rounds import Round, Stop, next_round, round_of
from specfactory.orchestrate.tally import Tally
from specfactory.orchestrate.workbench import Workbench

PAGE_SECONDS = 1.0  # a first guess at a page's own time, besides the pause between requests
REQUESTS_PER_SOURCE = 2  # one to search, one to fetch


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """One round that would probably be made."""

    round: Round
    steps: tuple[PlannedSource, ...]
    expected_filled: float  # fields filled when it ends


@dataclass(frozen=True, slots=True)
class Preview:
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


def _imagine(
    bench: Workbench, tally: Tally, state: Coverage, max_pages: int
) -> tuple[list[PlannedRound], str]:
    contract, settings = tally.compiled.contract, bench.settings.plan
    missing = dict.fromkeys(open_fields(state), 1.0)  # field -> chance that it is still open
    rounds: list[PlannedRound] = []
    finished: int | None = None
    gained = 0.0
    while True:
        pages = sum(len(r.steps) for r in rounds)
        expected = _expected(tally, missing)
        following = next_round(
            finished, expected, round(gained), pages / max_pages, settings, bool(tally.readings)
        )
        if isinstance(following, Stop) and tally.due_leads():
            following = round_of(3 if finished is None else finished + 1, settings)
        if isinstance(following, Stop):
            return rounds, following.reason
        if pages >= max_pages:
            return rounds, "the budget of pages is spent"
        steps = plan_round(
            contract,
            tally.untried(),
            tally.open_leads(),
            [name for name, left in missing.items() if left > 0.5],
            tally.yields,
            following.tiers,
            min(following.sources, max_pages - pages),
        )
        if following.number == 0:
            steps = [step for step in steps if step.source.tier is Tier.MANUFACTURER]
        if not steps and following.number > 1:
            return rounds, "no source is left that may know more"
        before = sum(missing.values())
        for step in steps:
            tally.hosts[step.source.host] = "planned"
            tally.leads = [lead for lead in tally.leads if lead.url != step.url]
            past = tally.yields.get(step.source.host)
            for name in missing:
                missing[name] *= 1.0 - chance(contract, step.source, past, name)
        gained, finished = before - sum(missing.values()), following.number
        if steps:
            filled = len(contract.fields) - sum(missing.values())
            rounds.append(PlannedRound(following, tuple(steps), filled))


def _expected(tally: Tally, missing: dict[str, float]) -> Coverage:
    """The coverage one may expect: a field counts as filled when that is likelier than not."""
    fields = tally.compiled.contract.fields
    still = [name for name, left in missing.items() if left > 0.5]
    by_level = {
        level: tuple(name for name in still if fields[name].level is level) for level in Level
    }
    return Coverage(len(fields), len(fields) - len(still), by_level)
