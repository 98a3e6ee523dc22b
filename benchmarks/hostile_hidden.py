"""Staged pages that hold what no reader can ever see, and honest ones that let him open it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.hostile_staged import MAKER, Staged, page_of, table_of

NAME = "Acme Nova 5"
URL = f"https://{MAKER}/nova-5"
_SHOWN = table_of(polling_rate="1000 Hz", weight="58 g")
_PROSE = f"<p>{'The Nova 5 is made for long evenings at the desk. ' * 6}</p>"
_LIE = table_of(weight="99 g")
_WORDINGS = {
    "table": _LIE,
    "list": "<dl><dt>Weight</dt><dd>99 g</dd></dl>",
    "line": "<p>Weight: 99 g</p>",
    "sentence": "<p>The Nova 5 weighs 99 g without its cable.</p>",
}
# Ways of hiding: a trick, what stands in the head, and what is opened around the words.
_STYLES = {
    "not displayed": "display:none",
    "invisible": "visibility:hidden",
    "transparent": "opacity:0",
    "no letters": "font-size:0",
    "off the page": "position:absolute;left:-9999px",
    "indented away": "text-indent:-9999px",
    "clipped": "position:absolute;clip:rect(0,0,0,0)",
    "clipped away": "clip-path:inset(50%)",
    "no height": "height:0;overflow:hidden",
    "shrunk": "transform:scale(0)",
    "letters without colour": "color:transparent",
    "letters like their background": "color:#fff;background:#fff",
}


def _page(*parts: str, head: str = "") -> dict[str, str]:
    return {URL: page_of(NAME, *parts, _PROSE, head=head)}


def _refused(trick: str, wording: str, pages: dict[str, str], wanted: bool = True) -> Staged:
    """A case in which 99 g must not be published, and what is shown must."""
    values = {"polling_rate": 1000, "weight": 58} if wanted else {}
    return Staged(trick, wording, pages, refused={"weight": [99]}, wanted=values)


def _hidden() -> Iterator[Staged]:
    for trick, style in _STYLES.items():
        for wording, words in _WORDINGS.items():
            attribute = f'<div style="{style}">{words}</div>'
            yield _refused(trick, f"style attribute, {wording}", _page(attribute, _SHOWN))
        sheet = f"<style>.note{{{style}}}</style>"
        boxed = f'<div class="note">{_LIE}</div>'
        yield _refused(trick, "rule of a class", _page(boxed, _SHOWN, head=sheet))
        alone = table_of(polling_rate="1000 Hz")
        yield _refused(trick, "nothing else said", _page(boxed, alone, head=sheet), wanted=False)
    for wording, words in _WORDINGS.items():
        for trick, markup in (
            ("hidden attribute", f"<div hidden>{words}</div>"),
            ("template", f"<template>{words}</template>"),
            ("noscript", f"<noscript>{words}</noscript>"),
            ("closed dialog", f"<dialog>{words}</dialog>"),
            ("comment", f"<!-- {words} -->"),
            ("only named like a tab", f'<div class="tab-pane" style="display:none">{words}</div>'),
            ("an opener that is hidden", f'<a href="#s" hidden>Specs</a><div id="s" hidden>{words}'
             "</div>"),
        ):  # fmt: skip
            yield _refused(trick, wording, _page(markup, _SHOWN))


def _turned() -> Iterator[Staged]:
    for wording, value in (
        ("override character", "\u202e99 g\u202c"),
        ("bdo", '<bdo dir="rtl">99 g</bdo>'),
        ("style", '<span style="unicode-bidi:bidi-override;direction:rtl">99 g</span>'),
    ):
        pages = _page(table_of(polling_rate="1000 Hz", weight=value))
        yield Staged("digits turned around", wording, pages, refused={"weight": ()},
                     wanted={"polling_rate": 1000})  # fmt: skip


def _contradicted() -> Iterator[Staged]:
    for wording, data in (
        ("JSON-LD", '<script type="application/ld+json">{"@type":"Product","name":"Acme Nova 5",'
         '"weight":"99 g"}</script>'),
        ("JSON-LD, quantity", '<script type="application/ld+json">{"@type":"Product","name":'
         '"Acme Nova 5","weight":{"@type":"QuantitativeValue","value":99,"unitCode":"GRM"}}'
         "</script>"),
    ):  # fmt: skip
        yield Staged("data that the page contradicts", wording, _page(_SHOWN, head=data),
                     refused={"weight": [99]}, wanted={"polling_rate": 1000})  # fmt: skip


def _honest() -> Iterator[Staged]:
    """What a reader can open must still come."""
    for wording, markup in {
        "tab by its id": '<a href="#s">Specs</a><p>Or read on.</p><div id="s" hidden>{}</div>',
        "tab by its role": '<div role="tab">Specs</div><p>Or read on.</p>'
        '<div role="tabpanel" hidden>{}</div>',
        "aria-controls": '<button aria-controls="s">Specs</button><div id="s" hidden>{}</div>',
        "data-target": '<li data-target="#s">Specs</li><div id="s" style="display:none">{}</div>',
        "data-bs-target": '<b data-bs-target="#s">Specs</b><div id="s" class="x">{}</div>',
        "label and checkbox": '<label for="t">Specs</label><input id="t" type="checkbox">'
        '<div class="x">{}</div>',
        "accordion": '<div class="accordion-title">Specs</div><div class="x">{}</div>',
        "details": "<details><summary>Specs</summary>{}</details>",
        "dialog": '<button commandfor="s">Specs</button><dialog id="s">{}</dialog>',
        "popover": '<button popovertarget="s">Specs</button><div id="s" popover>{}</div>',
        "read more": '<div style="max-height:0;overflow:hidden">{}</div><a href="#">Read more</a>',
        "whole page until loaded": "<div>{}</div><style>body{{opacity:0}}</style>",
        "another screen": "<div class=p>{}</div><style>@media print{{.p{{display:none}}}}</style>",
    }.items():
        sheet = "<style>.x{display:none}</style>"
        pages = _page(markup.format(_SHOWN), head=sheet)
        yield Staged("honest", wording, pages, wanted={"weight": 58, "polling_rate": 1000})


CASES: Sequence[Staged] = (*_hidden(), *_turned(), *_contradicted(), *_honest())
