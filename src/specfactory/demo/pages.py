"""The press: draws each page when it is first asked for, and keeps it."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from html import escape
from random import Random
from urllib.parse import parse_qs, unquote, urlsplit

from specfactory.demo import finding
from specfactory.demo.drawing import (
    SCRIPT_BUNDLE,
    Entry,
    Link,
    Look,
    Scene,
    Shelf,
    Staging,
    anchor,
    bare_page,
    brand_page,
    bullets,
    cents_page,
    closed_page,
    copy_page,
    database_page,
    datasheet,
    forum_page,
    icons_page,
    imperial_page,
    review_page,
    script_page,
    script_values,
    wiki_page,
)
from specfactory.demo.index import index_answer
from specfactory.demo.staging import OTHER_WEIGHTS
from specfactory.demo.traps import prerelease
from specfactory.demo.truth import Mouse, siblings
from specfactory.demo.values import Answer, Site, Statement
from specfactory.demo.world_plan import WorldPlan
from specfactory.model import Json

_HTML = {"Content-Type": "text/html; charset=utf-8"}
_RENDERERS: Mapping[str, Callable[[Scene], str]] = {
    "table": brand_page, "definitions": brand_page, "columns": brand_page, "tabs": brand_page,
    "lines": brand_page, "review": review_page, "database": database_page,
    "closed": closed_page, "bare": bare_page, "cents": cents_page,
    "imperial": imperial_page, "script": script_page, "copy": copy_page,
    "forum": forum_page, "wiki": wiki_page,
}  # fmt: skip
_REBUILT = {"table": "definitions", "definitions": "table", "columns": "table", "lines": "table"}
_RELAUNCH = 1_000_003  # draws class names, colours and scripts anew


class Press:
    """Answers for every address of a world."""

    def __init__(self, world: WorldPlan) -> None:
        self._world = world
        self._shelves = {shelf.site.host: shelf for shelf in world.shelves}
        self._looks: dict[str, Look] = {}
        self._kept: dict[tuple[str, str], Answer] = {}

    def answer(self, host: str, path: str) -> Answer:
        """The answer for a path with its query; pages are kept, searches are not."""
        if (kept := self._kept.get((host, path))) is not None:
            return kept
        parts = urlsplit(path)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        shelf = self._shelves.get(host)
        if shelf is None:
            return Answer(404, {"Content-Type": "text/plain"}, b"no such site\n")
        answer = self._dated(shelf.site, path, self._find(shelf, unquote(parts.path), query))
        if not parts.query:
            self._kept[host, path] = answer
        return answer

    def redrawn(self, host: str, path: str) -> Answer:
        """The answer for a path after a relaunch in which icons took the place of labels."""
        shelf = self._shelves[host]
        entry = shelf.entries.get(unquote(urlsplit(path).path))
        if entry is None or entry.kind != "product":
            return self.answer(host, path)
        return finding.html(icons_page(self._scene(shelf, entry.shown)))

    def statements(self, host: str, product_id: str) -> tuple[Statement, ...]:
        """What the pages of a host say about a product."""
        shelf = self._shelves[host]
        if product_id not in shelf.products:
            return ()
        mouse = shelf.products[product_id].mouse
        sheet = self._world.datasheets.get(product_id) if shelf.site.layout == "tabs" else None
        more = self._scene(shelf, mouse, sheet).statements if sheet else ()
        return tuple(s for s in self._scene(shelf, mouse).statements + more if s.field)

    def _find(self, shelf: Shelf, path: str, query: Mapping[str, str]) -> Answer:
        site = shelf.site
        if path == "/robots.txt":
            return finding.robots(site)
        if site.layout == "index":
            return index_answer(self._world, path) or self._not_found(shelf)
        if site.layout == "websearch":
            return finding.web_search(self._world.shelves, query.get("q", ""))
        if (found := finding.sitemap(shelf, path)) is not None:
            return found
        if path == "/search" and site.search != "none":
            return finding.search_page(shelf, self._look(shelf), query.get("q", ""))
        if (entry := shelf.entries.get(path)) is not None:
            return self._entry(shelf, entry)
        return self._other(shelf, path, query) or self._not_found(shelf)

    def _other(self, shelf: Shelf, path: str, query: Mapping[str, str]) -> Answer | None:
        """Front page, sections, small pages, and what a script asks for."""
        look = self._look(shelf)
        if path == "/":
            return _front(shelf, look)
        if path.startswith("/section/"):
            number, page = path.removeprefix("/section/"), query.get("page", "1")
            if number.isdigit() and page.isdigit():
                return finding.section_page(shelf, look, int(number), int(page))
        if path.startswith("/about/"):
            return finding.html(look.page(shelf.site.title, "<h1>About us</h1><p>Soon more.</p>"))
        return self._script(shelf, path) if shelf.site.layout == "script" else None

    def _script(self, shelf: Shelf, path: str) -> Answer | None:
        if path == "/static/app.js":
            return Answer(200, {"Content-Type": "text/javascript"}, SCRIPT_BUNDLE)
        entry = shelf.entries.get(path.removeprefix("/api").removesuffix(".json"))
        if entry is None or not path.startswith("/api/"):
            return None
        body = script_values(self._scene(shelf, entry.shown))
        return Answer(200, {"Content-Type": "application/json"}, body)

    def _entry(self, shelf: Shelf, entry: Entry) -> Answer:
        if entry.kind == "blank":
            return Answer(200, _HTML, b"<!DOCTYPE html><html><head></head><body></body></html>")
        if entry.kind == "gone":
            return self._soft_404(shelf, entry)
        if entry.kind == "private":
            return self._private(shelf, entry)
        if entry.kind == "datasheet":
            scene = self._scene(shelf, entry.shown, self._world.datasheets[entry.shown.id])
            return Answer(200, {"Content-Type": "application/pdf"}, datasheet(scene))
        text = _RENDERERS[self._drawn(shelf.site).layout](self._scene(shelf, entry.shown))
        if shelf.site.layout == "wiki" and entry.shown.number % 2:
            body = text.encode("cp1252", "xmlcharrefreplace")
            return Answer(200, {"Content-Type": "text/html"}, body)
        return finding.html(text)

    def _soft_404(self, shelf: Shelf, entry: Entry) -> Answer:
        """An excuse with status 200, and the siblings' weights beside it."""
        others = (
            f"{escape(m.name)}: {escape(self._words(shelf.site, m, 'weight'))}"
            for m in siblings(entry.mouse, shelf.mice)
        )
        main = (
            "<h1>Page not found</h1><p>Sorry, the page that you are looking for does not exist "
            f"any more. You may like:</p>{bullets(others)}"
        )
        return finding.html(self._look(shelf).page("Page not found", main))

    def _private(self, shelf: Shelf, entry: Entry) -> Answer:
        """An early sample's figures, behind robots.txt."""
        style = self._world.styles[shelf.site.name]
        weight = style.words("weight", prerelease(self._value(shelf.site, entry.mouse, "weight")))
        main = f"<h1>{escape(entry.mouse.name)}</h1><p>{style.label('weight')}: {weight}</p>"
        return finding.html(self._look(shelf).page(f"{entry.mouse.name} – sample", main))

    def _not_found(self, shelf: Shelf) -> Answer:
        look = self._look(shelf)
        return finding.html(look.page("404", "<h1>404 – not found</h1><p>No such page.</p>"), 404)

    def _look(self, shelf: Shelf) -> Look:
        name = shelf.site.name
        if name not in self._looks:
            menu = [Link(shelf.path(mouse), mouse.name) for mouse in shelf.mice]
            seed = self._world.seed + _RELAUNCH * (name in self._world.relaunched)
            self._looks[name] = Look(shelf.site, seed, menu)
        return self._looks[name]

    def _drawn(self, site: Site) -> Site:
        """The site as its pages are drawn: in other markup after a relaunch."""
        if site.name not in self._world.relaunched:
            return site
        return replace(site, layout=_REBUILT.get(site.layout, site.layout))

    def _value(self, site: Site, mouse: Mouse, name: str) -> Json:
        return self._world.facts_at[site.name][mouse.id].get(name)

    def _scene(self, shelf: Shelf, mouse: Mouse, names: Iterable[str] | None = None) -> Scene:
        world, site = self._world, shelf.site
        staging = world.staging(shelf, mouse)
        rng = Random(f"{world.seed}:{site.name}:{mouse.id}:page")
        stated = world.stated[site.name][mouse.id] if names is None else names
        style = world.styles[site.name]
        return Scene(
            self._drawn(site), self._look(shelf), shelf, mouse,
            self._statements(site, mouse, stated, staging, rng), staging, rng,
            words_of=lambda m, name: self._words(site, m, name),
            value_of=lambda m, name: self._value(site, m, name),
            label_of=style.label,
            title=style.title(mouse.product),
            official=self._official(mouse),
        )  # fmt: skip

    def _official(self, mouse: Mouse) -> Link:
        """The maker's own page, by its full address."""
        maker = next(s for s in self._world.shelves if s.site.brand == mouse.product.brand)
        return Link(f"{maker.site.origin}{maker.path(mouse)}", f"Official page of {mouse.name}")

    def _words(self, site: Site, mouse: Mouse, name: str) -> str:
        facts = self._world.facts_at[site.name][mouse.id]
        style = self._world.styles[site.name]
        return style.shown(name, facts, facts[name]) if name in facts else ""

    def _statements(
        self, site: Site, mouse: Mouse, names: Iterable[str], staging: Staging, rng: Random
    ) -> tuple[Statement, ...]:
        """The page's statements in its order, with its mistakes and its noise."""
        style, facts = self._world.styles[site.name], self._world.facts_at[site.name][mouse.id]
        rows = []
        for name in sorted(names, key=style.place):
            kind, value = staging.wrong.get(name, ("", facts.get(name)))
            words = style.shown(name, facts, value)
            label = style.label(name) + style.note(name) + _footnote(rng)
            label = "Weight" if kind in OTHER_WEIGHTS else label
            if staging.hostile == "zero_width":
                label = label[:3] + "\u200b" + label[3:]
            markup = _markup(words) if style.hard_spaces else ""
            if site.brand and rng.random() < 0.04 and not isinstance(value, str | list | dict):
                markup = _noted(markup or escape(words))
            sentence = style.sentence(name, words, rng)
            rows.append(Statement(name, style.section(name), label, words, markup, sentence))
        empty = [(style.section(n), style.label(n), words) for n, words in staging.empty.items()]
        return tuple(_with_extras(rows, [*empty, *style.extra_rows(rng)], site))

    def _dated(self, site: Site, path: str, answer: Answer) -> Answer:
        """The answer with its validators; a page last changed when the seed says so."""
        rng = Random(f"{self._world.seed}:{site.name}:{path}:date")
        day, hour = rng.randrange(1, 28), rng.randrange(24)
        headers = {
            **answer.headers,
            "ETag": f'"{hashlib.sha256(answer.body).hexdigest()[:20]}"',
            "Last-Modified": f"{_WEEKDAYS[day % 7]}, {day:02d} Nov 2024 {hour:02d}:00:00 GMT",
        }
        return Answer(answer.status, headers, answer.body)


