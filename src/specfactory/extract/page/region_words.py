"""Words by which pages mark what is not about their own product, in several languages.

The one vocabulary of hints for whose a value is: class names and ids, headings, column heads
and clauses.
"""

from __future__ import annotations

import re
from functools import lru_cache

from specfactory.contract import values
from specfactory.contract.text import word_set

# Whole words in class names and ids; "cross-sell" and "crossSell" are read as "cross sell".
_OTHER_HINTS = re.compile(
    r"\b(?:related|similar|recommend\w*|cross ?sells?|up ?sells?|also (?:bought|viewed|like)|"
    r"you may|alternatives?|recently|sponsored|bundles?|accessor\w+|carousel products|"
    r"more products|other products|compare with|nav|navbar|menu|footer|breadcrumbs?|cookie\w*|"
    r"sidebar|mega ?menu|newsletter|zubeh\w+|aehnliche?|verwandte?)\b"
)
# Broader than the pattern above: a feature that the ranking of prices has learned to weigh.
OTHER_BOX_HINTS = word_set(
    "related similar recommend recommended recommendation recommendations carousel slider "
    "upsell crosssell cross bundle bundles accessory accessories alternatives recently viewed "
    "also minicart cart basket wishlist menu nav header footer suggestion suggestions widget "
    "swiper slick listing grid tile tiles card cards teaser"
)
# Boxes beside the matter of a recipe: as words of class names as they are written.
_ASIDE_HINTS = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|respond|replies|related|sidebar|share|sharing|social|"
    r"newsletter|breadcrumbs?|menu|nav|navigation|footer|cookies?|reviews?|popup|modal)(?:$|[\s_-])",
    re.IGNORECASE,
)
_POST_HINTS = re.compile(
    r"\b(?:(?:customer|user|buyer|consumer|reader)s? (?:reviews?|comments?|ratings?|opinions?|"
    r"questions?|answers?)|comments?|comment list|reviews|review list|questions?|qa|q a|"
    r"testimonials?|kundenbewertung\w*|kundenrezension\w*|bewertungen|kommentare?|avis|"
    r"commentaires?|opiniones|comentarios|recensioni|commenti)\b"
)
_OTHER_HEADING = re.compile(
    r"\b(?:you (?:may|might|could) (?:also )?(?:like|want|need)|also (?:like|bought|"
    r"viewed|available|consider|from)|customers (?:who|also)|related|"
    r"similar (?:products|items|mice|models|monitors|to)|people also|"
    r"frequently bought|often bought|recommended (?:for|products|with)|"
    r"compare (?:with|to|similar)|alternatives?|accessories|recently viewed|sponsored|"
    r"more from|more (?:products|mice|items)|other (?:products|models|variants|versions)|"
    r"previous (?:model|generation|version)|complete (?:your|the) (?:setup|look)|"
    r"best ?sellers?|top picks|our picks|hot deals|trending|"
    r"das könnte|könnte (?:ihnen|dir)|kunden (?:kauften|sahen|interessierten)|"
    r"auch interessant|"
    r"(?:andere|weitere) (?:kunden|produkte|modelle|artikel|varianten)|ähnliche|verwandte|"
    r"passend(?:es|e) (?:zubehör|produkte)|zubehör|wird oft|zuletzt angesehen|alternativen|"
    r"auch erhältlich|mehr (?:aus|von)|vorgänger\w*|"
    r"vous aimerez|vous pourriez|produits (?:similaires|associés|apparentés|complémentaires)|"
    r"les clients|autres (?:produits|modèles)|accessoires|souvent achetés|récemment|"
    r"también|productos (?:relacionados|similares)|otros (?:productos|modelos|clientes)|accesorios|"
    r"comprados juntos|vistos recientemente|"
    r"potrebbe|prodotti (?:correlati|simili)|altri (?:prodotti|modelli|clienti)|accessori|"
    r"você também|produtos (?:relacionados|similares)|quem (?:viu|comprou)|acessórios|veja também|"
    r"gerelateerd\w*|vergelijkbare|andere klanten|anderen (?:bekeken|kochten)|misschien ook|"
    r"recent bekeken|podobne (?:produkty|oferty)|produkty (?:podobne|powiązane)|inni klienci|"
    r"akcesoria|ostatnio (?:oglądane|przeglądane)|zobacz (?:też|również|także)|"
    r"související|súvisiace|podobné|mohlo by|příslušenství|príslušenstvo|naposledy|alternativy|"
    r"hasonló termékek|kapcsolódó termékek|kiegészítők|produse (?:similare|recomandate)|"
    r"accesorii|clienții|slični proizvodi|povezani proizvodi|dodatna oprema|podobni izdelki|"
    r"liknande|tillbehör|relaterade|andra (?:köpte|tittade)|lignende|tilbehør|relaterede|"
    r"andre (?:købte|kjøpte|kigge\w+|så)|samankaltais\w+|lisätarvikkeet|muut (?:ostivat|katsoivat)|"
    r"benzer ürünler|ilgili ürünler|aksesuarlar|bunları da|похожие|аналог\w*|с этим товаром|"
    r"вместе с|рекомендуем|вам (?:может|также)|сопутствующие|аксессуары|недавно|вы смотрели|"
    r"смотрите также|схожі|з цим товаром|рекомендован\w+|аксесуари|подобни|свързани|"
    r"σχετικά προϊόντα|παρόμοια|αξεσουάρ|関連商品|おすすめ商品|この商品を|"
    r"추천 ?상품|함께|비슷한|관련 ?상품|相关|推荐|猜你喜欢|看了又看|相關|推薦|"
    r"منتجات (?:مشابهة|ذات صلة)|قد يعجبك)",
)
_POST_HEADING = re.compile(
    r"\b(?:(?:customer|user|owner|buyer|reader|verified)s?'? ?(?:reviews?|ratings?|comments?|"
    r"opinions?|feedback|questions?|photos)|"
    r"what (?:customers|people|users|owners|others) (?:say|think)|"
    r"reviews \(\d|\d+ reviews|comments?$|questions? (?:and|&) answers?|q ?& ?a$|"
    r"kunden(?:bewertung|rezension|meinung|stimme|frage)\w*|bewertungen|kommentare?$|"
    r"fragen und antworten|"
    r"avis (?:clients?|des)|commentaires?$|questions et réponses|"
    r"opiniones|comentarios?$|valoraciones|preguntas y respuestas|"
    r"recensioni|commenti?$|domande e risposte|klantbeoordelingen|avaliações)|^reviews?$",
)
_TAB_HINTS = re.compile(
    r"\b(?:tab|tabs|tabpanel|pane|panel|accordion|collaps\w*|expand\w*|toggle|slide|details|"
    r"specs?|specifications?|technical|more)\b"
)
_MAX_HINTS = 300
_MAX_KNOWN = 16_384  # the pages of a site share their headings
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_WORD = re.compile(r"[^a-z0-9äöüß]+")

