"""What a page is filed under: the links that it marks as its tags (``rel=tag``)."""

from __future__ import annotations

from specfactory.extract.articles.headline import folded
from specfactory.extract.articles.markup_words import MEANINGS, meanings
from specfactory.extract.page import Proposal
from specfactory.model import ViewName
from specfactory.proof import Element, PageViews, snippet

_MAX_TOPICS = 40
_MAX_WORDS = 60  # characters of a topic
_AS_MARKED = 0.6  # tags say what a page is filed under, not always what it is about
_ASIDE = frozenset(("aside", "footer", "nav"))
_OTHERS = 1 << MEANINGS.index("other")  # lists of other pages bring their own tags


def find_topics(views: PageViews) -> list[Proposal]:
    """The topics that a page's own tags name, all together; empty when it has none."""
    named: dict[str, Element] = {}
    for element in views.outline.marked("rel"):
        if _is_tag(element) and not _is_of_others(element):
            named.setdefault(folded(views.text[element.start : element.end].strip("#")), element)
    named.pop("", None)
    spans = [_span(views, element) for element in list(named.values())[:_MAX_TOPICS]]
    places = tuple(snippet(views, ViewName.TEXT, start, end) for start, end in spans)
    return [Proposal(places, _AS_MARKED)] if places else []


def _is_tag(element: Element) -> bool:
    is_short = 0 < element.end - element.start <= _MAX_WORDS
    said = element.get("rel").casefold().split()  # a category is the site's section, no topic
    return element.tag == "a" and is_short and "tag" in said and "category" not in said


def _is_of_others(element: Element) -> bool:
    """Whether it stands in a list of other pages or in a side column."""
    return any(
        at.tag in _ASIDE or (at.attributes and bool(meanings(at.hints) & _OTHERS))
        for at in element.ancestors()
        if at.tag not in ("body", "html")
    )


def _span(views: PageViews, element: Element) -> tuple[int, int]:
    """Its words without the mark of a hashtag."""
    words = views.text[element.start : element.end]
    return element.start + len(words) - len(words.lstrip("# ")), element.end
