"""The currencies of the world: ISO 4217 codes, and the signs and words that pages write for them.

The only table of currencies: a sign added to the first group of a line is read everywhere.

One line per currency: its code, then its signs (``_`` for a space), grouped by how much else
they may mean. Signs before any mark are sure: read wherever they stand. The others are read
  ``beside:``  beside an amount on any page,
  ``price:``   in a text that is known to be a price,
  ``weak:``    there only right beside the amount (a letter, a word of another language),
  ``shared:``  as this currency only where the field, the page or a code says so.
The first currency of a sign is its most common one.
"""

# ruff: noqa: E501 - one line per currency, in all scripts

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from specfactory.contract.text import word_set

_CURRENCIES = """
USD $ us$ $us u$s usd$ dollar dollars dólar dólares доллар доллара долларов 美元 米ドル ドル 달러 دولار usd price: us_dollar us_dollars weak: u$ dol
EUR € euro euros eur€ ευρώ евро ユーロ 欧元 يورو אירו eură eur weak: eu е
GBP £ gb£ pounds 英镑 ポンド gbp price: pound_sterling pounds_sterling quid weak: stg pound
JPY ¥ ￥ jp¥ 円 日元 日圓 엔 beside: yen weak: en
CNY ¥ ￥ cn¥ 元 人民币 人民幣 beside: rmb price: yuan renminbi 块 圆 weak: 圓 yuán
CHF sfr ₣ fr chf price: franken franchi schweizer_franken swiss_franc swiss_francs weak: fr francs franc f
CAD ca$ c$ cad$ cdn$ can$ $ca $cad cad weak: cnd shared: $
AUD a$ au$ aud$ $au aud shared: $
NZD nz$ nzd$ $nz nzd shared: $
HKD hk$ hkd$ 港币 港幣 港元 shared: $
SGD s$ sg$ sgd$ 新币 shared: $
TWD nt$ twd$ 新台币 新台幣 台币 台幣 tw$ price: ntd weak: nt 圓 shared: $
MOP mop$ price: pataca patacas
INR ₹ rs रु रुपये रुपया ₨ ૱ ௹ price: inr rupee rupees weak: re र
PKR rs ₨ روپے price: pkrs weak: re
LKR rs ₨ රු ரூ price: slrs weak: re
NPR ₨ रू नेरू price: rs nprs weak: re
MUR ₨ price: rs murs weak: re
SCR ₨ price: rs sr weak: re
MVR ރ price: rf mrf
BTN price: nu ngultrum
BDT ৳ টাকা ৲ টকা price: taka weak: tk
RUB ₽ руб рублей рубля рубль рубли р price: rub ruble rubles rouble roubles weak: rbl р r
BYN бел.руб б.р byn price: br руб byr rbl weak: р
UAH ₴ грн гривен гривня гривні price: hrn hryvnia
KZT ₸ тг тенге тңг price: tenge
UZS so‘m soʻm сўм price: so'm sum soums weak: сум som s' sʻ
KGS сом weak: som с
TJS сомони price: somoni weak: sm с см
TMT price: manat weak: m t ман
AZN ₼ price: manat man ман
GEL ₾ ლარი ლ price: lari
AMD ֏ դրամ драм դր price: dram
MDL леев beside: leu price: lei weak: l leu
RON lei beside: leu price: ron weak: l
BGN лв лева price: lv leva
RSD дин динара рсд динар beside: din price: dinara weak: din
MKD ден денар beside: den price: denar
BAM beside: km price: км
HRK kn price: kuna kune
HUF Ft price: forint weak: Ft
CZK kč beside: kc price: kcs korun koruna weak: kc
PLN zł zl złotych złoty price: zlotych weak: zt
SEK kr price: :- kronor krona skr
NOK kr price: :- kroner nkr
DKK kr price: :- kroner dkr
ISK kr króna krónur íkr price: ikr
ALL lekë price: lek leke weak: l
TRY ₺ tl türk_lirası price: lira turkish_lira
ILS ₪ שקל שקלים ש"ח ש״ח שח price: nis shekel shekels
EGP e£ جنيه ج.م جنيه_مصري price: le weak: l.e
SAR ر.س ريال_سعودي ﷼ beside: ريال price: riyal weak: sr
QAR ريال_قطري ر.ق beside: ريال weak: qr ريال
OMR ر.ع ريال_عماني beside: ريال weak: ro ريال
YER ر.ي ريال_يمني beside: ريال weak: ريال yr
IRR ریال ﷼ beside: تومان ريال price: toman tomans rial rials weak: ريال
AED درهم د.إ price: dhs dh dirham dirhams
MAD درهم درهم_مغربي beside: د.م price: dhs dh dirham dirhams weak: د.م
KWD د.ك دينار_كويتي beside: دينار price: kd weak: k.d
BHD د.ب .د.ب دينار_بحريني beside: دينار price: bd weak: b.d دينار
JOD د.أ د.ا دينار_أردني beside: دينار price: jd weak: j.d دينار
IQD ع.د د.ع دينار_عراقي beside: دينار weak: دينار
DZD دج د.ج دينار_جزائري beside: دينار price: da weak: دينار
TND د.ت دينار_تونسي beside: دينار price: dt weak: دينار
LYD د.ل دينار_ليبي beside: دينار price: ld weak: دينار
LBP ل.ل ليرة l£ price: ll
SYP ل.س ليرة_سورية s£
SDG ج.س جنيه_سوداني
AFN ؋ افغانی price: afghani af
ZAR R price: zar rand rands weak: R r
NGN ₦ price: naira
GHS gh₵ gh¢ ₵ price: cedi cedis
KES ksh price: kshs shilling
UGX price: ush ushs weak: shs sh
TZS price: tsh tshs tzs weak: /=
ETB ብር price: br birr
ERN ናቕፋ نافكا price: nfk nakfa
RWF r₣ price: frw rf weak: fr
BIF price: fbu weak: fr
DJF price: fdj weak: fr
GNF price: fg gfr weak: fr
KMF price: cf weak: fr
CDF price: fc frcd weak: fr
XOF price: fcfa cfa f_cfa franc_cfa francs_cfa
XAF price: fcfa cfa f_cfa franc_cfa francs_cfa
XPF price: cfp fcfp f_cfp
AOA price: kz kwanza
MZN price: mt mtn metical meticais
ZMW price: zk kwacha weak: k
MWK price: mk kwacha weak: k
BWP price: pula weak: p
NAD n$ nad$
LSL price: loti maloti weak: m l
SZL price: emalangeni lilangeni weak: e
MGA price: ar ariary
MRU price: um ouguiya
GMD price: dalasi weak: d
LRD l$ lrd$ price: ld
SLE price: le leone
SLL price: le leone weak: sl
SOS ش.ص price: sh.so s ssh
SSP ss£ price: £
SHP sh£ price: £ spl
FKP fk£ price: £
GIP gi£ price: £
STN price: db dobra
CVE cv$ price: esc escudo escudos
KRW ₩ ￦ 원 韩元 ウォン beside: won
KPW price: ₩ 원
THB ฿ บาท 泰铢 price: baht weak: b
VND ₫ vnđ đồng beside: đ price: dong weak: d vnd đ
IDR rp price: rupiah idr
MYR rm 令吉 price: ringgit
PHP ₱ price: piso pesos_filipinos
KHR ៛ price: riel
LAK ₭ ກີບ price: kip
MMK price: ks kyat kyats weak: k
MNT ₮ төгрөг price: tugrik
BND b$ bnd$ bn$
PGK price: kina weak: k
FJD fj$ fjd$
SBD si$ sbd$
TOP t$ paʻanga
WST ws$ price: tala sat
VUV price: vt vatu
BRL r$ brl$ beside: reais price: real weak: rs shared: $
MXN mx$ mxn$ mex$ beside: pesos price: peso shared: $
ARS ar$ ars$ $ars beside: pesos price: peso shared: $
CLP clp$ cl$ ch$ $clp beside: pesos price: peso shared: $
COP col$ co$ cop$ $cop beside: pesos price: peso shared: $
UYU $u uy$ uyu$ beside: pesos price: peso
PYG ₲ guaraní guaraníes price: gs guaranies
BOB $b beside: bs price: boliviano bolivianos weak: b
PEN s/ beside: soles price: sol nuevos_soles weak: s
VES bolívar bolívares beside: bs price: bs.s bs.d bsd bolivares
VEF beside: bs price: bs.f bsf
CRC ₡ colón price: colones ¢
GTQ price: quetzal quetzales weak: q
HNL price: lempira lempiras weak: l
NIO nio$ córdoba córdobas price: cordobas weak: c$
PAB beside: b/ price: balboa balboas
DOP rd$ dop$
CUP cup$ $mn cu$
CUC cuc$
HTG price: htg gourde gourdes weak: g
JMD j$ jmd$ ja$
TTD tt$ ttd$
BBD bds$ bbd$
BSD bsd$
BZD bz$ bzd$
BMD bd$ bmd$
KYD ci$ kyd$
XCD ec$ xcd$
GYD gy$ g$ gyd$
SRD sr$ srd$
ANG naƒ ƒ price: nafl guilder gulden weak: fl
AWG ƒ price: afl awg florin
ZWL z$ zw$ zwl$
ZWD z$
PTE price: escudos esc
DEM ℳ price: d-mark deutsche_mark weak: dm mark
ESP ₧ price: ptas pta peseta pesetas weak: pts pt
ATS schilling_österreich price: öS weak: ös
ITL ₤ price: lire weak: lit
GRD δρχ δρ ₯
LTL litų price: litas weak: lt
LVL price: latu weak: ls
EEK price: kroon krooni
SIT price: tolarjev tolar
SKK weak: sk
MTL weak: lm
FRF ₣ price: ff
NLG weak: fl hfl
ECS price: sucre sucres
BEF weak: bef
BTC ₿ ƀ beside: btc price: bitcoin bitcoins
"""

