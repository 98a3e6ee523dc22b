"""Pages as they are handed to the processes that read them."""

from collections.abc import Mapping

from specfactory.model import Contract, Page
from specfactory.ports import Shared
from specfactory.proof.text import garbled_share, parse_page
from specfactory.store.base import body_hash

NO_SELECTORS: Mapping[str, str] = {}


def shared_body(body: bytes) -> Shared:
    """A body, which several looks at a page share."""
    return Shared(body_hash(body), body)


def shared_contract(contract: Contract) -> Shared:
    """A contract, which all pages of a category share."""
    return Shared(f"contract:{contract.category}:{contract.digest}", contract)


def is_quick(page: Page) -> bool:
    """True if a page is parsed in a time that grows with its size: a PDF of any may take long."""
    return page.media_type != "application/pdf"


def share_garbled(page: Page, body: bytes) -> float:
    """Share of wrongly decoded characters of a page."""
    header = page.headers.get("content-type", "")
    if parse_page(body, header, page.charset).decoded[1]:
        return 0.0
    return garbled_share(body, page.charset)
