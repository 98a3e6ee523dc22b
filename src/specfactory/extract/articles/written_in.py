"""The language that a page is written in, as the page itself declares it."""

from __future__ import annotations

import re

from specfactory.extract.page import Proposal
from specfactory.model import Encoding, ViewName
from specfactory.proof import PageViews, snippet
from specfactory.proof.structured import guess_language, language_code

_HEAD = 20_000  # characters in which a page opens
_ROOT = re.compile(
    r"<html\b[^>]*?\s(?:xml:)?lang\s*=\s*([\"']?)([a-zA-Z]{2,3}(?:[-_][\w-]{2,12})?)\1[\s/>]", re.I
)
_META = re.compile(
    r"<meta\b[^>]*?content-language[^>]*?\scontent\s*=\s*([\"'])([a-zA-Z]{2,3}(?:[-_]\w{2,8})?)\1",
    re.I,
)
_DECLARED = 0.9  # some sites declare the language of their software


def find_language(views: PageViews) -> list[Proposal]:
    """What the page's own markup declares, unless its words are clearly of another language."""
    head = views.source[:_HEAD]
    declared = _ROOT.search(head) or _META.search(head)
    if declared is None or guess_language(views.text) not in ("", language_code(declared[2])):
        return []
    place = snippet(views, ViewName.SOURCE, *declared.span(2), Encoding.HTML)
    return [Proposal((place,), _DECLARED)]
