"""Proves published values again, from the stored pages alone."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from specfactory.contract import CompiledContract, compile_contract
from specfactory.errors import QuoteNotFound, StoreError, UnknownSubject
from specfactory.model import (
    Candidate,
    Contract,
    Decision,
    FieldResult,
    Frozen,
    Record,
    Value,
    field,
)
from specfactory.proof import PageViews, prove, verify
from specfactory.publish.record_document import proposal, shown_candidates, signature
from specfactory.store import Pages


class AuditFailure(Frozen):
    """Something published that the stored pages do not prove."""

    product_id: str
    version: int
    field: str  # empty when a whole page is at fault
    value: Value | None
    page_id: str
    url: str
    problem: str

    def __str__(self) -> str:
        what = f"{self.field} = {self.value!r}" if self.field else "page"
        where = f" [{self.page_id} {self.url}]" if self.page_id else ""
        return f"{self.product_id} 1.0.{self.version}: {what}{where}: {self.problem}"


class CitedPages(Struct):
    """The stored pages that records cite, and their problems."""

    views: dict[str, PageViews] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)  # by page id

    def views_of(self, page_id: str) -> PageViews | None:
        """The views of a page, None when it is not stored."""
        return self.views.get(page_id)


async def load_cited_pages(pages: Pages, record: Record) -> CitedPages:
    """Load every page that a record cites and check its hash."""
    cited_pages = CitedPages()
    for page_id in sorted({c.evidence.page_id for c in _cited(record)}):
        try:
            page = await pages.get(page_id)
            body = await pages.body(page)
        except UnknownSubject:
            cited_pages.problems[page_id] = f"no page {page_id!r}"
            continue
        except StoreError as problem:
            cited_pages.problems[page_id] = str(problem)
            continue
        cited_pages.views[page_id] = PageViews(page, body)
        if (found := hashlib.sha256(body).hexdigest()) != page.content_hash:
            cited_pages.problems[page_id] = (
                f"the stored bytes have the hash {found[:12]}…, not {page.content_hash[:12]}…"
            )
    return cited_pages


def audit(
    record: Record,
    contract: Contract,
    views_of: Callable[[str], PageViews | None],
    decisions: Iterable[Decision] | Mapping[str, Decision] = (),
    page_problems: Mapping[str, str] | None = None,
) -> list[AuditFailure]:
    """Find everything that cannot be proven again; an empty list proves the whole record.

    Every value and every candidate shown beside it must stand on its page and derive again by
    the contract. An override must be signed by a decision that held when the record was made.
    """
    given = decisions.values() if isinstance(decisions, Mapping) else decisions
    auditor = _Auditor(record, compile_contract(contract), views_of, tuple(given))
    return [*auditor.pages(page_problems or {}), *auditor.fields()]


class _Auditor:
    """One record under audit."""

    def __init__(
        self,
        record: Record,
        compiled: CompiledContract,
        views_of: Callable[[str], PageViews | None],
        decisions: tuple[Decision, ...],
    ) -> None:
        self._record, self._compiled = record, compiled
        self._views_of, self._decisions = views_of, decisions

    def pages(self, problems: Mapping[str, str]) -> Iterator[AuditFailure]:
        """Pages that are damaged or missing."""
        urls = {c.evidence.page_id: c.evidence.url for c in _cited(self._record)}
        for page_id, problem in problems.items():
            if page_id in urls:
                yield self._failure("", None, problem, page_id, urls[page_id])

    def fields(self) -> Iterator[AuditFailure]:
        """Values that are not proven."""
        for name, result in self._record.fields.items():
            if result.value is not None and result.chosen is None:
                if signature(self._record, result, self._decisions) is None:
                    unsigned = "no page is cited and no decision signs it"
                    yield self._failure(name, result.value, unsigned)
            elif result.chosen is not None and result.chosen.value != result.value:
                said = f"the cited quote stands for {result.chosen.value!r}"
                cited = result.chosen.evidence
                yield self._failure(name, result.value, said, cited.page_id, cited.url)
            for candidate in _shown(result):
                if problem := self._unproven(candidate):
                    cited = candidate.evidence
                    yield self._failure(name, candidate.value, problem, cited.page_id, cited.url)

    def _unproven(self, candidate: Candidate) -> str | None:
        evidence = candidate.evidence
        views = self._views_of(evidence.page_id)
        if views is None:
            return "its page is not in the store"
        problem = prove(candidate, self._compiled, views)
        if problem is not None or evidence.passage is None:
            return problem
        try:
            verify(replace(evidence, values=(evidence.passage,)), views)
        except QuoteNotFound:
            return f"quote {evidence.passage.quote!r} does not stand at its place"
        return None

    def _failure(
        self, name: str, value: Value | None, problem: str, page_id: str = "", url: str = ""
    ) -> AuditFailure:
        record = self._record
        return AuditFailure(record.product.id, record.version, name, value, page_id, url, problem)


def _shown(result: FieldResult) -> Iterator[Candidate]:
    """The chosen or proposed candidate and, where sources differ, those listed beside it."""
    proposed = result.chosen or proposal(result)
    if proposed is not None:
        yield proposed
    for candidate in shown_candidates(result):
        if candidate != proposed:
            yield candidate


def _cited(record: Record) -> Iterator[Candidate]:
    for result in record.fields.values():
        yield from _shown(result)
