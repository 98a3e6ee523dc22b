"""The values a page offers for a field, in groups, with what speaks for and against each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property

from specfactory.contract.text import normal
from specfactory.errors import NotDerivable
from specfactory.extract.learned import Features, Group
from specfactory.extract.page import CandidateMaker, Kind, Proposal
from specfactory.extract.ranking.structured_features import Said, Saids, is_marked, said_features
from specfactory.extract.unlabelled import (
    FAR,
    MANNERS,
    Amount,
    Figure,
    KeyedPrices,
    Places,
    PriceFeatures,
    Saying,
    find_all_sayings,
    find_amounts,
    find_bare,
    find_brands,
    find_codes,
    find_currency,
    find_figures,
    find_keyed,
)
from specfactory.model import (
    Candidate,
    Field,
    Method,
    Money,
    Value,
    ViewName,
)
from specfactory.proof import snippet

Groups = dict[Hashable, Group]
_MAX_COUNTED = 200
_LABELLED = frozenset((Method.TABLE, Method.PAIR))
_GTIN = re.compile(r"\d{8}|\d{12,14}")
_LOG_FAR = math.log(FAR)


class Grouping:
    """Groups the candidates of one page and adds the values that carry no label."""

    def __init__(self, maker: CandidateMaker, places: Places) -> None:
        self._maker = maker
        self._views, self._compiled = maker.views, maker.compiled
        self._places = places
        self._said = Saids(maker.views)

    def groups(self, field: Field, role: str, candidates: Iterable[Candidate]) -> Groups:
        """The groups of one field by value."""
        groups: Groups = {}
        for candidate in candidates:
            key = value_key(candidate.value)
            if key is not None:
                groups.setdefault(key, Group()).candidates.append(candidate)
        _MAKERS[role](self, field, groups)
        return groups

    # ------------------------------------------------------------------------------ price
    def _prices(self, field: Field, groups: Groups) -> None:
        amounts = self.amounts(field.name)
        for amount, features in zip(
            amounts, PriceFeatures(self._places, amounts).of_all(), strict=True
        ):
            group = groups.setdefault(value_key(amount.money), Group())
            group.places.append(features)
            if len(group.candidates) < _MAX_COUNTED:
                group.candidates.append(self._visible_price(field, amount))
        keyed = find_keyed(self._views.source)
        if not groups and (made := self._keyed_price(field, keyed)) is not None:
            groups[value_key(made.value)] = Group([made])
        if not groups:
            self._tell_bare(field)
        said = {key: self._said.of(group.candidates) for key, group in groups.items()}
        several = sum(map(is_marked, said.values()))
        kin = sum(one.kin for some in said.values() for one in some)
        for key, group in groups.items():
            group.features = _said_of_price(said[key], several, kin, bool(group.places)) | {
                "labelled": float(_has(group, _LABELLED)),
                "pattern": float(_has(group, (Method.PATTERN,))),
                "zero": float(key == 0),
                "keyed": keyed.share(_amount_of(key)),
                "only_keyed": float(_has(group, (Method.VISIBLE,)) and not group.places),
            }

    def _tell_bare(self, field: Field) -> None:
        """An amount without any currency is dropped, and named."""
        bare = find_bare(self._figures, self._views)
        if bare is not None:
            detail = "neither it nor the page names a currency"
            self._maker.drop(field.name, "currency_missing", detail, shown=bare.quote)

    def _keyed_price(self, field: Field, keyed: KeyedPrices) -> Candidate | None:
        """Where a page shows no amount at all: the one that its markup or scripts call a price."""
        spans = keyed.only(), find_currency(self._views.source)
        quotes = [snippet(self._views, ViewName.SOURCE, *span) for span in spans if span]
        return (
            self._maker.guess(field.name, Proposal(tuple(quotes)))
            if len(quotes) == len(spans)
            else None
        )

    def amounts(self, field: str) -> list[Amount]:
        """The amounts of the page, found once."""
        if self._amounts is None:
            self._amounts = find_amounts(
                self._figures, self._views, self._places, self._compiled, field
            )
        return self._amounts

    _amounts: list[Amount] | None = None

    @cached_property
    def _figures(self) -> list[Figure]:
        return find_figures(self._views.text, self._places)

    def _visible_price(self, field: Field, amount: Amount) -> Candidate:
        quote = snippet(self._views, ViewName.TEXT, *amount.span)
        values = (quote, amount.apart) if amount.apart is not None else (quote,)
        return self._maker.derive(field.name, Proposal(values, value=amount.money))

    # --------------------------------------------------------------------------- currency
    def _currencies(self, field: Field, groups: Groups) -> None:
        roles = self._compiled.roles.items()
        price = next((name for name, role in roles if role.ranked_as == "price"), "")
        for amount in self.amounts(price) if price else ():
            sign = amount.sign
            if sign is None:
                continue
            made = self._maker.guess(
                field.name, Proposal((snippet(self._views, ViewName.TEXT, *sign),))
            )
            if made is None:
                continue
            group = groups.setdefault(value_key(made.value), Group())
            if not any(one.evidence.method is Method.VISIBLE for one in group.candidates):
                group.candidates.append(made)
            group.features["seen"] = group.features.get("seen", 0.0) + 1
        whole = sum(group.features.get("seen", 0.0) for group in groups.values())
        for group in groups.values():
            group.features = said_features(self._said.of(group.candidates)) | {
                "share": group.features.get("seen", 0.0) / max(whole, 1.0),
                "labelled": float(_has(group, _LABELLED)),
            }

    # --------------------------------------------------------------------------------- id
    def _ids(self, field: Field, groups: Groups) -> None:
        url: dict[Hashable, set[str]] = {}
        for code in find_codes(self._views):
            made = self._maker.guess(field.name, Proposal((code.quote,)))
            if made is not None:
                groups.setdefault(value_key(made.value), Group()).candidates.append(made)
                url.setdefault(value_key(made.value), set()).add(code.place)
        for key, group in groups.items():
            group.features = self._id_features(str(group.candidates[0].value), group,
                                               url.get(key, set()))  # fmt: skip

    def _id_features(self, words: str, group: Group, url: set[str]) -> Features:
        said = self._said.of(group.candidates)
        marked = is_marked(said)
        labelled = _has(group, _LABELLED)
        digits = sum(character.isdigit() for character in words) / max(len(words), 1)
        count = self._views.source.count(words) if 3 < len(words) < 60 else 0
        return {
            **said_features(said),
            "labelled": float(labelled),
            **{place: float(place in url) for place in ("url_end", "url_path", "url_query")},
            "agree": float(bool(url) and (marked or labelled)),
            "struct_labelled": float(marked and labelled),
            "digits": digits,
            "short": float(len(words) < 4),
            "long": float(len(words) > 20),
            "repeats": math.log(1 + min(count, 50)) / math.log(51),
            "seen": float(words in self._views.text),
            "is_gtin": float(_is_gtin(words)),
            "spaced": float(" " in words),
        }

    # ----------------------------------------------------------------------- availability
    def _stocks(self, field: Field, groups: Groups) -> None:
        sayings = find_all_sayings(self._views, self._places, self._compiled, field)
        good, bad = self._means(field, "InStock"), self._means(field, "OutOfStock")
        by_value: dict[Hashable, list[Saying]] = {}
        for saying in sayings:
            by_value.setdefault(value_key(saying.value), []).append(saying)
            made = self._maker.derive(field.name, Proposal((saying.quote,), value=saying.value))
            groups.setdefault(value_key(saying.value), Group()).candidates.append(made)
        all_said = {value: self._said.of(group.candidates) for value, group in groups.items()}
        sold = any(one.kin for one in all_said.get(good, ()))
        for value, group in groups.items():
            features = self._stock_features(by_value.get(value, []))
            said = all_said[value]
            features |= {
                **said_features(said),
                # One variant that is sold out says nothing where another can be bought.
                "struct_kin": float(any(one.kin for one in said) and not (sold and value == bad)),
                "labelled": float(_has(group, _LABELLED)),
                "is_good": float(value == good),
                "is_bad": float(value == bad),
            }
            if value == bad:  # what says "sold out" weighs otherwise than what says "buy"
                features |= {f"bad_{name}": features[name] for name in _BAD}
            group.features = features

    def _stock_features(self, sayings: list[Saying]) -> Features:
        own = [one for one in sayings if self._places.kind(one.element) is Kind.OWN]
        title = self._places.title
        end = title.end if title is not None else 0
        near = [
            1 - math.log(1 + min(abs(one.quote.start - end), FAR - 1)) / _LOG_FAR
            for one in own
            if one.quote.view is ViewName.TEXT
        ]
        manners = {one.manner for one in own if not one.off}
        return {
            **{manner: float(manner in manners) for manner in MANNERS},
            "button_off": float(any(one.off for one in own)),
            "near": max(near, default=0.0),
            "elsewhere": float(bool(sayings) and not own),
        }

    def _means(self, field: Field, word: str) -> Hashable:
        try:
            return value_key(self._compiled.derive(field.name, word))
        except NotDerivable:
            return None

    # ------------------------------------------------------------------------------ brand
    def _brands(self, field: Field, groups: Groups) -> None:
        hinted: dict[Hashable, float] = {}
        title = self._places.title
        for named in find_brands(self._views, self._places):
            made = self._maker.guess(field.name, Proposal((named.quote,)))
            if made is not None:
                key = value_key(made.value)
                groups.setdefault(key, Group()).candidates.append(made)
                size = min(self._places.common_size(named.element, title), len(self._views.text))
                box = 1 - math.log(1 + size) / math.log(2 + len(self._views.text))
                hinted[key] = max(hinted.get(key, 0.0), box)
        heading = normal(self._places.layout.views.h1 or self._views.title)
        named_too = normal(self._views.title)
        crumbs = {normal(crumb) for crumb in self._views.breadcrumbs}
        for key, group in groups.items():
            said = self._said.of(group.candidates)
            words = str(key)
            group.features = {
                **said_features(said),
                "maker": float(any("manufacturer" in one.path for one in said)),
                "labelled": float(_has(group, _LABELLED)),
                "brand_hint": float(key in hinted),
                "hint_box": hinted.get(key, 0.0),
                "in_title": float(_holds(heading, words) or _holds(named_too, words)),
                "title_first": float(f"{heading} ".startswith(f"{words} ")),
                "crumb": float(words in crumbs),
                "wordy": float(len(words.split()) > 4),
            }


_MAKERS: Mapping[str, Callable[[Grouping, Field, Groups], None]] = {
    "price": Grouping._prices,
    "currency": Grouping._currencies,
    "id": Grouping._ids,
    "availability": Grouping._stocks,
    "brand": Grouping._brands,
}
_BAD = (*MANNERS, "near", "struct", "elsewhere", "struct_meta", "struct_kin")


def _said_of_price(said: list[Said], several: int, kin: int, seen: bool) -> Features:
    """What structured data says of an amount; that of variants by its share among them."""
    marked, ways = is_marked(said), said_features(said)
    mine = sum(one.kin for one in said)
    return {
        **ways,
        "struct": float(marked and several == 1),
        "struct_several": float(marked and several > 1),
        "struct_kin": mine / max(kin, 1),
        "struct_seen": float((any(ways.values()) or mine > 0) and seen),
        "struct_unseen": float(marked and not seen),
        "struct_other": float(any(not one.main and not one.kin for one in said)),
    }


def value_key(value: Value) -> Hashable:
    """What values of a group have in common; None for what is not ranked."""
    if isinstance(value, Money):
        return round(value.amount, 2)
    return normal(value) if isinstance(value, str) else None


def _amount_of(key: Hashable) -> float:
    """The amount of money by which a group of prices is found."""
    return key if isinstance(key, float | int) else 0.0


def _has(group: Group, methods: Iterable[Method]) -> bool:
    return any(candidate.evidence.method in methods for candidate in group.candidates)


def _holds(words: str, part: str) -> bool:
    return f" {part} " in f" {words} "


def _is_gtin(words: str) -> bool:
    """Whether digits end in the check digit of a GTIN."""
    if not _GTIN.fullmatch(words):
        return False
    weighed = sum(int(d) * (3 if at % 2 == 0 else 1) for at, d in enumerate(reversed(words[:-1])))
    return (10 - weighed % 10) % 10 == int(words[-1])
