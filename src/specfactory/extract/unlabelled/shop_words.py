"""Words of shops around values that carry no label: prices, buttons, stock, in many languages."""

from __future__ import annotations

import re
from functools import lru_cache

from specfactory.contract.values import spellings_of
from specfactory.proof import word_set

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LETTERS = re.compile(r"[^\W\d_]+")
_MAX_HINTS = 300

# ------------------------------------------------------------- words of markup (class, id …)
PRICE_HINTS = word_set(
    "price prices pricing preis preise prix precio precios prezzo prezzi preco precos cena ceny "
    "hinta pris prijs fiyat cost amount"
)
OLD_HINTS = word_set(
    "old was listprice msrp rrp uvp strike striked strikethrough stroke crossed "
    "linethrough before previous regular compare original oldprice retail statt "
    "barre ancien anterior vecchio stary obniżka undiscounted del"
)
NOW_HINTS = word_set(
    "now sale special current final our actual promo promotion offer offers main primary big "
    "large selling discounted today aktuell actuel attuale deal"
)
SHIP_HINTS = word_set(
    "shipping delivery postage versand livraison envio spedizione shipment freight ship dispatch "
    "lieferung versandkosten"
)
SAVE_HINTS = word_set(
    "save saving savings saved discount off rabatt ersparnis remise descuento sconto badge "
    "percent percentage economy cashback points bonus voucher coupon reward loyalty"
)
UNIT_HINTS = word_set("unit per perunit grundpreis base baseprice basic measure kg liter litre")
RATE_HINTS = word_set(
    "installment installments instalment instalments monthly month finance financing rate raten "
    "emi credit klarna leasing parcela parcelas mensualite cuota rata splátky lease payments"
)

