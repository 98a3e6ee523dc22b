"""Running text for the pages: copy, reviews, hostile posts."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from specfactory.demo.drawing.scene import Scene
from specfactory.demo.truth import read_yaml


@lru_cache(maxsize=1)
def texts() -> dict[str, Any]:
    """The file of running text, read once."""
    content: dict[str, Any] = read_yaml("prose.yaml")
    return content


def phrase(scene: Scene, key: str) -> str:
    """A fixed phrase in the site's language."""
    words: str = texts()["phrases"][key][scene.site.language]
    return words


def brand_copy(scene: Scene) -> list[str]:
    """What the maker says about it, without a figure."""
    lines = texts()[f"brand_{scene.site.language}"]
    return _some(scene.rng, lines, 6, scene.mouse.name)


def review_copy(scene: Scene) -> list[str]:
    """What the lab says about it, without a figure."""
    return _some(scene.rng, texts()["review_en"], 9, scene.mouse.name)


def customer_posts(rng: Random, count: int) -> list[dict[str, str]]:
    """What customers wrote: noise with figures about other things."""
    return rng.sample(texts()["customer"], count)


def injection(rng: Random) -> str:
    """A hostile line; its wrong weight is always 12 g."""
    line: str = rng.choice(texts()["injection"])
    return line


def _some(rng: Random, lines: Sequence[str], count: int, name: str) -> list[str]:
    return [line.format(name=name) for line in rng.sample(list(lines), min(count, len(lines)))]
