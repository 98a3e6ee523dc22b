"""Topics and language of a page: its own tag links (``rel=tag``), and what its markup declares."""

import re

from specfactory.extract.articles.headline import folded
from specfactory.extract.articles.markup_words import MEANINGS, meanings
from specfactory.extract.page import Proposal
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, snippet
from specfactory.proof.structured import guess_language, language_code

_MAX_TOPICS = 40
_MAX_CHARACTERS = 60  # of a topic
_AS_MARKED = 0.6  # tags say how a page is filed, not always what it is about
_ASIDE = frozenset(("aside", "footer", "nav"))
_OTHERS = 1 << MEANINGS.index("other")  # lists of other pages have tags of their own
_HEAD = 20_000  # characters of the source searched for a declaration
_ROOT = re.compile(
    r"<html\b[^>]*?\s(?:xml:)?lang\s*=\s*([\"']?)([a-zA-Z]{2,3}(?:[-_][\w-]{2,12})?)\1[\s/>]", re.I
)
_META = re.compile(
    r"<meta\b[^>]*?content-language[^>]*?\scontent\s*=\s*([\"'])([a-zA-Z]{2,3}(?:[-_]\w{2,8})?)\1",
    re.I,
)
_DECLARED = 0.9  # some sites declare the language of their software


def find_topics(views: PageViews) -> list[Proposal]:
    """Propose the topics of the page's own tags as one value; empty when it has none."""
    named: dict[str, Snippet] = {}
    for element in views.outline.marked("rel"):
        rel = element.get("rel").casefold().split()
        if element.tag != "a" or "tag" not in rel or "category" in rel:
            continue  # a category is a section of the site
        if 0 < element.end - element.start <= _MAX_CHARACTERS and not _is_apart(element):
            words = views.text[element.start : element.end]
            start = element.end - len(words.lstrip("# "))
            place = snippet(views, ViewName.TEXT, start, element.end)
            named.setdefault(folded(words.strip("#")), place)
    named.pop("", None)
    return [Proposal(tuple(named.values())[:_MAX_TOPICS], _AS_MARKED)] if named else []


def _is_apart(element: Element) -> bool:
    return any(
        at.tag in _ASIDE or (at.attributes and meanings(at.hints) & _OTHERS)
        for at in element.ancestors()
        if at.tag not in ("body", "html")
    )


def find_language(views: PageViews) -> list[Proposal]:
    """Propose the declared language, unless the words are clearly of another one."""
    head = views.source[:_HEAD]
    declared = _ROOT.search(head) or _META.search(head)
    if declared is None or guess_language(views.text) not in ("", language_code(declared[2])):
        return []
    place = snippet(views, ViewName.SOURCE, *declared.span(2), Encoding.HTML)
    return [Proposal((place,), _DECLARED)]