# ------------------------------------------------------------------- words beside an amount
# Searched in lower-cased text: a pattern that ignores case is several times slower.
_AT = r"(?<![^\W\d_])(?:"
_END = r")(?![^\W\d_])"
OLD_WORDS = re.compile(
    _AT + r"was|before|list price|msrp|rrp|r\.r\.p|srp|retail(?: price)?|regular(?:ly)?|reg|"
    r"original(?:ly)?|old price|compare at|instead of|uvp|uvpe|statt|vorher|bisher|alter preis|"
    r"war|urspr\w*|au lieu de|prix conseill\w+|ancien prix|prix barr\w+|avant|antes|precio "
    r"(?:anterior|original|normal|de lista)|pvpr?|prima|prezzo (?:di listino|originale|"
    r"consigliato|precedente)|invece di|anziché|listino|de r\$|de:|preço (?:original|antigo)|"
    r"was[:]|van voor|adviesprijs|ordin\w*|tidigare|f[øo]r|förr|normalpris|vejl\w*|przed|"
    r"cena (?:regularna|katalogowa|przed)|zamiast|bylo|było|původní\w*|pôvodn\w*|běžn\w+|"
    r"bežn\w+|eredeti|régi ár|старая|раньше|было|вместо|eski fiyat|정가|판매가|原价|市场价|定価|"
    r"قبل|بدلا" + _END,
)
SHIP_WORDS = re.compile(
    _AT + r"shipping|ships?|delivery|postage|p&p|post(?:al)?|freight|handling|versand\w*|zzgl|"
    r"liefer\w*|porto|livraison|frais|exp[ée]dition|env[ií]os?|gastos|spedizione|consegna|frete|"
    r"entrega|verzend\w*|bezorg\w*|frakt|levering|wysy[łl]k\w+|dostaw\w+|doprav\w*|poštovné|"
    r"szállítás\w*|доставк\w+|kargo|toimitus\w*|배송비?|送料|运费|"
    r"(?:ال)?(?:شحن|توصيل)|משלוח" + _END,
)
SAVE_WORDS = re.compile(
    _AT + r"save|saving|savings|saved|you save|off|discount|sparen|gespart|ersparnis|rabatt|"
    r"sie sparen|[ée]conomi\w+|remise|r[ée]duction|ahorr\w+|descuento|rispar\w+|sconto|"
    r"desconto|economize|bespaar|korting|spar|spara|oszcz\w+|rabat|u[šs]et\w+|sleva|zľava|"
    r"kedvezmény|скидк\w+|экономи\w+|indirim|할인|쿠폰|优惠|割引|points?|punkte|bonus\w*|gutschein|"
    r"voucher|coupon|cashback|gift card|gutscheine|rewards?|earn|members? get|back|"
    r"(?:ال)?خصم|توفير|وفر" + _END,
)
RATE_WORDS = re.compile(
    _AT + r"(?:per|a|/) ?(?:month|mo|week|wk)|/ ?(?:mo|month|mth|monat|mois|mes|mese|mies|м[еѣ]с)|"
    r"monthly|\d+ ?(?:easy |equal |x )?(?:payments?|installments?|instalments?|raten|cuotas)|"
    r"payments? of|pay in \d+|installments?|instalments?|interest[- ]free|finance|apr|p\.?m\.?|"
    r"pro monat|mtl|monatlich|raten?(?:zahlung)?|par mois|mensualit\w+|fois|al mes|"
    r"mensual\w*|cuotas?|plazos|"
    r"al mese|rat[ae]|a rate|parcelas?|vezes|sem juros|x de|per maand|m[åa]n(?:ad|ed)?\.?|"
    r"miesi[ęe]cz\w+|raty|m[ěe]s[íi][čc]n\w+|spl[áa]tk\w*|havi|в месяц|мес|рассрочк\w+|taksit|"
    r"개월|klarna|afterpay|clearpay|laybuy|zip|sezzle|affirm|paypal|"
    r"(?:ال)?أقساط|قسط|شهري(?:ا|اً|ًا)?|分割|分期" + _END,
)
# Per kilogram or metre; per piece is what the thing costs.
_SOLD_BY = spellings_of("mass", "volume", "length", "area")
_UNIT = "|".join(re.escape(spelling) for spelling in sorted(_SOLD_BY, key=len, reverse=True))
UNIT_WORDS = re.compile(
    rf"/ ?(?:\d+ ?)?(?:{_UNIT}|count|100)(?![^\W_])|"
    + _AT
    + rf"per (?:{_UNIT}|100|sheet)|(?:pro|je) (?:{_UNIT}|100)|"
    r"grundpreis|unit price|le kilo|au kilo|por kilo|al kg|za kg|"
    rf"за (?:{_UNIT}|100)" + _END,
)
# What is paid only if: with a card, as a member, for many, by subscription.
IF_WORDS = re.compile(
    _AT + r"(?:with|using|mit|avec|con|com|z|s|по|с) (?:\w+ )?(?:card|code|coupon|membership|"
    r"subscription|auto\w*|karte|code|carte|tarjeta|carta|cartão|kartą|kartou|карт\w+|купон\w*|промокод\w*)|"
    r"members?(?:hip)?|club|loyalty|subscri\w+|auto-\w+|wholesale|bulk|trade price|mitglied\w*|"
    r"im abo|staffel\w*|ab \d+ (?:stk|stück)|adhérents?|abonn\w+|socios|mayorista|por mayor|soci|"
    r"no (?:pix|boleto)|à vista|assinante\w*|leden|klub\w*|hurt\w*|опт\w*|при (?:онлайн|покупке|"
    r"заказе|предоплате|самовывозе|оплате)\w*|для (?:юр\w*|партн\w+|клуб\w*)|от \d+ шт|"
    r"\d+ ?\+ (?:pcs|items|units)|(?:buy|for) \d+\+?(?: or more)?|when you buy|if you" + _END,
)
FROM_WORDS = re.compile(
    _AT + r"from|starting|starts|as low as|ab|à partir de|dès|desde|a partir de|a partire da|da|"
    r"vanaf|från|fra|fr[åa]n|od|от|up to|bis|over|above|orders?|under|min(?:imum)?|free|gratis|"
    r"spend|threshold|minimum|부터|より|起" + _END,
)
TAX_WORDS = re.compile(
    _AT + r"ex(?:cl?\.?|cluding|clusive)?\.? (?:of )?(?:vat|tax|gst|btw)|without (?:vat|tax)|"
    r"ohne mwst|netto|zzgl\. mwst|ht|hors taxes?|sin iva|iva (?:no incluido|esclusa)|\+ ?iva|"
    r"excl\.? btw|ex\.? moms|bez dph|bez vat|bez pdv|nettó|без ндс|kdv hari[cç]" + _END,
)

