"""Headline, author, date, language and topics of an article."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.articles.byline import find_authors
    from specfactory.extract.articles.headline import find_headline, folded
    from specfactory.extract.articles.markup_words import (
        COMMON,
        MEANINGS,
        PAGE_SIGNS,
        frame_phrases,
        heads_reviews,
        marks_reviews,
        meanings,
    )
    from specfactory.extract.articles.publication_date import find_published
    from specfactory.extract.articles.publisher_as_author import weigh_publishers
    from specfactory.extract.articles.topics_and_language import find_language, find_topics
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "COMMON", "MEANINGS", "PAGE_SIGNS", "find_authors", "find_headline", "find_language",
    "find_published", "find_topics", "folded", "frame_phrases", "heads_reviews", "marks_reviews",
    "meanings", "weigh_publishers",
]  # fmt: skip
