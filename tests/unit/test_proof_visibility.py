"""What of a page a reader sees, can open, may be able to open, and can never see."""

from __future__ import annotations

import pytest

from tests.pages import page_views

REST = "<p>" + "A page has more words than its boxes. " * 5 + "</p>"
BOX = "<div class=x id=y data-z=1><b>secret</b></div>"


def sight(markup, head="", word="secret", **page):
    """How a word is seen: "seen", "doubt" or "never"."""
    views = page_views(
        f"<html lang=en><head>{head}</head><body><h1>Viper</h1>{markup}{REST}</body></html>", **page
    )
    start = views.text.index(word)
    span = start, start + len(word)
    if views.unseen.hides(span):
        return "never"
    return "doubt" if views.unseen.doubt(span) else "seen"


HIDING = [
    "display:none", "DISPLAY : NONE !important", "visibility:hidden", "visibility: collapse",
    "opacity:0", "opacity:.01", "opacity:0%", "filter:opacity(0)", "content-visibility:hidden",
    "font-size:0", "font-size:1px", "font:0/0 a", "color:transparent", "color:rgba(0,0,0,0)",
    "color:#fff", "color:white", "color:#fefefe", "color:hsl(0,0%,100%)",
    "background:#000", "background:#123456;color:#123456", "-webkit-text-fill-color:transparent",
    "position:absolute;left:-9999px", "position:fixed;top:-200vh", "text-indent:-9999px",
    "position:absolute;left:-60em",
    "position:absolute;right:9999px", "margin-left:-5000px", "transform:translateX(-9999px)",
    "transform:scale(0)", "transform:scale(0,1)", "scale:0", "clip-path:inset(50%)",
    "position:absolute;clip:rect(0,0,0,0)", "position:absolute;clip:rect(1px 1px 1px 1px)",
    "clip-path:circle(0)", "clip-path:polygon(0 0,0 0,0 0)", "height:0;overflow:hidden",
    "width:1px;height:1px;overflow:hidden", "max-height:0;overflow:hidden",
    "d\\69splay:none", "display:/* shown */none",
]  # fmt: skip


@pytest.mark.parametrize("style", HIDING)
def test_words_hidden_by_a_style_attribute_are_never_seen(style):
    assert sight(f'<div style="{style}">secret</div>') == "never"
    assert sight(f'<div style="{style}"><p>a <i>secret</i></p></div>') == "never"


@pytest.mark.parametrize("style", HIDING)
@pytest.mark.parametrize("selector", [".x", "#y", "[data-z]", "div.x"])
def test_words_hidden_by_a_rule_of_the_page_are_never_seen(style, selector):
    assert sight(BOX, f"<style>p{{margin:0}}{selector}{{{style}}}</style>") == "never"


@pytest.mark.parametrize(
    "sheet",
    [
        ".a,.x{display:none}", "div{display:none}", "body .x{display:none}",
        "body>.x{display:none}", "div#y.x[data-z='1']{display:none}", ".x *{display:none}",
        ".x:not(.open){display:none}", ":is(.x){display:none}", ".x b{display:none}",
        "@media screen{.x{display:none}}", "@media all and (min-width:1px){.x{display:none}}",
        "@supports (display:grid){.x{display:none}}", "body{.x{display:none}}",
        ".x{&{display:none}}", ":root{--d:none}.x{display:var(--d)}", ".x{display:var(--d,none)}",
        ".x{display:block;display:none}", ".x{display:none!important}.x{display:block}",
        "#y{display:none}.x{display:block}", ".x{content:'}';display:none}",
        ".x{color:red;/* } */display:none}", "\\.x{a:b}.x{display:none",
        "@layer a{.x{display:none}}",
        ".a{background:url(a;b.png)}.x{display:none}", ".\\78{display:none}",
        "body{background:#222}.x{color:#222}", "[class~=x]{display:none}", "[id^=y]{display:none}",
        "html body div b{display:none}",
        ".x{position:absolute}.x{left:-9999px}", "*{display:none}html,body,h1,p{display:block}",
        "h1+.x{display:none}", "h1~.x{display:none}", "div:nth-child(2){display:none}",
        ".x:not(:first-child){display:none}", "div:nth-of-type(odd){display:none}",
    ],
)  # fmt: skip
def test_selectors_and_sheets_are_read_as_browsers_read_them(sheet):
    assert sight(BOX, f"<style>{sheet}</style>") == "never"


