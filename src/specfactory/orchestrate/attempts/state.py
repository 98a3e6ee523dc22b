"""The state of one running attempt: what was spent, read and tried so far."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import Struct, field

from specfactory.contract import CompiledContract
from specfactory.contract.text import tokens
from specfactory.declared_events import event
from specfactory.discover import Lead, plan_round
from specfactory.identify import NEUTRAL_CONFIDENCE, judge_subject
from specfactory.merge import MergeKnowledge, PageText, merge
from specfactory.model import (
    Attempt,
    Coverage,
    Decision,
    Event,
    FieldResult,
    Instant,
    Job,
    Json,
    Level,
    PlannedSource,
    Product,
    Source,
    SourceYield,
    Spent,
    Tier,
    Verdict,
)
from specfactory.orchestrate.attempts.model_fields import without_outranked
from specfactory.orchestrate.attempts.rounds import Round, Stop, next_round, round_of
from specfactory.orchestrate.attempts.variant_conflicts import FoundVariant, tell_apart, variants_of
from specfactory.orchestrate.bench import Workbench, exhausted
from specfactory.store import Reading


class Tally(Struct):
    """Everything that changes while an attempt runs."""

    bench: Workbench
    product: Product
    compiled: CompiledContract
    attempt: Attempt
    sources: tuple[Source, ...]
    job: Job | None = None  # whose lease fences the end of the attempt
    siblings: tuple[Product, ...] = ()
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    identity_decided: bool = False  # a person has said whether unsure pages are this product's
    identity_accepted: bool = False
    yields: Mapping[str, SourceYield] = field(default_factory=dict)
    knowledge: MergeKnowledge = field(default_factory=MergeKnowledge)
    leads: list[Lead] = field(default_factory=list)
    readings: dict[str, Reading] = field(default_factory=dict)  # by the URL of the page
    read_again: list[Reading] = field(default_factory=list)  # of stored pages; written at the end
    hosts: dict[str, str] = field(default_factory=dict)  # host -> how it ended
    notes: dict[str, str] = field(default_factory=dict)  # host -> why it was refused
    paused: dict[str, Instant] = field(default_factory=dict)  # host -> when it may be asked
    asked: set[str] = field(default_factory=set)  # URLs that this attempt has fetched
    fresh: set[str] = field(default_factory=set)  # hosts that need not be asked again
    chosen_variant: str = ""  # by a person, of those that pages are about
    seen_variants: dict[str, set[str]] = field(default_factory=dict)  # of pages found, their URLs
    of_variants: dict[str, Reading] = field(default_factory=dict)  # as first read, by URL
    variants: tuple[FoundVariant, ...] = ()  # of a product that names none
    disputed: bool = False  # which of the variants is meant is to be asked
    results: dict[str, FieldResult] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    stopped_by: str | None = None  # the budget that ended the attempt
    stop_reason: str = ""
    events: list[Event] = field(default_factory=list)  # not in the outbox yet
    began: float = 0.0  # by the monotonic clock

    async def emit(self, name: str, /, **fields: Json) -> None:
        """Publish an event of the attempt now, and keep it for the outbox."""
        ids = {"attempt_id": self.attempt.id, "product_id": self.product.id}
        happened = event(name, self.bench.clock.now(), **ids, **fields)
        self.events.append(happened)
        await self.bench.state.publish([happened])

    def drain(self) -> list[Event]:
        """The events that are not yet in the outbox."""
        events, self.events = self.events, []
        return events

    def next_round(
        self, finished: int | None, state: Coverage, gained: int, used: float
    ) -> Round | Stop:
        """The next round, as the settings say; some pages must be read even where they stop."""
        plan = self.bench.settings.plan
        following = next_round(finished, state, gained, used, plan, bool(self.readings))
        if isinstance(following, Stop) and self.due_leads():
            return round_of(3 if finished is None else finished + 1, plan)
        return following

    def plan(self, following: Round, missing: Sequence[str], count: int) -> list[PlannedSource]:
        """The sources that a round asks next."""
        planned = plan_round(
            self.compiled.contract, self.untried(), self.open_leads(), missing, self.yields,
            following.tiers, count,
        )  # fmt: skip
        if following.number == 0:  # the fast check takes the manufacturer's word or none
            return [step for step in planned if step.source.tier is Tier.MANUFACTURER]
        return planned

    def count_time(self) -> None:
        """Update the seconds spent."""
        seconds = self.bench.clock.monotonic() - self.began
        self.spent = replace(self.spent, seconds=seconds)

    @property
    def seconds_left(self) -> float:
        """Seconds of the budget that are left; a page that is read may take no longer."""
        return self.attempt.budget.max_seconds - (self.bench.clock.monotonic() - self.began)

    def take_page(self) -> bool:
        """Reserve one page of the budget; False when there is none left."""
        if name := exhausted(self.attempt.budget, self.spent):
            self.stopped_by = name
            return False
        self.spent = replace(self.spent, pages=self.spent.pages + 1)
        return True

    def merge(self) -> Coverage:
        """Settle all candidates so far; gives the coverage."""
        min_confidence = self.bench.settings.publish.min_confidence
        # Pages about different variants are set aside, unless a person accepts them.
        seen = {
            name: urls - self.readings.keys() for name, urls in self.seen_variants.items()
        }  # fmt: skip
        seen = {name: urls for name, urls in seen.items() if urls}
        apart = {}
        if not self.identity_accepted:
            apart = tell_apart(self.readings.values(), self.chosen_variant, seen)
        self.variants = variants_of(self.readings, seen)
        self.disputed = bool(apart) and not self.chosen_variant
        for url, reading in self.readings.items():
            if reading.page_id in apart:
                self.readings[url] = replace(reading, identity=apart[reading.page_id])
        good = [r for r in self.readings.values() if r.identity.verdict.usable]
        candidates = without_outranked([c for reading in good for c in reading.candidates])
        identities = {r.page_id: r.identity for r in good}
        texts = {r.page_id: PageText(r.passages, r.around) for r in good}
        self.results = merge(
            self.compiled, candidates, self.decisions, self.knowledge, identities,
            min_confidence, self.bench.clock.now(), naming=self._named_words, texts=texts,
        )  # fmt: skip
        fields, missing = self.compiled.contract.fields, dict[Level, list[str]]()
        for name, declared in fields.items():
            if name not in self.results or self.results[name].value is None:
                missing.setdefault(declared.level, []).append(name)
        filled = len(fields) - sum(map(len, missing.values()))
        return Coverage(len(fields), filled, {level: tuple(s) for level, s in missing.items()})

    def _named_words(self, text: str) -> int | None:
        """Words of the product's identity in a text that names it; None if it does not."""
        product, rules = self.product, self.compiled.contract.identity
        judged = judge_subject(product, rules, text, self.siblings)
        if judged.verdict is not Verdict.SAME or judged.confidence <= NEUTRAL_CONFIDENCE:
            return None
        return len(set(tokens(product.name)) & set(tokens(text)))

    def untried(self) -> tuple[Source, ...]:
        """Sources that this attempt has not asked and that may know something new."""
        stale = {lead.source.host for lead in self.open_leads() if lead.url in self.readings}
        known = self.fresh | self.hosts.keys() | stale
        return tuple(source for source in self.sources if source.host not in known)

    def due_leads(self) -> list[Lead]:
        """Pages to be read even when enough is filled: given by the user, or maybe changed."""
        return [lead for lead in self.open_leads() if lead.given or lead.url in self.readings]

    def open_leads(self) -> list[Lead]:
        """Known pages that were not read yet."""
        return [lead for lead in self.leads if lead.url not in self.asked]
