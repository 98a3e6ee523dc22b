"""``derive``: the one rule by which a quote becomes a number, a date, a price or dimensions."""

# ruff: noqa: E501, PT017 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import compile_contract, parse_contract
from specfactory.errors import NotDerivable, UnknownSubject
from specfactory.model import Money

COMPILED = compile_contract(
    parse_contract(
        """
category: sample
fields:
  weight: {type: number, unit: g, units: [g, kg, oz, lb], range: [20, 250]}
  length: {type: number, unit: mm}
  cable: {type: number, unit: m}
  dpi: {type: integer, unit: dpi}
  polling: {type: integer, unit: Hz, range: [125, 8000]}
  rate: {type: integer, unit: Hz}
  battery: {type: number, unit: h}
  lifespan: {type: number, unit: million clicks}
  clicks: {type: integer, unit: clicks, units: [clicks, Klicks]}
  acceleration: {type: number, unit: G, units: [G]}
  speed: {type: number, unit: ips, units: [ips, m/s]}
  buttons: {type: integer}
  force: {type: number, unit: gf, units: [gf, g, cN]}
  warranty: {type: integer, unit: month}
  rating: {type: number, range: [0, 5]}
  contrast: {type: number}
  latency: {type: number, unit: ms}
  minutes: {type: integer, unit: min}
  temperature: {type: number, unit: °C}
  brightness: {type: number, unit: cd/m²}
  energy: {type: number, unit: kWh/m²a}
  volume: {type: number, unit: ml}
  price: {type: price}
  euros: {type: price, unit: EUR}
  canadian: {type: price, unit: CAD}
  released: {type: date}
  size: {type: dimensions, unit: mm}
  resolution: {type: dimensions, unit: px}
""",
        "sample.yaml",
    )
)


def derive(field: str, words: str, label: str = "", language: str = "en"):
    return COMPILED.derive(field, words, label, language)