# Column heads that say what kind of cells follow, not whose.
_GENERIC_HEAD = re.compile(
    r"(?:values?|details?|spec(?:s|ification)?s?|descriptions?|information|info|data|results?|"
    r"measured|measurements?|properties|property|features?|attributes?|parameters?|item|"
    r"wert|werte|beschreibung|angaben?|eigenschaft(?:en)?|merkmal(?:e)?|daten|ergebnis(?:se)?|"
    r"valeurs?|caractéristiques?|description|valor(?:es)?|características?|descripción|"
    r"valor[ei]|caratteristic[ah]e?|descrizione|metric|imperial|metrisch|si|us|unit|units|einheit|"
    r"technische daten|our (?:test|result|measurement)s?|score|rating|[-–—]*)",
)
_NAME_HEAD = re.compile(
    r"(?:models?(?: name)?|product(?: name)?|name|variants?|versions?|mouse|mice|monitors?|"
    r"device|item|"
    r"modell|modelle|produkt|artikel|gerät|maus|variante|ausführung|bezeichnung|"
    r"modèle|produit|nom|modelo|producto|nombre|modello|prodotto|nome)\s*:?",
)
_OTHER_THING = re.compile(
    r"\b(?:predecessors?|previous (?:model|version|generation)|older (?:model|version|sibling|one)|"
    r"old (?:one|model|version|mouse)|siblings?|competitors?|rivals?|last (?:year|generation)|"
    r"compared (?:to|with)|than|versus|vs|unlike|instead of|original(?: version)?|"
    r"vorgänger\w*|konkurren\w*|im vergleich|gegenüber|als (?:die|der|das)|anders als|"
    r"prédécesseur|par rapport|contrairement|concurrent\w*|predecesor\w*|en comparación|"
    r"predecessore|rispetto)\b",
)


def hint_words(hints: str) -> str:
    """Split class names and ids into plain words."""
    return _NOT_WORD.sub(" ", _CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()).strip()


def hints_other(words: str) -> bool:
    """True when class names mark a box of other things."""
    return _OTHER_HINTS.search(words) is not None


def hints_aside(hints: str) -> bool:
    """True when class names mark a box that stands beside the matter: comments, menus, sharing."""
    return _ASIDE_HINTS.search(hints) is not None


def hints_posts(words: str) -> bool:
    """True when class names mark a box of what users wrote."""
    return _POST_HINTS.search(words) is not None


def hints_tab(words: str) -> bool:
    """True when class names mark content that opens on a click."""
    return _TAB_HINTS.search(words) is not None


@lru_cache(maxsize=_MAX_KNOWN)
def heads_other(heading: str) -> bool:
    """True when a heading announces other products."""
    return len(heading) < 90 and _OTHER_HEADING.search(heading.lower()) is not None


@lru_cache(maxsize=_MAX_KNOWN)
def heads_posts(heading: str) -> bool:
    """True when a heading announces what users wrote."""
    return len(heading) < 90 and _POST_HEADING.search(heading.lower()) is not None


def is_generic_head(head: str) -> bool:
    """True when a column head names a kind of cell, not a product."""
    return _GENERIC_HEAD.fullmatch(head.strip().lower()) is not None


def is_name_head(head: str) -> bool:
    """True when a head says that names of products follow."""
    return _NAME_HEAD.fullmatch(head.strip().lower()) is not None


def speaks_of_another(words: str) -> bool:
    """True when a clause speaks of a predecessor or a rival."""
    return _OTHER_THING.search(words.lower()) is not None


def is_unit(head: str) -> bool:
    """True when a column head is nothing but a unit."""
    written = head.strip().strip("()[]").lower()
    is_money = values.currencies_of(written) and not values.is_weak(written)
    return values.is_unit(written) or bool(is_money)
