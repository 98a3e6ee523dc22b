"""The index page: what is on this web, and the truth."""

from html import escape

from specfactory.demo.values import Answer, Site
from specfactory.demo.world_plan import WorldPlan, truth_json

_STYLE = """
:root{--ink:#1c2330;--soft:#5d6778;--line:#dfe4ec;--ground:#f6f8fb;--mark:#2b5fd9}
*{box-sizing:border-box}body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);
background:var(--ground)}header{background:var(--ink);color:#fff;padding:40px 24px}
header>*,main{max-width:1120px;margin:0 auto}h1{font-size:30px;margin-bottom:4px}
header p{color:#c8d0de;margin-top:0}header a{color:#9fc0ff}main{padding:24px}h2{margin-top:36px}
table{width:100%;border-collapse:collapse;background:#fff;border:1px solid var(--line);
border-radius:8px;overflow:hidden}th{background:#eef1f6;font-size:13px;color:var(--soft)}
th,td{text-align:left;padding:8px 14px;border-bottom:1px solid var(--line);vertical-align:top}
a{color:var(--mark);text-decoration:none}a:hover{text-decoration:underline}
.num{text-align:right;font-variant-numeric:tabular-nums}.tier{font-size:12px;padding:2px 8px;
border-radius:99px;background:#e6edfb;white-space:nowrap}.small{font-size:13px;color:var(--soft)}
.scroll{overflow-x:auto}footer{padding:24px;text-align:center;color:var(--soft)}
"""
_NOTES = {
    "table": "specification table with row spans", "definitions": "definition list",
    "columns": "two columns of boxes, in German",
    "tabs": "tabs with hidden content, PDF data sheet",
    "lines": "lines of label and value", "review": "review in prose with a results table",
    "database": "measurements beside two rivals", "bare": "JSON-LD on a bare page",
    "cents": "prices with small cents, related products", "imperial": "ounces and inches",
    "script": "needs JavaScript", "copy": "copies PixelMarket with its mistakes",
    "forum": "forum threads", "wiki": "infobox, partly in windows-1252",
    "closed": "robots.txt forbids everything", "websearch": "JSON web search",
}  # fmt: skip


def index_answer(world: WorldPlan, path: str) -> Answer | None:
    """The index page or the truth file."""
    if path == "/truth.json":
        return Answer(200, {"Content-Type": "application/json"}, truth_json(world).encode())
    if path != "/":
        return None
    return Answer(200, {"Content-Type": "text/html; charset=utf-8"}, _page(world).encode())


def _page(world: WorldPlan) -> str:
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Demo web</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><header><h1>Demo web</h1><p>A small internet on "
        f"this machine, drawn from seed {world.seed}: {len(world.products)} mice on "
        f"{sum(site.tier is not None for site in world.sites)} sites, with "
        f"{len(world.traps)} traps. Every value is invented. "
        '<a href="/truth.json">The truth as JSON</a></p></header><main>'
        f"<h2>Sites</h2>{_sites(world)}<h2>Products</h2>{_products(world)}</main>"
        "<footer>Demo web: every value on this page is invented.</footer></body></html>\n"
    )


def _sites(world: WorldPlan) -> str:
    rows = "".join(_site_row(world, site) for site in world.sites if site.layout != "index")
    head = "<tr><th>Site</th><th>Tier</th><th>Layout</th><th>Finding</th><th>Products</th></tr>"
    return f'<div class="scroll"><table>{head}{rows}</table></div>'


def _site_row(world: WorldPlan, site: Site) -> str:
    shelf = next(shelf for shelf in world.shelves if shelf.site is site)
    tier = f'<span class="tier">{escape(str(site.tier))}</span>' if site.tier else ""
    ways = f"search: {site.search}, sitemap: {site.sitemap}, robots: {site.robots}"
    return (
        f'<tr><td><a href="{site.origin}/">{escape(site.title)}</a><br>'
        f'<span class="small">{escape(site.host)}</span></td><td>{tier}</td>'
        f'<td>{escape(_NOTES[site.layout])}</td><td class="small">{escape(ways)}</td>'
        f'<td class="num">{len(shelf.products)}</td></tr>'
    )


def _products(world: WorldPlan) -> str:
    head = "<tr><th>Product</th><th>Fields</th><th>Reachable</th><th>Pages</th></tr>"
    rows = []
    for mouse in world.mice:
        truth = world.truth[mouse.id]
        reachable = sum(t.reachable for t in truth.values())
        links = ", ".join(
            f'<a href="{shelf.site.origin}{escape(shelf.path(mouse))}">{shelf.site.name}</a>'
            for shelf in world.shelves
            if shelf.lists(mouse)
        )
        rows.append(
            f'<tr><td>{escape(mouse.name)}<br><span class="small">{escape(mouse.id)}</span></td>'
            f'<td class="num">{len(truth)}</td><td class="num">{reachable}</td>'
            f"<td>{links}</td></tr>"
        )
    return f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'
