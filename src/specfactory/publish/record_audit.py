"""Proves published values again, from the stored pages alone; quotes by ``proof/quotes.py``."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from specfactory.contract import CompiledContract, compile_contract
from specfactory.errors import QuoteNotFound, StoreError, UnknownSubject
from specfactory.model import (
    Candidate,
    Contract,
    Decision,
    Evidence,
    FieldResult,
    Frozen,
    Record,
    Value,
    field,
    replace,
)
from specfactory.proof import PageViews, prove, reading, verify
from specfactory.publish.record_as_json import proposal, shown_candidates, signature
from specfactory.store import Pages, ReadPage


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


async def load_cited_pages(pages: Pages, cited: Record | ReadPage) -> CitedPages:
    """Load every page that a record or a row cites and check its hash."""
    cited_pages = CitedPages()
    ids = {cited.reading.page_id} if isinstance(cited, ReadPage) else set[str]()
    if isinstance(cited, Record):
        ids = {evidence.page_id for evidence in _evidence(cited)}
    for page_id in sorted(ids):
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
    given = tuple(decisions.values() if isinstance(decisions, Mapping) else decisions)
    compiled = compile_contract(contract)
    failures: list[AuditFailure] = []

    def fail(
        name: str, value: Value | None, problem: str, page_id: str = "", url: str = ""
    ) -> None:
        named = record.product.id, record.version, name
        failures.append(AuditFailure(*named, value, page_id, url, problem))

    urls = {evidence.page_id: evidence.url for evidence in _evidence(record)}
    for page_id, problem in (page_problems or {}).items():
        if page_id in urls:
            fail("", None, problem, page_id, urls[page_id])
    for name, result in record.fields.items():
        chosen = result.chosen
        if chosen is None and result.value is not None:
            if signature(record, result, given) is None:
                fail(name, result.value, "no page is cited and no decision signs it")
        elif chosen is not None and chosen.value != result.value:
            said = f"the cited quote stands for {chosen.value!r}"
            fail(name, result.value, said, chosen.evidence.page_id, chosen.evidence.url)
        for candidate in _shown(result):
            cited = candidate.evidence
            if unproven := _unproven(candidate, compiled, views_of(cited.page_id)):
                fail(name, candidate.value, unproven, cited.page_id, cited.url)
    for kind, cited in record.identity.id_evidence.items():
        code = record.identity.hard_ids.get(kind, "")
        if unproven := _unproven_id(code, cited, views_of(cited.page_id)):
            fail(f"hard_ids.{kind}", code, unproven, cited.page_id, cited.url)
    return failures


def audit_page(
    row: ReadPage, contract: Contract, views: PageViews | None, page_problem: str = ""
) -> list[AuditFailure]:
    """Find the values of a page's row that its stored bytes do not prove."""
    compiled, page_id = compile_contract(contract), row.reading.page_id
    problems: list[tuple[str, Value | None, str]] = [("", None, page_problem)]
    problems += [
        (one.field, one.value, _unproven(one, compiled, views) or "")
        for one in row.reading.candidates
    ]
    return [
        AuditFailure("", 0, name, value, page_id, row.url, problem)
        for name, value, problem in problems
        if problem
    ]


def _unproven_id(code: str, cited: Evidence, views: PageViews | None) -> str | None:
    """The problem with a hard id, whose letters and digits must stand in its quote or address."""
    if views is None:
        return "its page is not in the store"
    try:
        verify(cited, views)
    except QuoteNotFound as problem:
        return f"quote {problem.quote!r} does not stand at its place"
    said = " ".join(map(reading, cited.values)) or cited.url
    ours, theirs = ("".join(filter(str.isalnum, one)).casefold() for one in (code, said))
    return None if ours and ours in theirs else f"the quote {said!r} does not give it"


def _unproven(
    candidate: Candidate, compiled: CompiledContract, views: PageViews | None
) -> str | None:
    passage = candidate.evidence.passage
    if views is None:
        return "its page is not in the store"
    problem = prove(candidate, compiled, views)
    if problem is not None or passage is None:
        return problem
    try:
        verify(replace(candidate.evidence, values=(passage,)), views)
    except QuoteNotFound:
        return f"quote {passage.quote!r} does not stand at its place"
    return None


def _shown(result: FieldResult) -> Iterator[Candidate]:
    """The chosen or proposed candidate and, where sources differ, those listed beside it."""
    proposed = result.chosen or proposal(result)
    if proposed is not None:
        yield proposed
    for candidate in shown_candidates(result):
        if candidate != proposed:
            yield candidate


def _evidence(record: Record) -> Iterator[Evidence]:
    for result in record.fields.values():
        yield from (candidate.evidence for candidate in _shown(result))
    yield from record.identity.id_evidence.values()
