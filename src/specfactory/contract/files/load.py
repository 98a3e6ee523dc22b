"""Contract files to contracts; every problem named with its file, line and place."""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from specfactory.contract.files.load_fields import read_fields, read_synonyms
from specfactory.contract.files.yaml_nodes import Node, compose, node_of
from specfactory.contract.files.yaml_reader import NAME, Reader, did_you_mean
from specfactory.contract.matching import ExpressionError, parse_expression, split_section
from specfactory.contract.text import SLOTS
from specfactory.errors import ContractError, UsageError
from specfactory.model import Check, Contract, Field, IdentityRules, Source, Tier

CONTRACT_KEYS = (
    "category", "version", "title", "identity", "sources", "components", "fields", "checks",
    "respect", "units",
)  # fmt: skip
SOURCE_KEYS = (
    "host", "tier", "scheme", "search", "sitemap", "groups", "cost", "enabled", "selectors",
)  # fmt: skip
IDENTITY_KEYS = ("names", "hard_ids", "variant_words", "neutral_words")
CHECK_KEYS = ("name", "expression", "message")
RESPECTED = ("noindex", "noarchive")
_SELECTOR_END = re.compile(r"\s*::\s*(?:text|attr\(\s*([a-zA-Z_:][\w:.-]{0,60})\s*\))\s*$")


def parse_contract(text: str, file: str) -> Contract:
    """The contract of a file's text; raises its first problem."""
    contract, problems = _parsed(text, file)
    if problems:
        raise ContractError(*problems[0].args)  # anew: the kept one would gather tracebacks
    assert contract is not None
    return contract


def contract_problems(text: str, file: str) -> list[ContractError]:
    """All problems of a file's text, by line."""
    return list(_parsed(text, file)[1])


@lru_cache(maxsize=32)
def _parsed(text: str, file: str) -> tuple[Contract | None, tuple[ContractError, ...]]:
    reader = Reader(file)
    try:
        contract = _contract(reader, compose(text, file), text)
    except ContractError as problem:
        return None, (problem,)
    return contract, tuple(sorted(reader.problems, key=lambda problem: problem.line))


