"""Signs on a page from which outcomes are derived.

Most pages plainly have enough to read: that is counted quickly, and nothing else is read. Only
thin pages get a closer look.
"""

import re
from urllib.parse import urlsplit

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.fetch.outcomes.wall_phrases import LOADING_WORDS
from specfactory.model import FetchResponse
from specfactory.proof.text import cut_excess, decode, parse_page

THIN = 2_500  # characters a person can read; from here on a page speaks for itself
_FIRST_BYTES = 400_000  # enough to tell in most cases
_MOST_MARKUP = 60_000  # walls are small
_HIDDEN = ["script", "style", "noscript", "template", "svg"]
_UNREAD = frozenset({*_HIDDEN, "title", "head", "select", "option"})
_HIDDEN_IN = ", ".join(_HIDDEN)
_APP_ROOTS = (
    "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, #react-root, #app-root, #q-app, "
    "#main-app, #application, app-root, [ng-app], [data-reactroot]"
)
_FIELDS = (
    "input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=number], "
    "textarea"
)
_GENERIC_TYPES = frozenset(
    {"WebSite", "Organization", "SearchAction", "BreadcrumbList", "ListItem", "EntryPoint",
     "ImageObject", "WebPage", "Corporation", "PostalAddress", "ContactPoint"}
)  # fmt: skip
_TYPE = re.compile(r'"@type"\s*+:\s*+\[?\s*+"([A-Za-z:/.]{2,60})"')
_SPACE = re.compile(r"\s+")
_LOADING_LENGTH = 60


class Look(Struct):
    """The signs of a page; of one with much to read only its length."""

    length: int = 0  # characters to read
    title: str = ""
    heading: str = ""
    text: str = ""  # in lower case; only of thin pages
    markup: str = ""  # in lower case
    noscript: str = ""
    scripts: int = 0
    sources: int = 0  # scripts that are fetched
    images: int = 0
    fields: int = 0  # that a person fills in
    password: bool = False
    roots: int = 0  # empty elements that scripts may fill
    app_roots: int = 0  # empty elements that frameworks fill
    described: bool = False  # structured data about a thing, not about the site
    final_path: str = ""
    asked_path: str = ""  # "" when no redirect led away from it
    rendered: bool = False  # by a browser: scripts have done what they do

    @property
    def is_thin(self) -> bool:
        """True if there is so little to read that the page may be a wall."""
        return self.length < THIN and not self.described


def look(response: FetchResponse, charset: str, *, closely: bool = False) -> Look:
    """Read the signs of an HTML page, as closely as needed; ``closely`` where it is suspect."""
    body, declared = response.body, response.headers.get("content-type", "")
    tree = parse_page(body, declared, charset).tree if len(body) <= _FIRST_BYTES else None
    if not closely and tree is not None and (length := _glance(tree)) >= THIN:
        seen = Look(length=length, title=_words(tree.css_first("title")))
    elif tree is not None:
        seen = _look_at(tree.clone(), body.decode("utf-8", "replace"))
    else:
        seen = _look_at_source(decode(body[:_FIRST_BYTES], declared))
        if seen.length < THIN and len(body) > _FIRST_BYTES:
            seen = _look_at_source(decode(body, declared))
    ended = urlsplit(response.final_url)
    asked = ended if response.url == response.final_url else urlsplit(response.url)
    seen.final_path = ended.path.lower()
    seen.asked_path = asked.path.lower() if response.redirects or asked != ended else ""
    seen.rendered = response.rung.uses_browser
    return seen


def _glance(tree: LexborHTMLParser) -> int:
    """Count characters to read until they are enough; the tree is not changed.

    Paragraphs come first: in most pages a few of them are enough.
    """
    length, known, adorned = 0, dict[int, bool](), list[LexborNode]()
    for node in tree.tags("p"):
        inner = node.first_child
        if inner is None:
            continue
        if inner.next is not None or not inner.is_text_node:
            adorned.append(node)  # looked at last: it may hide something
        elif not _is_below_hidden(node, known):
            length += len((inner.text_content or "").strip())
            if length >= THIN:
                return length
    for node in adorned:
        if node.css_first(_HIDDEN_IN) is None and not _is_below_hidden(node, known):
            length += len(node.text().strip())
            if length >= THIN:
                return length
    if tree.body is None:
        return 0
    length = 0
    for node in tree.body.traverse(include_text=True):
        parent = node.parent if node.tag == "-text" else None
        if parent is None or parent.tag in _UNREAD:
            continue
        above = parent.parent
        if above is not None and above.tag in _UNREAD:  # in a child of a script or the like
            continue
        length += len((node.text_content or "").strip())
        if length >= THIN:
            break
    return length


def _is_below_hidden(node: LexborNode, known: dict[int, bool]) -> bool:
    """True if a node is inside something unread; ``known`` caches the answers for ancestors."""
    asked, hidden, above = list[int](), False, node.parent
    while above is not None:
        place = above.mem_id
        if place in known:
            hidden = known[place]
            break
        asked.append(place)
        if above.tag in _UNREAD:
            hidden = True
            break
        above = above.parent
    known.update(dict.fromkeys(asked, hidden))
    return hidden


def _look_at_source(source: str) -> Look:
    return _look_at(LexborHTMLParser(cut_excess(source)), source)


def _look_at(tree: LexborHTMLParser, source: str) -> Look:
    """Read all signs; the tree is changed."""
    seen = Look()
    if tree.body is None:
        return seen
    in_json = (
        name.rpartition("/")[2] not in _GENERIC_TYPES
        for node in tree.css('script[type="application/ld+json"]')[:20]
        for name in _TYPE.findall(node.text()[:50_000])
    )
    marked_up = tree.css_first("[itemprop=name], [itemprop=price]") is not None
    seen.described = marked_up or any(in_json)
    seen.scripts = len(tree.css("script[src], script:not([type])"))
    seen.sources = len(tree.css("script[src]"))
    seen.noscript = " ".join(node.text() for node in tree.css("noscript")[:5])[:2000].lower()
    seen.title = _words(tree.css_first("title"))
    tree.strip_tags(_HIDDEN)
    text = _SPACE.sub(" ", tree.body.text(separator=" ")).strip()
    seen.length = len(text)
    seen.heading = _words(tree.css_first("h1") or tree.css_first("h2"))
    seen.markup = source[:_MOST_MARKUP].lower()
    if seen.length < THIN:
        seen.text = _plain(text)
        seen.images = len(tree.css("img, video, object, embed, iframe"))
        seen.fields = len(tree.css(_FIELDS))
        seen.password = tree.css_first("input[type=password]") is not None
        seen.roots = sum(_is_empty(node) for node in tree.css("body > div, body > main"))
        seen.app_roots = sum(_is_empty(node) for node in tree.css(_APP_ROOTS))
    return seen


def _is_empty(node: LexborNode) -> bool:
    """True if there is nothing in it, or only a word such as "loading"."""
    text = node.text(strip=True).lower()
    if len(text) > _LOADING_LENGTH:
        return False
    return not text or any(word in text for word in LOADING_WORDS)


def _words(node: LexborNode | None) -> str:
    text = node.text(separator=" ") if node is not None else ""
    return _plain(_SPACE.sub(" ", text).strip()[:300])


def _plain(text: str) -> str:
    return text.lower().replace("\u2019", "'")
