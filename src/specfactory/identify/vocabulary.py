"""Words that occur in titles and say which product is meant, or nothing at all.

All are written as ``names.tokenise`` leaves them: lower case, without accents, phrases run
together. A contract adds its own; what the catalogue's siblings differ in outranks all of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from specfactory.contract.values import (
    KNOWN_UNITS,
    MULTIPLIERS,
    ORDINARY_WORDS,
    PLAIN_CODES,
    SPELLINGS,
)


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Next to a model's name they make another model of it, in whichever category.
SUFFIXES = _words(
    """
    pro max mini se lite plus ultra ultimate air elite nano micro neo evo prime core xl xs xxl ti
    super fe gt rs hyperspeed lightspeed superlight hero left lefthand lefthanded specialedition
    jr junior tkl large tournament
    """
)

# Next to a model's name these may be a part of it or praise; only a person knows.
PRAISE = _words("slim compact deluxe advanced premium essential classic signature medium small")

CONNECTIONS: Mapping[str, str] = {
    word: canonical
    for canonical, words in {
        "wireless": """wireless cordless kabellos kabellose kabelloser kabelloses drahtlos drahtlose
            sansfil inalambrico inalambrica senzafili draadloos draadloze tradlos bezprzewodowa
            bezprzewodowy беспроводная беспроводной беспроводнаямышь 무선 無線 无线""",
        "wired": """wired corded kabelgebunden kabelgebundene filaire cableado cableada concable
            cablato cablata bedraad bedrade przewodowa przewodowy проводная проводной
            유선 有線 有线""",
    }.items()
    for word in words.split()
}

COLOURS: Mapping[str, str] = {
    word: canonical
    for canonical, words in {
        "black": "black schwarz schwarze schwarzer noir noire negro nero zwart 黒 黑 黑色 ブラック",
        "white": "white weiss weisse weisser blanc blanche blanco bianco wit 白 白色 ホワイト",
        "red": "red rot rote rouge rojo rosso rood",
        "blue": "blue blau blaue bleu azul blu blauw",
        "green": "green grun grune vert verde groen",
        "pink": "pink rosa rose quartz magenta",
        "grey": "grey gray grau graue gris grigio grijs graphite anthracite mercury",
        "silver": "silver silber argent plata argento",
        "gold": "gold golden oro",
        "yellow": "yellow gelb jaune amarillo giallo",
        "orange": "orange naranja",
        "purple": "purple violet lila violett morado viola",
        "brown": "brown braun marron",
        "beige": "beige cream ivory",
        "transparent": "transparent clear",
    }.items()
    for word in words.split()
}

# Words in other scripts that mean what a Latin suffix means, and longer ones that contain them.
FOREIGN: Mapping[str, str] = {
    "プロ": "pro",
    "ミニ": "mini",
    "マックス": "max",
    "プラス": "plus",
    "ウルトラ": "ultra",
    "ライト": "lite",
    "ワイヤレス": "wireless",
    "有線": "wired",
    "無線": "wireless",
    "无线": "wireless",
    "有线": "wired",
    "迷你": "mini",
    "ブラック": "black",
    "ホワイト": "white",
    "黑色": "black",
    "白色": "white",
    "マウス": "mouse",
    "鼠标": "mouse",
    "ゲーミング": "gaming",
    "プログラマブル": "programmable",
    "プロフェッショナル": "professional",
    "プロゲーミング": "gaming",
    "ウルトラライト": "lightweight",
    "про": "pro",
    "мини": "mini",
    "макс": "max",
    "плюс": "plus",
    "프로": "pro",
    "미니": "mini",
    "무선": "wireless",
    "유선": "wired",
}

SERIES = _words(
    """
    series serie family familie famille familia lineup range collection collections mice mause
    monitors keyboards cameras products produkte all models modelle compare comparison vergleich
    comparatif comparativa alternatives best top
    """
)

VERSUS = _words("vs versus gegen contre oder or compared")
FOR = _words("for fur pour para per voor compatible kompatibel")
# What a page may be "for" a product without being about something else.
DOCUMENTS = _words(
    """
    specification specifications spec specs review reviews test tests price prices preis preise
    manual manuals handbuch guide driver drivers treiber software firmware support help download
    downloads datasheet datenblatt details information faq offer offers angebot angebote deals
    questions comments overview page search suche daten technique tecnica ficha
    """
)
WITH = _words("with w mit avec con and und et y e by von de da inkl incl including featuring")
BUNDLE = _words("bundle bundles kit combo set pack paket")
EDITION = _words("edition edicion edizione editie ausgabe")

# What is sold is the product, but not as its maker sells it.
CONDITION = _words(
    """
    refurbished renewed reconditioned remanufactured refurb used preowned preloved secondhand
    openbox exdemo likenew gebraucht gebrauchte gebrauchter generaluberholt generaluberholte bware
    wiederaufbereitet reconditionne reconditionnee occasion usado usada seminuevo reacondicionado
    reacondicionada usato usata ricondizionato ricondizionata tweedehands gereviseerd
    """
)

# Units in which variants of one model differ, each with the unit they are compared in. Smaller
# ones (MB, mm) describe a model and do not tell its variants apart.
VARYING: Mapping[str, tuple[str, float]] = {
    _folded(word): (shown, KNOWN_UNITS[name].factor / KNOWN_UNITS[base].factor)
    for shown, base, names in (
        ("GB", "GB", ("GB", "TB")),
        ("inch", "in", ("in",)),
        ("ml", "ml", ("ml", "cl", "l")),
    )
    for name in names
    for word in SPELLINGS[name]
    if word.isalpha() and (word in KNOWN_UNITS or not word.isupper())
}
MEMORY = _words("ram memory arbeitsspeicher ddr ddr2 ddr3 ddr4 ddr5 lpddr4 lpddr4x lpddr5 lpddr5x")

# Words of pages, shops and sections: they name no product.
NEUTRAL = _words(
    """
    the a an of in im am on at to from your our my its is are this that und der die das den dem
    ein eine
    le la les un une des du el los las lo il gli i del della en et
    new neu neue nouveau nuevo nuovo original official offiziell genuine oem
    retail brand product products produkt produit producto prodotto item article
    artikel artikelnummer buy kaufen acheter comprar acquista order bestellen shop store online
    price prices preis preise prix precio prezzo cheap gunstig gunstige sale deal deals offer offers
    angebot angebote free shipping versand lieferung delivery stock lager available availability
    verfugbarkeit review reviews test tests testbericht rezension bewertung bewertungen rating
    ratings avis opinion analyse analysis measured measurements messwerte hands unboxing benchmark
    verdict fazit conclusion pros cons summary zusammenfassung overview uberblick ubersicht apercu
    resumen highlights introduction einleitung
    spec specs specification specifications spezifikation spezifikationen datasheet datenblatt
    sheet blatt technical technische technischen technisch daten details detail fiche technique
    techniques caracteristiques caracteristicas especificaciones tecnicas ficha dati tecnici
    scheda specifiche features feature merkmale eigenschaften general allgemein allgemeines
    generales generalites information informationen about uber description beschreibung
    descripcion descrizione main basic key full complete support download downloads driver drivers
    manual manuals handbuch faq help gallery photos images bilder video videos accessories zubehor
    home page website site official category categories forum thread post discussion wiki user guide
    questions answers comments community news blog
    gaming gamer game games esports esport competitive mouse maus souris raton ratones mysz muis
    computer pc mac laptop notebook desktop keyboard tastatur clavier teclado monitor display screen
    bildschirm camera kamera headset tv device gerat gadget
    ergonomic ergonomisch ergonomische ergonomique ergonomico symmetrical ambidextrous righthanded
    righthand right hand handed rechtshander lightweight light ultralight ultralightweight
    ultraleicht ultraleichte leicht leichte leger legere fast faster high performance professional
    precision optical optisch optische laser sensor sensors sensortyp mechanical rechargeable rgb
    led usb usbc typec type bluetooth dongle receiver ghz dpi cpi ips polling rate hyperpolling
    programmable programmierbar programmierbare button buttons tasten boutons botones switch
    switches schalter wheel scroll mausrad encoder cable kabel cord battery akku batterie bateria
    batteria charging ladung life laufzeit runtime autonomy autonomie weight gewicht poids peso
    dimensions dimension abmessungen masse size sizes grosse taille tamano length width height
    lange breite hohe body gehause design shape form material materials build quality comfort
    coating finish surface feet skates glide click clicks latency latenz response time acceleration
    tracking distance lift resolution auflosung software connectivity connection konnektivitat
    verbindung konnektivitat conectividad interface anschluss anschlusse wifi radio protocol
    compatibility kompatibilitat operating system systems requirements windows os warranty garantie
    garantia garanzia box package packaging contents lieferumfang contenu contenido included
    release released date year launch erscheinungsdatum manufacturer hersteller fabricant
    fabricante marke marque marca model modell modele modelo modello number nummer numero name
    color colour colors colours farbe couleur color colore lighting beleuchtung memory onboard
    profiles speed dock edition standard version versions ean gtin upc mpn sku asin isbn part
    physical performance other misc sonstiges weitere values value score scores total results
    result ergebnisse labor lab database db measured wertung note hardware peripherals
    accessory accessories electronics elektronik computers zubehor eingabegerate mause mice
    condition zustand amazon ebay com www http https html htm php de net org co uk eu us
    """
)

# Of short units only these: "6s", "7d" and "5 ti" are models.
_SHORT_UNITS = _words("g m h w k p x hr yr wh px")
_OF_TWO_LETTERS = frozenset(("mass", "length", "volume", "information", "frequency", "time"))
_COUNTED = _words("mp megapixel megapixels btn button buttons tasten keys clicks pcs pc stuck")
UNITS = (
    _SHORT_UNITS
    | _COUNTED
    | frozenset(word for word in MULTIPLIERS if len(word) > 2)
    | frozenset(PLAIN_CODES)
    | frozenset(
        _folded(word)
        for unit in KNOWN_UNITS.values()
        if unit.dimension != "pixel"  # a name of models too
        for word in SPELLINGS[unit.name]
        if word.isalpha()
        and (
            (len(word) == 2 and word == unit.name and unit.dimension in _OF_TWO_LETTERS)
            # codes of trade are words: NEW, INK
            or (len(word) > 2 and word not in ORDINARY_WORDS and not word.isupper())
        )
    )
)
