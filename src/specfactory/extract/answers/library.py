"""Values of one page without any set-up: ``specfactory.extract(html)``."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.contract.drafts import wanted_contract
from specfactory.errors import UnknownSubject, UsageError
from specfactory.extract.answers.nearest_labels import near_misses
from specfactory.extract.answers.page_answers import PageAnswers, answer_page
from specfactory.extract.answers.page_kind import contract_of_page
from specfactory.model import Answer, Contract, Frozen, Money, Outcome, Page, Snippet, Tier, Value
from specfactory.proof import PageViews, reading
from specfactory.proof.text import written_in

_LONGEST_PATH = 1_000  # characters; a page is longer, and has markup
_SUFFIXES = (".html", ".htm", ".xhtml", ".pdf")


class Price(Frozen):
    """An amount of money, exactly as written, in a currency (ISO 4217)."""

    amount: Decimal
    currency: str


class Found(Frozen):
    """A value with its proof: the page's own words, and where they stand."""

    field: str
    value: Value | Price
    unit: str | None
    quote: str
    label: str
    likelihood: float
    method: str
    spans: tuple[Snippet, ...]

    def to_dict(self) -> dict[str, Any]:
        """The value, its unit, its proof and its likelihood, by name; money stays a Decimal."""
        value: Any = self.value
        if isinstance(value, Price):
            value = {"amount": value.amount, "currency": value.currency}
        return {
            "value": list(value) if isinstance(value, tuple) else value,
            "unit": self.unit,
            "quote": self.quote,
            "label": self.label,
            "likelihood": self.likelihood,
            "method": self.method,
        }


class Values(dict[str, Found]):
    """The values of a page by field; ``missing`` says why the others are not there.

    ``kind`` is the contract whose fields were looked for: "product", "article" … or "page".
    """

    def __init__(
        self, found: Mapping[str, Found], missing: Mapping[str, str], kind: str = ""
    ) -> None:
        super().__init__(found)
        self.missing, self.kind = missing, kind

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """All values as plain dictionaries, by field."""
        return {name: found.to_dict() for name, found in self.items()}

    def __repr__(self) -> str:
        return f"Values({ {name: found.value for name, found in self.items()} })"


class PageSays(Frozen):
    """The values of a page, before they are shown: a plain value, which another process may make.

    ``fields`` has the answer of each field that has one, ``missing`` why the others have none.
    """

    kind: str
    fields: tuple[tuple[str, Value, str | None, Answer], ...]
    missing: Mapping[str, str]


Within = Callable[[str | bytes, tuple[str, ...] | None, Contract | None, str], PageSays]


def extract_values(
    html: str | bytes,
    want: Iterable[str] | None = None,
    *,
    category: str | None = None,
    contract: Contract | None = None,
    url: str = "",
    within: Within | None = None,
) -> Values:
    """The values of one page, each with the words that prove it.

    Without more, everything that the page says: the fields of its kind, which is guessed, and
    what its own labels name. ``want`` names fields ("price", "weight"); ``category`` takes those
    of a bundled contract, ``contract`` those of one's own. ``url`` helps to tell the page's own
    product from others. Prices are a ``Price``, whose amount is a ``Decimal``. ``within`` reads
    the page elsewhere, within limits.
    """
    if contract is not None and category is not None:
        raise UsageError("give a category or a contract, not both")
    _refuse_what_is_no_page(html)
    names = want if want is None or isinstance(want, str) else tuple(want)
    if contract is None and category is not None:
        contract = find_contract(category)
    elif contract is None and names is not None:
        contract = wanted_contract(names)
    wanted = None if names is None else tuple(dict.fromkeys(names))
    for name in wanted or ():
        if contract is not None and name not in contract.fields:
            raise UnknownSubject("field", name, f"contract {contract.category} has no such field")
    said = (within or read_values)(html, wanted, contract, url)
    found = {}
    for name, value, unit, answer in said.fields:
        evidence = answer.candidate.evidence
        found[name] = Found(
            name, _exact(value), unit, " ".join(map(reading, evidence.values)),
            reading(evidence.label) if evidence.label else "",
            answer.likelihood, str(evidence.method), evidence.values,
        )  # fmt: skip
    return Values(found, said.missing, said.kind)


def read_values(
    html: str | bytes, wanted: tuple[str, ...] | None, contract: Contract | None, url: str
) -> PageSays:
    """Read a page for the library; without a contract, for what it is about."""
    views = PageViews(page_of(html, url), _bytes(html))
    contract = contract or contract_of_page(views)
    compiled = compile_contract(contract)
    answers = answer_page(views, compiled)
    asked = wanted or tuple(contract.fields)
    lacking = [name for name in asked if name not in answers]
    if views.unread or wanted is None:
        missing = {name: views.unread or why_missing(name, answers) for name in lacking}
    else:
        missing = reasons_missing(views, compiled, answers, lacking)
    fields = tuple(
        (name, answers[name].candidate.value, contract.fields[name].unit, answers[name])
        for name in asked
        if name in answers
    )
    return PageSays(contract.category, fields, missing)


def _exact(value: Value) -> Value | Price:
    if isinstance(value, Money):
        return Price(Decimal(str(value.amount)), value.currency)
    return value


def _refuse_what_is_no_page(html: Any) -> None:
    """Say what to give instead of a path, an address or nothing."""
    if not isinstance(html, str | bytes | os.PathLike):
        raise UsageError(f"html is {html!r}; give a page as text or bytes")
    if isinstance(html, bytes):
        return
    if isinstance(html, str) and ("<" in html or not 0 < len(html) < _LONGEST_PATH):
        return
    if str(html).startswith(("http://", "https://")):
        raise UsageError(f"html is the address {html}; fetch it first, or use: spec extract URL")
    is_file = isinstance(html, os.PathLike) or (
        "\n" not in html and "\0" not in html
        and (Path(html).suffix.lower() in _SUFFIXES or Path(html).is_file())
    )  # fmt: skip
    if is_file:
        raise UsageError(f"html is the path {html}; give what is in the file: path.read_bytes()")


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


def reasons_missing(
    views: PageViews, compiled: CompiledContract, answers: PageAnswers, fields: Sequence[str]
) -> dict[str, str]:
    """Say of each field why the page has no answer; where it says nothing, the nearest label."""
    misses = near_misses(views, compiled, fields)
    return {
        name: str(misses[name]) if name in misses and not _was_dropped(name, answers)
        else why_missing(name, answers)
        for name in fields
    }  # fmt: skip


def _was_dropped(field: str, answers: PageAnswers) -> bool:
    return any(each.field == field for each in answers.dropped)


def why_missing(field: str, answers: PageAnswers) -> str:
    """Say why a page has no answer for a field."""
    first = next((each for each in answers.dropped if each.field == field), None)
    if first is None:
        return "the page does not say"
    return f"{first.quote!r} was not taken ({first.reason}): {first.detail}"


def _bytes(html: str | bytes) -> bytes:
    return html.encode("utf-8", "surrogatepass") if isinstance(html, str) else html
