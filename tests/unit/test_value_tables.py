"""One table each of currencies, units, multipliers, months and number words, read everywhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

from specfactory.contract import compile_contract, find_contract
from specfactory.contract.values.currencies import SIGN_CHARACTERS, SURE_SIGNS
from specfactory.contract.values.dates import MONTHS, derive_date
from specfactory.contract.values.known_units import SPELLINGS, UNITS
from specfactory.contract.values.multipliers import MULTIPLIERS
from specfactory.contract.values.prices import PriceRule, derive_price, read_price
from specfactory.contract.values.quantities import NumberRule, derive_number
from specfactory.contract.values.units import unit_table
from specfactory.errors import NotDerivable
from tests.unit.test_visible_values import price

SOURCE = Path(__file__).parents[2] / "src" / "specfactory"

# Reads one table with one change.
CHANGE_TABLE = """
import sys
from specfactory import word_lists
file, old, new = sys.argv[1:4]
read_text = word_lists.read_text

def changed(name):
    text = read_text(name)
    if name == file:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text

word_lists.read_text = changed
"""


def with_change(table: str, old: str, new: str, checks: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHANGE_TABLE + checks, f"contract/values/data/{table}.txt",
         old, new],
        capture_output=True, text=True, timeout=60, cwd=SOURCE.parents[1], check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_new_currency_sign_in_the_table_is_read_everywhere():
    with_change("currencies", "\nBRL r$", "\nBRL ₢ r$", """
from specfactory.contract import compile_contract, find_contract
from specfactory.contract.values.prices import PriceRule, derive_price, read_price
from specfactory.contract.values.running_text import find_quantities
from specfactory.contract.values.price_search import ANY_PRICE
from specfactory.fetch.outcomes.walls import _PRICE
from specfactory.model import Money
from specfactory.errors import NotDerivable
from tests.unit.test_visible_values import price
assert derive_price(PriceRule("price"), "₢ 20") == Money(20, "BRL")
assert read_price("₢ 20").currency == "BRL"
assert price("<p class=price>₢ 49.90</p>") == Money(49.9, "BRL")
assert find_quantities("it costs ₢ 15")[0].unit.powers == (("BRL", 1),)
assert ANY_PRICE.search("20 ₢") and _PRICE.search("₢ 20")
product = compile_contract(find_contract("product"))
assert product.derive("price", "₢ 20") == Money(20, "BRL")
assert product.derive("currency", "₢") == "BRL"
""")  # fmt: skip


@pytest.mark.parametrize("words", ["Jamaican dollars", "kr", "pesos", "dollars"])
def test_a_sign_of_several_currencies_fills_no_currency_field(words):
    with pytest.raises(NotDerivable):
        compile_contract(find_contract("product")).derive("currency", words)


def test_a_new_unit_in_the_table_is_read_everywhere():
    with_change("units", "\nkg 1000", "\nslug 14593.903 slugs\nkg 1000", """
from specfactory.contract.values.quantities import NumberRule, derive_number
from specfactory.contract.values.running_text import find_quantities
from specfactory.contract.values.units import is_unit, unit_table
from specfactory.extract.page.region_words import is_unit as is_unit_head
from specfactory.extract.unlabelled.shop_words import UNIT_WORDS
from specfactory.identify.vocabulary import UNITS
assert derive_number(NumberRule("mass", unit_table("kg", ())), "2 slugs") == 29
assert abs(find_quantities("it weighs 2 slugs")[0].unit.size - 14.593903) < 1e-6
assert is_unit("slug") and is_unit_head("(slug)") and "slugs" in UNITS
assert UNIT_WORDS.search("/ slug")
""")  # fmt: skip


def test_a_new_multiplier_in_the_table_is_read_everywhere():
    with_change("multipliers", "\n1e5 lakh", "\n1e5 zillak lakh", """
from specfactory.contract.values.prices import PriceRule, derive_price, read_price
from specfactory.contract.values.quantities import NumberRule, derive_number
from specfactory.contract.values.running_text import find_quantities
from specfactory.contract.values.units import unit_table
from specfactory.model import Money
from specfactory.errors import NotDerivable
from tests.unit.test_visible_values import LISTING, answers
assert derive_price(PriceRule("price"), "$ 2 zillak") == Money(200_000, "USD")
assert read_price("2 zillak $").amount == 200_000
assert derive_number(NumberRule("clicks", unit_table("clicks", ())), "2 zillak clicks") == 200_000
assert find_quantities("2 zillak people")[0].value == 200_000
page = "<title>Villa for sale</title><h1>Villa for sale</h1><p class=price>$2 zillak</p>"
assert answers(page, LISTING)["price"].candidate.value == Money(200_000, "USD")
""")  # fmt: skip


def test_a_new_name_of_a_month_in_the_table_is_read_everywhere():
    with_change("months", "january jan ", "january pluviose jan ", """
from specfactory.contract.values.dates import date_spans, derive_date
from specfactory.contract.values.prices import read_price
assert derive_date("day", "3 Pluviose 2021") == "2021-01-03"
assert date_spans("3 Pluviose 2021") == [(0, 15)]
assert read_price("Pluviose, 2021").amount is None
""")  # fmt: skip


def test_a_new_word_for_where_prices_start_is_read_everywhere():
    with_change("price_words", "\nas low as", "\nbeginning with\nas low as", """
