"""Words that introduce, divide or end a byline, in many languages."""

import re

# "By", "Written by", "A column by" … in many languages. A bare "von" or "di" counts only at the
# start of a line, after a date or after a bar: elsewhere it is part of a sentence or a name.
_BARE = r"by|vo[nm]|par|por|da|di|door|a[vf]|od|przez|oleh"
_STRONG = (
    r"(?:written|posted|reported|story|text|words|article|published|created|edited|submitted|"
    r"contributed|reviewed)\s+by|(?:text|artikel|beitrag|erstellt|geschrieben|verfasst|"
    r"veröffentlicht|eingestellt|gepostet|gespeichert|kolumne|gastbeitrag|kommentar|bericht|"
    r"analyse)\s+vo[nm]|autor(?:in|en|innen|a|es|i|em)?|authors?|auteurs?|aut(?:h)?ore|yazar|"
    r"redakteur(?:in)?|(?:écrit|rédigé|publié|propos recueillis) par|"
    r"(?:escrito|publicado|texto) por|(?:scritto|pubblicato) da|(?:a cura|articolo|testo) di|"
    r"(?:geschreven|tekst) door|"
    r"(?:skrevet|skriven|publicerad|tekst) a[vf]|napisał|napisała|tekst|kirjoittanut|teksti|"
    r"автор|текст|írta|szerző|scris de|συντάκτης|penulis|tác giả"
)
BY = re.compile(
    rf"(?:(?:^|(?<=[|·•,–—/:\d)]\s)|(?<=[|·•–—/]))(?:{_BARE}|text)|\b(?:{_STRONG}))"
    r"(?:\s*:\s*|\s+|$)",
    re.IGNORECASE,
)
_BY_AGAIN = re.compile(rf"(?:{_BARE})\s+(?=\w)", re.IGNORECASE)
_BY_BEFORE = re.compile(rf"(?:^|[\s|·•,–—/(]){{1}}(?:{_BARE}|{_STRONG})\s*:?\s*$", re.IGNORECASE)
_WRITER = re.compile(
    r"aut(?:h?or|eur)|автор|writ|posted|reported|geschrieben|verfasst|erstellt|eingestellt|text|"
    r"artikel von|beitrag von|kolumne|écrit|rédigé|escrito|scritto|a cura|geschreven|skrevet|"
    r"skriven|szerző|yazar|penulis|作者|记者|编辑|기자",
    re.IGNORECASE,
)
_WIDE_BY = re.compile(
    r"(?:作者|记者|文|責任編集|责任编辑|编辑|著者|글|기자)\s*[:：/]\s*|^(?:作者|记者)\s*"
)
# Between two names, or before the date that ends the byline.
PART_END = re.compile(
    r"\s+(?:and|und|et|y|e|ed|en|och|og|i|oraz|и|ve|és|with|mit|avec|con|com)\s+|"
    r"\s+(?:am|on|le|il|el|op|den|um|at)\s+(?=\w{0,11}[.,]?\s?\d)|"
    r"\s*[,;&/|·•+]\s*|\s+[–—-]\s+|\s*[\n\t(]\s*|\s{3,}|\s*//\s*"
)
BEFORE_NAME = ("by ", "von ", "par ", "por ")  # within the author property of structured data


def after_by(text: str) -> int | None:
    """Offset behind "By" and its equivalents; None without them."""
    found = BY.search(text) or _WIDE_BY.search(text)
    if found is None:
        return None
    again = _BY_AGAIN.match(text, found.end())  # "Text: by"
    return again.end() if again else found.end()


def is_author_word(text: str) -> bool:
    """Check whether the words before a name mean writing, not merely "by" or "from"."""
    return _WRITER.search(text) is not None


def ends_with_by(text: str) -> bool:
    """Check whether a text ends with "By" or an equivalent, so that a name should follow."""
    return _BY_BEFORE.search(text[-40:]) is not None
