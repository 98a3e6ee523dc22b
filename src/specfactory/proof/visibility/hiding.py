"""Declared styles → the way in which they hide words, if they do."""

import colorsys
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

Styles = Mapping[str, str]
Color = tuple[int, int, int, float]  # red, green, blue, and how much of them is seen

_NUMBER = re.compile(r"([+-]?\d*\.?\d+)(px|pt|r?em|ex|ch|%|v[wh]|v?min|v?max|in|cm|mm|pc|q)?")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "%": 12.8, "vw": 12.8,
           "vh": 8.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "pc": 16.0}  # fmt: skip
_FAR = 600  # pixels beside the page
_TINY_FONT, _TINY_BOX = 2.0, 1.5  # pixels
_FAINT = 0.04  # opacity that nobody sees
_NEAR = 24  # between two colours, over the three channels
_NAMED = {"white": "#fff", "black": "#000", "snow": "#fffafa", "ivory": "#fffff0",
          "ghostwhite": "#f8f8ff", "whitesmoke": "#f5f5f5", "gray": "#808080", "red": "#f00",
          "grey": "#808080", "silver": "#c0c0c0", "blue": "#00f", "green": "#008000",
          "yellow": "#ff0", "navy": "#000080", "lightgray": "#d3d3d3",
          "gainsboro": "#dcdcdc", "transparent": "#0000"}  # fmt: skip
_CHANNELS = re.compile(r"(rgb|hsl)a?\(([^()]*)\)")
WHITE: Color = (255, 255, 255, 1.0)
BLACK: Color = (0, 0, 0, 1.0)
SPOKEN = frozenset(("off the page", "clipped", "of no size"))
"""Ways of hiding that leave the words to screen readers."""
CLOSED = frozenset(("not displayed", "of no size"))
"""Ways in which scripts close what they open later."""
BOXED = frozenset(("not displayed", "transparent", "clipped", "of no size"))
"""Ways of hiding a box so that nothing inside it can be shown again."""


def hides_box(styles: Styles) -> str:
    """The way in which an element is hidden with all that is inside it; empty for none."""
    if styles.get("display") == "none":
        return "not displayed"
    if _below(styles.get("opacity"), _FAINT) or _faded(styles.get("filter", "")):
        return "transparent"
    if styles.get("content-visibility") == "hidden":
        return "not displayed"
    if _clips(styles):
        return "clipped"
    if _is_shrunk(styles):
        return "of no size"
    return "off the page" if _is_away(styles) else ""


class Look(NamedTuple):
    """How letters look: what an element takes over from those around it."""

    invisible: bool = False
    tiny: bool = False
    outdented: bool = False
    text: Color | None = BLACK
    behind: Color | None = WHITE  # None where it is not known

    def within(self, styles: Styles) -> "Look":
        """How letters look inside an element with these styles."""
        if not styles:
            return self
        said = (_is_invisible(styles), _is_tiny(styles), _is_outdented(styles))
        invisible, tiny, outdented = (
            one if own is None else own for one, own in zip(self[:3], said, strict=True)
        )
        text, behind = self.text, self.behind
        if "background-clip" in styles or "-webkit-background-clip" in styles:
            text = None  # the letters may be cut out of the background
        elif colored := styles.get("-webkit-text-fill-color") or styles.get("color"):
            text = text if colored == "inherit" else read_color(colored)
        painted, color = _background(styles)
        return Look(invisible, tiny, outdented, text, color if painted else behind)

    @property
    def way(self) -> str:
        """The way in which letters are hidden that look so; empty for none."""
        if self.invisible:
            return "invisible"
        if self.tiny:
            return "tiny"
        if self.outdented:
            return "off the page"
        if self.text is None:
            return ""
        faint = self.text[3] <= _FAINT
        same = self.behind is not None and _is_same(self.text, self.behind)
        return "in no colour" if faint or same else ""


def turns_letters(styles: Styles) -> bool:
    """True if styles have letters run in another order than they are written."""
    return "override" in styles.get("unicode-bidi", "")


def colors(styles: Styles) -> tuple[Color | None, Color | None]:
    """The declared colours of letters and of what is behind them."""
    return (
        read_color(styles.get("-webkit-text-fill-color") or styles.get("color", "")),
        _background(styles)[1],
    )


def is_like(one: Color, other: Color) -> bool:
    """True if letters of a colour cannot be seen before another."""
    return one[3] <= _FAINT or _is_same(one, other)


def _is_same(one: Color, other: Color) -> bool:
    return sum(abs(one[at] - other[at]) for at in range(3)) <= _NEAR


def _is_invisible(styles: Styles) -> bool | None:
    said = styles.get("visibility")
    return None if said in (None, "inherit") else said in ("hidden", "collapse")


def _is_tiny(styles: Styles) -> bool | None:
    size = styles.get("font-size")
    if size is None and (whole := styles.get("font")):
        size = next(filter(_is_length, (part.partition("/")[0] for part in whole.split())), None)
    number = _NUMBER.match(size or "")
    if number is None:
        return False if size and size != "inherit" else None
    if number[2] in ("em", "%") and float(number[1]) > 0:
        return None  # as much as the size around it
    return _pixels(number) <= _TINY_FONT