def _contract(reader: Reader, node: Node, text: str) -> Contract:
    given = reader.mapping(node, "", CONTRACT_KEYS)
    for key in ("category", "fields"):
        if key not in given and node.kind == "mapping":
            reader.problem(node.line, key, "is missing")
    components: dict[str, dict[str, tuple[str, ...]]] = {}
    if "components" in given and not given["components"].is_empty:
        for name, item in reader.mapping(given["components"], "components").items():
            components[name] = read_synonyms(reader, item, f"components.{name}")
    units: dict[str, tuple[str, ...]] = {}
    if "units" in given and not given["units"].is_empty:
        units = read_synonyms(reader, given["units"], "units")
    fields = read_fields(reader, given["fields"], components, units) if "fields" in given else {}
    category = reader.name(given["category"], "category") if "category" in given else ""
    _claimed_once(reader, fields, given.get("fields"))
    identity = IdentityRules()
    if "identity" in given:
        rules = reader.mapping(given["identity"], "identity", IDENTITY_KEYS)
        identity = IdentityRules(**{k: reader.texts(n, f"identity.{k}") for k, n in rules.items()})
        if "names" in rules:
            _check_names(reader, rules["names"], identity.names, fields)
    return Contract(
        category=category,
        version=reader.text(given["version"], "version") if "version" in given else "1.0.0",
        title=reader.text(given["title"], "title") if "title" in given else category,
        fields=fields,
        identity=identity,
        sources=_sources(reader, given.get("sources"), fields),
        components=components,
        checks=_checks(reader, given.get("checks"), fields),
        respect=_respect(reader, given.get("respect")),
        units=units,
        digest=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def _check_names(
    reader: Reader, node: Node, names: tuple[str, ...], fields: Mapping[str, Field]
) -> None:
    if not 1 <= len(names) <= len(SLOTS):
        wanted = "one to three fields: its name, whose it is, which one of several"
        reader.wrong(node, "identity.names", wanted)
    for name in names:
        if name not in fields and name not in SLOTS:
            problem = f"there is no field {name!r}{did_you_mean(name, fields)}"
            reader.problem(node.line, "identity.names", problem)


def _respect(reader: Reader, node: Node | None) -> tuple[str, ...]:
    if node is None or node.is_empty:
        return ()
    words = reader.texts(node, "respect")
    for word in words:
        if word not in RESPECTED:
            advice = did_you_mean(word, RESPECTED) or f"; allowed: {', '.join(RESPECTED)}"
            reader.problem(node.line, "respect", f"{word!r} is unknown{advice}")
    return words


def _items(reader: Reader, node: Node | None, where: str) -> list[Node]:
    if node is None or node.is_empty:
        return []
    if node.kind != "list":
        reader.wrong(node, where, "a list")
        return []
    return node.items


def _sources(reader: Reader, node: Node | None, fields: dict[str, Field]) -> tuple[Source, ...]:
    groups = {field.group for field in fields.values()}
    found: dict[str, Source] = {}
    for at, item in enumerate(_items(reader, node, "sources")):
        source = read_source(reader, item, f"sources[{at}]", groups, set(fields))
        if source is not None and source.host in found:
            reader.problem(item.line, f"sources[{at}].host", f"{source.host!r} stands twice")
        elif source is not None:
            found[source.host] = source
    return tuple(found.values())


def read_source(
    reader: Reader, node: Node, where: str, groups: set[str] | None, fields: set[str] | None = None
) -> Source | None:
    """One source; None when host or tier is unusable. Any group or field is taken for None."""
    given = reader.mapping(node, where, SOURCE_KEYS)
    for key in ("host", "tier"):
        if key not in given and node.kind == "mapping":
            reader.problem(node.line, f"{where}.{key}", "is missing")
    if "host" not in given or "tier" not in given:
        return None
    host = reader.text(given["host"], f"{where}.host").casefold()
    if host and ("/" in host or " " in host or "@" in host):
        wanted = "a host such as www.example.com, without https://"
        reader.wrong(given["host"], f"{where}.host", wanted)
        host = ""
    tier = reader.choice(given["tier"], f"{where}.tier", Tier)
    options: dict[str, Any] = {
        key: _source_option(reader, key, entry, f"{where}.{key}", groups)
        for key, entry in given.items()
        if key not in ("host", "tier", "selectors")
    }
    if "selectors" in given:
        place = f"{where}.selectors"
        options["selectors"] = _selectors(reader, given["selectors"], place, fields)
    return Source(host, tier, **options) if host and tier else None


@lru_cache(maxsize=1024)
def split_selector(selector: str) -> tuple[str, str]:
    """Split ``img.main::attr(alt)`` into CSS and attribute; "" stands for the element's words."""
    end = _SELECTOR_END.search(selector)
    return (selector[: end.start()], end[1] or "") if end else (selector.strip(), "")


def _selectors(reader: Reader, node: Node, where: str, fields: set[str] | None) -> dict[str, str]:
    """Selectors by field; ``fields`` None takes any name."""
    found: dict[str, str] = {}
    for name, entry in reader.mapping(node, where).items():
        selector = reader.text(entry, f"{where}.{name}")
        if fields is not None and name not in fields:
            problem = f"there is no field {name!r}{did_you_mean(name, fields)}"
            reader.problem(entry.line, f"{where}.{name}", problem)
        elif not NAME.fullmatch(name):
            reader.problem(entry.line, f"{where}.{name}", "is no name of a field")
        elif selector and not _is_css(split_selector(selector)[0]):
            reader.problem(entry.line, f"{where}.{name}", f"is no CSS selector: {selector[:80]!r}")
        elif selector:
            found[name] = selector
    return found


def _is_css(selector: str) -> bool:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        LexborHTMLParser("<p>").css_first(selector)
    except SelectolaxError:
        return False
    return bool(selector)


def source_from(entry: Mapping[str, Any], where: str) -> Source:
    """A source as the settings give it; UsageError names what is wrong with it."""
    reader = Reader(where)
    source = read_source(reader, node_of(entry), "sources", None)
    if source is None or reader.problems:
        problem = reader.problems[0]
        raise UsageError(f"{where}: {problem.where}: {problem.problem}")
    return source


def _source_option(
    reader: Reader, key: str, node: Node, where: str, groups: set[str] | None
) -> Any:
    if key == "enabled":
        return reader.boolean(node, where, True)
    if key == "cost":
        cost = reader.number(node, where)
        if cost is not None and cost <= 0:
            reader.problem(node.line, where, f"must be more than 0, given {cost:g}")
        return cost or 1.0
    if key == "groups":
        found = reader.texts(node, where)
        for name in found if groups is not None else ():
            if groups is not None and name not in groups:
                known = "; there are: " + ", ".join(sorted(groups))
                advice = did_you_mean(name, groups) or known
                reader.problem(node.line, where, f"no field is in the group {name!r}{advice}")
        return found
    text = reader.text(node, where)
    if key == "scheme" and text not in ("http", "https", ""):
        reader.wrong(node, where, "http or https")
    if key == "search" and text and "{query}" not in text:
        reader.problem(node.line, where, f"has no {{query}}: {text!r}")
    if key in ("search", "sitemap") and text and not text.startswith(("http://", "https://")):
        reader.wrong(node, where, "a URL with https://")
    return text


def _checks(reader: Reader, node: Node | None, fields: dict[str, Field]) -> tuple[Check, ...]:
    found: dict[str, Check] = {}
    for at, item in enumerate(_items(reader, node, "checks")):
        where = f"checks[{at}]"
        given = reader.mapping(item, where, CHECK_KEYS)
        missing = [key for key in ("name", "expression") if key not in given]
        for key in missing:
            reader.problem(item.line, f"{where}.{key}", "is missing")
        if missing:
            continue
        words = (reader.text(given[k], f"{where}.{k}") if k in given else "" for k in CHECK_KEYS)
        check = Check(*words)
        if check.name in found:
            reader.problem(item.line, f"{where}.name", f"{check.name!r} stands twice")
        line, place = given["expression"].line, f"{where}.expression"
        try:
            expression = parse_expression(check.expression)
        except ExpressionError as problem:
            reader.problem(line, place, f"{check.expression[:80]!r}: {problem}")
            continue
        unknown = [name for name in expression.fields if name not in fields]
        for name in unknown:
            problem_text = f"there is no field {name!r}{did_you_mean(name, fields)}"
            reader.problem(line, place, problem_text)
        if check.name and not unknown:
            found[check.name] = check
    return tuple(found.values())


def _claimed_once(reader: Reader, fields: dict[str, Field], node: Node | None) -> None:
    """A label names one field; ``Cable > Length`` sets it apart by the section it stands in."""
    owners: dict[tuple[str, str], str] = {}
    lines = {key.text: value for key, value in node.pairs} if node and node.keys else {}
    for field in fields.values():
        for label in (label for labels in field.labels.values() for label in labels):
            key = split_section(label)
            owner = owners.setdefault(key, field.name)
            if owner != field.name:
                line, waiting = lines[field.name].line, [lines[field.name]]
                while waiting:  # the label is a scalar somewhere below
                    here = waiting.pop()
                    if here.kind == "scalar" and here.text.strip() == label:
                        line = here.line
                        break
                    waiting.extend(here.items)
                problem = (
                    f"{label!r} already names {owner!r}; set it apart by its section, "
                    f"such as 'Cable > {label}', or leave it out"
                )
                reader.problem(line, f"fields.{field.name}.labels", problem)
