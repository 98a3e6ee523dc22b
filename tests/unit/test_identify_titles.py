"""Which product a title names: the rules of the identify package, case by case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.identify import NEUTRAL_CONFIDENCE, judge_subject
from specfactory.model import IdentityRules, Product, Verdict

RULES = IdentityRules(
    variant_words=("wireless", "wired", "mini", "pro", "v2", "v3", "se", "hyperspeed", "ultimate",
                   "8khz", "left-handed"),
    neutral_words=("gaming", "mouse", "ergonomic", "rgb", "esports"),
)  # fmt: skip
BARE = IdentityRules()

VIPER = "Razer|Viper V3 Pro"
VIPER_WIRELESS = "Razer|Viper V3 Pro|Wireless"
SIBLINGS = "Razer|Viper V3 HyperSpeed;Razer|Viper V2 Pro;Razer|Viper Mini;Razer|Viper V3 Pro SE"
AEROX = "SteelSeries|Aerox 3"
G502 = "Logitech|G502"
X64, X128 = "Acme|X|64 GB", "Acme|X|128 GB"

SAME = [
    # the name as it is, and shop noise around it
    (VIPER, "Razer Viper V3 Pro", ""),
    (VIPER, "Razer Viper V3 Pro", SIBLINGS),
    (VIPER, "Buy Razer Viper V3 Pro - Buy now | Shop", ""),
    (VIPER, "Razer Viper V3 Pro Gaming Mouse", ""),
    (VIPER, "Razer Viper V3 Pro Review", ""),
    (VIPER, "Review: the new Razer Viper V3 Pro", ""),
    (VIPER, "Razer Viper V3 Pro – Specifications", SIBLINGS),
    (VIPER, "Specifications for the Razer Viper V3 Pro", ""),
    (VIPER, "Razer Viper V3 Pro 35000 DPI 54g", ""),
    (VIPER, "Razer Viper V3 Pro, 54 g, 8000 Hz, 35K DPI Sensor", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro Ultra-lightweight Esports Mouse", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro Ultra Lightweight Gaming Mouse", ""),
    (VIPER, "Razer Viper V3 Pro RZ01-05120100-R3G1", ""),
    (VIPER, "Razer Viper V3 Pro (RZ01-05120100-R3G1) Black", ""),
    (VIPER, "RAZER VIPER V3 PRO", SIBLINGS),
    (VIPER, "Razer™ Viper® V3 Pro", ""),
    (VIPER, "Amazon.com: Razer Viper V3 Pro Gaming Mouse : Electronics", ""),
    (VIPER, "Razer Viper V3 Pro with Focus Pro 35K Optical Sensor Gen-2", ""),
    (VIPER, "Razer Viper V3 Pro: best in class?", ""),
    (VIPER, "Razer Viper V3 Pro im Test", ""),
    (VIPER, "Razer Viper V3 Pro kaufen | günstig im Preisvergleich", ""),
    # colours
    (VIPER, "Razer Viper V3 Pro White", ""),
    (VIPER, "Razer Viper V3 Pro White Edition", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro (Black)", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro Gaming-Maus, schwarz", ""),
    (VIPER, "Razer Viper V3 Pro in Weiß", ""),
    ("Razer|Viper V3 Pro|Black", "Razer Viper V3 Pro schwarz", "Razer|Viper V3 Pro|White"),
    ("Razer|Viper V3 Pro|Black", "Razer Viper V3 Pro", ""),
    # without the brand, brand in other places
    (VIPER, "Viper V3 Pro", ""),
    (VIPER, "Viper V3 Pro Gaming Mouse | Razer", ""),
    (VIPER, "Viper V3 Pro by Razer", ""),
    ("Logitech G|Pro X Superlight 2", "Logitech Pro X Superlight 2", ""),
    ("Logitech|Pro X Superlight 2", "Logitech G Pro X Superlight 2", ""),
    ("Logitech G|Pro X Superlight 2", "PRO X SUPERLIGHT 2 Gaming Mouse | Logitech G", ""),
    ("ASUS|Harpe Ace", "ASUS ROG Harpe Ace", ""),
    ("SteelSeries|Prime Mini", "Steel Series Prime Mini", ""),
    # spellings
    (VIPER, "razer  viper  v3  pro", ""),
    (VIPER, "Razer Viper V 3 Pro", ""),
    (VIPER, "Razer ViperV3Pro", SIBLINGS),
    (VIPER, "RazerViperV3Pro", ""),
    (VIPER, "razer viperv3pro", ""),
    (VIPER, "Razer-Viper-V3-Pro", ""),
    (VIPER, "Razer Viper-V3 Pro", SIBLINGS),
    (VIPER, "Razer Viper Version 3 Pro", ""),
    (VIPER, "Ｒａｚｅｒ　Ｖｉｐｅｒ　Ｖ３　Ｐｒｏ", ""),
    ("Endgame Gear|XM1r", "Endgame Gear XM1r", ""),
    ("Logitech|G502 X", "Logitech G502X", ""),
    ("Logitech|G 502", "Logitech G502 Gaming Mouse", ""),
    ("Razer|DeathAdder V3", "Razer Death Adder V3", ""),
    ("Glorious|Model O", "Glorious Model O Gaming Mouse", ""),
    ("Canon|EOS 5D Mark II", "Canon EOS 5D MkII", ""),
    ("Canon|EOS 5D Mark II", "Canon EOS 5D Mark 2 camera", ""),
    ("Canon|EOS 5D Mark 2", "Canon EOS 5D MKII", ""),
    ("Apple|Pencil Gen 2", "Apple Pencil (2nd generation)", ""),
    ("Samsung|Galaxy S10 Plus", "Samsung Galaxy S10+", ""),
    ("Zowie|EC2-A", "ZOWIE EC2A", ""),
    ("Nokia|Lumia 2.1", "Nokia Lumia 2.1", ""),
    # word order and words between
    (VIPER, "Razer Viper Pro V3", ""),
    (VIPER, "V3 Pro Viper, Razer", ""),
    (VIPER, "Razer Viper Gaming Mouse V3 Pro", ""),
    (VIPER_WIRELESS, "Razer Viper Wireless V3 Pro", ""),
    # accents and other scripts
    ("Cherry|Próba X1", "Cherry Proba X1", ""),
    (VIPER, "Souris Razer Viper V3 Pro – légère", ""),
    (VIPER, "Razer Viper V3 Pro ワイヤレスゲーミングマウス", ""),
    (VIPER, "Razer Viper V3 プロ", SIBLINGS),
    (VIPER, "Мышь Razer Viper V3 Pro купить", ""),
    (VIPER, "雷蛇 Razer Viper V3 Pro 鼠标 黑色", ""),
    ("小米|鼠标 2", "小米鼠标2 新款", ""),
    # the connection: soft, as long as the catalogue does not tell it apart
    (VIPER_WIRELESS, "Razer Viper V3 Pro Wireless Gaming Mouse", ""),
    (VIPER_WIRELESS, "Razer Viper V3 Pro Wireless", "Razer|Viper V3 Pro|Wired"),
    (VIPER_WIRELESS, "Razer Viper V3 Pro", SIBLINGS),
    (VIPER_WIRELESS, "Razer Viper V3 Pro", ""),
    (VIPER_WIRELESS, "Razer Viper V3 Pro kabellose Gaming-Maus", "Razer|Viper V3 Pro|Wired"),
    (VIPER_WIRELESS, "Souris sans fil Razer Viper V3 Pro", ""),
    (VIPER_WIRELESS, "Razer Viper V3 Pro wired / wireless", ""),
    (VIPER, "Razer Viper V3 Pro Wireless Gaming Mouse", SIBLINGS),
    (AEROX, "SteelSeries Aerox 3 Wireless", ""),
    (AEROX, "SteelSeries Aerox 3", "SteelSeries|Aerox 3|Wireless"),
    ("SteelSeries|Aerox 3|Wireless", "SteelSeries Aerox 3 Wireless", "SteelSeries|Aerox 3"),
    # neutral words of the model may be missing
    ("Corsair|Dark Core RGB Pro", "Corsair Dark Core Pro", ""),
    ("Corsair|Dark Core Pro", "Corsair Dark Core RGB Pro", ""),
    # variants that are part of the name
    ("Razer|Viper|Mini", "Razer Viper Mini", "Razer|Viper"),
    ("Razer|Viper Mini", "Razer Viper Mini Gaming Mouse", "Razer|Viper;Razer|Viper V3 Pro"),
    # size and capacity, wherever they stand
    (X64, "Acme X 64 GB", ""),
    (X64, "Acme X 64GB, black", X128),
    (X64, "Acme X - 64 GB", X128),
    (X64, "Acme X (black) | 64GB | Shop", X128),
    (X64, "Acme X 8GB RAM 64GB", ""),
    (X64, "Acme X 64", ""),
    ("Acme|X 64 GB", "Acme X 64GB", ""),
    ("Acme|X|1 TB", "Acme X 1024 GB", ""),
    ("Acme|Cream|0.5 l", "Acme Cream 500 ml", ""),
    ("Acme|X", "Acme X 64 GB", ""),
    ("Acme|X", "Acme X", X128),
    ("Acme|Halo X|15-inch", 'Acme Halo X 15"', ""),
    # what comes before a name that can stand alone
    ("Acme|X", "Acme Mouse X", ""),
    ("Acme|X", "New and used: Acme X", ""),
    # slugs
    (VIPER, "https://www.razer.com/gaming-mice/razer-viper-v3-pro", SIBLINGS),
    (VIPER, "/p/razer-viper-v3-pro-p-12345.html", ""),
    (VIPER, "https://shop.example/mice/Razer_Viper_V3_Pro/specifications?ref=1", ""),
]

OTHER = [
    # a differing digit or suffix
    (VIPER, "Razer Viper V2 Pro", ""),
    (VIPER, "Razer Viper V3 HyperSpeed", ""),
    (VIPER, "Razer Viper V3 HyperSpeed", SIBLINGS),
    (VIPER, "Razer Viper V3", ""),
    (VIPER, "Razer Viper Mini", SIBLINGS),
    (VIPER, "Razer Viper Mini", ""),
    (VIPER, "Razer Viper V3 Pro SE", ""),
    (VIPER, "Razer Viper V3 Pro SE", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro SE Gaming Mouse", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro Gaming Mouse SE", ""),
    (VIPER, "Razer Viper V3 Pro Mini", ""),
    (VIPER, "Razer Viper V3 Pro (Mini)", ""),
    (VIPER, "Razer Viper V3 Pro 2", ""),
    (VIPER, "Razer Viper V3 Pro II", ""),
    (VIPER, "Razer Viper V3 Pro X", ""),
    (VIPER, "Razer Viper V3 Pro X2 Gaming Mouse", ""),
    (VIPER, "Razer Viper V3 Pro Max", ""),
    (VIPER, "Razer Viper V3 Pro Left-Handed Edition", ""),
    (VIPER, "Razer ViperV3ProSE", ""),
    (VIPER, "Razer Viper V4 Pro", ""),
    (VIPER, "Razer Viper V30 Pro", ""),
    (VIPER, "Razer Viper V3.5 Pro", ""),
    (VIPER, "Razer Viper 8KHz", ""),
    (VIPER, "Razer Viper Ultimate", ""),
    (VIPER, "Razer Viper V3 ミニ", ""),
    ("Razer|Viper V3", "Razer Viper V3 Pro", ""),
    ("Razer|Viper V3", "Razer Viper V3 Pro Gaming Mouse", ""),
    ("Razer|Viper V3", "Razer Viper V3 プロ", ""),
    ("Razer|Viper V3", "Razer ViperV3Pro", ""),
    ("Razer|Viper", "Razer Viper V3", ""),
    ("Razer|Viper", "Razer Viper Mini", ""),
    ("Razer|Viper", "Razer Mini Viper", ""),
    ("Razer|Viper", "Razer Viper 8KHz", ""),
    ("Razer|Viper Mini", "Razer Viper", "Razer|Viper"),
    (G502, "Logitech G502 X", ""),
    (G502, "Logitech G502X", ""),
    (G502, "Logitech G502 HERO", ""),
    (G502, "Logitech G502 Lightspeed Wireless", ""),
    (G502, "Logitech G503", ""),
    (G502, "Logitech G5020", ""),
    ("Logitech|G50", "Logitech G502", ""),
    ("Logitech|G Pro", "Logitech G Pro X Superlight", ""),
    ("Logitech|Pro X Superlight", "Logitech Pro X Superlight 2", ""),
    ("Logitech|Pro X Superlight", "Logitech Pro X Superlight2", ""),
    ("Canon|EOS 5D Mark II", "Canon EOS 5D Mark III", ""),
    ("Canon|EOS 5D", "Canon EOS 5D Mark II", ""),
    ("Canon|EOS 5D", "Canon EOS 50D", ""),
    ("Samsung|Galaxy S10", "Samsung Galaxy S10+", ""),
    ("Samsung|Galaxy S10", "Samsung Galaxy S10e", ""),
    ("Apple|iPhone 14", "Apple iPhone 14 Pro Max", ""),
    ("Apple|iPhone 14 Pro", "Apple iPhone 14 ProMax", ""),
    ("Nokia|Lumia 21", "Nokia Lumia 2.1", ""),
    ("小米|鼠标 2", "小米鼠标3", ""),
    ("Razer|Viper|Mini", "Razer Viper V2", ""),
    # another size or capacity, another generation
    (X64, "Acme X 128 GB", ""),
    (X64, "Acme X 64 TB", ""),
    (X64, "Acme X - 128GB", X128),
    ("Acme|X", "Acme X 128 GB", X128),
    ("Acme|Halo X|15-inch", "Acme Halo X 13-inch", ""),
    ("Acme|X", "Acme X (2nd generation)", ""),
    # another product altogether
    (VIPER, "Razer Basilisk V3 Pro", ""),
    (VIPER, "Razer DeathAdder V3 Pro", SIBLINGS + ";Razer|DeathAdder V3 Pro"),
    (VIPER, "Logitech G305", ""),
    (VIPER, "Logitech G Pro X Superlight 2", "Logitech|G Pro X Superlight 2"),
    (VIPER, "Razer Kraken", ""),
    (VIPER, "Corepad Skatez for Razer Viper V3 Pro", ""),
    (VIPER, "Grip Tape für Razer Viper V3 Pro", ""),
    (VIPER, "For Razer Viper V3 Pro: 3D printed stand", ""),
    (VIPER, "Cable for Razer Viper V3 Pro", ""),
    # what the catalogue or the product itself tells apart
    (VIPER_WIRELESS, "Razer Viper V3 Pro Wired", ""),
    (VIPER_WIRELESS, "Razer Viper V3 Pro kabelgebunden", ""),
    (AEROX, "SteelSeries Aerox 3 Wireless", "SteelSeries|Aerox 3|Wireless"),
    (AEROX, "SteelSeries Aerox 3 (Wireless)", "SteelSeries|Aerox 3 Wireless"),
    ("Glorious|Model O Wireless", "Glorious Model O", "Glorious|Model O"),
    ("Razer|Viper V3 Pro|Black", "Razer Viper V3 Pro White", ""),
    (VIPER, "Razer Viper V3 Pro Faker Edition", "Razer|Viper V3 Pro Faker Edition"),
    ("Corsair|Dark Core Pro", "Corsair Dark Core RGB Pro", "Corsair|Dark Core RGB Pro"),
    # slugs
    (VIPER, "https://www.razer.com/gaming-mice/razer-viper-v3-hyperspeed", SIBLINGS),
    (VIPER, "/p/razer-viper-v2-pro", ""),
    (VIPER, "/p/razer-viper-v3-pro-se-12345", SIBLINGS),
]

FAMILY = [
    (VIPER, "Razer Viper V3 Pro vs Razer Viper V3 HyperSpeed", SIBLINGS),
    (VIPER, "Razer Viper V3 Pro vs Logitech G Pro X Superlight 2", ""),
    (VIPER, "Viper V3 Pro, Viper V3 HyperSpeed and Viper Mini", SIBLINGS),
    (VIPER, "Razer Viper V2 Pro and Razer Viper V3 Pro compared", ""),
    (VIPER, "Razer Viper V3 Pro & Viper V2 Pro", SIBLINGS),
    ("Razer|Viper V3", "Razer Viper V3 / V3 Pro", ""),
    (VIPER, "Razer Viper V3 Pro, Viper V2 Pro", ""),
    (VIPER, "Razer Viper series", ""),
    (VIPER, "Razer Viper gaming mice", ""),
    (VIPER, "Razer", ""),
    (VIPER, "All Razer mice", ""),
    (VIPER, "Razer Viper", ""),
    (VIPER_WIRELESS, "Razer Viper V3 Pro", "Razer|Viper V3 Pro|Wired"),
    ("Razer|Viper V3 Pro|Black", "Razer Viper V3 Pro", "Razer|Viper V3 Pro|White"),
    (X64, "Acme X", ""),
    (X64, "Acme X 64/128 GB", ""),
    (X64, "Acme X: 64 GB, 128 GB, 256 GB", ""),
    ("Acme|X|Refurbished", "Acme X", ""),
]

UNSURE = [
    # a short name is easily the end of a longer one
    ("Acme|X", "Acme Halo X", ""),
    ("Acme|X", "Halo X by Acme", ""),
    ("Acme|Orion", "Acme Titan Orion", ""),
    ("Razer|V3 Pro", "Razer Basilisk V3 Pro", ""),
    # not as its maker sells it
    (VIPER, "Refurbished Razer Viper V3 Pro", ""),
    (VIPER, "Razer Viper V3 Pro (Renewed)", ""),
    (VIPER, "Razer Viper V3 Pro - pre-owned", ""),
    (VIPER, "Razer Viper V3 Pro gebraucht kaufen", ""),
    (VIPER, "Razer Viper V3 Pro 2-Pack", ""),
    (VIPER, "Razer Viper V3 Pro Faker Edition", ""),
    (VIPER, "Razer Viper V3 Pro Bundle", ""),
    (VIPER, "V3 Pro", ""),
    ("Razer|Orochi", "Razer Orochi Chroma", ""),
    ("Razer|Blade", "Razer Blade 2023", ""),
    (VIPER, "Zorbulax", ""),
]

NEUTRAL_TEXTS = [
    "Specifications", "Technical details", "Overview", "Technische Daten", "Caractéristiques",
    "Battery & charging", "Weight", "Sensor", "Cable", "Wireless", "Buttons and switches",
    "In the box", "General", "Fiche technique", "Especificaciones técnicas", "",
]  # fmt: skip


def _product(text: str) -> Product:
    brand, model, variant = [*text.split("|"), ""][:3]
    return Product("mouse", brand, model, variant)


def _judge(product: str, title: str, siblings: str, rules: IdentityRules = RULES):
    others = [_product(s) for s in siblings.split(";") if s]
    return judge_subject(_product(product), rules, title, others)


def _table():
    groups = ((SAME, Verdict.SAME), (OTHER, Verdict.OTHER), (FAMILY, Verdict.FAMILY),
              (UNSURE, Verdict.UNSURE))  # fmt: skip
    return [(*case, verdict) for cases, verdict in groups for case in cases]


@pytest.mark.parametrize(("product", "title", "siblings", "verdict"), _table())
def test_a_title_names_what_it_names(product, title, siblings, verdict):
    found = _judge(product, title, siblings)

    assert found.verdict is verdict, found.reasons
    assert found.confidence != NEUTRAL_CONFIDENCE or verdict is not Verdict.SAME


@pytest.mark.parametrize("text", NEUTRAL_TEXTS)
def test_a_text_that_names_no_product_does_not_point_elsewhere(text):
    found = _judge(VIPER, text, SIBLINGS)

    assert (found.verdict, found.confidence) == (Verdict.SAME, NEUTRAL_CONFIDENCE), found.reasons


@pytest.mark.parametrize("suffix", ["Pro", "Mini", "SE", "Max", "Lite", "Plus", "Ultra", "X", "2"])
def test_common_suffixes_are_a_veto_without_any_contract_words(suffix):
    assert _judge("Acme|Rover", f"Acme Rover {suffix}", "", BARE).verdict is Verdict.OTHER


def test_the_table_is_long_enough_to_mean_something():
    assert len(_table()) >= 120


NAMES = st.sampled_from(["Viper", "Rover", "Orion", "Talon"])
ENDINGS = st.sampled_from(["", " V2", " V3", " Pro", " V3 Pro", " Mini", " X", " 2", " SE"])


@given(NAMES, ENDINGS, ENDINGS, st.sampled_from(["", " Gaming Mouse", " - Buy now | Shop"]))
def test_a_name_matches_itself_and_no_other(name, ending, other, noise):
    found = _judge(f"Acme|{name}{ending}", f"Acme {name}{other}{noise}", "")

    assert (found.verdict is Verdict.SAME) == (ending == other), found.reasons


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text):
    assert 0 <= _judge(VIPER_WIRELESS, text, SIBLINGS).confidence <= 1
