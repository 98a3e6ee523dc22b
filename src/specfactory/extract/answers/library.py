"""Values of one page without any set-up: ``specfactory.extract(html, want=["price"])``."""

import hashlib
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from specfactory.contract import compile_contract, find_contract
from specfactory.contract.drafts import wanted_contract
from specfactory.errors import UnknownSubject, UsageError
from specfactory.extract.answers.page_answers import PageAnswers, answer_page
from specfactory.model import Contract, Frozen, Outcome, Page, Snippet, Tier, Value
from specfactory.proof import PageViews, reading
from specfactory.proof.text import written_in


class Found(Frozen):
    """A value with its proof: the page's own words, and where they stand."""

    field: str
    value: Value
    unit: str | None
    quote: str
    label: str
    likelihood: float
    method: str
    spans: tuple[Snippet, ...]


class Values(dict[str, Found]):
    """The values of a page by field; ``missing`` says why the others are not there."""

    def __init__(self, found: Mapping[str, Found], missing: Mapping[str, str]) -> None:
        super().__init__(found)
        self.missing = missing

    def __repr__(self) -> str:
        return f"Values({ {name: found.value for name, found in self.items()} })"


def extract_values(
    html: str | bytes,
    want: Iterable[str] | None = None,
    *,
    category: str | None = None,
    contract: Contract | None = None,
    url: str = "",
) -> Values:
    """The values of one page, each with the words that prove it.

    ``want`` names fields ("price", "weight"); ``category`` takes those of a bundled contract,
    ``contract`` those of one's own. ``url`` helps to tell the page's own product from others.
    """
    if contract is not None and category is not None:
        raise UsageError("give a category or a contract, not both")
    names = want if want is None or isinstance(want, str) else tuple(want)
    if contract is None:
        contract = find_contract(category) if category is not None else wanted_contract(names or ())
    compiled = compile_contract(contract)
    wanted = list(dict.fromkeys(names or contract.fields))
    strange = [name for name in wanted if name not in contract.fields]
    if strange:
        raise UnknownSubject("field", strange[0], f"contract {contract.category} has no such field")
    views = PageViews(page_of(html, url), _bytes(html))
    answers = answer_page(views, compiled)
    found = {}
    for name, answer in ((name, answers[name]) for name in wanted if name in answers):
        evidence = answer.candidate.evidence
        found[name] = Found(
            name, answer.candidate.value, contract.fields[name].unit,
            " ".join(map(reading, evidence.values)),
            reading(evidence.label) if evidence.label else "",
            answer.likelihood, str(evidence.method), evidence.values,
        )  # fmt: skip
    missing = {
        name: views.unread or why_missing(name, answers) for name in wanted if name not in answers
    }
    return Values(found, missing)


def page_of(body: str | bytes, url: str = "", media_type: str = "text/html") -> Page:
    """Make a page out of a body that was given, not fetched."""
    content = _bytes(body)
    digest = hashlib.sha256(content).hexdigest()
    charset = "utf-8" if isinstance(body, str) else written_in(body)
    host = urlsplit(url).netloc
    return Page(
        digest[:16], url, url, host, Tier.RETAILER, 0, Outcome.OK, "given",
        content_hash=digest, media_type=media_type, charset=charset, size_bytes=len(content),
    )  # fmt: skip


def why_missing(field: str, answers: PageAnswers) -> str:
    """Say why a page has no answer for a field."""
    first = next((each for each in answers.dropped if each.field == field), None)
    if first is None:
        return "the page does not say"
    return f"{first.quote!r} was not taken ({first.reason}): {first.detail}"


def _bytes(html: str | bytes) -> bytes:
    return html.encode("utf-8", "surrogatepass") if isinstance(html, str) else html
