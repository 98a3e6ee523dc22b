"""The job of a product given in words; problems name their column."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from specfactory.contract.text import SLOTS, named_product, slug
from specfactory.errors import UsageError
from specfactory.model import (
    Frozen,
    IdentityRules,
    Instant,
    JobKind,
    Json,
    NewJob,
    Priority,
    Product,
    field,
)

HARD_IDS = ("gtin", "mpn", "sku", "asin")
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "category": (),
    "brand": ("manufacturer", "make"),
    "model": ("name", "product", "product_name", "model_name"),
    "variant": ("version",),
    "priority": (),
    "priority_reason": ("reason",),
    "tags": ("tag",),
    "scheduled_for": ("due", "due_at", "not_before"),
    "max_attempts": (),
    "urls": ("url",),
    "added_by": (),
    "overrides": (),
    "gtin": ("ean", "upc"),
    "mpn": (),
    "sku": (),
    "asin": (),
}
_NAMES = {alias: name for name, aliases in COLUMNS.items() for alias in (name, *aliases)}
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # bytes that are no UTF-8 decode to these
_LIST = re.compile(r"[,;|]")
_LONGEST = 500


class WrongColumn(UsageError):
    """A product cannot be read because of this column."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(column, reason)
        self.column, self.reason = column, reason

    def __str__(self) -> str:
        return f"{self.column}: {self.reason}"


class Intake(Frozen):
    """Defaults for all products of one import."""

    category: str = ""
    categories: Collection[str] = ()  # those that have a contract; empty: not checked
    added_by: str = "cli"
    priority: int | None = None
    priority_reason: str = ""
    tags: tuple[str, ...] = ()
    due_at: Instant | None = None
    max_attempts: int = 3
    overrides: Mapping[str, Json] = field(default_factory=dict)
    # The identity rules of a category; products without a rule are named by brand and model.
    rules_of: Callable[[str], IdentityRules] = lambda _: IdentityRules()
    monitored_brands: Collection[str] = ()


def payload_of(product: Product) -> dict[str, Json]:
    """A product's identity, as its jobs name it."""
    return {"brand": product.brand, "model": product.model, "variant": product.variant}


def column_name(written: str, names: Collection[str] = ()) -> str | None:
    """Name of the column with this heading or alias; ``names`` are those of a contract."""
    name = re.sub(r"[\s\-]+", "_", written.strip().casefold())
    return name if name in names else _NAMES.get(name)


def product_job(fields: Mapping[str, Any], intake: Intake) -> NewJob:
    """The job of one product, whose fields are named as in ``COLUMNS``."""
    category, known = _text(fields, "category") or intake.category, intake.categories
    if not category:
        raise WrongColumn("category", "is missing; name it in a column or with --category")
    if known and category not in known:
        raise WrongColumn("category", f"{category!r} is unknown; known: {', '.join(sorted(known))}")
    rules = intake.rules_of(category)
    own = dict(zip(rules.names, SLOTS, strict=False))
    words = {name: _text(fields, name) for name in (*SLOTS, *rules.names)}
    for name in rules.needed:
        if not slug(words[own[name]]):
            _needed(fields, name)
    hard_ids = {name: given for name in HARD_IDS if (given := _text(fields, name))}
    product = named_product(category, rules, words, hard_ids)
    payload: dict[str, Json] = {
        **payload_of(product),
        **({"urls": urls} if (urls := _urls(fields)) else {}),
        **({"hard_ids": hard_ids} if hard_ids else {}),
    }  # fmt: skip
    priority = _whole(fields, "priority", Priority.URGENT, Priority.BACKGROUND) or intake.priority
    reason = _text(fields, "priority_reason") or intake.priority_reason
    if priority is None:
        priority = Priority.NORMAL
        if slug(product.brand) in {slug(name) for name in intake.monitored_brands}:
            priority, reason = Priority.HIGH, reason or "monitored_brand"
    scheduled = _text(fields, "scheduled_for")
    return NewJob(
        JobKind.PRODUCT, product.id, payload, product.category, priority, reason,
        _text(fields, "added_by") or intake.added_by,
        (instant_of("scheduled_for", scheduled) if scheduled else None) or intake.due_at,
        _whole(fields, "max_attempts", 1, 100) or intake.max_attempts,
        tags=tuple(dict.fromkeys((*intake.tags, *_words(fields, "tags")))),
        overrides={**intake.overrides, **_overrides(fields)},
    )  # fmt: skip


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise WrongColumn(name, f"is {_shown(value)}; text is wanted")
    words = " ".join(str(value).split())
    if _NO_TEXT.search(words):
        raise WrongColumn(name, f"is {_shown(words)}; save the file as UTF-8")
    if len(words) > _LONGEST:
        raise WrongColumn(name, f"has {len(words)} characters; {_LONGEST} are allowed")
    return words


def _needed(fields: Mapping[str, Any], name: str) -> str:
    words = _text(fields, name)
    if not slug(words):
        raise WrongColumn(name, f"is {words!r}; a name is wanted" if words else "is missing")
    return words


def _whole(fields: Mapping[str, Any], name: str, low: int, high: int) -> int | None:
    words = _text(fields, name)
    if not words:
        return None
    if not words.isdecimal() or not low <= int(words[:9]) <= high:
        raise WrongColumn(name, f"is {words!r}; allowed: {low} to {high}")
    return int(words)


def _words(fields: Mapping[str, Any], name: str) -> list[str]:
    value = fields.get(name) or []
    if isinstance(value, str):
        value = _LIST.split(value)
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise WrongColumn(name, f"is {_shown(value)}; a list of words is wanted")
    return [word.strip() for word in value if word.strip()]


def _urls(fields: Mapping[str, Any]) -> list[str]:
    value = fields.get("urls")
    urls = value.split() if isinstance(value, str) else _words(fields, "urls")
    for url in urls:
        if not url.startswith(("http://", "https://")):
            raise WrongColumn("urls", f"{_shown(url)} is no http(s) address")
    return urls


def instant_of(column: str, words: str) -> Instant:
    """Parse a date, with or without a time; without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(words)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        raise WrongColumn(
            column, f"is {_shown(words)}; a date such as 2026-02-12 or 2026-02-12T08:00:00Z"
        ) from None


def _overrides(fields: Mapping[str, Any]) -> Mapping[str, Json]:
    value = fields.get("overrides") or {}
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else {}
        except (ValueError, RecursionError):
            raise WrongColumn("overrides", f"is {_shown(value)}; JSON is wanted") from None
    if not isinstance(value, dict):
        raise WrongColumn("overrides", f"is {_shown(value)}; an object is wanted")
    return value


def _shown(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 60 else words[:57] + "…"