def code(field: str, words: str, label: str = "", language: str = "en") -> str:
    with pytest.raises(NotDerivable) as caught:
        derive(field, words, label, language)
    assert caught.value.field == field
    return caught.value.code


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("weight", "54 g", 54),
        ("weight", "54g", 54),
        ("weight", "54G", 54),
        ("weight", "54-gram", 54),
        ("weight", "approx. 54 g", 54),
        ("weight", "ca.54 g", 54),
        ("weight", "Weight: 54 g (without cable)", 54),
        ("weight", "54 g¹", 54),
        ("weight", "54 g²", 54),
        ("weight", "54 g*", 54),
        ("weight", "54 ± 2 g", 54),
        ("weight", "54 g +/- 1 g", 54),
        ("weight", "54.0 g", 54),
        ("weight", "54.5\u00a0g", 54.5),
        ("weight", "1.9 oz", 54),
        ("weight", "1.90 oz", 53.9),
        ("weight", "0.12 lbs", 54),
        ("weight", "54 g / 1.9 oz", 54),
        ("weight", "1.9 oz (54 grams), without cable", 54),
        ("weight", "0.06 kg", 60),
        ("weight", "54 GRM", 54),
        ("weight", "g 54", 54),
        ("weight", "54 g, USB 2.0", 54),
        ("weight", "54 g with 2 batteries", 54),
        ("length", "5 in", 127),
        ("length", '4.92"', 125),
        ("length", "126.8 mm / 4.99 in", 126.8),
        ("length", "12.65 cm", 126.5),
        ("cable", "1.8M", 1.8),
        ("cable", "6 ft", 1.83),
        ("cable", "6 ft 5 in", 1.956),
        ("cable", "180cm", 1.8),
        ("cable", "1,5 m", 1.5),
        ("dpi", "26K DPI", 26000),
        ("dpi", "26KDPI", 26000),
        ("dpi", "26,000 DPI", 26000),
        ("dpi", "up to 26,000", 26000),
        ("dpi", "30,000 (30K)", 30000),
        ("dpi", "DPI: 26000", 26000),
        ("dpi", "3200 CPI", 3200),
        ("polling", "8KHz", 8000),
        ("polling", "8K Hz", 8000),
        ("polling", "1000 Hz (1 ms)", 1000),
        ("polling", "1000Hz / 1ms", 1000),
        ("polling", "8000 Hz (8 kHz)", 8000),
        ("battery", "up to 95 hours", 95),
        ("battery", "90 hrs", 90),
        ("battery", "90-hour", 90),
        ("battery", "95 h (2.4 GHz)", 95),
        ("battery", "1 h 30 min", 1.5),
        ("lifespan", "100 million clicks", 100),
        ("lifespan", "90M", 90),
        ("lifespan", "100,000,000 clicks", 100),
        ("lifespan", "70 million durable clicks", 70),
        ("clicks", "100 million", 100_000_000),
        ("clicks", "20M clicks", 20_000_000),
        ("clicks", "10⁶ clicks", 1_000_000),
        ("acceleration", "70G", 70),
        ("acceleration", "50 g", 50),
        ("speed", "750 IPS", 750),
        ("speed", "750 inches per second", 750),
        ("weight", "119g /4.1oz.", 119),
        ("weight", "[g] 105", 105),
        ("weight", "5 lb 8 oz (2500 g)", 2500),
        ("length", "1-1/2 INCHES", 38.1),
        ("buttons", "6", 6),
        ("buttons", "6 programmable buttons", 6),
        ("buttons", "6 in total", 6),
        ("buttons", "2x AA", 2),
        ("buttons", "6.0", 6),
        ("force", "60 g", 60),
        ("force", "60 gf", 60),
        ("warranty", "2 years", 24),
        ("warranty", "24 months", 24),
        ("rating", "4.5 out of 5", 4.5),
        ("rating", "4.5/5", 4.5),
        ("contrast", "1,000:1", 1000),
        ("contrast", "16.7 million", 16_700_000),
        ("latency", "250 µs", 0.25),
        ("latency", "0.125ms", 0.125),
        ("minutes", "PT1H30M", 90),
        ("minutes", "1時間30分", 90),
        ("minutes", "約20分", 20),
        ("minutes", "1 ч 20 мин", 80),
        ("weight", "約480g", 480),
        ("weight", "480克", 480),
        ("weight", "0,5 кг", 500),
        ("weight", "195 جم", 195),
        ("buttons", "2,420万画素", 24_200_000),
        ("buttons", "4人分", 4),
        ("buttons", "1964年", 1964),
        ("buttons", "1964 г.", 1964),
        ("minutes", "1 hour and 15 minutes", 75),
        ("temperature", "68 °F", 20),
        ("temperature", "-5 °C", -5),
        ("brightness", "400 cd/m²", 400),
        ("brightness", "400 cd/m2", 400),
        ("brightness", "400 nits", 400),
        ("energy", "75 kWh/(m²*a)", 75),
        ("volume", "12 fl oz", 355),
        ("volume", "1/2 cup", 118.29),
        ("length", "5 1/2 in", 139.7),
        ("length", "5½ in", 139.7),
        ("buttons", "Six programmable buttons", 6),
        ("buttons", "one", 1),
        ("warranty", "Two-year limited warranty", 24),
        ("rating", "4.7 / 5.0", 4.7),
    ],
)
def test_words_give_a_number(field, words, value):
    derived = derive(field, words)

    assert derived == value
    assert isinstance(derived, type(value))


@pytest.mark.parametrize(
    ("field", "words", "language", "value"),
    [
        ("weight", "54 Gramm", "de", 54),
        ("weight", "60,5 g", "de", 60.5),
        ("weight", "environ 54 grammes", "fr", 54),
        ("weight", "54 gramos", "es", 54),
        ("weight", "54 grammi", "it", 54),
        ("cable", "1,5 m", "de", 1.5),
        ("polling", "1.000 Hz", "de", 1000),
        ("polling", "8.000 Hz", "", 8000),
        ("dpi", "26.000 DPI", "de", 26000),
        ("dpi", "26 000 dpi", "fr", 26000),
        ("dpi", "26\u202f000 dpi", "", 26000),
        ("dpi", "26’000 dpi", "de-CH", 26000),
        ("battery", "bis zu 90 Stunden", "de", 90),
        ("battery", "90 heures", "fr", 90),
        ("battery", "90 horas", "es", 90),
        ("battery", "90 ore", "it", 90),
        ("length", "5 pouces", "fr", 127),
        ("length", "5 Zoll", "de", 127),
        ("length", "5 pulgadas", "es", 127),
        ("length", "5 pollici", "it", 127),
        ("lifespan", "100 Mio. Klicks", "de", 100),
        ("lifespan", "100 Millionen Klicks", "de", 100),
        ("clicks", "100 Mio. Klicks", "de", 100_000_000),
        ("warranty", "2 Jahre", "de", 24),
        ("warranty", "2 ans", "fr", 24),
        ("warranty", "2 años", "es", 24),
        ("warranty", "2 anni", "it", 24),
        ("latency", "0,125 ms", "de", 0.125),
    ],
)  # fmt: skip
def test_words_of_other_languages_give_a_number(field, words, language, value):
    assert derive(field, words, language=language) == value