# ------------------------------------------------------------------------ words on buttons
_BUY = re.compile(
    r"add (?:it )?to (?:my |your |the |shopping )*(?:cart|basket|bag|trolley|order)|buy(?: it)?"
    r"(?: now)?|order now|purchase|shop now|add to bag|checkout|pre-?order(?: now)?|book now|"
    r"place (?:a )?bid|get it now|add item|(?:get|buy|find|order|book) tickets?|tickets? kaufen|"
    r"karten (?:kaufen|bestellen)|tickets? (?:bestellen|kopen)|(?:acheter|réserver) (?:des |vos )?"
    r"(?:billets|places)|réserver(?: maintenant)?|comprar (?:entradas?|boletos?|tickets?|"
    r"ingressos?|bilhetes?|pasajes?)|reservar(?: ahora| agora)?|acquista (?:i )?bigliett[io]|"
    r"prenota(?: ora)?|kup bilet(?:y)?|koupit vstupenk[yu]|купить билет(?:ы)?|bilet al|"
    r"reserve now|book it|rent now|add to (?:registry|collection)|order(?: online| here)?|"
    r"in den (?:waren|einkaufs)korb(?: legen)?|zum warenkorb(?: hinzufügen)?|(?:jetzt |sofort"
    r"[- ]?)?kaufen|(?:jetzt )?bestellen|in den einkaufswagen|in die einkaufstasche|"
    r"(?:jetzt )?vorbestellen|"
    r"ajouter (?:au|à mon|dans le|à la) (?:panier|caddie|sac)|acheter(?: maintenant)?|commander|"
    r"j'achète|"
    r"(?:añadir|agregar|a[ñn]adir) (?:a la|al|a mi) (?:cesta|carrito|bolsa|carro)|comprar(?: ya| "
    r"ahora| agora)?|compra(?: ahora)?|"
    r"aggiungi al (?:carrello|cestino)|acquista(?: ora| subito)?|compra(?: ora| subito)?|ordina|"
    r"adicionar (?:ao|à) (?:carrinho|sacola|cesto)|colocar no carrinho|"
    r"in (?:mijn )?(?:winkelwagen|winkelmand(?:je)?)|(?:nu )?kopen|bestel(?:len)?(?: nu)?|"
    r"l[äa]gg (?:i|till i) (?:varukorgen|varukorg|kundvagn|kundvagnen)|k[öo]p(?: nu)?|"
    r"l[æae]g i (?:indk[øo]bs)?kurv(?:en)?|k[øo]b(?: nu)?|legg i handlekurv(?:en)?|kj[øo]p(?: nå)?|"
    r"lisää (?:ostoskoriin|koriin)|osta(?: nyt)?|"
    r"do(?:daj)? (?:do )?(?:koszyka|košíka|košíku|kosika|kosiku|košarice|koš[ií]ku?|korpe|"
    r"korpu)|kup(?: teraz)?|kupuj(?:ę)?|vložit do košíku|vložiť do košíka|přidat do košíku|"
    r"pridať do košíka|koupit|kúpiť|kupi(?:te)?|dodaj u (?:košaricu|korpu)|do ko[šs][íi]ka|"
    r"kos[áa]rba(?: teszem)?|megveszem|adaug[ăa] [îi]n co[șs]|cump[ăa]r[ăa]|"
    r"в корзину|добавить в корзину|купить(?: сейчас| в 1 клик)?|заказать|оформить заказ|"
    r"в кошик|додати в кошик|купити|добави в количката|купи|"
    r"sepete ekle|sat[ıi]n al|hemen al|"
    r"προσθήκη στο καλάθι|αγορά|στο καλάθι|"
    r"장바구니(?: 담기)?|구매하기|바로 ?구매|구매|カートに入れる|購入する|買い物かごに入れる|"
    r"加入购物车|立即购买|加入購物車|立即購買|"
    r"أضف (?:إلى|الى) (?:السلة|الحقيبة|العربة|عربة التسوق)|(?:ا|أ)ضف للسلة|اشتر(?:ي)? الآن|"
    r"הוסף לסל|הוספה לסל|thêm vào giỏ(?: hàng)?|mua ngay|tambah ke (?:keranjang|troli)|beli "
    r"sekarang|เพิ่มลงตะกร้า|ซื้อเลย|หยิบใส่ตะกร้า",
)
_NO_SALE = re.compile(
    r"notify me(?: when.*)?|email me(?: when.*)?|sold out|out of stock|currently unavailable|"
    r"join (?:the )?waitlist|unavailable|ausverkauft|nicht (?:verfügbar|lieferbar)|"
    r"benachrichtigen|épuisé|indisponible|m'avertir|être alerté|agotado|avísame|no disponible|"
    r"esaurito|non disponibile|avvisami|esgotado|avise-me|indisponível|uitverkocht|slutsåld|"
    r"utsolgt|udsolgt|loppu|niedostępny|powiadom.*|vyprodáno|vypredané|nedostupn[éý]|"
    r"нет в наличии|сообщить о поступлении|tükendi|품절|일시품절|売り切れ|在庫切れ|缺货|售罄|"
    r"نفذت الكمية|נגמר|hết hàng|habis|สินค้าหมด|elfogyott|nincs raktáron|stoc epuizat|εξαντλήθηκε",
)


