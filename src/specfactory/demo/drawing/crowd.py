"""The aggregator, the forum and the wiki."""

from html import escape

from specfactory.demo.drawing.prose import customer_posts, injection
from specfactory.demo.drawing.scene import Scene, shown
from specfactory.demo.drawing.shell import anchor


def copy_page(scene: Scene) -> str:
    """A table that was copied from a shop, with whatever the shop got wrong."""
    rows = "".join(
        f"<tr><td>{escape(s.label)}</td><td>{shown(s)}</td></tr>" for s in scene.statements
    )
    others = "".join(
        f"<li>{anchor(scene.link(mouse))} – {escape(scene.words(mouse, 'weight'))}</li>"
        for mouse in scene.staging.rivals
    )
    main = (
        f"<h1>{escape(scene.title)} specs</h1><table>{rows}</table>"
        f"<h2>Similar mice</h2><ul>{others}</ul><p>Specs collected from shops.</p>"
    )
    title = f"{scene.title}: full specs | {scene.site.title}"
    return scene.look.page(title, main, crumbs=scene.crumbs(), name=scene.mouse.name)


def forum_page(scene: Scene) -> str:
    """A thread: some know, some mean another mouse, some quote the wrong one."""
    posts = [("opener", f"Anyone using the {scene.mouse.name}? Thinking of getting one.", "")]
    posts += [(f"user{n}", s.sentence or f"{s.label}: {s.words}", "")
              for n, s in enumerate(scene.statements)]  # fmt: skip
    if (sibling := scene.staging.sibling) is not None:
        claim = f"Mine is the {sibling.name}, weight is {scene.words(sibling, 'weight')}."
        posts += [("offtopic", claim, ""), ("reply", "That is not the one he asked about.", claim)]
    if scene.staging.hostile:
        posts.append(("troll", injection(scene.rng), ""))
    posts += [(post["who"], post["text"], "") for post in customer_posts(scene.rng, 5)]
    body = "".join(_post(scene, *post) for post in posts)
    body += f"<p>{anchor(scene.official)}</p>"
    title = f"{scene.title} – owners' thread"
    return scene.look.page(
        f"{title} | {scene.site.title}",
        f"<h1>{escape(title)}</h1>{body}",
        crumbs=scene.crumbs(),
        name=scene.mouse.name,
    )


def _post(scene: Scene, who: str, text: str, quoted: str) -> str:
    quote = f"<blockquote>{escape(quoted)}</blockquote>" if quoted else ""
    return (
        f'<article class="{scene.look.cls("post")}"><header>{escape(who)} wrote:</header>'
        f"{quote}<p>{escape(text)}</p></article>"
    )


def wiki_page(scene: Scene) -> str:
    """An infobox; old revisions carry old values. Some pages declare no encoding."""
    rows = "".join(
        f"<tr><th>{escape(s.label)}</th><td>{shown(s)}</td></tr>" for s in scene.statements
    )
    main = (
        f"<h1>{escape(scene.title)}</h1>"
        f'<table class="infobox"><caption>{escape(scene.mouse.name)}</caption>{rows}</table>'
        f"<p>The <b>{escape(scene.mouse.name)}</b> is a computer mouse by "
        f"{escape(scene.mouse.product.brand)} – one of several with a similar name.</p>"
        f"<h2>External links</h2><p>{anchor(scene.official)}</p>"
        f"<p>This page was last edited in {scene.staging.year}.</p>"
    )
    title = f"{scene.title} – {scene.site.title}"
    return scene.look.page(
        title,
        main,
        crumbs=scene.crumbs(),
        name=scene.mouse.name,
        declare=not scene.mouse.number % 2,
    )
