"""Labs: a review in prose with a results table, a measurement database with rivals beside."""

from html import escape

from specfactory.demo.drawing.prose import review_copy
from specfactory.demo.drawing.scene import Scene, paragraphs, shown
from specfactory.demo.drawing.shell import anchor
from specfactory.demo.truth import Mouse
from specfactory.demo.values import Statement


def review_page(scene: Scene) -> str:
    """A review: figures in sentences, the main ones again in a small table."""
    told = [s for s in scene.statements if s.sentence]
    tabled = [s for s in scene.statements if not s.sentence]
    rows = "".join(
        f'<tr><td class="{scene.look.cls("k")}">{escape(s.label)}</td><td>{shown(s)}</td></tr>'
        for s in tabled
    )
    main = (
        f"<article><h1>{escape(scene.title)} review</h1>{_byline(scene)}"
        f"{_prose(scene, told)}<p>{anchor(scene.official)}</p>"
        f"<h2>Results at a glance</h2><table>{rows}</table></article>"
    )
    title = f"{scene.title} review – {scene.site.title}"
    return scene.look.page(title, main, crumbs=scene.crumbs(), name=scene.mouse.name)


def database_page(scene: Scene) -> str:
    """A comparison table: this product and two rivals, a column each."""
    mice = [scene.mouse, *scene.staging.rivals]
    scene.rng.shuffle(mice)
    heads = "".join(f"<th scope=col>{escape(mouse.name)}</th>" for mouse in mice)
    rows = []
    for section, group in scene.sections():
        rows.append(f'<tr><th colspan="{len(mice) + 1}">{escape(section)}</th></tr>')
        rows += [_compared(scene, line, mice) for line in group]
    main = (
        f"<h1>{escape(scene.title)}: measurements</h1>{_byline(scene)}"
        f'<table class="{scene.look.cls("db")}"><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
        f"<h2>How we measure</h2>{paragraphs(review_copy(scene))}"
    )
    return scene.look.page(
        f"{scene.title} – all measurements | {scene.site.title}",
        main,
        crumbs=scene.crumbs(),
        name=scene.mouse.name,
    )


def closed_page(scene: Scene) -> str:
    """A plain table on a site that wants no robots."""
    rows = "".join(
        f"<tr><td>{escape(s.label)}</td><td>{shown(s)}</td></tr>" for s in scene.statements
    )
    main = f"<h1>{escape(scene.mouse.name)}</h1><table>{rows}</table>"
    return scene.look.page(
        f"{scene.mouse.name} | {scene.site.title}",
        main,
        crumbs=scene.crumbs(),
        name=scene.mouse.name,
    )


def _compared(scene: Scene, line: Statement, mice: list[Mouse]) -> str:
    own = [
        shown(line) if mouse is scene.mouse else escape(scene.words(mouse, line.field) or "–")
        for mouse in mice
    ]
    cells = "".join(f"<td>{cell}</td>" for cell in own)
    return f"<tr><th scope=row>{escape(line.label)}</th>{cells}</tr>"


def _byline(scene: Scene) -> str:
    year = scene.staging.year
    return f'<p>By the bench team, <time datetime="{year}-05-02">May 2, {year}</time></p>'


def _prose(scene: Scene, told: list[Statement]) -> str:
    """Copy and measurements, a few sentences to a paragraph, the older sibling mentioned once."""
    copy = review_copy(scene)
    sibling = scene.staging.sibling
    if sibling is not None:
        weight = scene.words(sibling, "weight")
        copy.insert(2, f"For comparison: the {sibling.name} weighs {weight} on the same scale.")
    chunks = [told[at : at + 3] for at in range(0, len(told), 3)]
    parts = []
    for at in range(max(len(copy), len(chunks))):
        parts += copy[at : at + 1]
        parts += [" ".join(s.sentence for s in chunk) for chunk in chunks[at : at + 1]]
    return paragraphs(parts)
