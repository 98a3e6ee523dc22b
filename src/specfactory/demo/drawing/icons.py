"""A relaunch that says everything in pictures: values without words for what they are."""

from html import escape
from zlib import crc32

from specfactory.demo.drawing.scene import Scene, shown


def icons_page(scene: Scene) -> str:
    """A product's page as tiles: an icon for each label, the value beside it."""
    cls = scene.look.cls
    tiles = "".join(
        f'<div class="{cls("tile")} {cls(_code(line.field or line.label))}">'
        f'<i class="{cls("icon")}"></i><b>{shown(line)}</b></div>'
        for line in scene.statements
    )
    main = f'<h1>{escape(scene.title)}</h1><section class="{cls("tiles")}">{tiles}</section>'
    title = f"{scene.title} – {scene.site.title}"
    return scene.look.page(title, main, crumbs=scene.crumbs(), name=scene.mouse.name)


def _code(name: str) -> str:
    """A class name that says nothing about the field it is for."""
    return f"t{crc32(name.encode()):08x}"
