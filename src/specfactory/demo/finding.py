"""How pages are found: robots.txt, sitemaps, site search, sections, the web search."""

import gzip
import json
from collections.abc import Iterable, Sequence
from html import escape

from specfactory.demo.drawing import Entry, Link, Look, Shelf, anchor, bullets
from specfactory.demo.values import Answer, Site

_PER_SECTION = 12
_RESULTS = 8
_STOP = frozenset({"gaming", "mouse", "maus", "the", "specs", "specifications", "review"})


def robots(site: Site) -> Answer:
    """The site's robots.txt."""
    lines = ["# demo web", "User-agent: *"]
    lines += {
        "open": ["Disallow: /checkout"],
        "closed": ["Disallow: /"],
        "delay": ["Crawl-delay: 0.1", "Disallow: /login"],
        "private": ["Disallow: /private"],
    }[site.robots]
    if site.sitemap == "robots":
        lines.append(f"Sitemap: {site.origin}/maps/catalogue.xml")
    return Answer(200, {"Content-Type": "text/plain; charset=utf-8"}, _lines(lines))


def sitemap(shelf: Shelf, path: str) -> Answer | None:
    """A sitemap of the site, or None when nothing of that kind stands at ``path``."""
    site, listed = shelf.site, [e.path for e in shelf.entries.values()]
    if site.sitemap == "plain" and path == "/sitemap.xml":
        return _urls(site, listed)
    if site.sitemap == "robots" and path == "/maps/catalogue.xml":
        return _urls(site, listed)
    if site.sitemap == "index":
        return _indexed(site, path, listed)
    return None


def _indexed(site: Site, path: str, listed: Sequence[str]) -> Answer | None:
    """A sitemap index over two packed halves."""
    halves = {"/sitemaps/1.xml.gz": listed[::2], "/sitemaps/2.xml.gz": listed[1::2]}
    if path == "/sitemap.xml":
        places = "".join(f"<sitemap><loc>{site.origin}{at}</loc></sitemap>" for at in halves)
        return _xml(f"<sitemapindex {_NAMESPACE}>{places}</sitemapindex>")
    if path in halves:
        packed = gzip.compress(_urls(site, halves[path]).body, mtime=0)
        return Answer(200, {"Content-Type": "application/gzip"}, packed)
    return None


_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def _urls(site: Site, paths: Iterable[str]) -> Answer:
    places = "".join(f"<url><loc>{site.origin}{escape(path)}</loc></url>" for path in paths)
    return _xml(f"<urlset {_NAMESPACE}><url><loc>{site.origin}/</loc></url>{places}</urlset>")


def _xml(content: str) -> Answer:
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n{content}\n'.encode()
    return Answer(200, {"Content-Type": "application/xml"}, body)


def ranked(shelf: Shelf, query: str) -> list[Entry]:
    """The entries that fit the query, best first; one site puts a sibling before the rest."""
    asked = {word for word in _words(query) if word not in _STOP}
    scored = [(_score(asked, entry), entry) for entry in shelf.entries.values() if _shown(entry)]
    found = [(score, entry) for score, entry in scored if score > 0]
    found.sort(key=lambda pair: (-pair[0], pair[1].kind != "product", pair[1].path))
    entries = [entry for _, entry in found][:_RESULTS]
    if shelf.site.search == "sibling_first" and len(entries) > 1:
        second = next((e for e in entries if e.shown is not entries[0].shown), entries[0])
        entries = [second, *(e for e in entries if e is not second)]
    return entries


def search_page(shelf: Shelf, look: Look, query: str) -> Answer:
    """Results of the site's own search, as HTML."""
    found = ranked(shelf, query)
    items = (
        f"<h3>{anchor(Link(entry.path, entry.title))}</h3>"
        f"<p>{escape(entry.shown.name)} at {escape(shelf.site.title)}</p>"
        for entry in found
    )
    main = f"<h1>Search: {escape(query)}</h1><p>{len(found)} results</p>" + bullets(items)
    return html(look.page(f"Search results – {shelf.site.title}", main))


def section_page(shelf: Shelf, look: Look, number: int, page: int) -> Answer | None:
    """One page of a section: a slice of the products, with links to the other pages."""
    if number != 0:
        return _empty_section(look) if 0 < number < 6 else None
    mice = shelf.mice
    pages = max(1, -(-len(mice) // _PER_SECTION))
    if not 1 <= page <= pages:
        return None
    at = (page - 1) * _PER_SECTION
    cards = (anchor(Link(shelf.path(m), m.name)) for m in mice[at : at + _PER_SECTION])
    turns = " ".join(anchor(Link(f"/section/0?page={n}", str(n))) for n in range(1, pages + 1))
    main = f"<h1>Mice</h1>{bullets(cards, look.cls('cards'))}<nav>{turns}</nav>"
    return html(look.page(f"Mice – page {page} – {shelf.site.title}", main))


def _empty_section(look: Look) -> Answer:
    return html(look.page(look.site.title, "<h1>Coming soon</h1><p>Nothing here yet.</p>"))


def web_search(shelves: Sequence[Shelf], query: str) -> Answer:
    """The web search API: hits over all sites, as JSON."""
    asked = {word for word in _words(query) if word not in _STOP}
    scored = [
        (_score(asked, entry), shelf.site, entry)
        for shelf in shelves
        for entry in shelf.entries.values()
        if _shown(entry)
    ]
    best = sorted((hit for hit in scored if hit[0] > 0), key=lambda hit: (-hit[0], hit[1].name))
    results = [
        {
            "url": f"{site.origin}{entry.path}",
            "title": f"{entry.title} | {site.title}",
            "content": f"{entry.shown.name} – {site.title}. Specifications, tests and prices.",
        }
        for _, site, entry in best[:20]
    ]
    body = json.dumps({"query": query, "results": results}, ensure_ascii=False).encode()
    return Answer(200, {"Content-Type": "application/json"}, body)


def html(text: str, status: int = 200) -> Answer:
    """An HTML answer in UTF-8."""
    return Answer(status, {"Content-Type": "text/html; charset=utf-8"}, text.encode())


def _shown(entry: Entry) -> bool:
    return entry.kind in ("product", "datasheet", "lookalike")


def _score(asked: set[str], entry: Entry) -> float:
    """How well the entry's name fits: shared words count, missing and extra ones cost."""
    name = set(_words(entry.shown.name))
    shared = len(asked & name)
    return 0.0 if shared < 2 else shared - 0.3 * len(asked - name) - 0.2 * len(name - asked)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def _lines(lines: Iterable[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
