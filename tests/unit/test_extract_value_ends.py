"""Where the value of a label ends, what goes on with it, and what is the parcel's."""

from __future__ import annotations

import pytest

from specfactory.contract import compile_contract, parse_contract
from specfactory.extract import extract_candidates
from specfactory.proof import prove
from tests.pages import page_views, tiny_pdf

CAMERA = compile_contract(
    parse_contract(
        """
category: camera
fields:
  brand: {type: text, labels: [Brand]}
  model: {type: text, labels: [Model]}
  color: {type: text, labels: [Color]}
  iso: {type: list, labels: [ISO]}
  mode: {type: text, labels: [Mode]}
  weight: {type: number, unit: g, labels: [Weight], patterns: ["weighs {value}"]}
  length: {type: number, unit: mm, labels: [Length]}
  size: {type: dimensions, unit: mm, labels: [Dimensions]}
  package_weight: {type: number, unit: g, labels: [Package weight]}
""",
        "camera.yaml",
    )
)


def taken(markup, compiled=CAMERA):
    """Field and value of every candidate; each must be proven."""
    views = page_views(f"<html lang=en><h1>Nikon D40</h1>{markup}</html>")
    found = extract_candidates(views, compiled)
    for candidate in found.candidates:
        assert prove(candidate, compiled, views) is None
    return {candidate.field: candidate.value for candidate in found.candidates}


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>ISO<td>Auto<tr><td><td>100<tr><td>&nbsp;<td>200<tr><td>Brand<td>Nikon</table>",
        "<table><tr><th rowspan=3>ISO<td>Auto<tr><td>100<tr><td>200<tr><th>Brand<td>Nikon</table>",
        "<dl><dt>ISO<dd>Auto<dt><dd>100<dt></dt><dd>200<dt>Brand<dd>Nikon</dl>",
        "<ul><li><div>ISO</div><div>Auto</div><li><div></div><div>100</div>"
        "<li><div> </div><div>200</div><li><div>Brand</div><div>Nikon</div></ul>",
    ],
)
def test_rows_with_an_empty_label_continue_the_row_above(markup):
    assert taken(markup) == {"iso": ("Auto", "100", "200"), "brand": "Nikon"}


def test_a_row_that_gives_no_single_value_with_those_below_keeps_its_own():
    markup = "<table><tr><td>Weight<td>475 g<tr><td><td>522 g with battery</table>"

    assert taken(markup) == {"weight": 475}


def test_a_heading_between_ends_what_goes_on():
    markup = (
        "<table><tr><td>ISO<td>Auto<tr><td colspan=2>More<tr><td><td>100"
        "<tr><td>Brand<td>Nikon</table>"
    )

    assert taken(markup) == {"iso": ("Auto",), "brand": "Nikon"}


@pytest.mark.parametrize(
    "value",
    [
        "Nikon <a href=/n>View other products from Nikon</a>",
        "Nikon (<a href=/n>see all</a>)",
        "Nikon | <a href=/n>Weitere Produkte von Nikon</a>",
        "Nikon <button>Add to cart</button>",
        "Nikon View other products from Nikon",
        "Nikon - Click here for more",
        "Nikon <a href=/n>Nikon store »</a>",
        "Nikon <a href=/n>Voir tous les produits</a>",
        "<a href=/n>Nikon</a>",
    ],
)
@pytest.mark.parametrize("row", ["<table><tr><td>Brand<td>{}</table>", "<p>Brand: {}</p>"])
def test_link_texts_and_calls_end_a_value(value, row):
    assert taken(row.format(value)) == {"brand": "Nikon"}


@pytest.mark.parametrize(
    "value", ["<a href=/n>View all</a>", "Click here", "<a href=/>See more »</a>"]
)
def test_a_call_alone_is_no_value(value):
    assert taken(f"<table><tr><td>Brand<td>{value}<tr><td>Model<td>D40</table>") == {"model": "D40"}


@pytest.mark.parametrize(
    "value", ["Carl <a href=/z>Zeiss</a>", "<a href=/a>Carl</a> <a href=/b>Zeiss</a>", "Carl Zeiss"]
)
def test_a_link_that_is_part_of_the_value_stays(value):
    assert taken(f"<table><tr><td>Brand<td>{value}</table>") == {"brand": "Carl Zeiss"}