import pytest
from specfactory.contract.values.prices import PriceRule, derive_price
from specfactory.errors import NotDerivable
from specfactory.extract.unlabelled.shop_words import BESIDE
with pytest.raises(NotDerivable):
    derive_price(PriceRule("price"), "Beginning with $ 20")
assert BESIDE["from"].search("beginning with")
""")  # fmt: skip


def test_a_new_number_word_in_the_table_is_read_in_fields():
    with_change("number_words", "2 two zwei", "2 two twain zwei", """
from specfactory.contract.values.quantities import NumberRule, derive_number
from specfactory.contract.values.units import unit_table
assert derive_number(NumberRule("buttons", unit_table("buttons", ())), "twain buttons") == 2
""")  # fmt: skip


def test_a_word_of_another_language_for_a_ten_is_read_beside_the_english_one():
    with_change("number_words", "30 thirty", "30 thirty dreißig trzydzieści", """
from specfactory.contract.values.number_words import in_digits, word_numbers
assert [one.value for one in word_numbers("Thirty, Dreißig, trzydzieści, thirty-two")] == [
    30, 30, 30, 32]
assert in_digits("dreißig Tasten") == "30 Tasten"
""")  # fmt: skip


def test_a_word_of_another_language_from_thirteen_on_is_read_beside_the_english_one():
    with_change("number_words", "13 thirteen", "13 thirteen dertien", """
from specfactory.contract.values.number_words import in_digits
assert in_digits("dertien knoppen") == "13 knoppen"
assert in_digits("thirteen buttons") == "13 buttons"
""")  # fmt: skip


@pytest.mark.parametrize("sign", sorted(SURE_SIGNS))
def test_every_sure_sign_is_read_strictly_and_leniently(sign):
    codes = SURE_SIGNS[sign]

    for code in codes:
        assert derive_price(PriceRule("price", (code,)), f"{sign} 20").currency == code
    assert read_price(f"{sign} 20").amount == 20


@pytest.mark.parametrize("sign", sorted(SIGN_CHARACTERS))
def test_every_sign_of_one_character_makes_a_visible_price(sign):
    found = price(f"<p class=price>{sign}49.90</p>")

    assert found is None or found.currency in SURE_SIGNS[sign]
    assert found is not None or len(SURE_SIGNS[sign]) > 1 or sign in "₣₤₧₯"


@pytest.mark.parametrize("name", sorted(UNITS))
def test_every_unit_is_read_in_a_field_of_its_own(name):
    for spelling in SPELLINGS[name]:
        table = unit_table(name, (name,))
        assert table.find(spelling) is not None


@pytest.mark.parametrize("word", sorted(word for word in MULTIPLIERS if len(word) > 2))
def test_every_multiplier_multiplies_a_number(word):
    number = derive_number(NumberRule("clicks", unit_table("clicks", ())), f"3 {word} clicks")

    assert number == 3 * MULTIPLIERS[word]


@pytest.mark.parametrize("word", sorted(normalize("NFC", word) for word in MONTHS))
def test_every_month_makes_a_date(word):
    assert derive_date("day", f"3 {word} 2021") == f"2021-{MONTHS[word.casefold()]:02}-03"


# Where signs or names stand that are no table of values: the reason beside each.
ALLOWED = {
    *(f"contract/values/data/{table}.txt"
      for table in ("currencies", "months", "units", "multipliers", "number_words")),
    "contract/values/number_words.py",  # which multipliers may follow a number word
    "extract/body/line_features.py",  # features of fitted models: they stay as they were fitted
    "extract/articles/data/markup_words.txt",
    "extract/articles/data/name_words.txt",  # words that are no person's name
    "proof/text/charsets.py",  # characters by which encodings are recognised
}  # fmt: skip
_SECOND_TABLES = {
    "signs of currencies": re.compile(r"(?:[$€£¥₹₽₩₺₴₪][^\w\s]?){3}"),
    "names of months": re.compile(r"\b(?:january|januar|février|enero)\b.*\b(?:febr|mar)", re.I),
    "multipliers": re.compile(r"\b(?:mio|mln|million)\b.*\b(?:mrd|milliard|billion)", re.I),
    "units": re.compile(r"\bkg\b\W+(?:oz|lbs?|mg|g)\b\W+(?:oz|lbs?|mg|g|mm|l)\b"),
    "number words": re.compile(r"\b(?:two|zwei)\W+(?:three|drei)\W+(?:four|vier)\b"),
}


@pytest.mark.parametrize("what", sorted(_SECOND_TABLES))
def test_no_second_table_stands_beside_the_first(what):
    found = []
    for path in sorted((*SOURCE.rglob("*.py"), *SOURCE.rglob("*.txt"))):
        name = path.relative_to(SOURCE).as_posix()
        if name not in ALLOWED and not name.startswith("demo/"):
            lines = path.read_text("utf-8").splitlines()
            found += [f"{name}: {line.strip()}" for line in lines
                      if _SECOND_TABLES[what].search(line)]  # fmt: skip

    assert found == []
