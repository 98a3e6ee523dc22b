"""One page: fetched, respected, recognised as unchanged, read, kept, noted as a visit.

Stored pages leave and come back as web archives.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .handed_on import shared_body
    from .page_tiers import least_trusted, named_tier, tier_of_answer, tier_reached
    from .product_reading import admit
    from .profile import ProfiledPage, profile_page
    from .read_for_category import (
        answer_for_category,
        page_answers,
        read_page_for_category,
        selectors_of,
    )
    from .read_for_product import read_page_for_product
    from .taken_page import PagePurpose, TakenPage, take_page
    from .usage_directives import is_unwanted
    from .web_archives import Exported, Imported, PageImporter, export_pages
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