@lru_cache(maxsize=16_384)
def hint_tokens(written: str) -> frozenset[str]:
    """Split class names and ids into words: "crossSell-price2" gives cross, sell, price."""
    return frozenset(_LETTERS.findall(_CAMEL.sub(" ", written[:_MAX_HINTS]).lower()))


@lru_cache(maxsize=16_384)
def button_opens(words: str) -> bool:
    """True when the words of a button begin with an offer to buy: "Add to cart – $20".

    A single word is no offer when others follow: "Purchase history".
    """
    written = " ".join(words.lower().split()).strip(" !.›»>→+")
    found = _BUY.match(written)
    if found is None or written[found.end() : found.end() + 1].isalnum():
        return False
    return " " in found[0] or not written[found.end() :].lstrip()[:1].isalpha()


@lru_cache(maxsize=16_384)
def button_says(words: str) -> str:
    """Tell what a button is for: "buy", "none" (cannot be bought now) or ""."""
    written = " ".join(words.lower().split()).strip(" !.›»>→+")
    if _BUY.fullmatch(written):
        return "buy"
    return "none" if _NO_SALE.fullmatch(written) else ""


# Parts of words by which a line may speak of stock; the contract's own words decide.
STOCK_WORDS = (
    "stock", "availab", "sold out", "lager", "liefer", "vorrät", "verfügbar", "ausverkauft",
    "dispon", "rupture", "épuis", "agotad", "existenc", "esaurit", "magazzin", "estoque", "esgotad",
    "voorra", "leverbaar", "uitverkocht", "slutsåld", "utsolgt", "udsolgt", "varasto", "magazyn",
    "dostępn", "sklad", "skladem", "dostupn", "vyprod", "raktár", "készlet", "stoc", "наличи",
    "наявн", "склад", "stok", "tüken", "재고", "품절", "在庫", "库存", "有货", "缺货",
    "متوفر", "المخزون", "במלאי", "còn hàng", "hết hàng", "διαθέσιμ",
)  # fmt: skip
STOCK_ANCHORS = (
    *STOCK_WORDS,
    "ships ", "dispatch",
    "deliver", "livraison", "expédi", "retrait", "entrega", "recoger", "consegna", "spedi",
    "ritiro", "collect", "pick up", "thuisbezorgd", "wysyłka", "odeslání", "достав", "самовывоз",
    "sale", "verkauf", "vendre", "venta", "vende", "vendita", "te koop", "prodej", "predaj",
    "seller", "verkäufer", "vendeur", "vendedor", "venditore", "verkoper", "säljar", "selger",
    "sælger", "myyjä", "sprzedaj", "prodavat", "prodavač", "eladó", "vânzăt", "продав", "продаж",
    "satıcı", "πωλητ", "판매", "卖家", "البائع", "penjual", "negotiab", "verhandel", "négocia",
    "negocia", "negocja", "trattabil", "advertiser", "inserent", "annonceur", "anunciante",
)  # fmt: skip
BRAND_HINTS = word_set(
    "brand brands brandname manufacturer manufacturers maker vendor marke marken hersteller "
    "marque marques fabricant marca marcas fabricante produttore marchio merk marki producent "
    "producer vyrobce vyrobca značka znacka brend designer designers бренд производитель"
)