@pytest.mark.parametrize(
    "markup",
    [
        "<h2>Shipping</h2><table><tr><td>Weight<td>2 lb<tr><td>Length<td>30 cm</table>",
        "<table><tr><td>Weight<td>2 lb (shipping)</table>",
        "<table><tr><td>Weight<td>900 g gross</table>",
        "<table><tr><td>Weight (gross)<td>900 g</table>",
        "<p>Weight: 2 lbs, packaged</p>",
        "<p>Versandgewicht: 2 kg</p><p>Weight: 2 kg (brutto)</p>",
        "<p>It weighs 900 g in its packaging.</p>",
        "<table><tr><th><th>Packaging<tr><td>Weight<td>900 g</table>",
    ],
)
def test_what_a_page_calls_shipping_package_or_gross_is_not_the_products(markup):
    assert taken(markup) == {}


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>Weight<td>475 g (gross: 900 g)</table>",
        "<table><tr><td>Weight<td>475 g; shipping weight 900 g</table>",
        "<table><tr><td>Weight<td>900 g shipping, 475 g net</table>",
        "<table><tr><td>Weight<td>Net (approx.): 475 g<br>Gross weight (approx.): 900 g</table>",
        "<table><tr><td>Weight<td>Net (approx.): 475 g Gross (approx.): 900 g</table>",
        "<p>It weighs 475 g, and 900 g in its packaging.</p>",
        "<table><tr><th><th>Camera<th>Packaging<tr><td>Weight<td>475 g<td>900 g</table>",
    ],
)
def test_the_products_own_weight_beside_the_parcels_is_taken(markup):
    assert taken(markup) == {"weight": 475}


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>Package weight<td>900 g</table>",
        "<table><tr><td>Package weight<td>900 g (gross)</table>",
    ],
)
def test_the_parcels_weight_is_taken_where_the_contract_asks_for_it(markup):
    assert taken(markup) == {"package_weight": 900}


@pytest.mark.parametrize(
    "line",
    [
        "Weight: 475 g Length: 126 mm Brand: Nikon",
        "Weight: 475 g, Length: 126 mm, Brand: Nikon",
        "Weight: 475 g / Length: 126 mm / Brand: Nikon",
        "<b>Weight:</b> 475 g <b>Length:</b> 126 mm <b>Brand:</b> Nikon",
        "<b>Weight</b> 475 g <b>Length</b> 126 mm <b>Brand</b> Nikon",
        "<b>Weight</b>: 475 g <b>Length</b>: 126 mm <b>Brand</b>: Nikon",
        "Brand: Nikon Weight: 475 g Length: 126 mm",
        "<b>Brand:</b> Nikon <b>Weight:</b> 475 g <b>Price:</b> 5 <b>Length:</b> 126 mm",
        "Series: D Weight: 475 g Length: 126 mm Brand: Nikon",
        "<b>Item Form:</b> Flat <b>Weight:</b> 475 g <b>Length:</b> 126 mm <b>Brand:</b> Nikon",
    ],
)
@pytest.mark.parametrize(
    "around", ["<p>{}</p>", "<table><tr><td>Data<td>{}</table>", "<ul><li>{}</ul>"]
)
def test_a_line_that_holds_several_pairs_is_split(line, around):
    assert taken(around.format(line)) == {"weight": 475, "length": 126, "brand": "Nikon"}


def test_a_line_of_a_data_sheet_that_holds_several_pairs_is_split():
    sheet = tiny_pdf([[(50, "Weight: 475 g  Length: 126 mm")], [(50, "Brand: Nikon")]])
    found = extract_candidates(page_views(sheet, media_type="application/pdf"), CAMERA).candidates

    assert {c.field: c.value for c in found} == {"weight": 475, "length": 126, "brand": "Nikon"}


def test_a_label_that_is_not_the_contracts_ends_a_value_where_markup_sets_it_apart():
    line = "<p><b>Color:</b> Dark Blue <b>Item Form:</b> Flat</p>"

    assert taken(line) == {"color": "Dark Blue"}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Model: Mission: Impossible", "Mission: Impossible"),
        ("Model: Cable Dock Length: 3 m", "Cable Dock Length: 3 m"),
        ("Model: see length: 3", "see length: 3"),
    ],
)
def test_where_a_label_begins_is_never_guessed(line, value):
    assert taken(f"<p>{line}</p>") == {"model": value}


