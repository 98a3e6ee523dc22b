"""What stands around every page of a site: head, navigation, scripts, footer."""

from collections.abc import Iterable, Sequence
from html import escape
from random import Random

from specfactory.demo.values import Site
from specfactory.model import Frozen

INVENTED = {
    "en": "Demo web: every value on this page is invented.",
    "de": "Demo-Web: Alle Werte auf dieser Seite sind erfunden.",
}
_CONSONANTS, _VOWELS = "bcdfgklmnprstvz", "aeiou"
_MENU = {
    "en": ("Mice", "Keyboards", "Headsets", "Mouse pads", "Accessories", "Support", "Community",
           "Downloads", "Store finder", "Careers", "Press", "Newsletter", "Sustainability"),
    "de": ("Mäuse", "Tastaturen", "Headsets", "Mauspads", "Zubehör", "Hilfe", "Forum",
           "Downloads", "Händler", "Karriere", "Presse", "Newsletter", "Nachhaltigkeit"),
}  # fmt: skip
_SMALL_PRINT = {
    "en": (
        "All names and marks belong to their owners. Pictures may differ from the article.",
        "By using this site you agree to the terms of use and to the privacy notice.",
        "Subject to change without notice. Errors and omissions excepted.",
    ),
    "de": (
        "Alle Namen und Marken gehören ihren Inhabern. Abbildungen können abweichen.",
        "Mit der Nutzung stimmen Sie den Nutzungsbedingungen und dem Datenschutz zu.",
        "Änderungen und Irrtümer vorbehalten.",
    ),
}


class Link(Frozen):
    """A link with its words."""

    path: str
    words: str


class Look:
    """How one site looks: class names, colours, scripts; drawn once from the seed."""

    def __init__(self, site: Site, seed: int, menu: Sequence[Link]) -> None:
        rng = Random(f"{seed}:{site.name}:look")
        self.site = site
        self.prefix = "".join(_word(rng, 1)) + rng.choice(("-", "_", "__"))
        self.colour = f"hsl({rng.randrange(360)} 45% 30%)"
        self.style = _style_sheet(rng, self.prefix, self.colour)
        self.scripts = _scripts(rng, site)
        self.header = _header(self, menu)
        self.footer = _footer(self, menu)

    def cls(self, name: str) -> str:
        """A class name of this site."""
        return f"{self.prefix}{name}"

    def page(
        self,
        title: str,
        main: str,
        head: str = "",
        crumbs: Sequence[Link] = (),
        declare: bool = True,
        name: str = "",
    ) -> str:
        """A whole HTML page around ``main``; ``name`` is the product's, where there is one."""
        charset = '<meta charset="utf-8">' if declare else ""
        return (
            f'<!DOCTYPE html>\n<html lang="{self.site.language}">\n<head>\n{charset}\n'
            f"<title>{escape(title)}</title>\n"
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta property="og:site_name" content="{escape(self.site.title)}">\n'
            f'<meta property="og:title" content="{escape(name or title)}">\n'
            f"{head}\n{self.style}\n{self.scripts}\n</head>\n"
            f'<body class="{self.cls("body")}">\n{self.header}\n'
            f"{self._crumbs(crumbs)}\n<main>\n{main}\n</main>\n{self.footer}\n</body>\n</html>\n"
        )

    def _crumbs(self, crumbs: Sequence[Link]) -> str:
        if not crumbs:
            return ""
        items = " › ".join(anchor(link) for link in crumbs)
        return f'<nav class="{self.cls("crumbs")}" aria-label="breadcrumb">{items}</nav>'


def anchor(link: Link) -> str:
    """A link as HTML."""
    return f'<a href="{escape(link.path)}">{escape(link.words)}</a>'


def bullets(items: Iterable[str], cls: str = "") -> str:
    """An unordered list of ready markup."""
    return (f'<ul class="{cls}">' if cls else "<ul>") + "".join(
        f"<li>{item}</li>" for item in items
    ) + "</ul>"  # fmt: skip


def _word(rng: Random, syllables: int) -> str:
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables))


def _style_sheet(rng: Random, prefix: str, colour: str) -> str:
    rules = [
        f"body{{font:16px/1.5 system-ui,sans-serif;margin:0;color:#222}}a{{color:{colour}}}",
        f".{prefix}bar{{background:{colour};color:#fff;padding:12px 24px}}",
        f".{prefix}bar a{{color:#fff;text-decoration:none}}.{prefix}bar>a{{font-weight:700}}"
        f".{prefix}bar ul{{list-style:none;display:flex;gap:24px;margin:8px 0 0;padding:0}}"
        f".{prefix}bar ul ul{{display:none}}.{prefix}bar form{{float:right}}",
        "img{width:96px;height:64px;margin:0 8px 8px 0;background:#eee;font-size:0}",
        "table{border-collapse:collapse}td,th{padding:6px 12px;border-bottom:1px solid #ddd;"
        "text-align:left}main{max-width:1080px;margin:0 auto;padding:24px}",
    ]
    for _ in range(rng.randrange(90, 150)):
        display = rng.choice(("block", "flex", "grid"))
        rules.append(
            f".{prefix}{_word(rng, 3)}{{margin:{rng.randrange(32)}px;padding:{rng.randrange(24)}px;"
            f"color:#{rng.randrange(0xFFFFFF):06x};display:{display}}}"
        )
    return f"<style>{''.join(rules)}</style>"


def _scripts(rng: Random, site: Site) -> str:
    calls = "".join(
        f'function {_word(rng, 2)}(a,b){{var c=a||{{}};c["{_word(rng, 3)}"]=b;'
        f'return window.{_word(rng, 2)}&&window.{_word(rng, 2)}(c,"{_word(rng, 4)}")}}'
        for _ in range(rng.randrange(90, 160))
    )
    return (
        f'<script>window.__site={{"name":"{site.name}","build":"{rng.randrange(1 << 40):x}"}};'
        f"(function(){{{calls}}})();</script>"
    )


def _header(look: Look, menu: Sequence[Link]) -> str:
    words = _MENU[look.site.language]
    groups = "".join(
        f'<li><a href="/section/{number}">{escape(word)}</a>'
        f"{bullets((anchor(link) for link in menu[number::9]), look.cls('sub'))}</li>"
        for number, word in enumerate(words[:6])
    )
    box = (
        '<form action="/search"><input name="q" type="search"></form>'
        if look.site.search != "none"
        else ""
    )
    return (
        f'<header class="{look.cls("bar")}"><a href="/">{escape(look.site.title)}</a>{box}'
        f'<nav class="{look.cls("menu")}"><ul>{groups}</ul></nav></header>'
    )


def _footer(look: Look, menu: Sequence[Link]) -> str:
    language = look.site.language
    words = _MENU[language][5:]
    links = bullets(
        (anchor(Link(f"/about/{number}", word)) for number, word in enumerate(words)),
        look.cls("links"),
    )
    small = "".join(f"<p>{escape(line)}</p>" for line in _SMALL_PRINT[language])
    popular = bullets((anchor(link) for link in menu[:14]), look.cls("popular"))
    return (
        f'<footer class="{look.cls("foot")}">{links}{popular}{small}'
        f'<p class="{look.cls("invented")}"><strong>{INVENTED[language]}</strong></p></footer>'
    )