_WEEKDAYS = ("Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed")  # 1 November 2024 was a Friday


def _with_extras(
    rows: list[Statement], extras: list[tuple[str, str, str]], site: Site
) -> list[Statement]:
    """The rows with lines that nobody asked for, each at the end of its section."""
    if site.layout in ("review", "forum"):
        return rows
    for section, label, words in extras:
        places = [at for at, row in enumerate(rows) if row.section == section]
        rows.insert(places[-1] + 1 if places else len(rows), Statement("", section, label, words))
    return rows


def _front(shelf: Shelf, look: Look) -> Answer:
    links = (anchor(Link(shelf.path(mouse), mouse.name)) for mouse in shelf.mice[:12])
    main = f"<h1>{escape(shelf.site.title)}</h1>{bullets(links)}<a href='/section/0'>All mice</a>"
    return finding.html(look.page(shelf.site.title, main))


def _footnote(rng: Random) -> str:
    return rng.choice(("*", " ¹", " ²")) if rng.random() < 0.04 else ""


def _noted(markup: str) -> str:
    """Words with a footnote mark; right behind a digit it would change the number."""
    return markup if markup[-1].isdigit() else f"{markup}<sup>1</sup>"


def _markup(words: str) -> str:
    """Words with hard spaces, where a number meets its unit."""
    return escape(words).replace(" ", "&nbsp;") if words[:1].isdigit() else ""