# Codes that are out of use, but still stand on pages.
_FORMER = "ATS BEF BOV BYR COU CUC CYP DEM ECS EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MRO MTL NLG PTE ROL RUR SIT SKK SLL STD TRL VEB VEF ZMK ZWD ZWN GHC MZM SDD AZM BTC CLF CHE CHW UYI XDR GGP IMP JEP TVD MXV USN XAG XAU XPT XPD XBA XBB XBC XBD XSU XUA PRB VAL"
ISO_CODES = word_set(
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP "
    "GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS "
    "KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR "
    "MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF "
    "SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD "
    "TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL"
)
FORMER_CODES = word_set(_FORMER) - ISO_CODES
THREE_DECIMALS = word_set("BHD IQD JOD KWD LYD OMR TND")
"""Currencies of a thousand parts: ``1.250`` of them is one and a quarter."""

# Lower-case codes that are also words.
_CODE_WORDS = word_set(
    "all top try cup pen mad gel cop lak sos bam ang mop lei ron den sit php std"
)
PLAIN_CODES = tuple(sorted({code.casefold() for code in ISO_CODES} - _CODE_WORDS))
"""Lower-case codes that are nothing else."""
_INVISIBLE = str.maketrans({"_": " ", "\u200e": "", "\u200f": ""})
_CASED = frozenset({"Ft", "R"})  # feet are not forints
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
CENTS_FOLLOW = "€"
"""Signs behind which the cents may stand: ``12€50``."""


