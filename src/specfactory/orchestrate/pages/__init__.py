"""One page: fetched, respected, recognised as unchanged, read, kept, noted as a visit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.pages.page_answers import answer_as_workers_do
    from specfactory.orchestrate.pages.product_pages import keep_for, read_for
    from specfactory.orchestrate.pages.profile import ProfiledPage, profile_page
    from specfactory.orchestrate.pages.read_for_category import read_alone, selectors_of
    from specfactory.orchestrate.pages.read_for_product import admit, read_page
    from specfactory.orchestrate.pages.unchanged_pages import as_confirmed
    from specfactory.orchestrate.pages.usage_directives import as_respected, as_wished, is_unwanted
    from specfactory.orchestrate.pages.visits import (
        NO_FETCH,
        confidence_in,
        mean_likelihood,
        note_visit,
        start_laps,
        stored_in,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "NO_FETCH",
    "ProfiledPage",
    "admit",
    "answer_as_workers_do",
    "as_confirmed",
    "as_respected",
    "as_wished",
    "confidence_in",
    "is_unwanted",
    "keep_for",
    "mean_likelihood",
    "note_visit",
    "profile_page",
    "read_alone",
    "read_for",
    "read_page",
    "selectors_of",
    "start_laps",
    "stored_in",
]
