"""One page: fetched, respected, recognised as unchanged, read, kept, noted as a visit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.pages.profile import ProfiledPage, profile_page
    from specfactory.orchestrate.pages.read_for_category import answer_for_category, page_answers
    from specfactory.orchestrate.pages.read_for_product import admit, read_page_for_product
    from specfactory.orchestrate.pages.taken_page import PagePurpose, TakenPage, take_page
    from specfactory.orchestrate.pages.usage_directives import is_unwanted
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "PagePurpose", "ProfiledPage", "TakenPage", "admit", "answer_for_category", "is_unwanted",
    "page_answers", "profile_page", "read_page_for_product", "take_page",
]  # fmt: skip
