"""Brand sites: a table with row spans, a definition list, columns, tabs, lines."""

from collections.abc import Callable, Sequence
from html import escape

from specfactory.demo.drawing.pdf import PdfLine, write_pdf
from specfactory.demo.drawing.prose import brand_copy, phrase
from specfactory.demo.drawing.scene import Scene, paragraphs, shown
from specfactory.demo.drawing.shell import INVENTED, anchor, bullets
from specfactory.demo.truth import Mouse


def brand_page(scene: Scene) -> str:
    """A product's page on its maker's site."""
    body = _LAYOUTS[scene.site.layout](scene)
    main = (
        f"<h1>{escape(scene.title)}</h1>{_hero(scene)}"
        f"<h2>{phrase(scene, 'specifications')}</h2>{body}{_variants(scene)}{_family(scene)}"
    )
    title = f"{scene.title} – {scene.site.title}"
    canonical = f'<link rel="canonical" href="{scene.site.origin}{scene.shelf.path(scene.mouse)}">'
    return scene.look.page(title, main, canonical, scene.crumbs(), name=scene.mouse.name)


def datasheet(scene: Scene) -> bytes:
    """The PDF data sheet: label on the left, value on the right."""
    lines = [PdfLine(scene.title, size=16, bold=True), PdfLine("Data sheet", size=12)]
    for head, rows in scene.sections():
        lines += [PdfLine(" "), PdfLine(head, size=12, bold=True)]
        lines += [PdfLine(row.label, row.words) for row in rows]
    return write_pdf(scene.mouse.name, lines, INVENTED["en"])


def _hero(scene: Scene) -> str:
    pictures = "".join(
        f'<img src="/img/{scene.mouse.slug}-{n}.webp" alt="{escape(scene.mouse.name)}" '
        f'srcset="/img/{scene.mouse.slug}-{n}@2x.webp 2x" loading="lazy">'
        for n in range(8)
    )
    return (
        f'<section class="{scene.look.cls("hero")}">{pictures}'
        f"{paragraphs(brand_copy(scene))}</section>"
    )


def _table(scene: Scene) -> str:
    """One table; each group's heading spans its rows."""
    rows = []
    for head, group in scene.sections():
        for at, line in enumerate(group):
            span = f'<th rowspan="{len(group)}">{escape(head)}</th>' if at == 0 else ""
            rows.append(f"<tr>{span}<th>{escape(line.label)}</th><td>{shown(line)}</td></tr>")
    return f'<table class="{scene.look.cls("spec")}"><tbody>{"".join(rows)}</tbody></table>'


def _definitions(scene: Scene) -> str:
    parts = []
    for head, group in scene.sections():
        pairs = "".join(f"<dt>{escape(x.label)}</dt><dd>{shown(x)}</dd>" for x in group)
        parts.append(f"<h3>{escape(head)}</h3><dl>{pairs}</dl>")
    return "".join(parts)


def _columns(scene: Scene) -> str:
    cls = scene.look.cls
    parts = []
    for head, group in scene.sections():
        rows = "".join(
            f'<div class="{cls("row")}"><div class="{cls("key")}">{escape(x.label)}</div>'
            f'<div class="{cls("val")}"><span>{shown(x)}</span></div></div>'
            for x in group
        )
        parts.append(f'<div class="{cls("group")}"><h3>{escape(head)}</h3>{rows}</div>')
    return f'<div class="{cls("specs")}">{"".join(parts)}</div>'


def _tabs(scene: Scene) -> str:
    """A tab per group, all but the first hidden, and a link to the data sheet."""
    cls = scene.look.cls
    heads, panes = [], []
    for at, (head, group) in enumerate(scene.sections()):
        hidden = "" if at == 0 else ' style="display:none" aria-hidden="true"'
        rows = "".join(f"<tr><td>{escape(x.label)}</td><td>{shown(x)}</td></tr>" for x in group)
        heads.append(f'<button role="tab" data-tab="{at}">{escape(head)}</button>')
        panes.append(
            f'<div role="tabpanel" class="{cls("pane")}" id="tab{at}"{hidden}>'
            f"<h3>{escape(head)}</h3><table>{rows}</table></div>"
        )
    sheet = f'<p><a href="/files/{scene.mouse.slug}-datasheet.pdf">Data sheet (PDF)</a></p>'
    return f'<div class="{cls("tabs")}">{"".join(heads)}</div>{"".join(panes)}{sheet}'


def _lines(scene: Scene) -> str:
    parts = []
    for head, group in scene.sections():
        items = (f"<strong>{escape(x.label)}:</strong> {shown(x)}" for x in group)
        parts.append(f"<h4>{escape(head)}</h4>{bullets(items)}")
    return "".join(parts)


_LAYOUTS: dict[str, Callable[[Scene], str]] = {
    "table": _table,
    "definitions": _definitions,
    "columns": _columns,
    "tabs": _tabs,
    "lines": _lines,
}


def _variants(scene: Scene) -> str:
    """The neighbouring variants, with their values on the same page."""
    sibling = scene.staging.sibling
    if sibling is None:
        return ""
    weight = scene.words(sibling, "weight")
    if scene.mouse.place % 2:
        return (
            f'<p class="{scene.look.cls("also")}">{phrase(scene, "also")}: '
            f"{anchor(scene.link(sibling))} ({escape(weight)})</p>"
        )
    return f"<h2>{phrase(scene, 'variants')}</h2>{_variant_table(scene, (scene.mouse, sibling))}"


def _variant_table(scene: Scene, mice: Sequence[Mouse]) -> str:
    fields = [name for name in ("weight", "length", "max_dpi") if scene.words(mice[0], name)]
    heads = "".join(f"<th>{escape(scene.label(name))}</th>" for name in fields)
    rows = "".join(
        f"<tr><th>{anchor(scene.link(mouse))}</th>"
        + "".join(f"<td>{escape(scene.words(mouse, name))}</td>" for name in fields)
        + "</tr>"
        for mouse in mice
    )
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _family(scene: Scene) -> str:
    links = (anchor(scene.link(mouse)) for mouse in scene.shelf.mice if mouse is not scene.mouse)
    cls, head = scene.look.cls("family"), phrase(scene, "more")
    return f'<aside class="{cls}"><h2>{head}</h2>{bullets(links)}</aside>'