@pytest.mark.parametrize(
    "sheet",
    [
        "", ".z{display:none}", ".x .y{display:none}", "span.x{display:none}", "p>.x{display:none}",
        ".x{display:none}.x{display:block}", ".x{display:none}#y{display:block}",
        "@media print{.x{display:none}}", "@media (max-width:600px){.x{display:none}}",
        "@media (min-width:900px){.x{display:none}}", ".x:hover{display:none}",
        ".x::before{display:none}", ".x.open{display:none}", "@keyframes a{from{opacity:0}}",
        ".x{visibility:hidden}b{visibility:visible}", ".x{font-size:0}.x b{font-size:14px}",
        ".x{color:#fff;background:#000}", ".x{color:#fff}body{background:#111}",
        ".x{color:#fff;background:url(dark.png)}", "html,body{opacity:0}", "body{display:none}",
        "*{opacity:0!important}", "html,.x{visibility:hidden}",
        "p+.x{display:none}", ".x~.x{display:none}", ".x:first-child{display:none}",
        ".x:nth-child(2n+1){display:none}", ".x:last-of-type{color:red}",
        ".x{opacity:.5}", ".x{position:absolute;left:-20px}", ".x{height:0}",
        ".x{position:relative;top:50%;left:-50%}",
        ".x{transform:translate(-50%,-100%)}", ".x{font-size:.9em}", ".x{text-indent:-2em}",
        ".x{color:transparent;background:linear-gradient(red,blue);background-clip:text}",
    ],
)  # fmt: skip
def test_what_no_rule_hides_is_seen(sheet):
    assert sight(BOX, f"<style>{sheet}</style>") == "seen"


@pytest.mark.parametrize(
    "markup",
    [
        "<div hidden>secret</div>", "<div popover>secret</div>",
        "<div style='color:#fff'><p style='color:#fff'>secret</p></div>",
        "<font color=white>secret</font>",
        "<table bgcolor=#eee><td><font color=#eee>secret</table>",
        "<div style='visibility:hidden'><p style='visibility:hidden'>secret</p></div>",
        "<div style='display:none'><p style='display:block'>secret</p></div>",
        "<a href='#y' style='display:none'>Specs</a><div id=y hidden>secret</div>",
        "<a href='#y'></a><div id=y hidden>secret</div>",
        "<div id=y hidden><a href='#y'>Specs</a> secret</div>",
        "<button>Add to cart</button><div hidden>secret</div>",
        "<a href='/other#y'>Specs</a><div id=y hidden>secret</div>",
    ],
)  # fmt: skip
def test_what_nothing_opens_is_never_seen(markup):
    assert sight(markup) == "never"


@pytest.mark.parametrize(
    "markup",
    [
        "<a href='#y'>Specs</a><p>a</p><div id=y hidden>secret</div>",
        "<button aria-controls=y>Specs</button><p>a</p><div id=y hidden>secret</div>",
        "<button aria-controls=y aria-label=Specs></button><p>a</p><div id=y hidden>secret</div>",
        "<li data-target='#y'>Specs</li><p>a</p><div id=y style='display:none'>secret</div>",
        "<li data-bs-target='#y'>Specs</li><p>a</p><div id=y style='display:none'>secret</div>",
        "<li data-tab=y>Specs</li><p>a</p><div id=y style='opacity:0'>secret</div>",
        "<li data-open='.box'>Specs</li><p>a</p><div class='box' hidden>secret</div>",
        "<i onclick=\"show('y')\">Specs</i><p>a</p><div id=y hidden>secret</div>",
        "<button popovertarget=y>Specs</button><p>a</p><div id=y popover>secret</div>",
        "<button commandfor=y>Specs</button><p>a</p><dialog id=y>secret</dialog>",
        "<label for=t>Specs</label><p>a</p><input type=checkbox id=t><div hidden>secret</div>",
        "<div role=tab>Specs</div><p>a</p><div role=tabpanel hidden>secret</div>",
        "<button>Specs</button><div hidden>secret</div>",
        "<h3><button>Specs</button></h3><div hidden>secret</div>",
        "<div class=accordion-title>Specs</div><div hidden>secret</div>",
        "<div hidden>secret</div><a href='#'>Read more</a>",
        "<div hidden>secret</div><a href='javascript:void(0)'>Read more</a>",
        "<table><tr><td>a<tr hidden><td>secret</table><button>Show all</button>",
        "<a href='#o'>Open</a><p>a</p><div id=o hidden><a href='#y'>Specs</a>"
        "<p>b</p><div id=y hidden>secret</div></div>",
        "<details><summary>Specs</summary><p>secret</p></details>",
        "<details><p>secret</p></details>",
        "<dialog open>secret</dialog>", "<div hidden=until-found>secret</div>",
        "<span style='position:absolute;left:-9999px'>secret $12.99</span><b>$12<sup>99</sup></b>",
    ],
)  # fmt: skip
def test_what_a_reader_can_open_is_seen(markup):
    assert sight(markup) == "seen"


@pytest.mark.parametrize(
    ("markup", "head"),
    [
        ("<div class=tab-pane style='display:none'>secret</div>", ""),
        ("<div role=tabpanel hidden>secret</div>", ""),
        ("<dialog>secret</dialog>", ""),
        (BOX, "<style>.x{display:none}.x.open{display:block}</style>"),
        (BOX, "<style>.x{opacity:0}li:hover .x{opacity:1}</style>"),
        (BOX, "<style>*{font-size:0}p,h1{font-size:16px}</style>"),
        (BOX, "<style>.x:has(b){display:none}</style>"),
        (f"<div hidden>{REST * 9} secret</div>", ""),
        (f"<div style='max-height:0;overflow:hidden'>{REST * 9} secret</div>", ""),
    ],
)
def test_what_only_names_or_other_states_say_to_open_is_in_doubt(markup, head):
    assert sight(markup, head) == "doubt"
