"""The values a page offers for a field, grouped, with the features of each group."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property

from specfactory.contract.text import is_gtin, normal
from specfactory.contract.values import Figure
from specfactory.errors import NotDerivable
from specfactory.extract import unlabelled
from specfactory.extract.learned import Features, Group
from specfactory.extract.page import LABELLED, CandidateMaker, Proposal, RegionKind
from specfactory.extract.unlabelled import FAR, MANNERS, Amount, Places, StockHint
from specfactory.model import Candidate, Field, Frozen, Method, Money, Value, ViewName
from specfactory.proof import snippet

Groups = dict[Hashable, Group]
_MAX_COUNTED = 200
_MARKED = frozenset(("json-ld", "microdata", "rdfa"))
_MIN_NAME = 5  # characters from which a name tells its variants
_LOG_FAR = math.log(FAR)


class Statement(Frozen):
    """Where a quoted property stands in structured data."""

    syntax: str
    path: str
    main: bool
    is_variant: bool = False  # of the page's own product


class Grouping:
    """Groups the candidates of one page and adds the values that carry no label."""

    def __init__(self, maker: CandidateMaker, places: Places) -> None:
        self._maker = maker
        self._views, self._compiled = maker.views, maker.compiled
        self._places = places

    def groups(self, field: Field, role: str, candidates: Iterable[Candidate]) -> Groups:
        """The groups of one field by value."""
        groups: Groups = {}
        for candidate in candidates:
            key = value_key(candidate.value)
            if key is not None:
                groups.setdefault(key, Group()).candidates.append(candidate)
        _BY_ROLE[role](self, field, groups)
        return groups

    def _stated(self, candidates: Iterable[Candidate]) -> list[Statement]:
        """The statements of structured data that give the values of these candidates."""
        firsts = [
            one.evidence.values[0] for one in candidates if one.evidence.method is Method.STRUCTURED
        ]
        found = (self._statements.get((first.view, first.start)) for first in firsts)
        return [one for one in found if one is not None]

    @cached_property
    def _statements(self) -> Mapping[tuple[ViewName, int], Statement]:
        items = self._views.items
        names = [normal(item.name) for item in items if item.main and item.syntax in _MARKED]
        names = names or [normal(self._views.h1)]  # no item is the page's own
        own = [name for name in names if len(name) >= _MIN_NAME]
        # The name of a variant goes on from that of the product: "Kettle 2000, red".
        beginnings = tuple(f"{name}{mark}" for name in own for mark in " ,")
        found: dict[tuple[ViewName, int], Statement] = {}
        for item in items:
            is_variant = False
            if own and not item.main and item.is_thing:
                name = normal(item.name)
                is_variant = name in own or name.startswith(beginnings)
            for named in item.properties:
                place = (named.snippet.view, named.snippet.start)
                if place not in found or item.main:
                    found[place] = Statement(item.syntax, named.path, item.main, is_variant)
        return found

    # ------------------------------------------------------------------------------ price
    def add_prices(self, field: Field, groups: Groups) -> None:
        """Add the visible amounts, else a keyed price, and the features of all prices."""
        amounts = [one for one in self._amounts if not self._views.unseen.hides(one.span)]
        described = unlabelled.PriceFeatures(self._places, amounts).of_all()
        for amount, features in zip(amounts, described, strict=True):
            quote = snippet(self._views, ViewName.TEXT, *amount.span)
            values = (quote, amount.apart) if amount.apart is not None else (quote,)
            made = self._maker.guess(field.name, Proposal(values, value=amount.money))
            if made is None:  # no reader sees it
                continue
            group = groups.setdefault(value_key(amount.money), Group())
            group.places.append(features)
            if len(group.candidates) < _MAX_COUNTED:
                group.candidates.append(made)
        keyed = unlabelled.find_keyed(self._views.source)
        if not groups:
            # The page shows no amount: the one that its markup or scripts call a price.
            spans = keyed.only(), unlabelled.find_currency(self._views.source)
            quotes = [snippet(self._views, ViewName.SOURCE, *span) for span in spans if span]
            both = len(quotes) == len(spans)
            made = self._maker.guess(field.name, Proposal(tuple(quotes))) if both else None
            if made is not None:
                groups[value_key(made.value)] = Group([made])
        if not groups and (bare := unlabelled.find_bare(self._figures, self._views)) is not None:
            detail = "neither it nor the page names a currency"
            self._maker.drop(field.name, "currency_missing", detail, shown=bare.quote)
        self._describe_prices(groups, keyed)

    def _describe_prices(self, groups: Groups, keyed: unlabelled.KeyedPrices) -> None:
        stated = {key: self._stated(group.candidates) for key, group in groups.items()}
        several = sum(map(_is_marked, stated.values()))
        variants = sum(one.is_variant for some in stated.values() for one in some)
        for key, group in groups.items():
            mine, seen = stated[key], bool(group.places)
            marked, ways = _is_marked(mine), _statement_features(mine)
            of_variants = sum(one.is_variant for one in mine)
            group.features = {
                **ways,
                "struct": float(marked and several == 1),
                "struct_several": float(marked and several > 1),
                "struct_kin": of_variants / max(variants, 1),
                "struct_seen": float((any(ways.values()) or of_variants > 0) and seen),
                "struct_unseen": float(marked and not seen),
                "struct_other": float(any(not one.main and not one.is_variant for one in mine)),
                "labelled": float(_has(group, LABELLED)),
                "pattern": float(_has(group, (Method.PATTERN,))),
                "zero": float(key == 0),
                "keyed": keyed.share(key if isinstance(key, float | int) else 0.0),
                "only_keyed": float(_has(group, (Method.VISIBLE,)) and not seen),
            }

    @cached_property
    def _amounts(self) -> list[Amount]:
        """The amounts of the page, for the price and the currency."""
        roles = self._compiled.roles.items()
        price = next((name for name, role in roles if role.ranked_as == "price"), "")
        given = self._figures if price else []
        return unlabelled.find_amounts(given, self._views, self._places, self._compiled, price)

    @cached_property
    def _figures(self) -> list[Figure]:
        return unlabelled.find_figures(self._views.text, self._places)

    # --------------------------------------------------------------------------- currency
    def add_currencies(self, field: Field, groups: Groups) -> None:
        """Add the currencies of the visible amounts, and the features of all."""
        seen: Counter[Hashable] = Counter()
        for amount in self._amounts:
            if amount.sign is None:
                continue
            quote = snippet(self._views, ViewName.TEXT, *amount.sign)
            made = self._maker.guess(field.name, Proposal((quote,)))
            if made is None:
                continue
            group = groups.setdefault(value_key(made.value), Group())
            if not _has(group, (Method.VISIBLE,)):
                group.candidates.append(made)
            seen[value_key(made.value)] += 1
        for key, group in groups.items():
            group.features = _statement_features(self._stated(group.candidates)) | {
                "share": seen[key] / max(seen.total(), 1.0),
                "labelled": float(_has(group, LABELLED)),
            }

    # --------------------------------------------------------------------------------- id
    def add_ids(self, field: Field, groups: Groups) -> None:
        """Add the codes of the page's address, and the features of all."""
        in_url: dict[Hashable, set[str]] = {}
        for place, quote in unlabelled.find_codes(self._views):
            made = self._maker.guess(field.name, Proposal((quote,)))
            if made is not None:
                groups.setdefault(value_key(made.value), Group()).candidates.append(made)
                in_url.setdefault(value_key(made.value), set()).add(place)
        for key, group in groups.items():
            words, url = str(group.candidates[0].value), in_url.get(key, set())
            statements = self._stated(group.candidates)
            marked, labelled = _is_marked(statements), _has(group, LABELLED)
            digits = sum(character.isdigit() for character in words) / max(len(words), 1)
            count = self._views.source.count(words) if 3 < len(words) < 60 else 0
            group.features = {
                **_statement_features(statements),
                "labelled": float(labelled),
                **{place: float(place in url) for place in ("url_end", "url_path", "url_query")},
                "agree": float(bool(url) and (marked or labelled)),
                "struct_labelled": float(marked and labelled),
                "digits": digits,
                "short": float(len(words) < 4),
                "long": float(len(words) > 20),
                "repeats": math.log(1 + min(count, 50)) / math.log(51),
                "seen": float(words in self._views.text),
                "is_gtin": float(is_gtin(words)),
                "spaced": float(" " in words),
            }

    # ----------------------------------------------------------------------- availability
    def add_stock(self, field: Field, groups: Groups) -> None:
        """Add what lines, buttons and scripts say of the stock, and the features of all."""
        hints: dict[Hashable, list[StockHint]] = {}
        for hint in unlabelled.find_stock_hints(self._views, self._places, self._compiled, field):
            key = value_key(hint.value)
            hints.setdefault(key, []).append(hint)
            made = self._maker.guess(field.name, Proposal((hint.quote,), value=hint.value))
            if made is not None:
                groups.setdefault(key, Group()).candidates.append(made)
        good, bad = self._key_of(field, "InStock"), self._key_of(field, "OutOfStock")
        stated = {value: self._stated(group.candidates) for value, group in groups.items()}
        sold = any(one.is_variant for one in stated.get(good, ()))
        for value, group in groups.items():
            mine = stated[value]
            of_variant = any(one.is_variant for one in mine)
            features = self._stock_features(hints.get(value, []))
            features |= {
                **_statement_features(mine),
                # One variant that is sold out says nothing where another can be bought.
                "struct_kin": float(of_variant and not (sold and value == bad)),
                "labelled": float(_has(group, LABELLED)),
                "is_good": float(value == good),
                "is_bad": float(value == bad),
            }
            if value == bad:  # what says "sold out" weighs otherwise than what says "buy"
                features |= {f"bad_{name}": features[name] for name in _BAD}
            group.features = features

    def _stock_features(self, hints: list[StockHint]) -> Features:
        own = [one for one in hints if self._places.kind(one.element) is RegionKind.OWN]
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
            "elsewhere": float(bool(hints) and not own),
        }

    def _key_of(self, field: Field, word: str) -> Hashable:
        try:
            return value_key(self._compiled.derive(field.name, word))
        except NotDerivable:
            return None

    # ------------------------------------------------------------------------------ brand
    def add_brands(self, field: Field, groups: Groups) -> None:
        """Add names marked as a brand, and the features of all."""
        hinted: dict[Hashable, float] = {}
        views, title = self._views, self._places.title
        for quote, element in unlabelled.find_brands(views, self._places):
            made = self._maker.guess(field.name, Proposal((quote,)))
            if made is not None:
                key = value_key(made.value)
                groups.setdefault(key, Group()).candidates.append(made)
                size = min(self._places.common_size(element, title), len(views.text))
                box = 1 - math.log(1 + size) / math.log(2 + len(views.text))
                hinted[key] = max(hinted.get(key, 0.0), box)
        heading, page_title = normal(views.h1 or views.title), normal(views.title)
        crumbs = {normal(crumb) for crumb in views.breadcrumbs}
        for key, group in groups.items():
            statements = self._stated(group.candidates)
            words = str(key)
            in_title = any(f" {words} " in f" {some} " for some in (heading, page_title))
            group.features = {
                **_statement_features(statements),
                "maker": float(any("manufacturer" in one.path for one in statements)),
                "labelled": float(_has(group, LABELLED)),
                "brand_hint": float(key in hinted),
                "hint_box": hinted.get(key, 0.0),
                "in_title": float(in_title),
                "title_first": float(f"{heading} ".startswith(f"{words} ")),
                "crumb": float(words in crumbs),
                "wordy": float(len(words.split()) > 4),
            }


_BY_ROLE: Mapping[str, Callable[[Grouping, Field, Groups], None]] = {
    "price": Grouping.add_prices,
    "currency": Grouping.add_currencies,
    "id": Grouping.add_ids,
    "availability": Grouping.add_stock,
    "brand": Grouping.add_brands,
}
_BAD = (*MANNERS, "near", "struct", "elsewhere", "struct_meta", "struct_kin")


def value_key(value: Value) -> Hashable:
    """The key under which equal values are grouped; None for what is not ranked."""
    if isinstance(value, Money):
        return round(value.amount, 2)
    return normal(value) if isinstance(value, str) else None


def _has(group: Group, methods: Iterable[Method]) -> bool:
    return any(candidate.evidence.method in methods for candidate in group.candidates)


def _is_marked(statements: Iterable[Statement]) -> bool:
    """True when markup says it of the page's own product."""
    return any(one.syntax in _MARKED and one.main for one in statements)


def _statement_features(statements: Iterable[Statement]) -> Features:
    statements = tuple(statements)
    return {
        "struct": float(_is_marked(statements)),
        "struct_meta": float(any(one.syntax == "meta" for one in statements)),
        "struct_state": float(any(one.syntax == "state" for one in statements)),
    }