@pytest.mark.parametrize(
    ("field", "words", "label", "value"),
    [
        ("weight", "54", "Weight (g)", 54),
        ("weight", "1.9", "Weight [oz]", 54),
        ("weight", "54", "Weight, g", 54),
        ("length", "126", "Length in mm", 126),
        ("polling", "1000", "Polling rate Hz", 1000),
        ("lifespan", "100", "Lifespan (million clicks)", 100),
        ("weight", "54 g", "Weight (oz)", 54),  # the value's own unit counts
    ],
)
def test_a_label_lends_its_unit_to_a_bare_number(field, words, label, value):
    assert derive(field, words, label) == value


@pytest.mark.parametrize(
    ("field", "words", "expected"),
    [
        ("weight", "54 mm", "unit_not_accepted"),
        ("weight", "54 ml", "unit_not_accepted"),
        ("buttons", "54 g", "unit_not_accepted"),
        ("clicks", "2 years", "unit_not_accepted"),
        ("weight", "54", "unit_missing"),
        ("polling", "4K", "unit_missing"),
        ("polling", "1000", "unit_missing"),
        ("lifespan", "100", "unit_missing"),
        ("dpi", "5 levels", "unit_missing"),
        ("weight", "54 g (64 g with cable)", "several_values"),
        ("weight", "54 (60 g with battery)", "several_values"),
        ("weight", "54–60 g", "several_values"),
        ("weight", "54 or 60 g", "several_values"),
        ("weight", "54 g / 2.4 oz", "several_values"),
        ("weight", "54 g / 54.5 g", "several_values"),
        ("dpi", "100 - 26,000 DPI", "several_values"),
        ("buttons", "8 (6 programmable)", "several_values"),
        ("battery", "70 hours (2.4 GHz), 200 hours (Bluetooth)", "several_values"),
        ("rating", "8.4/10", "several_values"),
        ("polling", "125/250/500/1000 Hz", "several_values"),
        ("buttons", "5.5", "not_an_integer"),
        ("weight", "light", "not_a_number"),
        ("weight", "PAW3395", "not_a_number"),
        ("weight", "<60 g", "not_exact"),
        ("weight", "less than 60 g", "not_exact"),
        ("weight", "under 60 g", "not_exact"),
        ("weight", "5⁴ g", "ambiguous_number"),
        ("weight", "54/64 g", "several_values"),  # no fraction: nobody writes grams so
        ("buttons", "six or seven", "not_a_number"),
        ("buttons", "no one knows", "not_a_number"),
        ("buttons", "6+", "not_exact"),
        ("weight", "N/A", "no_value"),
        ("weight", "—", "no_value"),
        ("weight", "unknown", "no_value"),
        ("weight", "TBA", "no_value"),
        ("weight", "", "no_value"),
        ("weight", "g " * 5000, "too_long"),
        ("length", "126 x 64 mm", "several_values"),
    ],
)  # fmt: skip
def test_words_that_could_mislead_are_refused(field, words, expected):
    assert code(field, words) == expected


def test_a_group_without_language_is_ambiguous_unless_the_range_settles_it():
    assert code("rate", "8.000 Hz", language="") == "ambiguous_number"
    assert derive("polling", "8.000 Hz", language="") == 8000


def test_a_label_with_a_foreign_unit_refuses_a_bare_number():
    assert code("weight", "54", "Weight (mm)") == "unit_not_accepted"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("weight", "9" * 390 + " oz"),
        ("price", "9" * 390 + " €"),
        ("size", "9" * 190 + " x " + "9" * 190 + " mm"),
        ("minutes", "PT" + "9" * 390 + "H"),
        ("buttons", "9" * 390),
    ],
)
def test_a_number_as_long_as_a_line_is_none(field, words):
    assert code(field, words) in ("not_a_number", "ambiguous_number", "unit_missing")


def test_an_unknown_field_is_misuse():
    with pytest.raises(UnknownSubject, match="no field 'wieght'"):
        derive("wieght", "54 g")


@settings(deadline=None)
@given(st.integers(20, 250), st.sampled_from(["g", " g", "\u00a0g", " grams", " Gramm", "-gram"]))
def test_grams_are_read_exactly(grams, unit):
    assert derive("weight", f"{grams}{unit}") == grams


