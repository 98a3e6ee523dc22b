"""Pages that bear a product's name without being about it: look-alikes, accessories, copies."""

import pytest

from specfactory.contract import make_product
from specfactory.identify import judge_page, judge_subject
from specfactory.model import IdentityRules, Outcome, Page, Tier, Verdict
from specfactory.proof import PageViews

MOUSE = IdentityRules(
    neutral_words=("mouse", "gaming", "for", "with", "and"), variant_words=("pro", "mini")
)
NOVA = make_product("mouse", "Acme", "Nova 5")


def verdict(title, product=NOVA, rules=MOUSE):
    return judge_subject(product, rules, title).verdict


@pytest.mark.parametrize(
    "title",
    [
        "Acme Nova 5 \u0420ro",  # Cyrillic
        "Acme Nova 5 \u03a1ro",  # Greek
        "Acme Nova 5 \u1d18\u0280\u1d0f",  # small capitals
        "Acme Nova 5 \uff30ro",  # full width
        "Acme Nova 5 \uff30\uff52\uff4f",
        "Acme Nova 5 \U0001d40f\U0001d42b\U0001d428",  # mathematical
        "Acme Nova 5 \U0001f17f\U0001f181\U0001f17e",  # in black squares
        "Acme Nova 5 \u13e2\u13d2O",  # Cherokee
        "Acme Nova 5 \u041cini",
        "Acme Nova 5 \u043cini",
        "Acme Nova 5 m\u0131ni",  # without a dot
        "Acme Nova 5 \u0421\u0415",  # a whole word, and no other of that script
        "Acme Nova 5 \u04252",
        "Acme N\u043eva 5",
        "\u0410\u0441me Nova 5",
        "Acme Nova 5 \u0422urbo",
    ],
)
def test_letters_that_only_look_latin_make_a_name_unsure(title):
    assert verdict(title) is Verdict.UNSURE


@pytest.mark.parametrize(
    "title",
    [
        "Мышь Acme Nova 5 беспроводная",
        "Acme Nova 5 с подсветкой",
        "Купить Acme Nova 5 в \u041d\u043e\u0432\u043e\u0439 Mоскве",
        "ゲーミングマウス Acme Nova 5 ブラック",
        "Ａｃｍｅ Ｎｏｖａ ５ ゲーミングマウス",
        "Ποντίκι Acme Nova 5 ασύρματο",
        "Acme Nova 5 无线鼠标",
        "Acme Nova 5 게이밍 마우스",
        "עכבר Acme Nova 5",
        "Acme Nova 5 trådløs mus",
        "Acme Nova 5 – 54 µm, ±1 °C",
        "Acme® Nova 5™",
    ],
)
def test_honest_names_in_other_scripts_stay_as_they_are(title):
    assert verdict(title) is Verdict.SAME


def test_name_of_the_product_itself_may_be_written_in_any_letters():
    assert verdict("Sony α7 III", make_product("camera", "Sony", "α7 III")) is Verdict.SAME
    assert verdict("Мышь Рубин Х2", make_product("mouse", "Рубин", "Х2")) is Verdict.SAME


def test_id_that_matches_does_not_settle_a_disguised_name():
    product = make_product("mouse", "Acme", "Nova 5", hard_ids={"gtin": "4006381333931"})
    rules = IdentityRules(hard_ids=("gtin",))
    url = "https://shop.example/p"
    page = Page("page-1", url, url, "shop.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip

    def judged(name):
        body = f"<title>{name}</title><h1>{name}</h1><p>GTIN: 4006381333931</p>".encode()
        return judge_page(product, rules, PageViews(page, body)).verdict

    assert judged("Acme Nova 5") is Verdict.SAME
    assert judged("Acme Nova 5 Рro") is Verdict.UNSURE


@pytest.mark.parametrize(
    "title",
    [
        "Case for Acme Nova 5", "Case compatible with Acme Nova 5",
        "Grip tape, compatible with the Acme Nova 5", "Fits Acme Nova 5: mouse feet",
        "Replacement feet for Acme Nova 5", "Replaces Acme Nova 5", "Suitable for Acme Nova 5",
        "Alternative to Acme Nova 5", "Clone of the Acme Nova 5", "Replica Acme Nova 5",
        "Set of 3 Acme Nova 5", "Lot of 5 Acme Nova 5",
        "Acme Nova 5 replacement battery", "Acme Nova 5 mouse replacement feet",
        "Acme Nova 5 clone", "Acme Nova 5 compatible mouse", "Acme Nova 5 empty box",
        "Hülle für Acme Nova 5", "Hülle passend für Acme Nova 5",
        "Hülle kompatibel mit Acme Nova 5",
        "Nachbau der Acme Nova 5", "Acme Nova 5 Ersatzakku", "Acme Nova 5 Leerkarton",
        "Housse pour Acme Nova 5", "Housse compatible avec Acme Nova 5", "Lot de 2 Acme Nova 5",
        "Copie de la Acme Nova 5", "Funda para Acme Nova 5", "Funda compatible con Acme Nova 5",
        "Juego de 2 Acme Nova 5", "Repuesto de Acme Nova 5", "Custodia per Acme Nova 5",
        "Custodia compatibile con Acme Nova 5", "Set di 2 Acme Nova 5",
        "Hoesje geschikt voor Acme Nova 5", "Etui do Acme Nova 5",
        "Capa compatível com Acme Nova 5", "Чехол для Acme Nova 5",
        "Чехол, совместимый с Acme Nova 5", "Acme Nova 5 用ケース", "适用于 Acme Nova 5 保护套",
        "Acme Nova 5 호환 케이스", "Acme Nova 5 uyumlu kılıf",
    ],
)  # fmt: skip
def test_accessory_part_copy_or_set_is_another_thing(title):
    assert verdict(title) is Verdict.OTHER


@pytest.mark.parametrize(
    "title",
    [
        "Acme Nova 5 case", "Acme Nova 5 Schutzhülle", "Acme Nova 5 carrying case",
        "2x Acme Nova 5", "3 x Acme Nova 5", "Acme Nova 5 (2 Stück)", "Acme Nova 5 bundle",
    ],
)  # fmt: skip
def test_what_may_be_an_accessory_or_several_is_unsure(title):
    assert verdict(title) is Verdict.UNSURE


@pytest.mark.parametrize(
    "title",
    [
        "Acme Nova 5 with carrying case", "Acme Nova 5 mit Tasche",
        "Specifications for Acme Nova 5",
        "Acme Nova 5 for gamers", "Acme Nova 5 gaming mouse for PC",
        "Acme Nova 5, compatible with Windows", "Acme Nova 5 compatible with Mac",
        "Review of the Acme Nova 5", "Best price for Acme Nova 5", "Prix pour Acme Nova 5",
        "Acme Nova 5 - replacement warranty included", "Test der Acme Nova 5",
        "The new version of Acme Nova 5", "Acme Nova 5 (1 Stück)", "Цена для Acme Nova 5",
    ],
)  # fmt: skip
def test_honest_titles_with_such_words_are_about_the_product(title):
    assert verdict(title) is Verdict.SAME


def test_product_that_is_a_part_itself_is_named_with_what_it_is_for():
    charger = make_product("charger", "Canon", "LC-E6")
    lamp = make_product("lamp", "Optoma", "BL-FP230C")

    assert verdict("Canon LC-E6 Charger for EOS 60D", charger, IdentityRules()) is Verdict.SAME
    assert verdict("Optoma BL-FP230C replacement lamp", lamp, IdentityRules()) is Verdict.SAME