def fold_sign(sign: str) -> str:
    """Lookup form of a sign: case, final dots and kinds of space are set aside."""
    plain = sign.translate(_INVISIBLE).strip()
    bare = plain.rstrip(".")
    return bare if bare in _CASED else " ".join(bare.casefold().split()) or plain


def _read_table() -> dict[str, dict[str, tuple[str, ...]]]:
    """Codes by sign, for each group."""
    groups: dict[str, dict[str, tuple[str, ...]]] = {
        "sure:": {}, "beside:": {}, "price:": {}, "weak:": {}, "shared:": {}, "named:": {},
    }  # fmt: skip
    for line in _CURRENCIES.strip().split("\n"):
        code, *words = line.split(" ")
        group = "sure:"
        for word in words:
            if word in groups:
                group = word
                continue
            sign = fold_sign(word)
            for name in (group, "named:") if group != "shared:" else (group,):
                codes = groups[name].get(sign, ())
                groups[name][sign] = codes if code in codes else (*codes, code)
    return groups


_GROUPS = _read_table()
SIGNS: Mapping[str, tuple[str, ...]] = _GROUPS["named:"]
SURE_SIGNS: Mapping[str, tuple[str, ...]] = {
    sign: (*codes, *(code for code in _GROUPS["shared:"].get(sign, ()) if code not in codes))
    for sign, codes in _GROUPS["sure:"].items()
}
PAGE_SIGNS: Collection[str] = (*SURE_SIGNS, *_GROUPS["beside:"])
SIGN_CHARACTERS = "".join(sign for sign in SURE_SIGNS if len(sign) == 1 and not sign.isalpha())
"""Every character that means money by itself, as ``€`` does; safe inside ``[...]``."""


def split_signs(signs: Collection[str]) -> tuple[list[str], list[str]]:
    """Signs with letters, which other letters may not adjoin; and the rest. Longest first."""
    by_length = sorted(signs, key=len, reverse=True)
    lettered = [
        sign for sign in by_length
        if any(char.isalpha() for char in sign) and not _UNSPACED.search(sign)
    ]  # fmt: skip
    known = frozenset(lettered)
    return lettered, [sign for sign in by_length if sign not in known]


def sign_pattern(signs: Collection[str], code: str = "[A-Z]{3}") -> str:
    """Regular expression for any of the signs or a code of three letters."""
    lettered, plain = split_signs(signs)
    # "S/" is a currency before an amount; elsewhere it abbreviates something
    words = [re.escape(s) + (r"(?=\.?\s?\d)" if s.endswith("/") else "") for s in lettered]
    return (
        rf"(?<![^\W\d_])(?:(?i:{'|'.join(words)})|{code})(?![^\W\d_])|"
        rf"{'|'.join(map(re.escape, plain))}"
    )


def currencies_of(sign: str) -> tuple[str, ...]:
    """Codes a sign may stand for, the most common first; none when it is no sign."""
    if sign in ISO_CODES or sign in FORMER_CODES:
        return (sign,)
    found = SIGNS.get(sign) or SIGNS.get(fold_sign(sign))
    if found is None and sign.upper() in ISO_CODES and sign.casefold() not in _CODE_WORDS:
        return (sign.upper(),)
    return found or ()


def sure_currencies(sign: str) -> tuple[str, ...]:
    """Codes that a sure sign may stand for; none when the sign may mean something else."""
    return SURE_SIGNS.get(sign) or SURE_SIGNS.get(sign.casefold(), ())


def is_weak(sign: str) -> bool:
    """Tell whether the sign means a currency only right beside an amount."""
    return fold_sign(sign) in _GROUPS["weak:"]
