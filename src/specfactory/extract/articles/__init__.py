"""Headline, author, date, language and topics of an article."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .byline import find_authors
    from .headline import find_headline, folded
    from .markup_words import COMMON, MEANINGS, PAGE_SIGNS, heads_reviews, meanings
    from .publication_date import find_published
    from .publisher_as_author import weigh_publishers
    from .topics_and_language import find_language, find_topics
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
