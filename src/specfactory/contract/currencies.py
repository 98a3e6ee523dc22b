"""The currencies of the world: ISO 4217 codes, and how pages write them.

One line a currency: its code, its signs and its words in the languages that use them (``_`` for
a space). What stands behind ``|`` is also something else (a letter, a word of another language):
it means the currency only right beside an amount. The first currency of a shared sign is its
most usual one.
"""

# ruff: noqa: E501 - one line a currency, in all scripts

from __future__ import annotations

from collections.abc import Mapping

from specfactory.contract.normal import word_set

_CURRENCIES = """
USD $ us$ $us u$s usd$ us_dollar us_dollars dollar dollars dólar dólares доллар доллара долларов 美元 米ドル ドル 달러 دولار | u$ dol
EUR € euro euros eur€ ευρώ евро ユーロ 欧元 يورو אירו eură | eu е
GBP £ gb£ pound_sterling pounds_sterling pounds 英镑 ポンド | stg pound quid
JPY ¥ ￥ jp¥ 円 yen 日元 日圓 엔 | en
CNY ¥ ￥ cn¥ rmb 元 人民币 人民幣 yuan 块 圆 | 圓 yuán
CHF sfr chf. ₣ franken franchi schweizer_franken | fr fr. francs franc f
CAD ca$ c$ cad$ cdn$ can$ $ca $cad | cnd
AUD a$ au$ aud$ $au
NZD nz$ nzd$ $nz
HKD hk$ hkd$ 港币 港幣 港元
SGD s$ sg$ sgd$ 新币
TWD nt$ twd$ 新台币 新台幣 台币 台幣 ntd tw$ | nt 圓
MOP mop$ pataca patacas
INR ₹ rs inr. rupee rupees रु रुपये रुपया ₨ ૱ ௹ | re र
PKR rs ₨ روپے pkrs | re
LKR rs ₨ රු ரூ slrs | re
NPR rs ₨ रू nprs नेरू | re
MUR rs ₨ murs | re
SCR rs ₨ sr | re
MVR rf mrf ރ
BTN nu ngultrum
BDT ৳ taka টাকা ৲ টকা | tk
RUB ₽ руб рублей рубля рубль рубли rub. rbl rubles roubles | р rbl r р. ₽.
BYN br руб бел.руб byr rbl | р
UAH ₴ грн гривен гривня гривні hrn hryvnia
KZT ₸ тг тенге tenge тңг
UZS so'm so‘m soʻm sum soums сўм сум | som s' sʻ сум
KGS сом | som с
TJS somoni сомони | sm с см
TMT manat | m t ман
AZN ₼ manat man ман
GEL ₾ lari ლარი ლ
AMD ֏ dram դրամ драм դր
MDL lei леев | l leu
RON lei ron. leu | l
BGN лв лева lv leva
RSD дин din dinara динара рсд динар | din.
MKD ден den денар denar
BAM км km
HRK kn kuna kune
HUF forint | Ft Ft.
CZK kč kcs korun koruna | kc
PLN zł zl złotych złoty zlotych | zt
SEK kr :- kronor krona skr
NOK kr :- kroner nkr
DKK kr :- kroner dkr
ISK kr króna krónur íkr ikr
ALL lekë lek leke | l
TRY ₺ tl lira türk_lirası
ILS ₪ nis שקל שקלים ש"ח ש״ח שח
EGP e£ le جنيه ج.م جنيه_مصري | l.e
SAR ريال ر.س ريال_سعودي ﷼ riyal | sr
QAR ريال_قطري ر.ق | qr ريال
OMR ر.ع ر.ع. ريال_عماني | ro ريال
YER ر.ي ريال_يمني | ريال yr
IRR ریال تومان toman tomans ﷼ rial rials | ريال
AED درهم د.إ dhs dh dirham dirhams
MAD درهم د.م dhs dh dirham dirhams درهم_مغربي | د.م.
KWD د.ك دينار دينار_كويتي kd | k.d
BHD د.ب .د.ب bd دينار_بحريني | b.d دينار
JOD د.أ د.ا jd دينار_أردني | j.d دينار
IQD ع.د د.ع دينار_عراقي | دينار
DZD دج د.ج da دينار_جزائري | دينار
TND د.ت dt دينار_تونسي | دينار
LYD د.ل ld دينار_ليبي | دينار
LBP ل.ل ليرة l£ ll
SYP ل.س ليرة_سورية s£
SDG ج.س جنيه_سوداني
AFN ؋ افغانی afghani af
ZAR zar. rand rands | R r
NGN ₦ naira
GHS gh₵ gh¢ ₵ cedi cedis
KES ksh kshs ksh. shilling
UGX ush ushs | shs sh
TZS tsh tshs tzs. | /=
ETB br ብር birr
ERN nfk ናቕፋ نافكا nakfa
RWF frw r₣ rf | fr
BIF fbu | fr
DJF fdj | fr
GNF fg gfr | fr
KMF cf | fr
CDF fc frcd | fr
XOF fcfa cfa f_cfa franc_cfa francs_cfa
XAF fcfa cfa f_cfa franc_cfa francs_cfa
XPF cfp fcfp f_cfp
AOA kz kwanza
MZN mt mtn metical meticais
ZMW zk kwacha | k
MWK mk kwacha | k
BWP pula | p
NAD n$ nad$
LSL loti maloti | m l
SZL emalangeni lilangeni | e
MGA ar ariary
MRU um ouguiya
GMD dalasi | d
LRD l$ ld lrd$
SLE le leone
SLL le leone | sl
SOS sh.so s ش.ص ssh
SSP £ ss£
SHP £ sh£ spl
FKP £ fk£
GIP £ gi£
STN db dobra
CVE esc escudo escudos cv$
KRW ₩ ￦ 원 won 韩元 ウォン
KPW ₩ 원
THB ฿ บาท baht 泰铢 | b
VND ₫ đ vnđ đồng dong | d vnd. đ.
IDR rp rupiah rp. idr.
MYR rm ringgit 令吉
PHP ₱ piso pesos_filipinos ₱.
KHR ៛ riel
LAK ₭ kip ກີບ
MMK ks kyat kyats | k
MNT ₮ төгрөг tugrik
BND b$ bnd$ bn$
PGK kina | k
FJD fj$ fjd$
SBD si$ sbd$
TOP t$ paʻanga
WST ws$ tala sat
VUV vt vatu
BRL r$ reais real brl$ | rs
MXN mx$ mxn$ mex$ peso pesos
ARS ar$ ars$ peso pesos $ars
CLP clp$ cl$ ch$ peso pesos $clp
COP col$ co$ cop$ peso pesos $cop
UYU $u uy$ uyu$ peso pesos
PYG ₲ gs guaraní guaraníes guaranies
BOB bs $b boliviano bolivianos | b
PEN s/ s/. soles sol nuevos_soles | s
VES bs bs.s bs.d bsd bolívar bolívares bolivares
VEF bs bs.f bsf
CRC ₡ colón colones ¢
GTQ quetzal quetzales | q
HNL lempira lempiras | l
NIO nio$ córdoba córdobas cordobas | c$
PAB b/ b/. balboa balboas
DOP rd$ dop$
CUP cup$ $mn cu$
CUC cuc$
HTG htg. gourde gourdes | g
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
ANG naƒ ƒ nafl guilder gulden | fl
AWG afl ƒ awg. florin
ZWL z$ zw$ zwl$
ZWD z$
PTE escudos esc
DEM d-mark deutsche_mark ℳ | dm mark
ESP ptas pta peseta pesetas ₧ | pts pt
ATS öS schilling_österreich | ös
ITL ₤ lire | lit
GRD δρχ δρ ₯
LTL litų litas | lt
LVL latu | ls
EEK kroon krooni
SIT tolarjev tolar
SKK | sk
MTL | lm
FRF ₣ ff
NLG | fl hfl
ECS sucre sucres
BEF | bef
BTC ₿ ƀ bitcoin btc
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

# Codes that are words as well, when they are not in capitals.
_WORDS = word_set("all top try cup pen mad gel cop lak sos bam ang mop lei ron den sit php std")


def _read() -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    signs: dict[str, tuple[str, ...]] = {}
    weak: set[str] = set()
    for line in _CURRENCIES.strip().split("\n"):
        sure, _, unsure = line.partition(" | ")
        code, *strong = sure.split(" ")
        rest = unsure.split()
        for sign in (*strong, *rest):
            if sign == "|":
                continue
            key = fold_sign(sign)
            signs[key] = (*signs.get(key, ()), *((code,) if code not in signs.get(key, ()) else ()))
            if sign in rest:
                weak.add(key)
    return signs, frozenset(weak)


def fold_sign(sign: str) -> str:
    """A sign as it is looked up: case, dots at its end and the kind of space set aside."""
    plain = sign.translate(_MARKS).strip()
    if plain in CASED:
        return plain
    return " ".join(plain.rstrip(".").casefold().split()) or plain


_MARKS = str.maketrans({"_": " ", "\u200e": "", "\u200f": ""})
CASED = frozenset({"Ft", "Ft.", "R"})  # feet are not forints
_SIGNS, _WEAK = _read()
SIGNS: Mapping[str, tuple[str, ...]] = _SIGNS
WEAK_SIGNS: frozenset[str] = _WEAK


def currencies_of(sign: str) -> tuple[str, ...]:
    """The codes a sign may stand for, the most usual first; none when it is no sign."""
    if sign in ISO_CODES or sign in FORMER_CODES:
        return (sign,)
    found = SIGNS.get(sign) or SIGNS.get(fold_sign(sign))
    if found is None and sign.upper() in ISO_CODES and sign.casefold() not in _WORDS:
        return (sign.upper(),)
    return found or ()


def is_weak(sign: str) -> bool:
    """Whether the sign means a currency only right beside an amount."""
    return fold_sign(sign) in WEAK_SIGNS
