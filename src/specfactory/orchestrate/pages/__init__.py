"""One page: fetched, respected, recognised as unchanged, read, kept, noted as a visit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .profile import ProfiledPage, profile_page
    from .read_for_category import answer_for_category, page_answers
    from .read_for_product import admit, read_page_for_product
    from .taken_page import PagePurpose, TakenPage, Write, take_page
    from .usage_directives import is_unwanted
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
