"""Structured data with the span of every value."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .breadcrumbs import Crumb, read_trail, trail_of
    from .collect import read_items
    from .drafts import Markup
    from .items import Item, Property
    from .page_language import declared_language, guess_language, language_code
    from .tags import SourceTag, source_tags
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
