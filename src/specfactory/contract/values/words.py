"""Words to values: yes and no, allowed values, lists, names of components."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from specfactory.contract.text import clean, normal, tokens
from specfactory.contract.values.refusal import refuse, says_nothing
from specfactory.model import Frozen, field
from specfactory.word_lists import read_lists, word_set

MAX_TEXT = 4000
MAX_ITEMS = 500
ITEM_MARK = "\x1e"  # stands between items that were quoted one by one

_LISTS = read_lists("contract/values/data/value_words.txt")
YES_WORDS = frozenset(_LISTS["yes"])
NO_WORDS = frozenset(_LISTS["no"])
_NEGATIONS = word_set(*_LISTS["negations"])
_QUALIFIED = re.compile(r"\s*([^\s,;:(–.—/][^,;:(–.—/]*?)\s*(?:[,;:(–—/]|\.(?:\s|$)| - )")
_SPACES = re.compile(r"\s{2,}")
_STRONG = re.compile(r"\s*[\n\r\t•●▪‣|]\s*|\s+·\s+")
_LINE_BREAKS = frozenset("\n\r\t")
_SEMICOLON = re.compile(r"\s*;\s*")
_WEAK = re.compile(
    r",(?!\d)\s*|,(?=\d{1,2}(?!\d))\s+|\s+/\s+|(?<=[^\W\d]{2})/(?=[^\W\d]{2})|\s*\+\s+"
)
_AND = {
    "en": r"\s+and\s+", "de": r"\s+und\s+", "fr": r"\s+et\s+", "es": r"\s+[ye]\s+",
    "it": r"\s+ed?\s+", "": r"\s+(?:and|und|et)\s+",
}  # fmt: skip
_ANDS = {language: re.compile(words, re.I) for language, words in _AND.items()}
_LEADING_AND = re.compile(r"^(?:and|und|et|or|oder)\s+", re.I)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|li|ol|ul|br|hr|h[1-6]|tr|dt|dd|section|article|blockquote)\b[^<>]{0,300}>", re.I
)
_ANY_TAG = re.compile(r"</?[a-z][^<>]{0,1000}>", re.I)
_SENTENCE_END = re.compile(r"[.!?]['\")»”]?\s+(?=[^\W\d_])|[。！？]")
_WORDY = 4  # words between commas from which on a sentence is more likely than a list
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_GENERIC = word_set(*_LISTS["generic"])


class Vocabulary(Frozen):
    """Allowed values with their synonyms, found by normal form."""

    names: Mapping[str, str]  # normal form -> value
    starts: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]  # first word -> longest first
    brands: frozenset[str] = field(default_factory=frozenset)  # first words of all names

    def exact(self, words: str) -> str | None:
        """The value whose name or synonym this is."""
        return self.names.get(normal(words))

    def contained(self, words: str) -> tuple[list[str], list[str]]:
        """Values named in the words, longest first at each place, and the words left over."""
        parts = tokens(words)
        found: list[str] = []
        left: list[str] = []
        at = 0
        while at < len(parts):
            for name, value in self.starts.get(parts[at], ()):
                if tuple(parts[at : at + len(name)]) == name:
                    found.append(value)
                    at += len(name)
                    break
            else:
                left.append(parts[at])
                at += 1
        return list(dict.fromkeys(found)), left


def vocabulary(values: Mapping[str, Iterable[str]]) -> Vocabulary | None:
    """Compile allowed values or a component list; None when there are none."""
    names: dict[str, str] = {}
    starts: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for value, synonyms in values.items():
        for name in (value, *synonyms):
            names.setdefault(normal(name), value)
            if parts := tuple(tokens(name)):
                starts.setdefault(parts[0], []).append((parts, value))
    for options in starts.values():
        options.sort(key=lambda option: -len(option[0]))
    ordered = {first: tuple(options) for first, options in starts.items()}
    return Vocabulary(names, ordered, frozenset(starts)) if names else None


def derive_boolean(name: str, words: str, allowed: Vocabulary | None) -> bool:
    """Yes or no; raises NotDerivable for anything in between."""
    answer = _answer(normal(words).strip(" .!"), allowed)
    if answer is None and says_nothing(words):
        refuse(name, words, "no_value", "it says nothing")
    if answer is None and (match := _QUALIFIED.match(words)) and len(match[1]) > 1:
        answer = _answer(normal(match[1]), allowed)
        others = ("no", "nein", "non") if answer else ("yes", "ja", "oui", "sí", "sì")
        if any(other in tokens(words)[1:2] for other in others):
            refuse(name, words, "several_values", "it says yes and no")
    if answer is None:
        refuse(name, words, "not_allowed", "it is neither yes nor no")
    return answer


def _answer(form: str, allowed: Vocabulary | None) -> bool | None:
    """Yes or no by a normal form; the contract's own words come first."""
    if allowed is not None and form in allowed.names:
        return allowed.names[form] == "true"
    if form in YES_WORDS:
        return True
    return False if form in NO_WORDS else None