CODES = compile_contract(
    parse_contract(
        """
category: thing
fields:
  gtin: {type: text, labels: [EAN], structured: [gtin13, gtin]}
  mpn: {type: text, labels: [MPN, Part number], structured: [mpn]}
  sku: {type: text, labels: [SKU, Item number], structured: [sku]}
""",
        "thing.yaml",
    )
)
UPC = "018208254200"


@pytest.mark.parametrize("label", ["UPC", "Product UPC", "UPC code", "UPC/EAN", "EAN", "GTIN-12"])
def test_a_upc_is_a_gtin_in_whatever_words(label):
    assert taken(f"<p>{label}: {UPC}</p>", CODES) == {"gtin": UPC}
    assert taken(f"<table><tr><td>{label}<td>0 18208 25420 0</table>", CODES) == {"gtin": UPC}


def test_a_upc_is_no_part_number():
    assert taken(f"<p>Part number: {UPC}</p>", CODES) == {"gtin": UPC}
    assert taken(f"<p>Item number: {UPC}</p>", CODES) == {"gtin": UPC, "sku": UPC}
    assert taken("<p>Part number: 018208254201</p>", CODES) == {"mpn": "018208254201"}


@pytest.mark.parametrize(
    "words",
    [
        f"{UPC}, 036000291452",
        f"{UPC} / 0{UPC}",  # its thirteen-digit form
        f"{UPC}<br>036000291452",
        f"UPC {UPC} 4006381333931",
    ],
)
def test_the_first_of_several_barcodes_is_the_gtin(words):
    assert taken(f"<table><tr><td>EAN<td>{words}</table>", CODES) == {"gtin": UPC}


def test_barcodes_of_several_variants_are_nobodys_gtin():
    words = f"{UPC} (black), 036000291452 (white)"

    assert taken(f"<table><tr><td>EAN<td>{words}</table>", CODES) == {}


def test_a_upc_and_its_longer_forms_are_the_same():
    assert CODES.same("gtin", UPC, f"0{UPC}")
    assert CODES.same("gtin", f"00{UPC}", UPC)
    assert not CODES.same("sku", UPC, f"0{UPC}")


@pytest.mark.parametrize("words", ["018208254201", "see box"])
def test_what_has_no_check_digit_of_a_gtin_is_none(words):
    assert taken(f"<p>EAN: {words}</p>", CODES) == {}


@pytest.mark.parametrize(
    "line", ["Cable Length: 3 m", "Screen Color: Red", "Shipping <b>Weight:</b> 2 lb"]
)
def test_a_longer_label_that_ends_like_one_of_the_contracts_is_not_split(line):
    assert taken(f"<p>{line}</p>") == {}


def sheet(*lines):
    """Field and value of every candidate of a data sheet; each must be proven."""
    views = page_views(tiny_pdf(list(lines)), media_type="application/pdf")
    found = extract_candidates(views, CAMERA)
    assert [prove(one, CAMERA, views) for one in found.candidates] == [None] * len(found.candidates)
    return {candidate.field: candidate.value for candidate in found.candidates}


def test_lines_of_a_data_sheet_without_a_label_go_on_with_the_line_above():
    found = sheet(
        [(50, "ISO"), (300, "Auto")], [(300, "100")], [(300, "200")],
        [(50, "Mode"), (300, "Portrait, landscape")], [(300, "and night")],
        [(50, "Weight"), (300, "475 g")], [(300, "Body")],
        [(50, "Length"), (300, "126 mm")],
    )  # fmt: skip

    assert found == {
        "iso": ("Auto", "100", "200"), "mode": "Portrait, landscape and night", "weight": 475,
        "length": 126,
    }  # fmt: skip


def test_a_line_of_a_data_sheet_under_the_label_or_elsewhere_is_a_heading():
    found = sheet(
        [(50, "Mode"), (300, "Portrait")], [(50, "Shell")], [(50, "Color"), (300, "Red")],
        [(180, "Sizes")], [(300, "in millimetres")], [(50, "Length"), (300, "126 mm")],
    )  # fmt: skip

    assert found == {"mode": "Portrait", "color": "Red", "length": 126}
