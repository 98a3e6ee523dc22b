"""What a line looks like: an ingredient with its amount, a step of a method.

By general features alone: amounts and the units of kitchens, length, sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from specfactory.contract.text import word_set
from specfactory.contract.values import is_prose

_NUMBER = r"(?:\d+(?:[.,/⁄]\d+)?|[¼-¾⅐-⅞])(?:\s*[¼-¾⅐-⅞]|\s+\d/\d)?"
_AMOUNT = re.compile(
    rf"[\s•·*▢□☐✓◦‣–-]*(?:ca\.?|about|approx\.?|~|circa|etwa|environ|около)?\s*{_NUMBER}"
    rf"(?:\s*(?:[-–—x×/]|to|bis|à|a|или|or|oder|ou)\s*{_NUMBER})?",
    re.IGNORECASE,
)
_UNITS = word_set(
    "g gr grams? gramm gramos? grammes? grammi kg kilo mg ml cl dl l lit(?:er|re|ro)s? oz ounces? "
    "lbs? pounds? cups? tbsps? tablespoons? tsps? teaspoons? tbs pinch(?:es)? dash(?:es)? cloves? "
    "cans? tins? jars? pieces? packs? packages? packets? pkgs? sticks? slices? bunch(?:es)? "
    "handfuls? quarts? pints? fl inch(?:es)? heads? stalks? knobs? drops? pcs? sprigs? "
    "el tl esslöffel teelöffel prisen? bund dosen? packung päckchen pck pkg stücke? zehen? becher "
    "tassen? msp scheiben? zweige? handvoll glas "
    "cuill[eè]res? c\\. càs càc gousses? pinc[eé]es? sachets? verres? tranches? brins? "
    "cucharadas? cucharaditas? cdas? cdtas? tazas? dientes? pizcas? ramitas? unidades? "
    "cucchiai[oni]* bicchier[ei] spicchi[o]? rametti "
    "eetlepels? theelepels? teentjes? tenen snufje blik pak stuks? "
    "spsk tsk msk krm fed klyft(?:a|or) nypa bundt stk st ss ts rkl kpl prk "
    "colher(?:es)? x[ií]caras? dentes? latas? "
    "łyżk[aiei]+ łyżeczk[aiei]+ szklank[aiei]+ ząbk?[eiów]* szczypt[ay] opakowani[ea] "
    "sztuk[ai]? szt kilogram[yów]* "
    "ks kusy? plát(?:ek|ky|ků)? lžíce lžic lžičk[ay]? hrnk?[eyů]* stroužk?[yůe]* špetka lyžic[ea]? "
    "ek tk kk mk csipet gerezd db dkg szál csomag evőkanál teáskanál "
    "linguri?ț?[eaă]* căni cană cățe[il] žlic[ae]? žličic[ae]? šalic[ae]? "
    "ст ч стакана? стаканов г кг мл л шт зубчик[аов]* щепотк[аи] пучок ложк[аи] "
    "κ φλ γρ κιλό κουτ φλιτζάνι[α]? σκελίδ[αες]+ "
    "yemek çay su bardağı adet kaşığı tutam diş paket "
)
# Written without spaces: what follows may be a letter.
_JOINED_UNITS = word_set(
    "克 千克 公斤 毫升 升 勺 汤匙 茶匙 个 颗 杯 片 根 瓣 大さじ 小さじ カップ 個 本 枚 片 "
    "컵 큰술 작은술 개 대"
)
_UNIT = rf"(?:(?:{'|'.join(sorted(_UNITS))})(?![^\W\d_])|{'|'.join(sorted(_JOINED_UNITS))})"
_MEASURED = re.compile(rf"(?<![\d.,]){_NUMBER}\s?-?\s?{_UNIT}", re.IGNORECASE)
_SPOONS = re.compile(r"(?:大さじ|小さじ|适量|少许|適量|少々|q\.?\s?b\.?(?!\w))", re.IGNORECASE)
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]{1,2}|[^\W_]+")
_ENDED = re.compile(r"[.!。！…][\"'”»)]*$")
_MAX_INGREDIENT_WORDS = 30
_MAX_INGREDIENT = 240
_MAX_AMOUNT = 24
_TRAILING = re.compile(rf"\s{_NUMBER}\s?(?:[^\W\d_]{{1,5}}\.?)?$")
_SCALE = re.compile(r"(?:[\d.,/½¼]+\s*[x×]\s*)+", re.IGNORECASE)
# How many it is for, in the words of kitchens.
_FOR_MANY = re.compile(
    r"serv(?:ing|es)|porti|porz|porc|porsi|порци|person|personer|főre|raci[oó]n|comensal|annos|"
    r"人分|人份|인분|kişilik|μερίδ|makes\b|yield",
    re.IGNORECASE,
)
_LABEL_END = ("::", ":", "：")
_COUNT_ONLY = re.compile(r"[^\W\d]{0,12}[\s#.]*\d{1,2}\s*[.):/]?(?:\s*(?:/|of)\s*\d{1,2})?")

Likeness = Callable[[str], float]


def ingredient_likeness(line: str) -> float:
    """How much a line looks like an ingredient: 1 with amount and unit, 0 for a sentence."""
    words = len(_WORD.findall(line))
    if not words or words > _MAX_INGREDIENT_WORDS or len(line) > _MAX_INGREDIENT:
        return 0.0
    if _is_frame(line, words):
        return 0.0
    if line.endswith(_LABEL_END) or (words > 8 and _ENDED.search(line) and is_prose(line)):
        return 0.0
    leads = _AMOUNT.match(line)
    if _MEASURED.search(line) or _SPOONS.search(line):
        return 1.0 if leads or words <= 10 else 0.6
    if (leads or _TRAILING.search(line)) and words > 1:
        return 0.8
    return 0.35 if words <= 6 else 0.2 if words <= 12 else 0.05


def _is_frame(line: str, words: int) -> bool:
    """Whether a line is about the list: how many it serves, how it is scaled, a bare number."""
    if _SCALE.fullmatch(line) or not any(map(str.isalpha, line)):
        return True
    return words <= 4 and _FOR_MANY.search(line) is not None


def is_measured(line: str) -> bool:
    """Whether an amount with its unit stands in a line."""
    return _MEASURED.search(line) is not None


def is_amount(line: str) -> bool:
    """Whether a line is an amount and hardly more ("½ cup"), so that its thing stands apart."""
    found = _AMOUNT.match(line) if len(line) <= _MAX_AMOUNT else None
    return found is not None and len(_WORD.findall(line[found.end() :])) <= 1


def step_likeness(line: str) -> float:
    """How much a line looks like a step: a sentence of some length, 0 for a bare number."""
    words = len(_WORD.findall(line))
    if words <= 2 and _COUNT_ONLY.fullmatch(line.strip()):
        return 0.0
    ended = bool(_ENDED.search(line))
    if words >= 6 and ended:
        return 1.0
    if words >= 8:
        return 0.4 if _AMOUNT.match(line) and words < 12 else 0.7
    return 0.5 if ended and words >= 3 else 0.2 if words >= 4 else 0.05