def _is_outdented(styles: Styles) -> bool | None:
    number = _NUMBER.match(styles.get("text-indent", ""))
    return None if number is None else abs(_pixels(number)) >= _FAR


def _background(styles: Styles) -> tuple[bool, Color | None]:
    """Whether styles paint something behind letters, and its colour where it is a plain one."""
    said = styles.get("background-color") or styles.get("background", "")
    image = f"{styles.get('background-image', '')} {styles.get('background', '')}"
    if "url(" in image or "gradient" in image:
        return True, None
    for part in said.replace(", ", ",").split():
        color = read_color(part)
        if color is not None:
            return (True, color) if color[3] > 0.5 else (color[3] > _FAINT, None)
    return said not in ("", "none", "inherit", "initial", "unset"), None


@lru_cache(maxsize=1024)
def read_color(written: str) -> Color | None:
    """A colour; None for what is not known to be one."""
    written = _NAMED.get(written, written)
    if written.startswith("#"):
        digits = written[1:]
        if len(digits) in (3, 4):
            digits = "".join(digit * 2 for digit in digits)
        if len(digits) not in (6, 8) or not all(d in "0123456789abcdef" for d in digits):
            return None
        red, green, blue, share = (int(f"{digits}ff"[at : at + 2], 16) for at in (0, 2, 4, 6))
        return red, green, blue, share / 255
    found = _CHANNELS.fullmatch(written)
    numbers = _NUMBER.findall(found[2]) if found else []
    if found is None or len(numbers) < 3:
        return None
    seen = float(numbers[3][0]) / (100 if numbers[3][1] else 1) if len(numbers) > 3 else 1.0
    values = [float(number) for number, _ in numbers[:3]]
    if found[1] == "hsl":
        shares = colorsys.hls_to_rgb(values[0] / 360, values[2] / 100, values[1] / 100)
        values = [share * 255 for share in shares]
    elif numbers[0][1] == "%":
        values = [value * 2.55 for value in values]
    red, green, blue = (round(min(max(value, 0), 255)) for value in values)
    return red, green, blue, seen


def _below(number: str | None, least: float) -> bool:
    found = _NUMBER.match(number or "")
    return found is not None and float(found[1]) / (100 if found[2] == "%" else 1) <= least


def _faded(effects: str) -> bool:
    _, opacity, rest = effects.partition("opacity(")
    return bool(opacity) and _below(rest, _FAINT)


def _is_length(words: str) -> bool:
    number = _NUMBER.match(words)
    return number is not None and (bool(number[2]) or words == "0")


def _pixels(number: re.Match[str]) -> float:
    return float(number[1]) * _PIXELS.get(number[2] or "", 8.0)


def _lengths(words: str) -> list[float]:
    return [_pixels(number) for number in _NUMBER.finditer(words)]


def _clips(styles: Styles) -> bool:
    rectangle = styles.get("clip", "")
    if rectangle.startswith("rect(") and styles.get("position") in ("absolute", "fixed", None):
        sides = _lengths(rectangle)
        if len(sides) == 4 and (sides[2] - sides[0] <= 1 or sides[1] - sides[3] <= 1):
            return True
    shape, _, sides_of = styles.get("clip-path", "").partition("(")
    numbers = _NUMBER.findall(sides_of)
    if shape == "inset":
        return any(unit == "%" and float(number) >= 50 for number, unit in numbers[:4])
    if shape in ("circle", "ellipse"):
        return bool(numbers) and float(numbers[0][0]) == 0
    return shape == "polygon" and bool(numbers) and all(float(n) == 0 for n, _ in numbers)


def _is_shrunk(styles: Styles) -> bool:
    clips = ("hidden", "clip")
    overflow = [styles.get(name, "") for name in ("overflow", "overflow-x", "overflow-y")]
    if any(part in clips for words in overflow for part in words.split()):
        for name in ("height", "width", "max-height", "max-width"):
            number = _NUMBER.match(styles.get(name, ""))
            if number is not None and number[2] != "%" and _pixels(number) <= _TINY_BOX:
                return True
    moved = f"{styles.get('transform', '')} scale({styles.get('scale', '1')})"
    return any(
        rest and all(float(n) == 0 for n, _ in _NUMBER.findall(rest.partition(")")[0])[:1])
        for rest in re.split(r"scale(?:x|y|3d)?\(", moved)[1:]
    )


def _is_away(styles: Styles) -> bool:
    if styles.get("position") in ("absolute", "fixed", "relative"):
        for name in ("left", "right", "top", "bottom", "inset"):
            # half of the box around is no way off the page: so things are centred
            found = _NUMBER.finditer(styles.get(name, ""))
            lengths = [_pixels(one) for one in found if one[2] != "%" or abs(float(one[1])) >= 100]
            if any(length <= -_FAR or length >= 4 * _FAR for length in lengths):
                return True
    margins = [styles.get(name, "") for name in ("margin", "margin-left", "margin-top")]
    if any(length <= -_FAR for words in margins for length in _lengths(words)):
        return True
    # a share is one of the element's own size there: -100% is beside its place
    moved = f"{styles.get('translate', '')} {styles.get('transform', '').replace('%', 'px')}"
    shifts = re.findall(r"translate(?:x|y|3d)?\(([^()]*)\)|^([^(]*) ", moved)
    return any(abs(length) >= _FAR for words in shifts for length in _lengths(" ".join(words)))
