"""Proposals of values, and the one way in which they become candidates."""

from functools import cached_property
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.model import (
    Candidate,
    Dropped,
    Evidence,
    Frozen,
    Method,
    Snippet,
    Tier,
    Value,
    ViewName,
)
from specfactory.proof import PageViews, derive, prove, reading
from specfactory.proof.text import OVERRIDES, decoded
from specfactory.proof.visibility import EVERYTHING_SEEN

MAX_QUOTE = 200  # characters shown of what was dropped, and why
_MAX_DROPPED = 500

LABELLED = frozenset((Method.TABLE, Method.PAIR))  # methods by which a label names the value
FIXED = frozenset((Method.TEMPLATE, Method.OVERRIDE, Method.MODEL))  # not weighed again
Snippets = tuple[Snippet, ...]


class Proposal(NamedTuple):
    """A value that a method found, with its evidence: its quotes are not derived or proven yet."""

    values: Snippets
    likelihood: float | None = None
    method: Method = Method.VISIBLE
    label: Snippet | None = None
    section: Snippet | None = None
    subject: str | None = None
    passage: Snippet | None = None
    model: str = ""
    tier: Tier | None = None  # where it is trusted less than its page
    value: Value | None = None  # where the method has derived it already, by the contract's rule


class PageCandidates(Frozen):
    """Candidates of a page, and what was dropped with its reason."""

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()


class CandidateMaker:
    """Makes the candidates of one page out of proposals; what gives none is dropped with a reason.

    Every method goes through here, so that no value reaches a record without being derived
    from its quotes by the contract.
    """

    def __init__(self, views: PageViews, compiled: CompiledContract) -> None:
        self.candidates: list[Candidate] = []
        self.dropped: list[Dropped] = []
        self.views, self.compiled = views, compiled
        self._page, self._url = views.page, views.page.final_url or views.page.url
        self._refused: set[tuple[str, int]] = set()

    @property
    def made(self) -> PageCandidates:
        """What was made and dropped so far."""
        return PageCandidates(tuple(self.candidates), tuple(self.dropped))

    def derive(self, field: str, proposal: Proposal, language: str | None = None) -> Candidate:
        """Derive the candidate of a proposal; raises NotDerivable."""
        page = self._page
        values, doubt = proposal.values, ""
        # A person's selector is trusted to know what it reads.
        if proposal.method is not Method.SELECTOR and self._may_be_unseen(values):
            values, doubt = self._seen(field, proposal)
        evidence = Evidence(
            page.id, self._url, proposal.tier or page.tier, proposal.method, values,
            proposal.label, page.fetched_at, proposal.section, proposal.passage, proposal.model,
        )  # fmt: skip
        value = proposal.value
        if value is None:
            asked = self.views.language if language is None else language
            value = derive(evidence, field, self.compiled, asked)
        return Candidate(field, value, evidence, proposal.subject, proposal.likelihood, doubt)

    def _may_be_unseen(self, values: Snippets) -> bool:
        is_text = _is_text(values[0])
        return self.views.unseen is not EVERYTHING_SEEN if is_text else self._has_overrides

    @cached_property
    def _has_overrides(self) -> bool:
        source = self.views.source or self.views.pdf
        return OVERRIDES.search(source) is not None or "\\u202" in source or "&#" in source

    def _seen(self, field: str, proposal: Proposal) -> tuple[Snippets, str]:
        """The quotes of a value that a reader can see, and a reason to doubt that he does.

        Raises NotDerivable where none can be seen, or where digits are shown in another order.
        """
        label, unseen = proposal.label, self.views.unseen
        if label is not None and unseen.hides((label.start, label.end)) and _is_text(label):
            raise NotDerivable(field, label.quote, "hidden", "no reader can see its label")
        kept = [part for part in proposal.values
                if not (_is_text(part) and unseen.hides((part.start, part.end)))]  # fmt: skip
        if not kept or (proposal.value is not None and len(kept) < len(proposal.values)):
            quote = proposal.values[0].quote
            raise NotDerivable(field, quote, "hidden", "no reader can see it")
        doubts = []
        for part in kept if label is None else (*kept, label):
            span = part.start, part.end
            turned = unseen.turns(span) if _is_text(part) else OVERRIDES.search(decoded(part))
            if turned and any(map(str.isdigit, part.quote)):
                detail = "its digits are shown in another order"
                raise NotDerivable(field, part.quote, "turned", detail)
            if _is_text(part) and (doubt := unseen.doubt(span)):
                doubts.append(doubt)
        return tuple(kept), doubts[0] if len(doubts) > len(kept) // 2 else ""

    def guess(
        self, field: str, proposal: Proposal, language: str | None = None
    ) -> Candidate | None:
        """Derive a candidate without keeping it; None, and no report, when it gives no value."""
        try:
            return self.derive(field, proposal, language)
        except NotDerivable:
            return None

    def take(self, field: str, proposal: Proposal, unproven: str = "", shown: str = "") -> bool:
        """Keep the candidate of a proposal, or report why it is dropped.

        ``unproven`` is the reason to give where the page alone does not prove it; methods that
        quote what they have just read need no second proof.
        """
        said_by = f"{proposal.model}: " if proposal.model else ""
        try:
            candidate = self.derive(field, proposal)
        except NotDerivable as refusal:
            detail = f"{said_by}{refusal.detail}"
            self.drop(field, refusal.code, detail, proposal.values, shown)
            return False
        problem = prove(candidate, self.compiled, self.views) if unproven else None
        if problem is not None:
            self.drop(field, unproven, f"{said_by}{problem}", proposal.values, shown)
            return False
        self.candidates.append(candidate)
        return True

    def drop(
        self, field: str, reason: str, detail: str, values: Snippets = (), shown: str = ""
    ) -> None:
        """Report what is no candidate; of several reasons for one place the first is kept."""
        if values and not shown:
            place = (field, values[0].start)
            if place in self._refused or len(self.dropped) >= _MAX_DROPPED:
                return
            self._refused.add(place)
        self.dropped.append(dropped(field, reason, detail, values, self.views, shown))


def _is_text(part: Snippet) -> bool:
    return part.view is ViewName.TEXT


def dropped(
    field: str, reason: str, detail: str, values: Snippets, views: PageViews, shown: str = ""
) -> Dropped:
    """Report what is no candidate or no answer, cut to what can be shown."""
    page = views.page
    quote = shown or " ".join(map(reading, values))
    url = page.final_url or page.url
    return Dropped(field, reason, detail[:MAX_QUOTE], quote[:MAX_QUOTE], page.id, url)