@settings(deadline=None)
@given(st.decimals(1, 9999, places=2))
def test_millimetres_survive_a_decimal_comma(length):
    assert derive("length", f"{length:f}".replace(".", ",") + " mm", language="de") == pytest.approx(float(length))  # fmt: skip


@settings(deadline=None)
@given(st.integers(1, 400), st.sampled_from(["mm", "cm", "m", "in", "ft", "ms", "dpi", "Hz", "%"]))
def test_no_other_unit_ever_becomes_a_weight(number, unit):
    assert code("weight", f"{number} {unit}") == "unit_not_accepted"


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from(sorted(COMPILED.contract.fields)), st.text(max_size=20), st.sampled_from(["", "en", "de", "fr", "xx"]))  # fmt: skip
def test_any_words_give_a_value_or_a_reason(words, field, label, language):
    try:
        COMPILED.derive(field, words, label, language)
    except NotDerivable as reason:
        assert reason.code
        assert reason.detail


@settings(deadline=None)
@given(
    st.text("0123456789.,'’ \u00a0\u200agKMozinmx×/-–()±~<¹²⁹½€$%°\"", max_size=40),
    st.sampled_from(sorted(COMPILED.contract.fields)),
    st.sampled_from(["", "en", "de", "fr"]),
)
def test_any_shape_of_figures_gives_a_value_or_a_reason(words, field, language):
    try:
        first = COMPILED.derive(field, words, "", language)
    except NotDerivable:
        return
    assert COMPILED.derive(field, words, "", language) == first


@pytest.mark.parametrize(
    ("words", "language", "amount", "currency"),
    [
        ("$159.99", "en", 159.99, "USD"),
        ("159.99 USD", "en", 159.99, "USD"),
        ("129⁹⁰ €", "de", 129.9, "EUR"),
        ("129,90 €", "de", 129.9, "EUR"),
        ("1.299,00 €", "de", 1299, "EUR"),
        ("1.299 €", "", 1299, "EUR"),
        ("€ 99,-", "de", 99, "EUR"),
        ("£1,299", "en", 1299, "GBP"),
        ("CHF 1'299.00", "de", 1299, "CHF"),
        ("1 299,90 €", "fr", 1299.9, "EUR"),
        ("1 490 kr", "sv", 1490, "SEK"),
        ("CA$199.99", "en", 199.99, "CAD"),
        ("¥12,800", "ja", 12800, "JPY"),
        ("$159.99 (20% off)", "en", 159.99, "USD"),
        ("159.99 $159.99", "en", 159.99, "USD"),
        ("35€99", "fr", 35.99, "EUR"),
        ("CAD$1.23", "en", 1.23, "CAD"),
        ("SGD4.90", "en", 4.9, "SGD"),
        ("469.00zł", "pl", 469, "PLN"),
        ("1 150 грн.", "uk", 1150, "UAH"),
    ],
)
def test_words_give_a_price(words, language, amount, currency):
    assert derive("price", words, language=language) == Money(amount, currency)


@pytest.mark.parametrize(
    ("field", "words", "expected"),
    [
        ("price", "159.99", "currency_missing"),
        ("price", "from $99", "not_exact"),
        ("price", "ab 99 €", "not_exact"),
        ("price", "$129.99 $159.99", "several_values"),
        ("price", "$129.99 or 119.99 €", "several_values"),
        ("price", "129\u200a90 €", "several_values"),
        ("price", "129⁹ €", "ambiguous_number"),
        ("price", "¥12,800", "currency_missing"),
        ("price", "Sold out", "not_a_number"),
        ("price", "16.00 ft", "currency_missing"),
        ("price", "Free shipping on orders $49+", "not_exact"),
        ("price", "$.75,333", "not_a_number"),
        ("euros", "$99", "unit_not_accepted"),
    ],
)
def test_prices_that_could_mislead_are_refused(field, words, expected):
    assert code(field, words) == expected


def test_a_bare_dollar_sign_is_the_dollar_of_the_field():
    assert derive("canadian", "$99") == Money(99, "CAD")
    assert derive("price", "99", label="Price in EUR") == Money(99, "EUR")


@settings(deadline=None)
@given(st.integers(0, 99999), st.integers(0, 99), st.sampled_from(["en", "de"]))
def test_prices_are_read_back_to_the_cent(whole, cents, language):
    point, group = (".", ",") if language == "en" else (",", ".")
    words = f"{whole:,}".replace(",", group) + f"{point}{cents:02} €"

    assert derive("price", words, language=language) == Money(round(whole + cents / 100, 2), "EUR")