def derive_enumeration(name: str, words: str, allowed: Vocabulary) -> str:
    """The one allowed value that the words name."""
    if (value := allowed.exact(words.strip(" .:;*"))) is not None:
        return value
    if says_nothing(words):
        refuse(name, words, "no_value", "it says nothing")
    found, left = allowed.contained(words)
    if len(found) > 1:
        refuse(name, words, "several_values", f"it names {', '.join(found)}")
    if not found or not _NEGATIONS.isdisjoint(left):
        options = ", ".join(dict.fromkeys(allowed.names.values()))
        refuse(name, words, "not_allowed", f"allowed: {options[:300]}")
    return found[0]


def derive_text(
    name: str, words: str, components: Vocabulary | None = None, longest: int = MAX_TEXT
) -> str:
    """The words themselves, or the known component they name."""
    text = clean(without_tags(words))
    if says_nothing(text):
        refuse(name, words, "no_value", "it says nothing")
    if len(text) > longest:
        refuse(name, words, "too_long", f"it has {len(text)} characters")
    return (component_name(text, components) if components else None) or text


def component_name(words: str, components: Vocabulary) -> str | None:
    """The component that the words name, when nothing that could tell it apart is left over."""
    if (value := components.exact(words)) is not None:
        return value
    found, left = components.contained(words)
    known = _GENERIC | components.brands
    return found[0] if len(found) == 1 and all(word in known for word in left) else None


def split_items(words: str, language: str = "") -> list[str]:
    """The items of a list: by lines and bullets if there are any, else by commas and the like.

    What was quoted item by item stays so, whatever it holds; sentences are not cut at commas.
    """
    if ITEM_MARK in words:
        return [text for item in words.split(ITEM_MARK) if (text := clean(without_tags(item)))]
    # One space for many: what looks for an item's end would look at each of them again.
    words = _SPACES.sub(_one_space, without_tags(words))
    strong = [item for item in _STRONG.split(words.strip()) if item.strip()]
    if len(strong) > 1:
        return [item.strip() for item in strong]
    if "://" in words:
        return words.split()
    if is_prose(words):
        return [words.strip()]
    kept: list[str] = []  # what stands in brackets is not cut

    def hide(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    parts = _BRACKETS.sub(hide, words.replace("\0", ""))
    if ";" in parts:
        items = _SEMICOLON.split(parts)
    else:
        pattern = _ANDS.get(language.partition("-")[0].casefold(), _ANDS[""])
        items = [item for part in _WEAK.split(parts) for item in pattern.split(part)]
    if kept:
        items = [re.sub("\0(\\d+)\0", lambda at: kept[int(at[1])], item) for item in items]
    shown = (item.strip().strip(" .•·*") for item in items)
    return [rest for item in shown if (rest := _LEADING_AND.sub("", item).strip())]


def _one_space(run: re.Match[str]) -> str:
    return " " if _LINE_BREAKS.isdisjoint(run[0]) else "\n"


def without_tags(words: str) -> str:
    """Words that carry markup, as they would be read: blocks on lines of their own."""
    if "<" not in words:
        return words
    return _ANY_TAG.sub("", _BLOCK_TAG.sub("\n", words))


def is_prose(words: str) -> bool:
    """Tell whether these are sentences rather than a list: several, or one with long parts."""
    if len(words) > 80:
        ends = (match.end() for match in _SENTENCE_END.finditer(words))
        if any(words[at : at + 1].isupper() or words[at - 1 : at] in "。！？" for at in ends):
            return True
    parts = words.count(",") + 1
    return words.rstrip()[-1:] in (".", "!", "。") and len(words.split()) >= parts * _WORDY + 2


def derive_list(
    name: str,
    words: str,
    allowed: Vocabulary | None = None,
    components: Vocabulary | None = None,
    language: str = "",
) -> tuple[str, ...]:
    """The items of a list, each in its allowed or known form."""
    if says_nothing(words) and not (allowed and allowed.exact(words)):
        refuse(name, words, "no_value", "it says nothing")
    if allowed is not None and (whole := allowed.exact(words)):
        return (whole,)
    items = split_items(words, language)
    if allowed is not None:
        options = ", ".join(dict.fromkeys(allowed.names.values()))
        values: list[str] = []
        for item in items:
            exact = allowed.exact(item)
            found, left = ([exact], []) if exact is not None else allowed.contained(item)
            if not found or not _NEGATIONS.isdisjoint(left):
                refuse(name, words, "not_allowed", f"{item!r} is none of {options[:300]}")
            values += found
        items = values
    elif components is not None:
        items = [component_name(item, components) or clean(item) for item in items]
    else:
        items = [clean(item) for item in items]
    if not items:
        refuse(name, words, "no_value", "there are no items in it")
    if len(items) > MAX_ITEMS or len(words) > MAX_TEXT * 10:
        refuse(name, words, "too_long", f"it has {len(items)} items")
    # What is quoted twice, item by item, is there twice: salt for the dough, salt for the sauce.
    return tuple(items if ITEM_MARK in words and not allowed else dict.fromkeys(items))
