"""What a renderer needs to know to draw one page."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import groupby
from random import Random

from specfactory.demo.drawing.shelf import Shelf
from specfactory.demo.drawing.shell import Link, Look
from specfactory.demo.truth import Mouse
from specfactory.demo.values import Site, Statement
from specfactory.model import Frozen, Json, field


class Staging(Frozen):
    """What stands on a product's page besides its own true values."""

    sibling: Mouse | None = None  # named beside it, with its values
    rivals: tuple[Mouse, ...] = ()  # comparison columns, related boxes
    wrong: Mapping[str, tuple[str, Json]] = field(default_factory=dict)  # field -> trap kind, value
    empty: Mapping[str, str] = field(default_factory=dict)  # field -> what stands for no value
    hostile: str = ""
    year: int = 2025


class Scene(Frozen):
    """One product's page on one site, ready to be drawn."""

    site: Site
    look: Look
    shelf: Shelf
    mouse: Mouse
    statements: tuple[Statement, ...]
    staging: Staging
    rng: Random
    words_of: Callable[[Mouse, str], str]  # any product's value in this site's words, or ""
    value_of: Callable[[Mouse, str], Json]
    label_of: Callable[[str], str]
    title: str  # what the headings call the product
    official: Link  # the maker's own page

    def label(self, name: str) -> str:
        """What this site calls a field."""
        return self.label_of(name)

    def words(self, mouse: Mouse, name: str) -> str:
        """The words for a field of any product; empty when it has none."""
        return self.words_of(mouse, name)

    def statement(self, name: str) -> Statement | None:
        """This page's own statement of a field."""
        return next((s for s in self.statements if s.field == name), None)

    def sections(self) -> list[tuple[str, list[Statement]]]:
        """The statements under their headings, in the order of the page."""
        return [(head, list(rows)) for head, rows in groupby(self.statements, lambda s: s.section)]

    def link(self, mouse: Mouse) -> Link:
        """A link to another product of this site."""
        path = self.shelf.path(mouse) if self.shelf.lists(mouse) else "/section/0"
        return Link(path, mouse.name)

    def crumbs(self) -> tuple[Link, ...]:
        """The way from the front page to this one."""
        return (Link("/", self.site.title), Link("/section/0", "Mice"), self.link(self.mouse))


def shown(statement: Statement) -> str:
    """The words of a statement as markup."""
    return statement.markup or escape(statement.words)


def paragraphs(lines: Iterable[str]) -> str:
    """Plain lines as paragraphs."""
    return "".join(f"<p>{escape(line)}</p>" for line in lines)