@pytest.mark.parametrize(
    ("words", "language", "value"),
    [
        ("June 12, 2024", "en", "2024-06-12"),
        ("12 June 2024", "en", "2024-06-12"),
        ("June 12th, 2024", "en", "2024-06-12"),
        ("12. Juni 2024", "de", "2024-06-12"),
        ("1er juin 2024", "fr", "2024-06-01"),
        ("12 de junio de 2024", "es", "2024-06-12"),
        ("12 giugno 2024", "it", "2024-06-12"),
        ("12 يونيو 2024", "ar", "2024-06-12"),
        ("12 ביוני 2024", "he", "2024-06-12"),
        ("12. júna 2024", "sk", "2024-06-12"),
        ("12 agustus 2024", "id", "2024-08-12"),
        ("12.06.2024", "de", "2024-06-12"),
        ("12/06/2024", "fr", "2024-06-12"),
        ("06/12/2024", "en-US", "2024-06-12"),
        ("25/06/2024", "en", "2024-06-25"),
        ("2024-06-12T10:00:00Z", "", "2024-06-12"),
        ("2024-06", "", "2024-06"),
        ("June 2024", "en", "2024-06"),
        ("06/2024", "en", "2024-06"),
        ("Q2 2024", "en", "2024"),
        ("Released in 2024", "en", "2024"),
        ("2024 (June 2024)", "en", "2024-06"),
    ],
)
def test_words_give_a_date_as_precise_as_they_are(words, language, value):
    assert derive("released", words, language=language) == value


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("06/12/2024", "ambiguous_date"),
        ("February 30, 2024", "not_a_date"),
        ("soon", "not_a_date"),
        ("June 2024 / July 2024", "several_values"),
        ("2023 or 2024", "several_values"),
        ("20240", "not_a_date"),
        ("model 2024.5", "not_a_date"),
    ],
)
def test_dates_that_could_mislead_are_refused(words, expected):
    assert code("released", words) == expected


@settings(deadline=None)
@given(st.dates(min_value=__import__("datetime").date(1990, 1, 1), max_value=__import__("datetime").date(2090, 1, 1)))  # fmt: skip
def test_dates_are_read_back(day):
    assert derive("released", day.strftime("%B %d, %Y")) == day.isoformat()
    assert derive("released", day.strftime("%d.%m.%Y"), language="de") == day.isoformat()


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("size", "126.8 x 68.4 x 43.8 mm", (126.8, 68.4, 43.8)),
        ("size", "126.8mm x 68.4mm x 43.8mm", (126.8, 68.4, 43.8)),
        ("size", "126.8mmx68.4mmx43.8mm", (126.8, 68.4, 43.8)),
        ("size", "4.99 x 2.69 x 1.72 in / 126.8 x 68.4 x 43.8 mm", (126.8, 68.4, 43.8)),
        ("size", "L: 126.8 mm, W: 68.4 mm, H: 43.8 mm", (126.8, 68.4, 43.8)),
        ("size", "126.8 mm (L) x 68.4 mm (W) x 43.8 mm (H)", (126.8, 68.4, 43.8)),
        ("size", '5" x 2.7" x 1.7"', (127, 69, 43)),
        ("size", "12.7 × 6.4 × 4 cm", (127, 64, 40)),
        ("size", '4.21" W x 2.45" H x 1.28" D', (106.9, 62.2, 32.5)),
        ("size", "L126.8 x W68.4 x H43.8 mm", (126.8, 68.4, 43.8)),
        ("size", "126.8 (L) x 68.4 (W) x 43.8 (H) mm", (126.8, 68.4, 43.8)),
        ("resolution", "2560x1440", (2560, 1440)),
        ("resolution", "2560 x 1440 @ 165 Hz", (2560, 1440)),
        ("resolution", "3840 × 2160 pixels (4K)", (3840, 2160)),
    ],
)
def test_words_give_dimensions(field, words, value):
    assert derive(field, words) == value


@pytest.mark.parametrize(
    ("words", "label", "expected"),
    [
        ("126 mm", "", "too_few_values"),
        ("126 x 68 x 43", "", "unit_missing"),
        ("126 x 68 g", "", "unit_not_accepted"),
        ("126 x 68 mm or 120 x 68 mm", "", "several_values"),
        ("small", "", "not_a_number"),
    ],
)
def test_dimensions_that_could_mislead_are_refused(words, label, expected):
    assert code("size", words, label) == expected


def test_dimensions_take_the_unit_of_their_label():
    assert derive("size", "126 x 68 x 43", "Dimensions (L x W x H, in mm)") == (126, 68, 43)
